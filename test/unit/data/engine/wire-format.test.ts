import { describe, expect, it } from 'vitest';
import { openTestEngine, rowsOf } from './open-test-engine.ts';

const VALUES: [expression: string, type: string, wire: unknown][] = [
  ['1::TINYINT', 'integer', 1],
  ['9007199254740991', 'integer', 9007199254740991],
  ['9007199254740992', 'integer', '9007199254740992'],
  ['-9223372036854775808', 'integer', '-9223372036854775808'],
  ['18446744073709551615::UBIGINT', 'decimal(20,0)', '18446744073709551615'],
  ['sum(1)', 'decimal(38,0)', '1'],
  ['170141183460469231731687303715884105727::HUGEINT', 'decimal(38,0)', '170141183460469231731687303715884105727'],
  ['1.10::DECIMAL(5,2)', 'decimal(5,2)', '1.10'],
  ['0.1::FLOAT', 'double', 0.1],
  ['0.1::DOUBLE', 'double', 0.1],
  ["'nan'::DOUBLE", 'double', null],
  ["'-infinity'::FLOAT", 'double', null],
  ['true', 'boolean', true],
  ['NULL::BIGINT', 'integer', null],
  ['NULL::DECIMAL(5,2)', 'decimal(5,2)', null],
  [`'a"b' || chr(10)`, 'string', 'a"b\n'],
  ["DATE '2024-02-29'", 'date', '2024-02-29'],
  ["DATE '0044-03-15 (BC)'", 'date', '-0043-03-15'],
  ["DATE '0001-12-31 (BC)'", 'date', '0000-12-31'],
  ["DATE '12024-01-01'", 'date', '12024-01-01'],
  ["TIMESTAMP '0044-03-15 (BC) 10:00:00.5'", 'timestamp', '-0043-03-15T10:00:00.500Z'],
  ["TIMESTAMP '0501-03-15 (BC) 10:00:00'", 'timestamp', '-0500-03-15T10:00:00.000Z'],
  ["TIMESTAMPTZ '4713-03-15 (BC) 10:00:00+00'", 'timestamptz', '-4712-03-15T10:00:00.000Z'],
  ["'infinity'::DATE", 'date', null],
  ["TIMESTAMP '2024-01-02 03:04:05'", 'timestamp', '2024-01-02T03:04:05.000Z'],
  ["TIMESTAMP '2024-01-02 03:04:05.12'", 'timestamp', '2024-01-02T03:04:05.120Z'],
  ["TIMESTAMP '2024-01-02 03:04:05.123456'", 'timestamp', '2024-01-02T03:04:05.123456Z'],
  ["'2024-01-02 03:04:05.123456789'::TIMESTAMP_NS", 'timestamp', '2024-01-02T03:04:05.123456789Z'],
  ["'2024-01-02 03:04:05'::TIMESTAMP_S", 'timestamp', '2024-01-02T03:04:05.000Z'],
  ["TIMESTAMPTZ '2024-01-02 03:04:05+02'", 'timestamptz', '2024-01-02T01:04:05.000Z'],
  ["'-infinity'::TIMESTAMPTZ", 'timestamptz', null],
  ["TIME '01:02:03.5'", 'time', '01:02:03.5'],
  ["'\\x00\\xFFa'::BLOB", 'binary', 'AP9h'],
  ["UUID '6f2b1e2a-0000-4000-8000-000000000001'", 'string', '6f2b1e2a-0000-4000-8000-000000000001'],
  ["'b'::ENUM('a', 'b')", 'string', 'b'],
  ["INTERVAL '14 months 3 days 26 hours 6.5 seconds'", 'string', 'P1Y2M3DT26H6.5S'],
  ["INTERVAL '0 days'", 'string', 'PT0S'],
  ["INTERVAL '10 seconds'", 'string', 'PT10S'],
  ["INTERVAL '1 day'", 'string', 'P1D'],
  ["INTERVAL '-90 minutes'", 'string', 'PT-1H-30M'],
  [`'{"a":[1,{"b":null}]}'::JSON`, 'json', { a: [1, { b: null }] }],
  ["{'a': 1}::VARIANT", 'json', { a: 1 }],
  ["[1.5, 'nan'::DOUBLE, NULL]", 'list(double)', [1.5, null, null]],
  ['[9007199254740993, 1]', 'list(integer)', ['9007199254740993', 1]],
  ['[1.25::DECIMAL(4,2)]', 'list(decimal(4,2))', ['1.25']],
  ['[]::BIGINT[]', 'list(integer)', []],
  ['NULL::BIGINT[]', 'list(integer)', null],
  ["[DATE '2024-01-01']::DATE[1]", 'list(date)', ['2024-01-01']],
  [
    "{'id': 9007199254740993, 'when': [TIMESTAMP '2024-01-01'], 'a b': {'x': NULL::DATE}}",
    'struct(id integer, when list(timestamp), "a b" struct(x date))',
    { id: '9007199254740993', when: ['2024-01-01T00:00:00.000Z'], 'a b': { x: null } },
  ],
  ['NULL::STRUCT(a INTEGER, b DATE)', 'struct(a integer, b date)', null],
  ["MAP {'a': 1.5::DECIMAL(3,1), 'b': NULL}", 'json', { a: '1.5', b: null }],
  ["MAP {DATE '2024-01-01': [1, 2]}", 'json', { '2024-01-01': [1, 2] }],
  ["MAP {TIMESTAMP '2024-01-01': 1}", 'json', { '2024-01-01T00:00:00.000Z': 1 }],
  ['NULL::MAP(VARCHAR, INTEGER)', 'json', null],
  ['row(1, 2.5)', 'json', [1, '2.5']],
];

