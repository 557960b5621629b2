import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { describe, expect, vi } from 'vitest';
import { openEngine } from '../../../../shared/data/duckdb/engine.ts';
import { uploadKey } from '../../../../shared/domains/warehouse/sources/record.ts';
import { type Api, it } from '../../../support/api.ts';
import { dataBucket } from '../../../support/given/bucket.ts';
import { endedRefresh } from '../../../support/given/dataset-job.ts';
import { givenFileSource, putFile, uploadFile } from '../../../support/given/upload.ts';
import { workbookOf } from '../../../support/workbook.ts';

const columns = (api: Api, id: string, table: string, more = '') =>
  api.as('editor').get(`/api/data-sources/${id}/columns?table=${encodeURIComponent(table)}${more}`);

async function parquet(sql: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'parquet-'));
  const engine = await openEngine({ memoryLimitMb: 256, threads: 1, tempDir: folder });
  try {
    await engine.copyToParquet(sql, { path: join(folder, 'file.parquet') });
    return await readFile(join(folder, 'file.parquet'));
  } finally {
    await engine.close();
    await rm(folder, { recursive: true, force: true });
  }
}

describe('a source of files', () => {
  it('takes a file by one signed PUT and lists it', async ({ api }) => {
    const id = await givenFileSource(api);
    const upload = await api
      .as('owner')
      .post(`/api/data-sources/${id}/uploads`, { path: 'sales/2026 01.csv', size: 6, contentType: 'text/csv' });
    expect(upload).toMatchObject({
      status: 201,
      body: { method: 'PUT', headers: { 'content-type': 'text/csv', 'content-length': '6' } },
    });
    const minutes = (Date.parse(upload.body.expiresAt) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(14);
    expect(minutes).toBeLessThanOrEqual(15.1);
    expect((await api.as('editor').get(`/api/data-sources/${id}/tables`)).body.items).toEqual([]);

    expect((await putFile(upload.body, Buffer.from('a,b\n1,'))).status).toBe(200);
    expect((await api.as('editor').get(`/api/data-sources/${id}/tables`)).body.items).toEqual([
      { schema: '', name: 'sales/2026 01.csv', kind: 'file', sizeBytes: 6, updatedAt: expect.any(String) },
    ]);
    expect((await api.as('editor').get(`/api/data-sources/${id}/schemas`)).body.items).toEqual([]);
    expect((await api.as('owner').post(`/api/data-sources/${id}/test`)).body).toMatchObject({ ok: true });
  });

  it('signs the length, the type and the time', async ({ api }) => {
    const id = await givenFileSource(api);
    const { body: upload } = await api.as('owner').post(`/api/data-sources/${id}/uploads`, { path: 'a.csv', size: 4 });
    const url = new URL(upload.url);
    const signed = url.searchParams.get('X-Amz-SignedHeaders')!.split(';');
    expect(signed).toEqual(expect.arrayContaining(['content-length', 'content-type', 'host']));
    expect(url.searchParams.get('X-Amz-Expires')).toBe('900');
    expect(decodeURIComponent(url.pathname)).toContain(uploadKey(api.workspaceId, id, 'a.csv'));
    expect([...url.searchParams.keys()].filter((name) => /checksum/i.test(name))).toEqual([]);

    const late = new URL(url);
    const anHourAgo = new Date(Date.now() - 3_600_000).toISOString().replace(/[-:]|\.\d+/g, '');
    late.searchParams.set('X-Amz-Date', anHourAgo);
    const credential = late.searchParams.get('X-Amz-Credential')!;
    late.searchParams.set('X-Amz-Credential', credential.replace(/\/\d{8}\//, `/${anHourAgo.slice(0, 8)}/`));
    const expired = await putFile({ ...upload, url: late.href }, Buffer.from('a\n1\n'));
    expect(expired.status).toBe(403);
    const untyped = await fetch(url, { method: 'PUT', body: new Uint8Array(4) });
    expect(untyped.status).toBe(403);
    expect((await api.as('editor').get(`/api/data-sources/${id}/tables`)).body.items).toEqual([]);
  });

  it('takes an upload of exactly the promised length and type', async ({ api }) => {
    const id = await givenFileSource(api);
    const { body: upload } = await api.as('owner').post(`/api/data-sources/${id}/uploads`, { path: 'a.csv', size: 4 });
    expect((await putFile(upload, Buffer.from('a\n1\n2\n3\n'))).status).toBe(403);
    const typed = { ...upload.headers, 'content-type': 'text/html' };
    expect((await putFile({ ...upload, headers: typed }, Buffer.from('a\n1\n'))).status).toBe(403);
    expect((await api.as('editor').get(`/api/data-sources/${id}/tables`)).body.items).toEqual([]);
    expect((await putFile(upload, Buffer.from('a\n1\n'))).status).toBe(200);
  });

  it('leaves nothing behind, also of a file whose upload ends after the source was deleted', async ({ api }) => {
    const id = await givenFileSource(api, { 'early.csv': 'a\n1\n' });
    const { body: upload } = await api
      .as('owner')
      .post(`/api/data-sources/${id}/uploads`, { path: 'late.csv', size: 4 });
    const { body: empty } = await api.as('owner').post(`/api/data-sources/${id}/uploads`, { path: '_empty', size: 0 });
    expect((await api.as('owner').delete(`/api/data-sources/${id}`)).status).toBe(204);
    expect((await putFile(upload, Buffer.from('a\n1\n'))).status).toBe(200);
    expect((await putFile(empty, Buffer.alloc(0))).status).toBe(200);
    const { name, s3 } = await dataBucket(api.endpoint);
    const Prefix = uploadKey(api.workspaceId, id, '');
    await vi.waitFor(
      async () => {
        const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: name, Prefix }));
        expect(Contents.map(({ Key }) => Key)).toEqual([]);
      },
      { timeout: 90_000, interval: 250 },
    );
  });

  it('lists the sheets of a workbook and shows the one that is named', async ({ api }) => {
    const cell = (value: number) => `<row r="${value}"><c><v>${value}</v></c></row>`;
    const text = '<row r="1"><c t="inlineStr"><is><t>title</t></is></c></row>';
    const sheets = { Notes: cell(1), Data: `${text}${cell(4)}${cell(5)}` };
    const id = await givenFileSource(api, { 'book.xlsx': workbookOf({ sheets, hidden: ['Notes'] }) });
    const listed = [
      { name: 'Notes', isHidden: true },
      { name: 'Data', isHidden: false },
    ];
    expect((await columns(api, id, 'book.xlsx')).body).toEqual({
      items: [{ name: 'title', type: 'integer' }],
      sample: [[4], [5]],
      sheets: listed,
    });
    expect((await columns(api, id, 'book.xlsx', '&sheet=Data&headerRow=4')).body).toEqual({
      items: [{ name: '4', type: 'integer' }],
      sample: [[5]],
      sheets: listed,
    });
    expect(await columns(api, id, 'book.xlsx', '&sheet=Other')).toMatchObject({
      status: 422,
      body: { code: 'FILE_UNREADABLE', detail: expect.stringContaining('it has "Notes", "Data"') },
    });
  });

  it('refuses paths that could lead elsewhere', async ({ api }) => {
    const id = await givenFileSource(api);
    for (const path of [
      '/a.csv',
      '../a.csv',
      'a/../b.csv',
      'a/./b.csv',
      'a//b.csv',
      'a\\b.csv',
      'a\nb.csv',
      '',
      '..',
      '\ud800.csv',
      '\uffff.csv',
      '数'.repeat(400),
    ]) {
      const reply = await api.as('owner').post(`/api/data-sources/${id}/uploads`, { path, size: 1 });
      expect(reply, path).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
      for (const { pointer } of reply.body.errors) expect(pointer, path).toBe('/path');
    }
    for (const size of [-1, 1.5, 100 * 1024 ** 3 + 1]) {
      const reply = await api.as('owner').post(`/api/data-sources/${id}/uploads`, { path: 'a.csv', size });
      expect(reply, String(size)).toMatchObject({ status: 400, body: { errors: [{ pointer: '/size' }] } });
    }
  });

  it('shows the columns and first rows of a file of every format', async ({ api }) => {
    const rows = [
      { id: 1, name: 'Ada', day: '2026-01-01' },
      { id: 2, name: 'Zoë', day: '2026-01-02' },
    ];
    const lines = rows.map((row) => JSON.stringify(row)).join('\n');
    const id = await givenFileSource(api, {
      'a.csv': 'id,name,day\n1,Ada,2026-01-01\n2,Zoë,2026-01-02\n',
      'a.tsv': 'id\tname\tday\n1\tAda\t2026-01-01\n2\tZoë\t2026-01-02\n',
      'A.JSON': JSON.stringify(rows),
      'a.jsonl': lines,
      'a.ndjson': lines,
      'a.parquet': await parquet(`SELECT * FROM (VALUES (1, 'Ada', DATE '2026-01-01'),
                                  (2, 'Zoë', DATE '2026-01-02')) t(id, name, day)`),
      'no ending': lines,
    });
    for (const [path, more] of [
      ['a.csv', ''],
      ['a.tsv', ''],
      ['A.JSON', ''],
      ['a.jsonl', ''],
      ['a.ndjson', ''],
      ['a.parquet', ''],
      ['no ending', '&format=ndjson'],
    ] as const) {
      const reply = await columns(api, id, path, more);
      expect(reply.body, path).toEqual({
        items: [
          { name: 'id', type: 'integer' },
          { name: 'name', type: 'string' },
          { name: 'day', type: 'date' },
        ],
        sample: [
          [1, 'Ada', '2026-01-01'],
          [2, 'Zoë', '2026-01-02'],
        ],
      });
    }
    expect(await columns(api, id, 'no ending')).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', errors: [{ pointer: '/query/format' }] },
    });
  });

  it('reads a file by its content if its name indicates another format, unless a format is given', async ({ api }) => {
    const lines = '{"a":1}\n{"a":2}\n';
    const id = await givenFileSource(api, {
      'lines.csv': lines,
      'parquet.csv': await parquet('SELECT 1 AS a'),
      'b.txt': 'sep=;\nb\n1\n',
    });
    expect((await columns(api, id, 'lines.csv')).body).toEqual({
      items: [{ name: 'a', type: 'integer' }],
      sample: [[1], [2]],
    });
    expect((await columns(api, id, 'parquet.csv')).body.sample).toEqual([[1]]);
    expect((await columns(api, id, 'b.txt')).body).toEqual({ items: [{ name: 'b', type: 'integer' }], sample: [[1]] });
    expect(await columns(api, id, 'lines.csv', '&format=csv')).toMatchObject({
      status: 422,
      body: { code: 'FILE_UNREADABLE', detail: expect.stringContaining('set format: ndjson') },
    });
    const imported = async (more: object) => {
      const source = { kind: 'file', sourceId: id, path: 'lines.csv', ...more };
      const { body } = await api.as('editor').post('/api/datasets', { name: `lines ${Object.keys(more)}`, source });
      return {
        refresh: await endedRefresh(api, body.id),
        rows: (await api.as('viewer').get(`/api/datasets/${body.id}/preview`)).body.rows,
      };
    };
    expect(await imported({})).toMatchObject({ refresh: { status: 'succeeded' }, rows: [[1], [2]] });
    expect((await imported({ format: 'csv' })).refresh).toMatchObject({
      status: 'failed',
      error: { code: 'FILE_UNREADABLE', message: expect.stringContaining('set format: ndjson') },
    });
  });

  it('previews a file as its options say, and proposes them', async ({ api }) => {
    const id = await givenFileSource(api, { 'report.csv': 'Sales of January\n\nzip;price;day\n01234;1,5;1.2.2026\n' });
    const given = (options: object) =>
      columns(api, id, 'report.csv', `&options=${encodeURIComponent(JSON.stringify(options))}`);
    expect(await columns(api, id, 'report.csv')).toMatchObject({
      status: 422,
      body: {
        code: 'FILE_UNREADABLE',
        detail: expect.stringContaining('Row 3 looks like the header; set headerRow: 3.'),
      },
    });
    const options = { headerRow: 3, decimalSeparator: ',', dateFormat: '%d.%m.%Y', types: { zip: 'string' } };
    expect((await given(options)).body).toEqual({
      items: [
        { name: 'zip', type: 'string' },
        { name: 'price', type: 'double' },
        { name: 'day', type: 'date' },
      ],
      sample: [['01234', 1.5, '2026-02-01']],
    });
    expect(await given({ headerRow: 3, types: { prise: 'double' } })).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining('there is no column "prise"; did you mean "price"?') },
    });
    expect(await given({ headerRow: 3, skipRows: 2, dateFomat: 'x' })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/query/options/dateFomat' }] },
    });
    expect(await given({ headerRow: 3, skipRows: 2 })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/query/options/skipRows', code: 'NOT_ALLOWED' }] },
    });
    expect(await columns(api, id, 'report.csv', '&options={headerRow:3}')).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/query/options' }] },
    });
  });

  it('shows fewer first rows of large values, and the columns in any case', async ({ api }) => {
    const lines = (bytes: number) => Array.from({ length: 20 }, () => JSON.stringify({ a: 'x'.repeat(bytes) }));
    const id = await givenFileSource(api, {
      'large.ndjson': lines(150_000).join('\n'),
      'vast.ndjson': lines(1_100_000).slice(0, 3).join('\n'),
    });
    for (const [path, rows] of [
      ['large.ndjson', 5],
      ['vast.ndjson', 0],
    ] as const) {
      const { body } = await columns(api, id, path);
      expect(body.items, path).toEqual([{ name: 'a', type: 'string' }]);
      expect(body.sample, path).toHaveLength(rows);
    }
  });

  it('says what is wrong with a file and where', async ({ api }) => {
    const id = await givenFileSource(api, {
      'broken.csv': 'a,b\n1,2\n3,4,5\n6,7\n',
      'latin.csv': Buffer.from('name\nZo\xeb\n', 'latin1'),
      'lying.parquet': 'a,b\n1,2\n',
      'cities.csv': '{\n"type": "FeatureCollection",\n"features": [\n]\n}\n',
      'groups.csv': 'Region;2024;\n;Q1;Q2\nNorth;1;2\nSouth;3;4\n',
      'unclear.csv': 'North,2024\nSouth,120\n',
      'broken.ndjson': '{"a":1}\n{"a":\n',
      'object.json': '{"a":1}',
      'nothing.csv': '',
      'deep.json': `[{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}]`,
      'torn.parquet': withoutPages(await parquet('SELECT i AS a FROM range(5000) r(i)')),
    });
    for (const [path, detail] of [
      ['broken.csv', /line 3.*headerRow.*raggedRows/i],
      ['cities.csv', /GeoJSON FeatureCollection.*set format: ndjson/],
      ['groups.csv', /set headerRow: 2/i],
      ['unclear.csv', /set header: true/i],
      ['latin.csv', /utf-8/i],
      ['lying.parquet', /parquet/i],
      ['broken.ndjson', /line 2/i],
      ['object.json', /array/i],
      ['nothing.csv', /empty/i],
      ['deep.json', /line 1: .*levels/i],
      ['torn.parquet', /damaged/i],
    ] as const) {
      const reply = await columns(api, id, path);
      expect(reply, path).toMatchObject({
        status: 422,
        body: { code: 'FILE_UNREADABLE', errors: [{ pointer: '/query/table' }] },
      });
      expect(reply.body.detail, path).toMatch(detail);
      expect(JSON.stringify(reply.body), path).not.toMatch(/\/tmp|objects\//);
    }
  });

  it('does not find what was never uploaded, nor what lies elsewhere', async ({ api }) => {
    const theirs = await givenFileSource(api, { 'a.csv': 'secret\n1\n' });
    const id = await givenFileSource(api, {}, 'other');
    for (const path of [
      'a.csv',
      `../${theirs}/a.csv`,
      `x/../../${theirs}/a.csv`,
      '数'.repeat(400),
      'a\0.csv',
      `../../../../W/${api.workspaceId}/uploads/${theirs}/a.csv`,
    ]) {
      expect(await columns(api, id, path), path).toMatchObject({ status: 404, body: { code: 'FILE_NOT_FOUND' } });
    }
    expect((await columns(api, theirs, 'a.csv')).status).toBe(200);
  });

  it('shows a replaced file as it is now', async ({ api }) => {
    const id = await givenFileSource(api, { 'a.csv': 'old\n1\n' });
    expect((await columns(api, id, 'a.csv')).body.items).toEqual([{ name: 'old', type: 'integer' }]);
    await uploadFile(api, id, 'a.csv', 'new\nx\n');
    expect((await columns(api, id, 'a.csv')).body).toEqual({
      items: [{ name: 'new', type: 'string' }],
      sample: [['x']],
    });
    expect((await api.as('editor').get(`/api/data-sources/${id}/tables`)).body.items).toHaveLength(1);
  });
});

/** The footer of a Parquet file still describes rows that are no longer there. */
function withoutPages(file: Buffer): Buffer {
  const start = file.length - 8 - file.readUInt32LE(file.length - 8);
  return Buffer.concat([file.subarray(0, 8), file.subarray(start)]);
}
