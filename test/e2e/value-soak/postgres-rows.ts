import { Client } from 'pg';
import type { TestPostgres } from '../../support/postgres.ts';
import { ENDLESS, exactJson, NumberText, type Truth } from './compare.ts';
import { type Choices, clockText, dayText, numberText, ODD_TEXTS } from './random.ts';

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
const withoutNul = (text: string) => text.replaceAll('\u0000', '');

type Literal = (choices: Choices) => string;

const day: Literal = (choices) =>
  choices.chance(0.1)
    ? choices.of(['infinity', '-infinity', '0044-03-15 BC', '12024-01-01', '4713-01-01 BC'])
    : dayText(choices);
const moment: Literal = (choices) =>
  choices.chance(0.1)
    ? choices.of(['infinity', '-infinity', '0044-03-15 10:00:00.5 BC', '12024-01-01 00:00:00', '270000-01-01 00:00:00'])
    : `${dayText(choices)} ${clockText(choices)}`;
const number: Literal = (choices) =>
  choices.chance(0.1) ? choices.of(['NaN', 'Infinity', '1e40', '-1e30']) : numberText(choices);
const arrayOf =
  (make: Literal): Literal =>
  (choices) => {
    const items = (count: number): string =>
      Array.from({ length: count }, () =>
        choices.chance(0.1) ? 'NULL' : `"${make(choices).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`,
      ).join(',');
    const depth = choices.of([1, 1, 1, 2]);
    if (depth === 1) return `{${items(choices.upTo(4))}}`;
    const width = 1 + choices.upTo(2);
    return `{${Array.from({ length: 1 + choices.upTo(2) }, () => `{${items(width)}}`).join(',')}}`;
  };

/** Types with texts of their values. */
const TYPES: [type: string, make: Literal][] = [
  ['int2', (choices) => String(choices.upTo(65_535) - 32_768)],
  ['int4', (choices) => String(choices.upTo(4_000_000_000) - 2_000_000_000)],
  ['int8', (choices) => choices.of(['9223372036854775807', '-9223372036854775808', choices.digits(18), '0'])],
  ['numeric', number],
  ['numeric(12,3)', (choices) => (choices.chance(0.1) ? 'NaN' : `${choices.upTo(1e8)}.${choices.digits(3)}`)],
  [
    'numeric(60,20)',
    (choices) =>
      choices.chance(0.1) ? 'NaN' : `${choices.digits(choices.of([1, 30]))}.${choices.digits(choices.of([2, 20]))}`,
  ],
  ['float4', (choices) => String(Math.fround(choices.upTo(1e6) / 7))],
  ['float8', (choices) => choices.of(['NaN', 'Infinity', String(choices.upTo(1e9) / 7), '1e300', '-0', '5e-324'])],
  ['text', (choices) => withoutNul(choices.of(ODD_TEXTS))],
  ['varchar(400)', (choices) => withoutNul(choices.of(ODD_TEXTS))],
  ['char(5)', (choices) => choices.digits(choices.upTo(5))],
  ['bytea', (choices) => `\\x${choices.list(6, () => choices.upTo(255).toString(16).padStart(2, '0')).join('')}`],
  ['date', day],
  ['timestamp', moment],
  ['timestamptz', moment],
  ['time', (choices) => choices.of(['24:00:00', clockText(choices)])],
  ['interval', (choices) => `${choices.upTo(50)} days ${choices.upTo(90)} minutes`],
  ['bool', (choices) => choices.of(['t', 'f'])],
  ['uuid', (choices) => `6f2b1e2a-0000-4000-8000-${choices.digits(12)}`],
  ['jsonb', (choices) => choices.of(['{"a": [1, 2.50, null]}', '"text"', 'null', '12345678901234567890.123', '[]'])],
  ['json', (choices) => choices.of(['{"b":1,  "a":"\\u00e9"}', 'true', '[1e5]'])],
  ['int4[]', arrayOf((choices) => String(choices.upTo(100) - 50))],
  ['numeric[]', arrayOf(number)],
  ['text[]', arrayOf((choices) => withoutNul(choices.of(ODD_TEXTS)))],
  ['timestamptz[]', arrayOf(moment)],
  ['bool[]', arrayOf((choices) => choices.of(['t', 'f']))],
  ['date[]', arrayOf(day)],
];

export interface PostgresScenario {
  table: string;
  decimalsAs: string | undefined;
  /** By row, as the server's own client library receives them. */
  rows: Truth[][];
  types: string[];
}

/** Creates a table with random columns and rows. */
export async function postgresScenario(
  server: TestPostgres,
  choices: Choices,
  seed: number,
): Promise<PostgresScenario> {
  const columns = Array.from({ length: 1 + choices.upTo(5) }, () => choices.of(TYPES));
  const table = `values_${seed}`;
  const missing = choices.of([0, 0.1, 0.5]);
  const rows = Array.from({ length: choices.of([1, 3, 20, 100]) }, () =>
    columns.map(([type, make]) => (choices.chance(missing) ? 'NULL' : `${quoted(make(choices))}::${type}`)),
  );
  const list = columns.map(([type], i) => `c${i} ${type}`).join(', ');
  await server.run(
    `CREATE TABLE ${table} (${list}); INSERT INTO ${table} VALUES ${rows.map((row) => `(${row.join(', ')})`).join(', ')}`,
  );
  const decimalsAs = choices.of([undefined, undefined, 'string', 'decimal(38,18)']);
  const types = columns.map(([type]) => type);
  return { table, decimalsAs, types, rows: await readTable(server, table, types) };
}

async function readTable(server: TestPostgres, table: string, types: readonly string[]): Promise<Truth[][]> {
  const { host, port, database, user, password } = server;
  const client = new Client({ host, port, database, user, password });
  await client.connect();
  try {
    await client.query(`SET timezone = 'UTC'; SET intervalstyle = 'iso_8601'`);
    const list = types.map((type, i) =>
      /\[\]$|^json/.test(type) ? `to_json(c${i})::text` : type.startsWith('char') ? `c${i}` : `c${i}::text`,
    );
    const { rows } = await client.query<(string | null)[]>({
      text: `SELECT ${list.join(', ')} FROM ${table}`,
      rowMode: 'array',
    });
    return rows.map((row) => row.map((text, i) => (text === null ? null : truthOf(text, types[i]!))));
  } finally {
    await client.end();
  }
}

const finite = (text: string) => (/^-?infinity$/.test(text) ? `${ENDLESS}${text}` : text);

const itemsOf = (value: Truth): Truth =>
  Array.isArray(value) ? value.map(itemsOf) : typeof value === 'string' ? finite(value) : value;

function truthOf(text: string, type: string): Truth {
  if (type.endsWith('[]')) return /^(date|timestamp)/.test(type) ? itemsOf(exactJson(text)) : exactJson(text);
  if (type.startsWith('json')) return exactJson(text);
  if (/^(int\d|numeric|float)/.test(type)) return /^-?(NaN|Infinity)$/.test(text) ? text : new NumberText(text);
  if (type === 'bool') return text === 'true';
  if (type === 'bytea') return Buffer.from(text.slice(2), 'hex').toString('base64');
  return /^(date|timestamp)/.test(type) ? finite(text) : text;
}
