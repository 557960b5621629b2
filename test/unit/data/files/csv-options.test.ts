import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { CsvOptions } from '../../../../shared/data/files/csv-dialect.ts';
import { type FileOptions, fileOptionIssues } from '../../../../shared/data/files/file-options.ts';
import type { FileFormat } from '../../../../shared/data/files/formats.ts';
import { convertToParquet, inspectFile } from '../../../../shared/data/files/read-file.ts';
import { openTestEngine } from '../engine/open-test-engine.ts';

/** Reads a file as a preview and as an import, which must agree. */
async function read(content: string, options: CsvOptions = {}) {
  const { engine, dir } = await openTestEngine();
  const [path, out] = [`${dir}/file.csv`, `${dir}/out.parquet`];
  await writeFile(path, content);
  const preview = await inspectFile(engine, path, { format: 'csv', options, sampleRows: 100 });
  const written = await convertToParquet(engine, { path, format: 'csv', options }, out);
  await engine.attach('out', [out]);
  const stored = await engine.query('SELECT * FROM out', { limit: 100, maxBytes: 1_000_000 });
  expect(JSON.parse(preview.rowsJson)).toEqual(JSON.parse(stored.rowsJson));
  expect(preview.columns).toEqual(written.columns);
  expect(await readFile(path, 'utf8')).toBe(content);
  const columns = written.columns.map(({ name, type }) => `${name} ${type}`);
  return { columns, rows: JSON.parse(stored.rowsJson), rejected: written.rejected };
}

const TITLES = 'Sales of January\nMade on 2026-02-01\n\n';
const TABLE = 'id;name;amount\n1;Zoë;2.5\n2;Łódź;3\n';

describe('titles above the table of a CSV file', () => {
  it.each([
    ['narrower than the table', `${TITLES}${TABLE}`, 4],
    ['padded by a spreadsheet', `Sales of January;;\n;;\n${TABLE}`, 3],
    ['with line ends of another system', `${TITLES}${TABLE}`.replaceAll('\n', '\r\n'), 4],
    ['over several lines of one cell', `"Sales\nof January"\n${TABLE}`, 3],
  ])('%s are reported with the row of the names', async (_, content, row) => {
    await expect(read(content)).rejects.toMatchObject({
      code: 'FILE_UNREADABLE',
      message: expect.stringContaining(`Row ${row} looks like the header; set headerRow: ${row}.`),
    });
    expect(await read(content, { headerRow: row })).toMatchObject({
      columns: ['id integer', 'name string', 'amount double'],
      rows: [
        [1, 'Zoë', 2.5],
        [2, 'Łódź', 3],
      ],
    });
  });

  it.each([
    ['the first name is missing', ';a\nx,y;z\nw;v\n'],
    ['one name of two is missing', 'a;\nx;y\nz;w\n'],
    ['a name of many is missing', 'a;b;;d\nu;v;w;x\n1;2;3;4\n'],
    ['the first rows are padded', 'a;b\nx;\n;y\nz;1\n'],
    ['there is one column', 'a\nb\nc\n'],
  ])('are not suspected if %s', async (_, content) => {
    expect((await read(content)).rows.length).toBeGreaterThan(1);
  });

  it.each([
    ['a quoted word', '"Report" of 2026\n'],
    ['an open quote', 'Report, "2026\n'],
    ['delimiters', 'a;b;c;d;e\n;;;;;;;\n'],
    ['empty lines', '\n\n\n'],
    ['nothing but white space', '   \n\t\n'],
  ])('with %s are skipped', async (_, titles) => {
    const rows = titles.split('\n').length - 1;
    for (const options of [{ skipRows: rows }, { headerRow: rows + 1 }]) {
      expect(await read(`${titles}${TABLE}`, options)).toMatchObject({
        columns: ['id integer', 'name string', 'amount double'],
      });
    }
  });

  it('count for the line of a broken row, also when they have quotes', async () => {
    for (const title of ['Sales\n', '"Sales" of\n']) {
      const broken = `${title}${TABLE}3;x\n`;
      await expect(read(broken, { skipRows: 1 })).rejects.toThrow('Line 5: expected 3 values, found 2.');
      expect(await read(broken, { skipRows: 1, raggedRows: 'skip' })).toMatchObject({
        rejected: { rows: 1, firstLine: 5 },
      });
    }
  });

  it('may be all that the file has', async () => {
    await expect(read(TITLES, { skipRows: 3 })).rejects.toThrow(
      'The file has no row after line 3, so nothing is left to read.',
    );
  });

  it('leave rows without names when header is false', async () => {
    expect(await read('Sales\n1;x\n2;y\n', { skipRows: 1, header: false })).toMatchObject({
      columns: ['column_1 integer', 'column_2 string'],
      rows: [
        [1, 'x'],
        [2, 'y'],
      ],
    });
  });
});

