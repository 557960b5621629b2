import { describe, expect, it } from 'vitest';
import { extractToParquet } from '../../../../shared/data/connectors/postgres/index.ts';
import { openTestEngine, rowsOf } from '../../data/engine/open-test-engine.ts';
import { usePostgres } from './use-postgres.ts';

const under = usePostgres();

/** Types with values at the edges of what their binary form, or the type of the column, can hold. */
const VALUES: Record<string, string[]> = {
  bool: ['t', 'f'],
  int2: ['-32768', '32767'],
  int4: ['-2147483648', '2147483647', '-1'],
  int8: ['-9223372036854775808', '9223372036854775807', '-1', '4294967295', '4294967296'],
  oid: ['0', '4294967295'],
  float4: ['0.1', '-0', 'NaN', '-Infinity', '3.4e38', '1e-45'],
  float8: ['0.1', '-0', 'NaN', 'Infinity', '5e-324', '1.7976931348623157e308'],
  numeric: ['1e40', 'NaN', '-0.00000000015', '123456789012345678901234567890'],
  'numeric(5,2)': ['NaN', '-999.99', '0.01', '0', '100', '1.5'],
  'numeric(18,0)': ['999999999999999999', '-999999999999999999', '10000'],
  'numeric(18,5)': ['9999999999999.99999', '-0.00001', '12345678.9'],
  'numeric(38,10)': ['9999999999999999999999999999.9999999999', '-0.0000000001', '42', '9007199254740993'],
  'numeric(38,38)': ['0.99999999999999999999999999999999999999', '-0.1'],
  'numeric(4,6)': ['0.001234', '0'],
  'numeric(6,-2)': ['12300', '-99999900'],
  'numeric(60,20)': ['123456789012345678901234567890.5', '1.00000000000000000001'],
  date: ['infinity', '-infinity', '2024-02-29', '0044-03-15 BC', '4713-01-01 BC', '5874897-12-31'],
  time: ['00:00:00', '24:00:00', '23:59:59.999999'],
  timetz: ['12:00:00+05:30'],
  timestamp: [
    'infinity',
    '-infinity',
    '2024-02-29 12:00:00.000001',
    '1969-12-31 23:59:59.999999',
    '0044-03-15 BC',
    '294276-12-31 23:59:59',
  ],
  timestamptz: ['infinity', '-infinity', '2024-02-29 12:00:00.5+02', '270000-01-01 00:00:00+00', '4713-01-01 BC'],
  interval: ['1 mon -3 days 00:00:00.000001'],
  text: ['', 'a,"b"\n', '\ufefffirst', 'é'.repeat(40), ' '],
  'varchar(9)': ['', 'nine'],
  'char(5)': ['ab', ''],
  '"char"': ['a'],
  name: ['a name'],
  bytea: ['\\x', '\\x00ff', `\\x${'ab'.repeat(40)}`],
  json: ['{"a":  1.50, "a": 2}', 'null', '12345678901234567890.123'],
  jsonb: ['{"b": [1, null]}', '"text"'],
  uuid: ['6f2b1e2a-0000-4000-8000-0123456789ab', '00000000-0000-0000-0000-000000000000'],
  inet: ['10.0.0.1', '10.0.0.0/8'],
  macaddr: ['08:00:2b:01:02:03'],
  money: ['-1234.50'],
  'bit(3)': ['101'],
  int4range: ['[1,5)', 'empty'],
  point: ['(1.5,2)'],
  xml: ['<a/>'],
  tsvector: ["'a':1 'b'"],
  mood: ['sad', 'happy'],
  pair: ['(1,)', '(,)', '(2,"a b")'],
  small: ['5'],
  'int4[]': ['{}', '{1,NULL}', '{{1,2},{3,4}}'],
  'numeric[]': ['{NaN,1}'],
  'text[]': ['{"a,b",""}'],
};

const literal = (text: string | undefined, type: string) =>
  text === undefined ? `NULL::${type}` : `'${text.replaceAll("'", "''")}'::${type}`;

describe('rows sent in the binary format', () => {
  it('are the rows that a cursor reads as text, with the same changes', async () => {
    await under.postgres.run(`CREATE TYPE mood AS ENUM ('sad', 'happy'); CREATE DOMAIN small AS int CHECK (VALUE < 10);
      CREATE TYPE pair AS (a int, b text)`);
    const types = Object.entries(VALUES);
    const height = Math.max(...types.map(([, texts]) => texts.length)) + 1;
    const rows = Array.from({ length: height }, (_, row) => types.map(([type, texts]) => literal(texts[row], type)));
    await under.postgres.run(`CREATE TABLE edges (${types.map(([type], i) => `v${i} ${type}`).join(', ')});
      INSERT INTO edges VALUES ${rows.map((row) => `(${row.join(', ')})`).join(', ')}`);
    for (const decimalsAs of ['decimal(38,9)', 'string']) {
      const sent = await under.extract({ from: { schema: 'public', table: 'edges' }, decimalsAs });
      const query = 'SELECT * FROM edges WHERE $1 = 1';
      const fetched = await under.extract({ from: { query, params: [1] }, decimalsAs });
      expect(sent.columns).toEqual(fetched.columns);
      for (const [i, [type]] of types.entries()) {
        expect(
          sent.data.map((row) => row[i]),
          type,
        ).toEqual(fetched.data.map((row) => row[i]));
      }
      expect(sent.changes).toEqual(fetched.changes);
    }
  });

  it('keep nulls in their places, in groups of rows and across them', async () => {
    const query = `SELECT i, CASE WHEN i % 3 = 0 THEN i END AS part, CASE WHEN i > 130000 THEN 'x' || i END AS late,
      NULL::date AS never, i % 2 = 0 AS even FROM generate_series(1, 300001) AS i`;
    const { engine, dir } = await openTestEngine();
    await extractToParquet(engine, await under.openSource(), { from: { query } }, `${dir}/out.parquet`);
    await engine.attach('out', [`${dir}/out.parquet`]);
    const wrong = `part IS DISTINCT FROM CASE WHEN i % 3 = 0 THEN i END OR never IS NOT NULL
      OR late IS DISTINCT FROM CASE WHEN i > 130000 THEN 'x' || i END OR even <> (i % 2 = 0)`;
    expect(await rowsOf(engine, `SELECT count(*), sum(i), count(*) FILTER (WHERE ${wrong}) FROM out`)).toEqual([
      [300_001, '45000450001', 0],
    ]);
  });
});
