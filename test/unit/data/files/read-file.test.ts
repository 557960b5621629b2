import { describe, expect, it } from 'vitest';
import type { FileFormat } from '../../../../shared/data/files/formats.ts';
import { convertToParquet, type FileReading } from '../../../../shared/data/files/read-file.ts';
import { openTestEngine } from '../engine/open-test-engine.ts';
import { convert, inspect } from './read-content.ts';

describe('a text file', () => {
  it('in UTF-16 is read with and without a byte order mark', async () => {
    const text = 'name,n\nZoë,1\nŁódź,2\n';
    const little = Buffer.from(text, 'utf16le');
    const big = Buffer.from(little).swap16();
    const rows = [
      ['Zoë', 1],
      ['Łódź', 2],
    ];
    for (const content of [little, big, Buffer.from(`\ufeff${text}`, 'utf16le')]) {
      expect((await inspect(content, 'csv')).rows).toEqual(rows);
    }
  });

  it('that is neither UTF-8 nor said to be something else is refused with byte and line', async () => {
    const content = Buffer.from('name\nAda\nZo\xeb\n', 'latin1');
    await expect(inspect(content, 'csv')).rejects.toMatchObject({
      code: 'FILE_UNREADABLE',
      message: expect.stringMatching(/byte 11, in line 3.*options\.encoding/),
    });
    expect((await inspect(content, 'csv', { encoding: 'latin-1' })).rows).toEqual([['Ada'], ['Zoë']]);
  });
});

const RAGGED_WAY = 'Set headerRow if the names are in another row, or raggedRows:';

