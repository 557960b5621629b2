import { quoteIdentifier } from '../../duckdb/quoting.ts';
import type { ServerColumn } from './server-columns.ts';
import type { ServerParameters, ServerTest } from './server-test.ts';

export interface ServerStatement {
  sql: string;
  params: ServerParameters['values'];
}

export interface ServerTable {
  /** The quoted name, with the schema. */
  relation: string;
  columns: readonly ServerColumn[];
}

/** The name of the value that the engine would read. */
export const valueName = (index: number): string => `v${index}`;

/** The rows as the engine would read them, and as they are. */
const rowsOf = ({ relation, columns }: ServerTable): string => {
  const values = columns.map(({ value }, index) => `${value} AS ${valueName(index)}`);
  const own = columns.map(({ name }, index) => `${quoteIdentifier(name)} AS r${index}`);
  return `(SELECT ${['1', ...values, ...own].join(', ')} FROM ${relation}) AS input`;
};

/** One statement that counts the tested and the failing rows of all tests. */
export function countsSql(table: ServerTable, tests: readonly ServerTest[]): string {
  const rows = rowsOf(table);
  const counts = tests.flatMap(({ checked, failing }) => [
    checked === 'true' ? 'count(*)' : `count(*) FILTER (WHERE ${checked})`,
    typeof failing === 'string'
      ? `count(*) FILTER (WHERE (${checked}) AND (${failing}))`
      : `(SELECT coalesce(sum(${failing.fails === 'each' ? 'n' : 'n - 1'}), 0) FROM (${groupsSql(rows, checked, failing.keys)}) AS found)`,
  ]);
  return `SELECT ${counts.join(', ')} FROM ${rows}`;
}

const groupsSql = (rows: string, checked: string, keys: readonly string[]): string =>
  `SELECT ${keys.join(', ')}, count(*) AS n FROM ${rows} WHERE ${checked} GROUP BY ${keys.join(', ')} HAVING count(*) > 1`;

export interface Sampled extends ServerTest {
  /** The number by which its rows are found. */
  number: number;
  limit: number;
}

/** One statement for some of the failing rows of each test: its number, and the columns as they are. */
export function samplesSql(table: ServerTable, tests: readonly Sampled[]): string {
  const rows = rowsOf(table);
  const list = table.columns.map((_column, index) => `r${index}`);
  return tests
    .map(({ number, checked, failing, limit }) => {
      const found =
        typeof failing === 'string'
          ? `${rows} WHERE (${checked}) AND (${failing})`
          : repeatedSql(rows, { checked, ...failing, limit });
      return `(SELECT ${[`${number}::int8`, ...list].join(', ')} FROM ${found} LIMIT ${limit})`;
    })
    .join(' UNION ALL ');
}

/** Rows of the first repeated keys. */
function repeatedSql(
  rows: string,
  { checked, keys, fails, limit }: { checked: string; keys: readonly string[]; fails: 'each' | 'later'; limit: number },
): string {
  const same = keys.map((key) => `input.${key} IS NOT DISTINCT FROM found.${key}`).join(' AND ');
  const partition = keys.map((key) => `input.${key}`).join(', ');
  const numbered = `SELECT input.*, row_number() OVER (PARTITION BY ${partition}) AS place
    FROM ${rows} JOIN (${groupsSql(rows, checked, keys)} LIMIT ${limit}) AS found ON ${same}`;
  return `(${numbered}) AS repeated WHERE place > ${fails === 'each' ? 0 : 1}`;
}