describe('the wire format', () => {
  it.each(VALUES)('shows %s as %s', async (expression, type, wire) => {
    const { engine } = await openTestEngine();
    const result = await engine.query(`SELECT ${expression} AS value`, { limit: 1, maxBytes: 10_000 });

    expect(result.columns).toEqual([{ name: 'value', type }]);
    expect(JSON.parse(result.rowsJson)).toEqual([[wire]]);
  });

  it('warns when a NaN or an infinity became null, however deep it stands', async () => {
    const { engine } = await openTestEngine();
    const options = { limit: 10, maxBytes: 10_000 };
    for (const value of [
      "'nan'::DOUBLE",
      "[{'a': 'inf'::FLOAT}]",
      "MAP {'k': 'infinity'::DATE}",
      "'infinity'::TIMESTAMP",
    ]) {
      expect((await engine.query(`SELECT 1, ${value}`, options)).warnings, value).toEqual(['NON_FINITE_AS_NULL']);
    }
    expect((await engine.query('SELECT 1.5::DOUBLE, NULL::DATE, [NULL::DOUBLE]', options)).warnings).toEqual([]);
  });

  it('shows the numbers that JSON columns hold beyond JSON as null, and leaves texts that look like them', async () => {
    const { engine } = await openTestEngine();
    const text = '[1, NaN, {"NaN": -Infinity, "a\\"b": "NaN, \\"Infinity"}]';
    const result = await engine.query('SELECT $1::JSON', { params: [text], limit: 1, maxBytes: 10_000 });
    expect(JSON.parse(result.rowsJson)).toEqual([[[1, null, { NaN: null, 'a"b': 'NaN, "Infinity' }]]]);
    expect(result.warnings).toEqual(['NON_FINITE_AS_NULL']);
  });

  it('stores every type in Parquet so that it reads back with the same value', async () => {
    const { engine, dir } = await openTestEngine();
    for (const [i, [expression, type, wire]] of VALUES.entries()) {
      const path = `${dir}/value-${i}.parquet`;
      const copied = await engine
        .copyToParquet(`SELECT ${expression} AS value`, { path })
        .catch((error: Error) => error);
      if (expression.startsWith('1701411')) {
        expect(copied).toMatchObject({ code: 'SQL_ERROR' });
        continue;
      }
      expect(copied, expression).toMatchObject({ rows: 1, columns: [{ name: 'value' }] });
      await engine.attach(`stored_${i}`, [path]);
      const columns = await engine.describe(`SELECT * FROM stored_${i}`);
      expect((copied as { columns: unknown }).columns, expression).toEqual(columns);
      if (type !== 'json' && !expression.startsWith('INTERVAL')) {
        expect(columns[0]?.type, expression).toBe(type);
        // The same but for nanoseconds: one column could not hold them together with the year 9999.
        const kept = expression.endsWith('TIMESTAMP_NS') ? '2024-01-02T03:04:05.123456Z' : wire;
        expect(await rowsOf(engine, `SELECT * FROM stored_${i}`), expression).toEqual([[kept]]);
      }
    }
  });
});
