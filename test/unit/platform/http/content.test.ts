import * as Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../../../infra/build/openapi/document.ts';
import { Content, negotiate } from '../../../../shared/platform/http/content.ts';
import { chooseContentType, serialise } from '../../../../shared/platform/http/reply.ts';
import { defineRoute, errorsOf, type Route } from '../../../../shared/platform/http/route.ts';

const JSON_TYPE = 'application/json';
const PARQUET = 'application/vnd.apache.parquet';
const OFFERED = [JSON_TYPE, 'application/x-ndjson', 'text/csv; charset=utf-8', PARQUET] as const;

const route = defineRoute({
  operationId: 'exportRows',
  method: 'GET',
  path: '/api/rows',
  summary: 'Export rows',
  permission: 'public',
  success: { status: 200, contentTypes: OFFERED, body: Type.Object({ n: Type.Integer() }) },
}) as unknown as Route;

describe('the Accept header', () => {
  it.each([
    [undefined, JSON_TYPE],
    ['', JSON_TYPE],
    ['*/*', JSON_TYPE],
    ['application/*', JSON_TYPE],
    ['text/*', OFFERED[2]],
    ['text/csv', OFFERED[2]],
    ['TEXT/CSV ; q=0.5 , application/x-ndjson;q=0.4', OFFERED[2]],
    ['application/json;q=0, */*', 'application/x-ndjson'],
    ['text/csv;q=0.2, */*;q=0.1', OFFERED[2]],
    [PARQUET, PARQUET],
    [`${PARQUET}, text/csv;q=0.5`, PARQUET],
    // The gateway would send the bytes as base64 text.
    [`text/csv;q=0.5, ${PARQUET}`, OFFERED[2]],
  ])('%s chooses %s', (accept, chosen) => {
    expect(chooseContentType(route, accept)).toBe(chosen);
  });

  it.each(['image/png', 'text/csv;q=0', `image/gif, ${PARQUET}`, 'csv', ';', ','])('%s takes none', (accept) => {
    expect(() => negotiate(accept, OFFERED)).toThrow(expect.objectContaining({ code: 'NOT_ACCEPTABLE' }));
  });
});

describe('a reply that is not one JSON value', () => {
  it('carries text as text and bytes as base64', () => {
    expect(serialise(route, OFFERED[2], new Content('a\nä\n', { fileName: 'Umsätze "1".csv' }))).toEqual({
      statusCode: 200,
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        vary: 'accept',
        'content-disposition': `attachment; filename="Ums_tze _1_.csv"; filename*=UTF-8''Ums%C3%A4tze%20%221%22.csv`,
      },
      body: 'a\nä\n',
      isBase64Encoded: false,
    });
    const bytes = Uint8Array.of(0, 0xff, 0x80, 10).subarray(1);
    expect(serialise(route, PARQUET, new Content(bytes))).toMatchObject({
      body: Buffer.from([0xff, 0x80, 10]).toString('base64'),
      isBase64Encoded: true,
    });
    expect(serialise(route, JSON_TYPE, { n: 1 })).toMatchObject({ body: '{"n":1}' });
  });

  it('is never of another type than was chosen', () => {
    expect(() => serialise(route, PARQUET, { n: 1 })).toThrow('exportRows did not return');
  });

  it('is declared with all its types and the refusal of others', () => {
    expect(errorsOf(route)).toEqual(['VALIDATION_FAILED', 'NOT_ACCEPTABLE']);
    const section = { title: 'X', description: 'Rows.', routes: [route], examples: new Map() };
    const document = openApiDocument([
      { name: 'x', paths: ['/api/rows'], sections: [section], routes: [route], resources: {} },
    ]);
    const { paths } = document as {
      paths: Record<string, { get: { responses: Record<string, { content: object }> } }>;
    };
    const { responses } = paths['/rows']!.get;
    expect(Object.keys(responses)).toEqual(['200', '400', '406', '500', '503']);
    expect(Object.keys(responses['200']!.content)).toEqual(OFFERED);
  });
});
