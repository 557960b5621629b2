import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { FileFormat } from '../../../shared/data/files/formats.ts';
import { convertToParquet, type FileReading, inspectFile } from '../../../shared/data/files/read-file.ts';
import { openTestEngine } from '../engine/open-test-engine.ts';

type Options = NonNullable<Parameters<typeof inspectFile>[2]['options']>;

async function inspect(content: string | Uint8Array, format: FileFormat, options: Options = {}) {
  const { engine, dir } = await openTestEngine();
  await writeFile(`${dir}/file`, content);
  const { columns, rowsJson } = await inspectFile(engine, `${dir}/file`, { format, options });
  return { columns: columns.map(({ name, type }) => `${name} ${type}`), rows: JSON.parse(rowsJson) };
}

async function convert(
  content: string | Uint8Array,
  format: FileFormat,
  options: Options = {},
  reading: FileReading = {},
) {
  const { engine, dir } = await openTestEngine();
  await writeFile(`${dir}/file`, content);
  const result = await convertToParquet(
    engine,
    { path: `${dir}/file`, format, options, ...reading },
    `${dir}/out.parquet`,
  );
  await engine.attach('out', [`${dir}/out.parquet`]);
  const { rowsJson } = await engine.query('SELECT * FROM out', { limit: 100, maxBytes: 1_000_000 });
  return { ...result, rows: result.rows, data: JSON.parse(rowsJson) };
}

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
    ['too many values', 'a,b\n1,2\n3,4,5\n', 'Line 3: expected 2 values, found 3.'],
    ['too few values', 'a,b\n1,2\n3\n4,5\n', 'Line 3: expected 2 values, found 1.'],
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
      message: 'Line 60002: expected 2 values, found 3.',
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

describe('a value in a JSON file', () => {
  it.each([
    ['a code', ['10-11-12', '01-02-2024'], 'string'],
    ['a time of day', ['09:30', '9:30'], 'string'],
    ['an identifier', ['ABCDEF00-1111-2222-3333-444444444444'], 'string'],
    ['a day', ['2026-01-05', null], 'date'],
    ['no day', ['2026-01-05', '2026-1-6'], 'string'],
    ['an instant', ['2026-01-05T10:30:00.000Z', null], 'timestamptz'],
    ['an instant elsewhere', ['2026-01-05T10:30:00+02:00'], 'timestamptz'],
    ['a local time', ['2026-01-05T10:30:00.000'], 'timestamp'],
    ['finer than is held', ['2026-01-05T10:30:00.1234567Z'], 'string'],
    ['a text of digits', ['007', '8'], 'string'],
  ])('is %s: %j', async (_what, values, type) => {
    const records = values.map((at) => ({ at, list: [at], inner: { at } }));
    const { columns, data } = await convert(JSON.stringify(records), 'json');
    expect(columns).toMatchObject([{ type }, { type: 'list(string)' }, { type: 'struct(at string)' }]);
    const written = new Map([
      ['2026-01-05T10:30:00+02:00', '2026-01-05T08:30:00.000Z'],
      ['2026-01-05T10:30:00.000', '2026-01-05T10:30:00.000Z'],
    ]);
    expect(data).toEqual(values.map((value) => [written.get(value ?? '') ?? value, [value], { at: value }]));
  });

  it.each([
    [['9007199254740993', '1'], 'integer', ['9007199254740993', 1]],
    [['18446744073709551615', '1'], 'decimal(38,0)', ['18446744073709551615', '1']],
    [['123456789012345678901234567890', '-1'], 'decimal(38,0)', ['123456789012345678901234567890', '-1']],
    [['0.30000000000000004', '1e5', '3'], 'double', [0.30000000000000004, 100000, 3]],
    [['9007199254740993', '0.5'], 'string', ['9007199254740993', '0.5']],
    [['1e400', '0.5'], 'string', ['1e400', '0.5']],
  ])('keeps its digits: %j', async (values, type, kept) => {
    for (const [format, text] of [
      ['json', `[${values.map((value) => `{"n": ${value}}`).join()}]`],
      ['ndjson', values.map((value) => `{"n": ${value}}\n`).join('')],
    ] as const) {
      const { columns, data } = await convert(text, format);
      expect(columns).toEqual([{ name: 'n', type }]);
      expect(data).toEqual(kept.map((value) => [value]));
    }
  });

  it('has a name of its own, also where another differs from it by case or by a number', async () => {
    const clashing = '{"a":1,"A":2,"a_1":3}\n{"a":4,"A":5,"a_1":6}\n';
    const read = await convert(clashing, 'ndjson');
    expect(read.data.map((row: number[]) => row.toSorted())).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    const numbered = await convert('{"at":"10-11-12","at_1":"10-11-12","at_2":null}\n', 'ndjson');
    expect(numbered.data).toEqual([['10-11-12', '10-11-12', null]]);
  });
});

