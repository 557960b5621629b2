import { describe, expect, it } from 'vitest';
import type { FileFormat } from '../../../../shared/data/files/formats.ts';
import { convert, inspect } from './read-content.ts';

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