describe('the notation of a CSV file', () => {
  it('may have a decimal comma', async () => {
    expect(await read('a;b;c\n1,5;1;1.5\n-0,25;2;2\n', { decimalSeparator: ',' })).toMatchObject({
      columns: ['a double', 'b integer', 'c string'],
      rows: [
        [1.5, 1, '1.5'],
        [-0.25, 2, '2'],
      ],
    });
    expect(await read('1,5;2,5\n3,5;4,5\n', { decimalSeparator: ',' })).toMatchObject({
      rows: [
        [1.5, 2.5],
        [3.5, 4.5],
      ],
    });
  });

  it.each([
    ['%d.%m.%Y', ['1.2.2026', '28.02.2026'], 'date', ['2026-02-01', '2026-02-28']],
    ['%m/%d/%y', ['02/01/26'], 'date', ['2026-02-01']],
    ['%d %b %Y', ['1 Feb 2026'], 'date', ['2026-02-01']],
    ['%Y-%d-%m', ['2026-01-02'], 'date', ['2026-02-01']],
    ['%d.%m.%Y', ['31.02.2026'], 'string', ['31.02.2026']],
    ['%d.%m.%Y', ['1.2.26'], 'string', ['1.2.26']],
    ['%d.%m.%Y', ['2026-02-01', '1.2.2026'], 'date', ['2026-02-01', '2026-02-01']],
    ['%m/%d/%Y %I:%M %p', ['2/1/2026 3:04 PM'], 'timestamp', ['2026-02-01T15:04:00.000Z']],
    ['%Y%m%d', ['20260201', '20260202'], 'integer', [20260201, 20260202]],
  ])('may have dates as %s: %j', async (dateFormat, values, type, rows) => {
    const found = await read(`at\n${values.join('\n')}\n`, { dateFormat, header: true });
    expect(found).toMatchObject({ columns: [`at ${type}`], rows: rows.map((value) => [value]) });
  });

  it('may have texts that mean null', async () => {
    expect(await read('a,b\n1,NA\n-,"NA"\n', { nullValues: ['NA', '-'] })).toMatchObject({
      columns: ['a integer', 'b string'],
      rows: [
        [1, null],
        [null, 'NA'],
      ],
    });
  });
});

describe('the declared types of a CSV file', () => {
  it.each([
    ['string', ['007', 'x', ' y '], ['007', 'x', ' y ']],
    ['integer', ['007', '+5', ' 3 ', ''], [7, 5, 3, null]],
    ['double', ['007', '+5', '5.', '1e3'], [7, 5, 5, 1000]],
    ['decimal(5,2)', ['1', '+2.5', '.25', '3.1000'], ['1.00', '2.50', '0.25', '3.10']],
    ['boolean', ['1', 'no', 'TRUE'], [true, false, true]],
    ['date', ['2026-02-01', ''], ['2026-02-01', null]],
    ['time', ['10:30'], ['10:30:00']],
    ['timestamp', ['2026-02-01', '2026-02-01 10:30'], ['2026-02-01T00:00:00.000Z', '2026-02-01T10:30:00.000Z']],
    ['timestamptz', ['2026-02-01 10:30:00+02'], ['2026-02-01T08:30:00.000Z']],
  ])('%s: %j', async (type, values, rows) => {
    const content = `n,v\n${values.map((value, i) => `${i},${value}\n`).join('')}`;
    const found = await read(content, { types: { v: type } });
    expect(found.columns).toEqual(['n integer', `v ${type}`]);
    expect(found.rows.map(([, value]: unknown[]) => value)).toEqual(rows);
  });

  it('follow the notation', async () => {
    const options = {
      decimalSeparator: ',',
      dateFormat: '%Y%m%d',
      types: { price: 'decimal(8,2)', day: 'date' },
    } as const;
    expect(await read('price;day\n1,5;20260201\n', options)).toMatchObject({ rows: [['1.50', '2026-02-01']] });
  });

  it.each([
    ['integer', '1.5', 'an integer'],
    ['integer', '9223372036854775808', 'an integer'],
    ['decimal(5,2)', '1.005', 'a decimal(5,2)'],
    ['decimal(5,2)', '1000', 'a decimal(5,2)'],
    ['double', '1e400', 'a double'],
    ['double', 'x', 'a double'],
    ['date', '2026-02-30', 'a date'],
    ['date', '1.2.2026', 'a date'],
    ['boolean', 'maybe', 'a boolean'],
    ['json', '{', 'a json'],
  ])('%s rejects %s', async (type, value, what) => {
    const content = `n,v's\n1,\n2,${value}\n`;
    await expect(read(content, { types: { "v's": type } })).rejects.toMatchObject({
      code: 'SCHEMA_MISMATCH',
      message: `Column "v's" has "${value}", which is not ${what}.`,
    });
  });

  it('must name columns of the file', async () => {
    await expect(read('id,amount\n1,2\n', { types: { amuont: 'double', zzz: 'string' } })).rejects.toMatchObject({
      code: 'SCHEMA_MISMATCH',
      issues: [
        { message: 'types: there is no column "amuont"; did you mean "amount"?' },
        { message: 'types: there is no column "zzz".' },
      ],
    });
  });
});

