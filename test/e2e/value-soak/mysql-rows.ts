import type { TestMariadb } from '../../support/mariadb.ts';
import { NumberText, type Truth } from './compare.ts';
import { type Choices, clockText, dayText, numberText, ODD_TEXTS } from './random.ts';

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
const hex = (choices: Choices) => choices.list(6, () => choices.upTo(255).toString(16).padStart(2, '0')).join('');

interface Type {
  type: string;
  /** SQL of a value. */
  literal: (choices: Choices) => string;
  /** SQL of the text that the server's own client shows. */
  text?: (column: string) => string;
  kind?: 'number' | 'binary';
}

const asIs = (column: string) => `CAST(${column} AS CHAR)`;
const number = (type: string, literal: Type['literal'], text = asIs): Type => ({ type, literal, text, kind: 'number' });

const oneOf =
  (...literals: string[]): Type['literal'] =>
  (choices) =>
    choices.of(literals);

const moment = (choices: Choices) =>
  choices.chance(0.1)
    ? choices.of([`'0000-00-00 00:00:00'`, `'2024-02-30 10:00:00'`, `'9999-12-31 23:59:59.999999'`])
    : quoted(`${dayText(choices)} ${clockText(choices)}`);

const TYPES: readonly Type[] = [
  number('TINYINT', (choices) => String(choices.upTo(255) - 128)),
  number('INT UNSIGNED', (choices) => String(choices.upTo(4_294_967_295))),
  number('BIGINT', oneOf('9223372036854775807', '-9223372036854775808', '0')),
  number('BIGINT UNSIGNED', oneOf('18446744073709551615', '9007199254740993', '0')),
  number('DECIMAL(12,3)', (choices) => `${choices.upTo(1e8)}.${choices.digits(3)}`),
  number(
    'DECIMAL(65,30)',
    (choices) => `${choices.digits(choices.of([1, 30]))}.${choices.digits(choices.of([2, 30]))}`,
  ),
  number(
    'FLOAT',
    (choices) => String(Math.fround(choices.upTo(1e6) / 7)),
    (column) => asIs(`${column} + 0e0`),
  ),
  number('DOUBLE', (choices) => choices.of([String(choices.upTo(1e9) / 7), '1e300', '5e-324', numberText(choices)])),
  number(
    'BIT(10)',
    (choices) => String(choices.upTo(1023)),
    (column) => asIs(`${column} + 0`),
  ),
  number('YEAR', (choices) => String(1901 + choices.upTo(254))),
  { type: 'DATE', literal: (choices) => choices.of([quoted(dayText(choices)), `'0000-00-00'`, `'2024-00-10'`]) },
  { type: 'DATETIME(6)', literal: moment },
  {
    type: 'TIMESTAMP(6) NULL',
    literal: (choices) =>
      quoted(`20${choices.of(['01', '24', '37'])}-0${1 + choices.upTo(8)}-1${choices.upTo(9)} ${clockText(choices)}`),
  },
  { type: 'TIME(6)', literal: (choices) => choices.of([quoted(clockText(choices)), `'838:59:59'`, `'-12:00:00'`]) },
  { type: 'TEXT', literal: (choices) => quoted(choices.of(ODD_TEXTS)) },
  { type: 'VARCHAR(400) CHARACTER SET utf8mb4', literal: (choices) => quoted(choices.of(ODD_TEXTS)) },
  { type: `ENUM('x','','y z')`, literal: oneOf(`'x'`, `''`, `'y z'`) },
  { type: `SET('a','b')`, literal: oneOf(`'a'`, `'a,b'`, `''`) },
  {
    // In MariaDB, a text with a check.
    type: 'JSON',
    literal: oneOf(`'{"a": [1, 2.50, null]}'`, `'"text"'`, `'12345678901234567890.123'`, `'[]'`, `'true'`),
  },
  {
    type: 'VARBINARY(8)',
    literal: (choices) => `x'${hex(choices)}'`,
    text: (column) => `HEX(${column})`,
    kind: 'binary',
  },
  { type: 'BLOB', literal: (choices) => `x'${hex(choices)}'`, text: (column) => `HEX(${column})`, kind: 'binary' },
];

export interface MysqlScenario {
  table: string;
  decimalsAs: string | undefined;
  /** By row, as the server's own client library receives them. */
  rows: Truth[][];
}

/** Creates a table with random columns and rows. Without a strict mode, it can have days that do not exist. */
export async function mysqlScenario(server: TestMariadb, choices: Choices, seed: number): Promise<MysqlScenario> {
  const columns = Array.from({ length: 1 + choices.upTo(5) }, () => choices.of(TYPES));
  const table = `values_${seed}`;
  const missing = choices.of([0, 0.1, 0.5]);
  const rows = Array.from({ length: choices.of([1, 3, 20, 100]) }, () =>
    columns.map(({ literal }) => (choices.chance(missing) ? 'NULL' : literal(choices))),
  );
  const values = rows.map((row, i) => `(${[i, ...row].join(', ')})`).join(', ');
  await server.run(
    `CREATE TABLE ${table} (position INT PRIMARY KEY, ${columns.map(({ type }, i) => `c${i} ${type}`).join(', ')})`,
    `SET STATEMENT sql_mode='ALLOW_INVALID_DATES', time_zone='+00:00' FOR INSERT INTO ${table} VALUES ${values}`,
  );
  const list = columns.map(({ text = asIs }, i) => `${text(`c${i}`)} AS c${i}`).join(', ');
  const read = await server.ask(
    `SET STATEMENT time_zone='+00:00' FOR SELECT position, ${list} FROM ${table} ORDER BY position`,
  );
  const decimalsAs = choices.of([undefined, undefined, 'string', 'decimal(38,18)']);
  return {
    table,
    decimalsAs,
    rows: read.map((row) => [
      new NumberText(String(row.position)),
      ...columns.map(({ kind }, i) => truthOf(row[`c${i}`] as string | null, kind)),
    ]),
  };
}

function truthOf(text: string | null, kind: Type['kind']): Truth {
  if (text === null) return null;
  if (kind === 'number') return new NumberText(text);
  return kind === 'binary' ? Buffer.from(text, 'hex').toString('base64') : text;
}