describe('a CSV file', () => {
  it('gets the types that all of its values fit without a change', async () => {
    const csv = [
      'id,zip,price,paid,day,at,at_zone,big,mixed,none',
      '1,00123,1.50,true,2024-01-31,2024-01-31 10:00:00,2024-01-31T10:00:00+02:00,12345678901234567890,1,',
      '-2,99999,2,FALSE,2024-02-01,2024-02-01 10:00,2024-02-01T10:00:00Z,1,x,',
    ].join('\n');
    expect(await inspect(csv, 'csv')).toEqual({
      columns: [
        'id integer',
        'zip string',
        'price double',
        'paid boolean',
        'day date',
        'at timestamp',
        'at_zone timestamptz',
        'big string',
        'mixed string',
        'none string',
      ],
      rows: [
        [
          1,
          '00123',
          1.5,
          true,
          '2024-01-31',
          '2024-01-31T10:00:00.000Z',
          '2024-01-31T08:00:00.000Z',
          '12345678901234567890',
          '1',
          null,
        ],
        [-2, '99999', 2, false, '2024-02-01', '2024-02-01T10:00:00.000Z', '2024-02-01T10:00:00.000Z', '1', 'x', null],
      ],
    });
  });

  it('keeps empty texts apart from nulls', async () => {
    expect(await inspect('a,b\n"",x\n,y\nNA,"NA"\n', 'csv', { nullStrings: ['NA'] })).toEqual({
      columns: ['a string', 'b string'],
      rows: [
        ['', 'x'],
        [null, 'y'],
        [null, 'NA'],
      ],
    });
  });

  it.each([
    ['semicolons', 'a;b\n1,5;2\n2,5;3\n', ['a string', 'b integer']],
    ['tabs', 'a\tb\n1\t2\n', ['a integer', 'b integer']],
    ['bars', 'a|b\n1|2\n', ['a integer', 'b integer']],
    ['commas inside of quotes', 'a;b\n"1,2,3";"x;y"\n', ['a string', 'b string']],
    ['one column', 'name\nAda\nBob\n', ['name string']],
    ['no header', '1,x\n2,y\n', ['column_1 integer', 'column_2 string']],
    ['no header and dates', '2024-01-01,x\n2024-01-02,y\n', ['column_1 date', 'column_2 string']],
    ['CRLF, and line ends inside of quotes', 'a,b\r\n1,"x\ny"\r\n2,"z"\r\n', ['a integer', 'b string']],
    ['no line end at the end', 'a,b\n1,2', ['a integer', 'b integer']],
    ['years as names', 'land,2020,2021\nx,1.5,2\n', ['land string', '2020 double', '2021 integer']],
    ['years as values', 'x,2020,2021\ny,2021,2022\n', ['column_1 string', 'column_2 integer', 'column_3 integer']],
    ['a header only', 'a,b\n', ['a string', 'b string']],
    [
      'names with spaces, doubles and none',
      ' a ,A,,a\n1,2,3,4\n',
      ['a integer', 'A_2 integer', 'column_3 integer', 'a_3 integer'],
    ],
  ])('with %s is understood', async (_, csv, columns) => {
    expect((await inspect(csv, 'csv')).columns).toEqual(columns);
  });

  it('with hundreds of columns gets the type of each', async () => {
    const kinds = [
      ['1', 'integer'],
      ['x', 'string'],
      ['2026-01-01', 'date'],
      ['1.5', 'double'],
    ] as const;
    const columns = Array.from({ length: 150 }, (_, i) => ({ name: `c${i}`, kind: kinds[i % kinds.length]! }));
    const lines = [columns.map(({ name }) => name), columns.map(({ kind }) => kind[0])];
    const found = await inspect(lines.map((line) => line.join(',')).join('\n'), 'csv');
    expect(found.columns).toEqual(columns.map(({ name, kind }) => `${name} ${kind[1]}`));
  });

  it('is read as the options say', async () => {
    expect(await inspect("x^'a^b'\ny^'it''s'\n", 'csv', { delimiter: '^', quote: "'", header: false })).toEqual({
      columns: ['column_1 string', 'column_2 string'],
      rows: [
        ['x', 'a^b'],
        ['y', "it's"],
      ],
    });
  });

  it.each([
    [
      'too many values',
      'a,b\n1,2\n3,4,5\n',
      `Line 3: expected 2 values, found 3. ${RAGGED_WAY} "skip" to leave such rows out.`,
    ],
    [
      'too few values',
      'a,b\n1,2\n3\n4,5\n',
      `Line 3: expected 2 values, found 1. ${RAGGED_WAY} "pad" to fill such rows with null, or "skip" to leave them out.`,
    ],
    ['an open quote', 'a,b\n1,"xy\n2,3\n', 'Line 2: a quote is not closed, or text follows a closing quote.'],
    ['text after a quote', 'a,b\n1,"x"y\n', 'Line 2: a quote is not closed, or text follows a closing quote.'],
    ['nothing', '', 'The file is empty.'],
    ['a zero byte', 'a,b\n1,\u0000\n', 'The file is not text: byte 6 is zero.'],
  ])('with %s is refused with the place', async (_, csv, message) => {
    await expect(convert(csv, 'csv')).rejects.toMatchObject({ code: 'FILE_UNREADABLE', message });
  });

  it('finds a broken row and a type change far behind the sample', async () => {
    const rows = Array.from({ length: 60_000 }, (_, i) => `${i},x`);
    const late = await convert(`a,b\n${rows.join('\n')}\nlate,y\n`, 'csv');
    expect(late).toMatchObject({ rows: 60_001, columns: [{ name: 'a', type: 'string' }, { name: 'b' }] });
    await expect(convert(`a,b\n${rows.join('\n')}\n1,2,3\n`, 'csv')).rejects.toMatchObject({
      message: expect.stringMatching(/^Line 60002: expected 2 values, found 3\. /),
    });
  });

  it('is converted with the wanted columns, types and rows only', async () => {
    const reading = {
      columns: [{ name: 'amount', type: 'decimal(10,2)' }, { name: 'id' }],
      filter: "amount > 5 AND region = 'eu' -- big ones",
    };
    expect(await convert('id,amount,region\n1,10.5,eu\n2,1,eu\n3,20,us\n', 'csv', {}, reading)).toMatchObject({
      rows: 1,
      bytes: expect.any(Number),
      columns: [
        { name: 'amount', type: 'decimal(10,2)' },
        { name: 'id', type: 'integer' },
      ],
      data: [['10.50', 1]],
    });
  });

  it.each([
    [{ columns: [{ name: 'nope' }, { name: 'a' }, { name: 'none' }] }, { code: 'SCHEMA_MISMATCH', issues: [{}, {}] }],
    [{ columns: [{ name: 'b', type: 'integer' }] }, { code: 'SCHEMA_MISMATCH' }],
    [
      { filter: 'a > 0) UNION SELECT * FROM input WHERE (true' },
      { code: 'SQL_PARSE', issues: [{ position: { column: 6 } }] },
    ],
    [
      { filter: "a IN (SELECT 1 FROM read_text('/etc/passwd'))" },
      { code: 'SQL_NOT_READ_ONLY', issues: [{ position: { column: 21 } }] },
    ],
    [{ filter: 'a = 1; DROP TABLE x' }, { code: 'SQL_PARSE' }],
    [{ filter: 'nope = 1' }, { code: 'SQL_ERROR' }],
  ] as [FileReading, object][])('is not converted with %j', async (reading, error) => {
    await expect(convert('a,b\n1,x\n', 'csv', {}, reading)).rejects.toMatchObject(error);
  });
});

