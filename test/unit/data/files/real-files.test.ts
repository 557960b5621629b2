import { writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { FileOptions } from '../../../../shared/data/files/file-options.ts';
import { formatOf } from '../../../../shared/data/files/format-of.ts';
import type { FileFormat } from '../../../../shared/data/files/formats.ts';
import { convertToParquet, inspectFile } from '../../../../shared/data/files/read-file.ts';
import { workbookOf } from '../../../support/workbook.ts';
import { openTestEngine } from '../engine/open-test-engine.ts';

/** Reads a file by its name as a preview and as an import, which must agree. */
async function read(
  name: string,
  content: string | Uint8Array,
  { format, ...options }: FileOptions & { format?: FileFormat } = {},
) {
  const { engine, dir } = await openTestEngine();
  const [path, out] = [`${dir}/file`, `${dir}/out.parquet`];
  await writeFile(path, content);
  const source = { ...(formatOf(name) ?? { format: 'csv', isHint: true }), options };
  const asked = format ? { ...source, format, isHint: false } : source;
  const preview = await inspectFile(engine, path, { ...asked, sampleRows: 100 }).catch((error) => error);
  const written = await convertToParquet(engine, { path, ...asked }, out).catch((error) => error);
  if (written instanceof Error) {
    expect(preview).toMatchObject({ message: written.message });
    throw written;
  }
  await engine.attach('out', [out]);
  const stored = await engine.query('SELECT * FROM out', { limit: 100, maxBytes: 1_000_000 });
  expect(JSON.parse(preview.rowsJson)).toEqual(JSON.parse(stored.rowsJson));
  expect(preview.columns).toEqual(written.columns);
  return {
    columns: (written.columns as { name: string; type: string }[]).map(({ name, type }) => `${name} ${type}`),
    rows: JSON.parse(stored.rowsJson),
  };
}

const refusal = (message: string | RegExp) => ({
  code: 'FILE_UNREADABLE',
  message: typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message),
});

describe('names of columns that look like values', () => {
  it.each([
    [
      'years over amounts',
      'region,2019,2020,2021\nNorth,1200,1310.5,1405\nSouth,870,910,955\n',
      ['region string', '2019 integer', '2020 double', '2021 integer'],
    ],
    [
      'years with a total behind them',
      'region;2022;2023;total\nNorth;10;20;30\nSouth;5;6;11\n',
      ['region string', '2022 integer', '2023 integer', 'total integer'],
    ],
    [
      'years with gaps, newest first',
      'country,2021,2015,2010\nFR,68,67,65\n',
      [/^country/, /^2021 int/, /^2015/, /^2010/],
    ],
    [
      'years over amounts of which one looks like a year',
      'region,2019,2020,2021\nNorth,1950,310,405\nSouth,870,910,955\n',
      [/^region/, '2019 integer', '2020 integer', '2021 integer'],
    ],
    ['years over texts', 'country,2019,2020\nFR,yes,no\nIT,no,no\n', ['country string', '2019 string', '2020 string']],
    [
      'days over numbers',
      'store,2026-01-01,2026-01-02\nBerlin,12,14\nRome,7,9\n',
      ['store string', '2026-01-01 integer', '2026-01-02 integer'],
    ],
    [
      'days of another notation over numbers',
      'store;01.01.2026;02.01.2026\nBerlin;12;14\n',
      [/^store/, /integer$/, /integer$/],
    ],
    ['hours over numbers', 'day,08:00,09:00\nMon,3,4\nTue,5,6\n', ['day string', '08:00 integer', '09:00 integer']],
    [
      'codes over truth values',
      'respondent,1001,1002\na,TRUE,FALSE\nb,FALSE,FALSE\n',
      ['respondent string', '1001 boolean', '1002 boolean'],
    ],
    [
      'the names of an index are missing',
      ',price,2024\napple,1,2.5\npear,2,3.5\n',
      [/^column_1/, 'price integer', '2024 double'],
    ],
  ] as [string, string, (string | RegExp)[]][])('are names: %s', async (_, content, columns) => {
    const found = await read('file.csv', content);
    expect(found.columns).toEqual(
      columns.map((column) => (typeof column === 'string' ? column : expect.stringMatching(column))),
    );
    expect(found.rows).toHaveLength(content.trim().split('\n').length - 1);
  });

  it.each([
    ['years in every record', 'x,2020,2021\ny,2021,2022\n', 2],
    ['years and numbers below them', '1,1999,5\n2,2004,7\n3,2010,9\n', 3],
    ['a day and a number', '2026-01-01,5\n2026-01-02,6\n', 2],
    ['times', '10:30,open\n11:00,closed\n', 2],
    ['a number over codes', '1,12,a\n2,12a,b\n3,4b,c\n', 3],
    ['a value that is missing below', '1,x,5\n2,y,n/a\n', 2],
    ['counted numbers', 'a,1,2,3,4\nb,2,3,4,5\n', 2],
    ['addresses', '10.0.0.1,5\n10.0.0.2,6\n', 2],
  ])('are data: %s', async (_, content, rows) => {
    const found = await read('file.csv', content);
    expect(found.rows).toHaveLength(rows);
    expect(found.columns[0]).toMatch(/^column_1 /);
  });

  it.each([
    ['one year over a number', 'North,2024\nSouth,120\nWest,90\n', ['North string', '2024 integer']],
    [
      'months by number',
      'sku,1,2,3,4\nA,10,12,9,30\nB,1,1,2,5\n',
      ['sku string', '1 integer', '2 integer', '3 integer', '4 integer'],
    ],
    [
      'a text over numbers beside a number over numbers',
      'x,1,a\n7,5,b\n8,6,c\n',
      ['x integer', '1 integer', 'a string'],
    ],
  ])('are refused with the option if they may be data: %s', async (_, content, columns) => {
    await expect(read('file.csv', content)).rejects.toMatchObject(
      refusal(/^Row 1 may have the names .* Set header: true if it has names, or header: false if it is data\.$/),
    );
    const lines = content.trim().split('\n').length;
    expect(await read('file.csv', content, { header: true })).toMatchObject({ columns, rows: { length: lines - 1 } });
    expect((await read('file.csv', content, { header: false })).rows).toHaveLength(lines);
  });
});