describe('a column of fractions', () => {
  it.each(['1.5e+02', '+5', '.5', '5.', '+.5', '1.5E2', '-.5'])('keeps its type with %s', async (odd) => {
    const found = await read(`v,n\n0.5,1\n2.25,2\n${odd},3\n`);
    expect(found).toMatchObject({
      columns: ['v double', 'n integer'],
      rows: [
        [0.5, 1],
        [2.25, 2],
        [Number(odd), 3],
      ],
    });
  });

  it.each([
    ['telephone numbers', ['+49301234567', '+4930', '4930']],
    ['ordinals', ['1.', '2.', '3']],
  ])('is not made of %s', async (_, values) => {
    const found = await read(`v,n\n${values.map((value) => `${value},1\n`).join('')}`);
    expect(found.columns[0]).toBe('v string');
  });
});

describe('options of a file', () => {
  it.each([
    [{ headerRow: 4, skipRows: 3 }, 'csv', [['/o/skipRows', 'NOT_ALLOWED']]],
    [{ headerRow: 4, header: false }, 'csv', [['/o/header', 'NOT_ALLOWED']]],
    [{ headerRow: 4, header: false }, 'xlsx', []],
    [{ nullValues: ['-'], nullStrings: ['-'] }, 'csv', [['/o/nullStrings', 'NOT_ALLOWED']]],
    [{ nullValues: ['a,b'], delimiter: ',' }, 'csv', [['/o/nullValues/0', 'NOT_ALLOWED']]],
    [{ decimalSeparator: ',', delimiter: ',', quote: '' }, 'csv', [['/o/decimalSeparator', 'NOT_ALLOWED']]],
    [{ decimalSeparator: ',', delimiter: ',' }, 'csv', []],
    [{ dateFormat: 'DD.MM.YYYY' }, 'csv', [['/o/dateFormat', 'PATTERN']]],
    [{ dateFormat: '%d.%m.%Q' }, 'csv', [['/o/dateFormat', 'PATTERN']]],
    [{ dateFormat: '%d.%m.%Y %I:%M' }, 'csv', [['/o/dateFormat', 'PATTERN']]],
    [{ types: { 'a/b': 'decimal(2,3)' } }, 'csv', [['/o/types/a~1b', 'PATTERN']]],
    [
      { skipRows: 1, types: {}, decimalSeparator: ',' },
      'xlsx',
      [
        ['/o/skipRows', 'NOT_ALLOWED'],
        ['/o/types', 'NOT_ALLOWED'],
        ['/o/decimalSeparator', 'NOT_ALLOWED'],
      ],
    ],
    [{ headerRow: 2 }, 'parquet', [['/o/headerRow', 'NOT_ALLOWED']]],
    [{ headerRow: 2 }, undefined, []],
  ] as [FileOptions, FileFormat | undefined, [string, string][]][])('%j for %s', (options, format, issues) => {
    expect(fileOptionIssues(options, format, '/o').map(({ pointer, code }) => [pointer, code])).toEqual(issues);
  });
});
