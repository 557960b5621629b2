import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, inflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { API, ECHO, serve, startGateway, type TestGateway } from './support/gateway.ts';

let test: TestGateway;

beforeAll(async () => {
  test = await startGateway();
  serve(test.control, { '/things': ECHO });
  test.control.putRestApi({ ...API, minimumCompressionSize: 1000 });
  test.control.putDeployment(API.id, { id: 'second' });
  test.control.putStage(API.id, { name: 'api', deploymentId: 'second', variables: {} });
});
afterAll(() => test.close());

/** Unlike `fetch`, this sends no header of its own accord and decodes nothing. */
async function get(answer: object, acceptEncoding?: string) {
  const { promise, resolve, reject } = Promise.withResolvers<{ headers: NodeJS.Dict<unknown>; body: Buffer }>();
  const path = `/api/things?answer=${encodeURIComponent(JSON.stringify(answer))}`;
  const headers = acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding };
  request(test.endpoint + path, { headers }, (reply) => {
    buffer(reply).then((body) => resolve({ headers: reply.headers, body }), reject);
  })
    .on('error', reject)
    .end();
  return promise;
}

const TEXT = 'ä'.repeat(1000);

describe('a reply of an API with a minimum size for compression', () => {
  it.each([
    ['gzip', 'gzip', gunzipSync],
    ['gzip, deflate, br', 'gzip', gunzipSync],
    ['deflate;q=0.9, gzip;q=0.5', 'deflate', inflateSync],
  ] as const)('is compressed for a client that accepts %s', async (accepted, coding, decode) => {
    const { headers, body } = await get({ body: TEXT }, accepted);
    expect(headers).toMatchObject({ 'content-encoding': coding, 'content-length': String(body.length) });
    expect(body.length).toBeLessThan(100);
    expect(decode(body).toString()).toBe(TEXT);
  });

  it.each([undefined, '*', 'br, gzip', 'identity', 'gzip;q=0'])(
    'is sent as it is when the client accepts %s',
    async (accepted) => {
      const { headers, body } = await get({ body: TEXT }, accepted);
      expect(headers).not.toHaveProperty('content-encoding');
      expect(body.toString()).toBe(TEXT);
    },
  );

  it('is sent as it is below that size, and when the function encoded it', async () => {
    expect((await get({ body: 'a'.repeat(999) }, 'gzip')).body).toHaveLength(999);
    const encoded = await get({ body: TEXT, headers: { 'Content-Encoding': 'own' } }, 'gzip');
    expect([encoded.headers['content-encoding'], encoded.body.toString()]).toEqual(['own', TEXT]);
  });
});