describe('names in two rows', () => {
  it.each([
    ['units', 'name,weight,height\n,kg,cm\nAda,61.5,170\nBob,80,181\n', 2],
    ['types', 'id,amount,day\nint,decimal,date\n1,2.5,2026-01-01\n2,3.5,2026-01-02\n', 2],
    ['groups', 'Region;2024;;2025;\n;Q1;Q2;Q1;Q2\nNorth;1;2;3;4\nSouth;5;6;7;8\n', 2],
    ['one group', 'Region;2024;\n;Q1;Q2\nNorth;1;2\nSouth;3;4\n', 2],
    ['three rows', 'a,b,c\n,net,gross\n,EUR,EUR\nx,1,2\ny,3,4\nz,5,6\nu,7,8\nv,9,0\n', 3],
  ])('are refused with the row to take: %s', async (_, content, row) => {
    const lines = content.trim().split('\n').length;
    await expect(read('file.csv', content)).rejects.toMatchObject(
      refusal(`The column names seem to be in rows 1 to ${row}. Set headerRow: ${row} to use`),
    );
    const { columns, rows } = await read('file.csv', content, { headerRow: row });
    expect(columns.slice(1).join()).not.toMatch(/string/);
    expect(rows).toHaveLength(lines - row);
    expect((await read('file.csv', content, { headerRow: 1 })).rows).toHaveLength(lines - 1);
  });

  it.each([
    ['one number is missing', 'id,a\nx,n/a\ny,2\nz,3\n'],
    ['one value is a text', 'name,a,b\nx,pending,1\ny,2,2\nz,3,3\n'],
    ['all are texts', 'name,city\nAda,Rome\nBob,Oslo\n'],
    ['an index has no name', ',a,b\nx,1,2\ny,3,4\n'],
  ])('are not suspected if %s', async (_, content) => {
    expect((await read('file.csv', content)).rows).toHaveLength(content.trim().split('\n').length - 1);
  });
});

