import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { tableFromIPC } from 'apache-arrow';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { csvLine } from '../../../../shared/data/duckdb/csv-text.ts';
import { writeResultFile } from '../../../../shared/data/duckdb/result-files.ts';
import type { ResultFileFormat } from '../../../../shared/data/duckdb/result-formats.ts';
import { spreadsheetCells } from '../../../../shared/data/duckdb/spreadsheet-csv.ts';
import { openTestEngine } from './open-test-engine.ts';

const SQL = `SELECT 9007199254740993 AS big, 170141183460469231731687303715884105::HUGEINT AS huge, -1.50::DECIMAL(6,2) AS money,
    DATE '2024-02-29' AS day, TIMESTAMP '2024-01-02 03:04:05.123457' AS moment, TIMESTAMPTZ '2024-06-01 12:00:00+02' AS instant,
    TIME '01:02:03.5' AS clock, 0.1::DOUBLE AS ratio, 1.5::FLOAT AS small, true AS flag, 'a,"b"' || chr(13) || chr(10) || 'ü☕' AS text, '' AS empty,
    NULL::VARCHAR AS nothing, 'ab'::BLOB AS bytes, [1, NULL, 3] AS list, {'a': 1, 'b': DATE '2024-01-01'} AS nested,
    UUID '6f2b1e2a-0000-4000-8000-000000000001' AS id, INTERVAL '1 day' AS span, '{"n": 12345678901234567890}'::JSON AS doc`;

async function written(sql: string, format: ResultFileFormat, options: { limit?: number; maxBytes?: number } = {}) {
  const { engine, dir } = await openTestEngine();
  const path = `${dir}/result.${format}`;
  await engine.lock([path]);
  const reported = await writeResultFile(engine, sql, { format, limit: 10, maxBytes: 1_000_000, path, ...options });
  return { reported, path };
}

const readParquet = async (path: string) =>
  parquetReadObjects({
    file: await asyncBufferFromFile(path),
    compressors: { ZSTD: (input) => new Uint8Array(zstdDecompressSync(input)) },
  });