describe('integers of both signs in a JSON file', () => {
  it.each([
    ['{"n": -3}, {"n": 4}', 'integer', [[-3], [4]]],
    ['{"n": [-3, 4]}', 'list(integer)', [[[-3, 4]]]],
    ['{"n": {"a": -3}}, {"n": {"a": 4}}', 'struct(a integer)', [[{ a: -3 }], [{ a: 4 }]]],
    ['{"n": [-3, 18446744073709551615]}', 'list(decimal(38,0))', [[['-3', '18446744073709551615']]]],
  ])('%s have the type %s', async (records, type, rows) => {
    const { columns, data } = await convert(`[${records}]`, 'json');
    expect(columns).toEqual([{ name: 'n', type }]);
    expect(data).toEqual(rows);
    expect((await inspect(`[${records}]`, 'json')).columns).toEqual([`n ${type}`]);
  });
});

describe('the members of JSON records', () => {
  it('keep their values if their name is empty', async () => {
    const { columns, data } = await convert('[{"": 1, "a": {"": 5}}, {"a": {"": ""}, "" : -2}, {"a": null}]', 'json');
    expect(columns).toEqual([
      { name: 'column_1', type: 'integer' },
      { name: 'a', type: 'json' },
    ]);
    expect(data).toEqual([
      [1, { '': 5 }],
      [-2, { '': '' }],
      [null, null],
    ]);
    expect((await convert('{"": "x\\""}\n{"":""}\n', 'ndjson')).data).toEqual([['x"'], ['']]);
  });

  it.each([
    ['[{"x": 1}, {"a": 1, "a": 2}]', 'Record 2: the member "a" occurs more than once.'],
    ['[{"a": [{"b": 1, "b": 2}]}]', 'Record 1: the member "b" occurs more than once.'],
    ['[{"": 1, "": 2}]', 'Record 1: the member "" occurs more than once.'],
  ])('%s are rejected with their place', async (text, message) => {
    await expect(convert(text, 'json')).rejects.toMatchObject({ code: 'FILE_UNREADABLE', message });
  });

  it('count the numbers that no double represents', async () => {
    const text = `[{"a": 0.5, "b": [1.5]}, {"a": 0.1234567890123456789, "b": [0.1, 12345678901234567890123, 1e400]},
      {"a": 0.30000000000000004, "b": [9007199254740992, 9007199254740993.0, 1.50000000000000000000]}]`;
    const { changes } = await convert(text, 'json');
    expect(changes).toEqual([
      { column: 'a', nulls: 0, rounded: 1, examples: [{ row: 2, value: '0.1234567890123456789' }] },
      {
        column: 'b',
        nulls: 0,
        rounded: 2,
        examples: [
          { row: 2, value: '12345678901234567890123' },
          { row: 3, value: '9007199254740993.0' },
        ],
      },
    ]);
  });
});

describe('members that differ only by case', () => {
  it.each([
    ['[{"b": 1, "B": 0.1234567890123456789}]', 'B_1'],
    ['[{"b": 0.1234567890123456789, "B": 1}]', 'b'],
    ['[{"b": [0.5], "B": ["x", 0.1234567890123456789]}]', 'B_1'],
    ['[{"b": 1, "B": [17089442900854447777, 0.5]}]', 'B_1'],
  ])('%s count their own numbers', async (text, column) => {
    const { changes } = await convert(text, 'json');
    const value = /\d[\d.]{16,}/.exec(text)![0];
    expect(changes).toEqual([{ column, nulls: 0, rounded: 1, examples: [{ row: 1, value }] }]);
  });
});