const cell = (column: string, row: number, value: string | number) =>
  typeof value === 'number'
    ? `<c r="${column}${row}"><v>${value}</v></c>`
    : `<c r="${column}${row}" t="inlineStr"><is><t>${value}</t></is></c>`;

/** A workbook of these rows, in which null is an empty cell. */
function book(rows: (string | number | null)[][], merged: string[] = []): Buffer {
  const data = rows.map((values, i) => {
    const cells = values.map((value, column) =>
      value === null ? '' : cell(String.fromCharCode(65 + column), i + 1, value),
    );
    return `<row r="${i + 1}">${cells.join('')}</row>`;
  });
  const areas = merged.map((area) => `<mergeCell ref="${area}"/>`).join('');
  return workbookOf({
    sheets: { Sales: '' },
    parts: {
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${data.join('')}</sheetData><mergeCells>${areas}</mergeCells></worksheet>`,
    },
  });
}

describe('a workbook for readers', () => {
  const amounts = [
    ['North', 1, 2, 3, 4],
    ['South', 5, 6, 7, 8],
  ];
  const groups = [
    ['Region', '2024', null, '2025', null],
    [null, 'Q1', 'Q2', 'Q1', 'Q2'],
  ];

  it('with merged groups above the names is refused with the row to take', async () => {
    const content = book([...groups, ...amounts], ['A1:A2', 'B1:C1', 'D1:E1']);
    await expect(read('sales.xlsx', content)).rejects.toMatchObject(
      refusal('The column names seem to be in rows 1 to 2. Set headerRow: 2 to use those of row 2'),
    );
    expect(await read('sales.xlsx', content, { headerRow: 2 })).toEqual({
      columns: ['column_1 string', 'Q1 integer', 'Q2 integer', 'Q1_2 integer', 'Q2_2 integer'],
      rows: amounts,
    });
    expect((await read('sales.xlsx', content, { headerRow: 1 })).rows).toHaveLength(3);
  });

  it('with merged groups is refused also where all values are texts, and without areas if numbers show it', async () => {
    const texts = [
      ['Name', 'Contact', null],
      [null, 'Mail', 'Phone'],
      ['Ada', 'ada@x.example', 'none given'],
    ];
    await expect(read('people.xlsx', book(texts, ['B1:C1']))).rejects.toMatchObject(refusal('Set headerRow: 2'));
    await expect(read('sales.xlsx', book([...groups, ...amounts]))).rejects.toMatchObject(refusal('Set headerRow: 2'));
  });

  it.each([
    ['merged over the table', ['A1:C1']],
    ['in one cell', []],
  ])('with a title %s is refused with the row of the names', async (_, merged) => {
    const rows = [['Sales 2026', null, null], [], ['id', 'name', 'amount'], [1, 'Ada', 2.5], [2, 'Bob', 3]];
    const content = book(rows, merged);
    await expect(read('report.xlsx', content)).rejects.toMatchObject(
      refusal(
        'The first row seems to be a title. Row 3 looks like the header; set headerRow: 3. If row 1 has the names, set headerRow: 1.',
      ),
    );
    expect(await read('report.xlsx', content, { headerRow: 3 })).toMatchObject({
      columns: ['id integer', 'name string', 'amount double'],
    });
  });

  it.each([
    [
      'a name over two columns of values',
      [
        ['Name', null, 'n'],
        ['Ada', 'King', 1],
        ['Bob', 'Ross', 2],
      ],
      ['A1:B1'],
      2,
    ],
    [
      'names that are missing',
      [
        ['id', null, 'n'],
        [1, 'x', 2],
        [2, 'y', 3],
      ],
      [],
      2,
    ],
    [
      'merged values',
      [
        ['id', 'a', 'b'],
        [1, 5, null],
        [2, 6, 7],
      ],
      ['B2:C2'],
      2,
    ],
    ['one column', [['Name'], ['Ada'], ['Bob']], [], 2],
    ['no rows', [['id', 'name']], [], 0],
  ] as [string, (string | number | null)[][], string[], number][])(
    'is read with %s',
    async (_, rows, merged, count) => {
      expect((await read('list.xlsx', book(rows, merged))).rows).toHaveLength(count);
    },
  );
});

const FEATURES = `{
"type": "FeatureCollection",
"name": "cities",
"features": [
{ "type": "Feature", "properties": { "name": "Rome" }, "geometry": { "type": "Point", "coordinates": [ 12.5, 41.9 ] } }
]
}
`;
const LINES = '{"id":1,"name":"Ada, K."}\n{"id":2,"name":"Bob"}\n';
const LIST = '[\n  {"id": 1, "name": "Ada, K."},\n  {"id": 2, "name": "Bob"}\n]\n';
const PEOPLE = {
  columns: ['id integer', 'name string'],
  rows: [
    [1, 'Ada, K.'],
    [2, 'Bob'],
  ],
};

describe('a file whose name indicates another format', () => {
  it.each([
    ['lines of JSON', 'events.csv', LINES],
    ['lines of JSON', 'events.txt', LINES],
    ['lines of JSON', 'events.json', LINES],
    ['lines of JSON', 'events.log', LINES],
    ['lines of JSON in UTF-16', 'events.csv', Buffer.from(`\ufeff${LINES}`, 'utf16le')],
    ['a list of JSON', 'events.csv', LIST],
    ['a list of JSON', 'events.ndjson', LIST],
    ['a compressed list of JSON', 'events.json', gzipSync(LIST)],
    ['a compressed CSV', 'events.csv', gzipSync('id,name\n1,"Ada, K."\n2,Bob\n')],
    [
      'a workbook',
      'events.csv',
      book([
        ['id', 'name'],
        [1, 'Ada, K.'],
        [2, 'Bob'],
      ]),
    ],
  ])('is read by its content: %s as %s', async (_, name, content) => {
    expect(await read(name, content)).toEqual(PEOPLE);
  });

  it('is read by its content: Parquet as CSV', async () => {
    const { engine, dir } = await openTestEngine();
    await engine.copyToParquet('SELECT 1 AS a', { path: `${dir}/in` });
    const { columns } = await inspectFile(engine, `${dir}/in`, { format: 'csv', isHint: true });
    expect(columns).toEqual([{ name: 'a', type: 'integer' }]);
  });

  it.each<[string, string, string, FileOptions & { format?: FileFormat }, string | RegExp]>([
    ['lines of JSON as a given CSV', 'a.csv', LINES, { format: 'csv' }, 'set format: ndjson'],
    ['a list of JSON as a given CSV', 'a.csv', LIST, { format: 'csv' }, 'Set format: json.'],
    ['a list of JSON as given lines', 'a.json', LIST, { format: 'ndjson' }, 'Set format: json.'],
    ['one object', 'a.csv', '{"id":1}\n', {}, 'If each line holds one object, set format: ndjson.'],
    ['one object over several lines', 'a.csv', '{\n  "id": 1\n}\n', {}, 'Write one object per line (format ndjson)'],
    ['GeoJSON', 'cities.csv', FEATURES, {}, 'The file is a GeoJSON FeatureCollection'],
    ['GeoJSON', 'cities.geojson', FEATURES, {}, 'Save its features one per line (GeoJSONSeq), and set format: ndjson.'],
    ['GeoJSON in one line', 'cities.txt', FEATURES.replaceAll('\n', ''), {}, 'GeoJSON FeatureCollection'],
    [
      'GeoJSON of many features',
      'cities.csv',
      FEATURES.replace('\n]', `${',\n{"type":"Feature"}'.repeat(10_000)}\n]`),
      {},
      'GeoJSON',
    ],
    ['lists', 'a.csv', '["id","name"]\n[1,"Ada"]\n', {}, 'must contain JSON objects'],
  ])('is refused with the format to set: %s in %s', async (_, name, content, options, message) => {
    await expect(read(name, content, options)).rejects.toMatchObject(refusal(message));
  });

  it.each([
    ['objects in a column', '{"a":1}\tx\n{"a":2}\ty\n', ['column_1 string', 'column_2 string']],
    ['names in brackets', '[id],[name]\n1,x\n', ['[id] integer', '[name] string']],
    ['names that are numbers in brackets', '[1],[2]\nx,y\n', ['[1] string', '[2] string']],
    ['braces', '{id},{name}\n1,x\n', ['{id} integer', '{name} string']],
  ])('is CSV that begins like JSON: %s', async (_, content, columns) => {
    expect(await read('a.csv', content, columns[0] === 'column_1 string' ? { header: false } : {})).toMatchObject({
      columns,
    });
  });
});

describe('a first line that names the delimiter', () => {
  it.each([
    ['one column', 'sep=;\nname\nAda\nBob\n', {}, ['name string'], [['Ada'], ['Bob']]],
    [
      'one column with commas',
      'sep=;\r\nname\r\nKing, Ada\r\nRoss, Bob\r\n',
      {},
      ['name string'],
      [['King, Ada'], ['Ross, Bob']],
    ],
    ['several columns', 'sep=|\na|b\n1|x\n', {}, ['a integer', 'b string'], [[1, 'x']]],
    ['a delimiter that is never detected', 'SEP=^\na^b\n1^x\n', {}, ['a integer', 'b string'], [[1, 'x']]],
    ['another delimiter given', 'sep=;\na,b\n1,x\n', { delimiter: ',' }, ['a integer', 'b string'], [[1, 'x']]],
    ['a row of names given', 'sep=;\nname\nAda, K.\n', { headerRow: 2 }, ['name string'], [['Ada, K.']]],
    [
      'no names',
      'sep=;\n1;x\n2;y\n',
      {},
      ['column_1 integer', 'column_2 string'],
      [
        [1, 'x'],
        [2, 'y'],
      ],
    ],
  ] as [string, string, FileOptions, string[], unknown[][]][])(
    'is no row: %s',
    async (_, content, options, columns, rows) => {
      expect(await read('export.csv', content, options)).toEqual({ columns, rows });
    },
  );

  it('counts for the line of an issue and of the names', async () => {
    await expect(read('export.csv', 'sep=;\na;b\n1;2\n3\n')).rejects.toMatchObject(refusal(/^Line 4: expected 2/));
    await expect(read('export.csv', 'sep=;\nSales\n\na;b\n1;2\n')).rejects.toMatchObject(refusal('set headerRow: 4'));
  });
});

describe('numbers with thousands', () => {
  it('are read as the decimal separator says', async () => {
    const german =
      'id;amount;tax;code;n\n1;1.200,50;19,5;1.200;7\n2;-12.345.678,9;7;12.345;8\n3;950,00;0;1.000;9\n4;1.000;1;2.000;10\n';
    expect(await read('de.csv', german, { decimalSeparator: ',' })).toEqual({
      columns: ['id integer', 'amount double', 'tax double', 'code string', 'n integer'],
      rows: [
        [1, 1200.5, 19.5, '1.200', 7],
        [2, -12345678.9, 7, '12.345', 8],
        [3, 950, 0, '1.000', 9],
        [4, 1000, 1, '2.000', 10],
      ],
    });
    const declared = { amount: 'decimal(12,2)', code: 'integer' };
    expect(await read('de.csv', german, { decimalSeparator: ',', types: declared })).toMatchObject({
      rows: [
        [1, '1200.50', 19.5, 1200, 7],
        [2, '-12345678.90', 7, 12345, 8],
        [3, '950.00', 0, 1000, 9],
        [4, '1000.00', 1, 2000, 10],
      ],
    });
    const english = 'id,amount\n1,"1,200.50"\n2,-3.5\n3,"1,234,567.25"\n';
    expect(await read('en.csv', english, { decimalSeparator: '.' })).toMatchObject({
      columns: ['id integer', 'amount double'],
      rows: [
        [1, 1200.5],
        [2, -3.5],
        [3, 1234567.25],
      ],
    });
  });

  it.each(['1.20,5', '12.34.567,5', '012.345,5', '1.2345,5', '1,200.5', '1.200,5,5', '192.168.1.10'])(
    'stay texts if they are written otherwise: %s',
    async (value) => {
      expect(await read('de.csv', `a;b\n1,5;x\n${value};y\n`, { decimalSeparator: ',' })).toMatchObject({
        columns: ['a string', 'b string'],
      });
    },
  );
});