describe('a result as a file', () => {
  it('keeps a byte order mark that begins a value', async () => {
    const sql = "SELECT '\ufefftext' AS text, ['\ufeffitem'] AS list, {'\ufeffa': '\ufeff'} AS nested";
    const row = tableFromIPC(await readFile((await written(sql, 'arrow')).path))
      .get(0)!
      .toJSON();
    // The reading library drops the first of two marks.
    const twice = tableFromIPC(await readFile((await written("SELECT '\ufeff\ufeffx' AS t", 'arrow')).path)).get(0)!;
    expect(Buffer.from(await readFile((await written(sql, 'arrow')).path)).includes('\ufefftext')).toBe(true);
    expect([row.text, twice.toJSON().t]).toEqual(['text', '\ufeffx']);
    const { engine } = await openTestEngine();
    expect(await engine.run(sql)).toEqual([['\ufefftext', ['\ufeffitem'], { '\ufeffa': '\ufeff' }]]);
  });

  it('is CSV as RFC 4180 has it, with every digit', async () => {
    const { reported, path } = await written(SQL, 'csv');
    const text = await readFile(path, 'utf8');
    expect(text.startsWith('big,huge,money,day,')).toBe(true);
    expect(text.slice(text.indexOf('\r\n') + 2)).toBe(
      '9007199254740993,170141183460469231731687303715884105,-1.50,2024-02-29,2024-01-02T03:04:05.123457Z,' +
        '2024-06-01T10:00:00.000Z,01:02:03.5,0.1,1.5,true,"a,""b""\r\nü☕","",,YWI=,"[1,null,3]",' +
        '"{""a"":1,""b"":""2024-01-01""}",6f2b1e2a-0000-4000-8000-000000000001,P1D,"{""n"": 12345678901234567890}"\r\n',
    );
    expect(reported).toMatchObject({ rowCount: 1, truncated: false, warnings: [], bytes: Buffer.byteLength(text) });
  });

  it('is CSV with the same cells as lines that are written one by one, for programs and for spreadsheets', async () => {
    const texts = [
      ...[
        '',
        null,
        'a',
        ' ',
        ',',
        '"',
        '""',
        '\r',
        '\n',
        '\t',
        '=1+1',
        '-5',
        '+',
        '@x',
        '\ttab',
        '\rcr',
        ' =x',
        "'",
        "'=1",
        '="a",b',
      ],
      ...[
        'ä,"😀"\r\n',
        'NaN',
        'Infinity',
        'a\u2028b',
        '\ufeff=1',
        '-',
        '--',
        '\u0000',
        '\u0001',
        'a\u0001b,',
        'x'.repeat(5000),
        '9'.repeat(20),
      ],
    ];
    const { engine, dir } = await openTestEngine();
    const sql = `SELECT t, -len(t) AS n, [t, '='] AS list, {a: t} AS struct, -0.5 AS d FROM (SELECT unnest(from_json($1, '["VARCHAR"]')) AS t)`;
    const params = [JSON.stringify(texts)];
    const { columns, rowsJson } = await engine.query(sql, { params, limit: 100, maxBytes: 1e6 });
    const rows = (JSON.parse(rowsJson) as unknown[][]).map((row) =>
      row.map((value) =>
        typeof value === 'object' && value !== null ? JSON.stringify(value) : (value?.toString() ?? null),
      ),
    );
    expect(rows.map(([text]) => text)).toEqual(texts);
    for (const spreadsheet of [undefined, { timezone: 'UTC' }]) {
      const path = join(dir, 'result.csv');
      await writeResultFile(engine, sql, { format: 'csv', params, limit: 100, maxBytes: 1e6, path, spreadsheet });
      const cells = spreadsheet ? spreadsheetCells(columns) : (row: (string | null)[]) => row;
      const expected = [columns.map(({ name }) => name), ...rows.map(cells)].map((row) => csvLine(row));
      expect(await readFile(path, 'utf8')).toBe(expected.join(''));
    }
  });

  it('is NDJSON with a member per column', async () => {
    const { path } = await written(`${SQL} UNION ALL ${SQL}`, 'ndjson');
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    expect(JSON.parse(lines[1]!)).toMatchObject({
      big: '9007199254740993',
      money: '-1.50',
      day: '2024-02-29',
      nothing: null,
      nested: { a: 1, b: '2024-01-01' },
    });
    expect(lines[0]).toContain('"doc":{"n":12345678901234567890}');
  });

  it('is an Arrow stream that another library reads to the same values', async () => {
    const { path } = await written(SQL, 'arrow');
    const table = tableFromIPC(await readFile(path));
    const row = table.get(0)!.toJSON();
    const types = Object.fromEntries(table.schema.fields.map(({ name, type }) => [name, String(type)]));
    expect(types).toMatchObject({
      big: 'Int64',
      huge: 'Decimal[38e0]',
      money: 'Decimal[6e+2]',
      day: 'Date32<DAY>',
      moment: 'Timestamp<MICROSECOND>',
      instant: 'Timestamp<MICROSECOND, UTC>',
      clock: 'Time64<MICROSECOND>',
      small: 'Float32',
      list: 'List<Int32>',
      nested: 'Struct<{a:Int32, b:Date32<DAY>}>',
    });
    expect(row.big).toBe(9007199254740993n);
    expect(String(row.huge)).toBe('170141183460469231731687303715884105');
    expect(String(row.money)).toBe('-150');
    expect(new Date(row.day).toISOString()).toBe('2024-02-29T00:00:00.000Z');
    expect(table.getChild('moment')!.data[0]!.values[0]).toBe(1704164645123457n);
    expect(row.clock).toBe(3_723_500_000n);
    expect([row.ratio, row.small, row.flag, row.text, row.empty, row.nothing]).toEqual([
      0.1,
      1.5,
      true,
      'a,"b"\r\nü☕',
      '',
      null,
    ]);
    expect(Buffer.from(row.bytes).toString()).toBe('ab');
    expect([...row.list]).toEqual([1, null, 3]);
    expect(row.nested.a).toBe(1);
  });

  it('is Parquet that another library reads to the same values', async () => {
    const { path } = await written(SQL, 'parquet');
    const [row = {}] = await readParquet(path);
    expect(row).toMatchObject({ big: 9007199254740993n, money: -1.5, flag: true, empty: '', nothing: null });
    expect((row.day as Date).toISOString()).toBe('2024-02-29T00:00:00.000Z');
    expect((row.instant as Date).toISOString()).toBe('2024-06-01T10:00:00.000Z');
    expect(row.list).toEqual([1, null, 3]);
  });

  it.each(['csv', 'ndjson', 'arrow', 'parquet'] as const)(
    'reports in %s whether there are more rows',
    async (format) => {
      const { reported } = await written('SELECT i FROM range(5000) t(i)', format, { limit: 4999 });
      expect(reported).toMatchObject({ rowCount: 4999, truncated: true });
      expect((await written('SELECT i FROM range(5000) t(i)', format, { limit: 5000 })).reported).toMatchObject({
        rowCount: 5000,
        truncated: false,
      });
      expect((await written('SELECT 1 AS a WHERE false', format)).reported).toMatchObject({
        rowCount: 0,
        truncated: false,
      });
      await expect(
        written("SELECT repeat(md5('a' || i), 9) FROM range(9) t(i)", format, { maxBytes: 100 }),
      ).rejects.toMatchObject({
        code: 'RESULT_TOO_LARGE',
      });
    },
  );

  it('gives columns of one name names of their own', async () => {
    const { path } = await written('SELECT 1 AS a, 2 AS a', 'parquet');
    expect(await readParquet(path)).toEqual([{ a: 1, a_1: 2 }]);
  });
});