describe('values of members that differ only by case', () => {
  it('have the types of other columns', async () => {
    const text =
      '[{"b": 1, "B": "10:30", "c": "x", "C": "9-8-7"}, {"B": "11:00", "\\u0043": "2026-01-31"}, {"b": 2, "B": null}]';
    const { columns, data } = await convert(text, 'json');
    expect(columns).toEqual([
      { name: 'b', type: 'integer' },
      { name: 'B_1', type: 'string' },
      { name: 'c', type: 'string' },
      { name: 'C_1', type: 'string' },
    ]);
    expect(data).toEqual([
      [1, '10:30', 'x', '9-8-7'],
      [null, '11:00', null, '2026-01-31'],
      [2, null, null, null],
    ]);
    expect((await inspect(text, 'json')).columns).toEqual(['b integer', 'B_1 string', 'c string', 'C_1 string']);
  });

  it('keep integers that no double represents beside fractions', async () => {
    const text = '{"b": 1, "B": 17089442900854447777}\n{"B": 0.5}\n';
    const { columns, data, changes } = await convert(text, 'ndjson');
    expect(columns[1]).toEqual({ name: 'B_1', type: 'string' });
    expect(data).toEqual([
      [1, '17089442900854447777'],
      [null, '0.5'],
    ]);
    expect(changes).toBeUndefined();
  });

  it('are found where names are numbered already, empty, or the marks of the platform', async () => {
    const records = '{"a_1": 1, "A_1": 2, "": 3, "\\u00011\\u0001A_1": 4, "é\\"": 5, "É\\"": 6}\n';
    const { columns, data } = await convert(records.repeat(2), 'ndjson');
    const names = ['a_1', 'A_1_1', 'column_3', '\u00011\u0001A_1', 'é"', 'É"_2'];
    expect(columns.map(({ name }) => name)).toEqual(names);
    expect(data).toEqual([
      [1, 2, 3, 4, 5, 6],
      [1, 2, 3, 4, 5, 6],
    ]);
  });

  it('are found where a chunk of the file cuts off their name', async () => {
    const padding = (length: number) => `{"b": "${'x'.repeat(length)}", "B": 1}\n`;
    for (let cut = 0; cut < 8; cut += 1) {
      const { data } = await convert(
        `${padding(1024 ** 2 - 12 - cut)}{"b": "y", "B": 2}\n`,
        'ndjson',
        {},
        { columns: [{ name: 'B_1' }] },
      );
      expect(data).toEqual([[1], [2]]);
    }
  });

  it('occur once only', async () => {
    await expect(convert('[{"b": 1, "B": 2}, {"B": 3, "B": 4}]', 'json')).rejects.toMatchObject({
      code: 'FILE_UNREADABLE',
      message: 'Record 2: the member "B" occurs more than once.',
    });
  });

  it.each([
    ['an object', '[{"v": {"b": 1, "B": 0.5}}, {"v": null}]', 'json'],
    ['objects of several records', '[{"v": {"b": "10:30"}}, {"v": {"B": [1]}}]', 'json'],
    ['an object with an empty name', '[{"v": {"": 0, "b": 1, "B": 2}}]', 'json'],
    ['objects in a list', '[{"v": [{"b": 1}, {"B": "x"}]}]', 'list(json)'],
    ['a part of an object', '[{"v": {"id": 1, "of it": {"b": 1, "B": 2}}}]', 'struct(id integer, "of it" json)'],
  ])('within %s are kept as JSON', async (_, text, type) => {
    const other = (JSON.parse(text) as object[]).map((record) => ({ ...record, s: { t: '10:30' } }));
    for (const [content, columns] of [
      [text, [{ name: 'v', type }]],
      [
        JSON.stringify(other),
        [
          { name: 'v', type },
          { name: 's', type: 'struct(t string)' },
        ],
      ],
    ] as const) {
      const read = await convert(content, 'json');
      expect(read.columns).toEqual(columns);
      const values = read.data.map(([value]: [unknown]) => value);
      expect(values).toEqual((JSON.parse(text) as { v: unknown }[]).map(({ v }) => v));
      expect(read.changes).toBeUndefined();
    }
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

describe('JSON files', () => {
  it('are read one object per line, with nested values', async () => {
    const lines = '{"id": 1, "tags": ["a"], "at": {"city": "x"}}\n{"id": 2, "zip": "00123"}\n';
    expect(await inspect(lines, 'ndjson')).toEqual({
      columns: ['id integer', 'tags list(string)', 'at struct(city string)', 'zip string'],
      rows: [
        [1, ['a'], { city: 'x' }, null],
        [2, null, null, '00123'],
      ],
    });
  });

  it('are read as an array', async () => {
    expect(await convert('\ufeff [{"a": 1}, {"a": "x", " b ": 2.5}] \n', 'json')).toMatchObject({
      rows: 2,
      columns: [
        { name: 'a', type: 'json' },
        { name: 'b', type: 'double' },
      ],
      data: [
        [1, null],
        ['x', 2.5],
      ],
    });
  });

  it.each([
    ['ndjson', '{"a": 1}\n{"a":\n{"a": 3}\n', /^Line 2 \(not counting empty ones\), byte \d+: /],
    ['ndjson', '1\n2\n', /must contain JSON objects/],
    ['json', '[{"a": 1},', /not a complete JSON array/],
    ['json', '{"a": 1}', /begins with an object.*ndjson/],
    ['json', ' {"data": [{"a": 1}]}', /begins with an object.*list within/],
    ['json', '[1, 2]', /must contain JSON objects/],
    ['json', ' [ \n] ', /no records/],
    ['ndjson', '', /no records/],
    ['ndjson', '\n \n', /no records/],
    ['json', '[[]]', /must contain JSON objects/],
    ['json', '[[]', /./],
    ['json', '{"a": [1]\n]', /./],
  ] as [FileFormat, string, RegExp][])(
    'of the format %s are refused when broken: %j',
    async (format, content, message) => {
      await expect(convert(content, format)).rejects.toMatchObject({
        code: 'FILE_UNREADABLE',
        message: expect.stringMatching(message),
      });
    },
  );
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
    ['ndjson', '\u001f\u008b....', 'The file is not NDJSON but gzip.'],
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