describe('encodings', () => {
  const text = 'näme,€\nÄda,1\n𝄞,2\n';
  const rows = [
    ['Äda', 1],
    ['𝄞', 2],
  ];
  const utf16 = (order: 'le' | 'be') => {
    const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
    return order === 'le' ? bytes : bytes.swap16();
  };

  it.each([
    ['UTF-8', Buffer.from(text), {}],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${text}`), {}],
    ['UTF-16 LE with a byte order mark', utf16('le'), {}],
    ['UTF-16 BE with a byte order mark', utf16('be'), {}],
    ['UTF-16 LE by option', utf16('le').subarray(2), { encoding: 'utf-16le' as const }],
  ])('reads %s', async (_, bytes, options) => {
    expect(await inspect(bytes, 'csv', options)).toEqual({ columns: ['näme string', '€ integer'], rows });
  });

  it('reads Latin-1 on request', async () => {
    const bytes = Buffer.from('n\u00e4me,price\n\u00c4da,\u0080 1\n', 'latin1');
    expect(await inspect(bytes, 'csv', { encoding: 'latin-1' })).toEqual({
      columns: ['näme string', 'price string'],
      rows: [['Äda', '€ 1']],
    });
  });

  it.each([
    [Buffer.from('n\u00e4me\n', 'latin1'), 1],
    [Buffer.concat([Buffer.from(text.repeat(100_000)), Buffer.from([0xff])]), Buffer.byteLength(text) * 100_000],
    [Buffer.from([0x61, 0x0a, 0xe2, 0x82]), 2],
    [Buffer.from([0x61, 0xed, 0xa0, 0x80]), 1],
  ])('names the first byte that is not UTF-8', async (bytes, offset) => {
    await expect(inspect(bytes, 'csv')).rejects.toMatchObject({
      code: 'FILE_UNREADABLE',
      message: expect.stringContaining(`at byte ${offset}, in line `),
    });
  });

  it('does not take a character for an issue because the read was cut there', async () => {
    const wide = `a\n${`${'€'.repeat(1000)}\n`.repeat(400)}`;
    for (const shifted of [wide, `b${wide}`, `bc${wide}`])
      expect((await inspect(shifted, 'csv')).rows).toHaveLength(20);
  });
});

describe('a number in a CSV file', () => {
  it.each([
    ['as programs write it', ['0.30000000000000004', '-0.14285714285714285', '1e+300', '1.0E-5', '.5', '-0'], 'double'],
    ['as others write it', ['1.2345678901234567e-07', '1.50000000000000000000', '0.0'], 'double'],
    ['with more digits than a double holds', ['1.5', '12345678901234567.89'], 'string'],
    ['whole and beyond what a double counts', ['1.5', '9007199254740993'], 'string'],
    ['with seventeen digits', ['1.5', '90071992547409931'], 'string'],
    ['that no double reaches', ['1.5', '1e+400'], 'string'],
    ['that no double tells from nothing', ['1.5', '1e-400'], 'string'],
    ['that is a code', ['123E5', '7E10'], 'string'],
  ])('%s: %j', async (_what, values, type) => {
    const { columns, data } = await convert(`n,other\n${values.map((value) => `${value},x\n`).join('')}`, 'csv');
    expect(columns[0]).toEqual({ name: 'n', type });
    expect(data.map(([n]: [unknown]) => n)).toEqual(type === 'double' ? values.map(Number) : values);
  });
});

describe('instants of a Parquet file', () => {
  it('are counted if they have nanoseconds, which are not stored', async () => {
    const { engine, dir } = await openTestEngine();
    const values =
      "(TIMESTAMP_NS '2026-01-01 00:00:00.123456789'), (TIMESTAMP_NS '2026-01-01 00:00:00.123456000'), (NULL)";
    await engine.run(`COPY (SELECT * FROM (VALUES ${values}) AS t("at")) TO '${dir}/in.parquet'`);
    const found = await convertToParquet(
      engine,
      { path: `${dir}/in.parquet`, format: 'parquet' },
      `${dir}/out.parquet`,
    );
    expect(found.changes).toEqual([
      { column: 'at', nulls: 0, rounded: 1, examples: [{ row: 1, value: '2026-01-01 00:00:00.123456789' }] },
    ]);
  });
});

describe('the signature of a file', () => {
  it('lets a Parquet file be read as Parquet', async () => {
    const { engine, dir } = await openTestEngine();
    await engine.copyToParquet('SELECT 1 AS "a ", 2 AS b', { path: `${dir}/in.parquet` });
    const copied = await convertToParquet(
      engine,
      { path: `${dir}/in.parquet`, format: 'parquet', columns: [{ name: 'a' }] },
      `${dir}/out.parquet`,
    );
    expect(copied).toMatchObject({ rows: 1, columns: [{ name: 'a', type: 'integer' }] });
  });

  it.each([
    ['parquet', 'a,b\n1,2\n', 'The file is not Parquet.'],
    ['parquet', 'PAR1 and then nothing', 'The Parquet file is incomplete: its end is missing.'],
    ['csv', 'PAR1....PAR1', 'The file is not CSV but Parquet.'],
    ['csv', 'PK\u0003\u0004....', 'The file is not CSV but a ZIP archive (an Excel workbook is one).'],
    ['ndjson', '\u001f\u008b....', 'The file is damaged or not gzip.'],
  ] as [FileFormat, string, string][])('betrays a lying extension: %s %j', async (format, content, message) => {
    await expect(inspect(Buffer.from(content, 'latin1'), format)).rejects.toMatchObject({
      code: 'FILE_UNREADABLE',
      message,
    });
  });

  it('is not enough for a Parquet file with a broken inside', async () => {
    const broken = Buffer.concat([Buffer.from('PAR1'), Buffer.alloc(100, 7), Buffer.from('PAR1')]);
    await expect(inspect(broken, 'parquet')).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
  });
});
