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
  /** How many of its rows to show, at most as many as fail. */
  rows: number;
}

/** A statement has at most 1,664 columns; each test takes two beside those of the table. */
const MAX_TESTS_OF_SCAN = 300;

/**
 * One statement for some of the failing rows of each test: its number, and the columns as they are. Tests of single
 * rows share a scan, which ends when all of their rows are found; repeated keys are grouped by each test.
 */
export function samplesSql(table: ServerTable, tests: readonly Sampled[]): string {
  const ofRows = tests.flatMap((test) =>
    typeof test.failing === 'string' ? [{ ...test, failing: test.failing }] : [],
  );
  const scans = Array.from({ length: Math.ceil(ofRows.length / MAX_TESTS_OF_SCAN) }, (_, i) =>
    scanSql(table, ofRows.slice(i * MAX_TESTS_OF_SCAN, (i + 1) * MAX_TESTS_OF_SCAN)),
  );
  const groups = tests.flatMap(({ number, checked, failing, rows }) =>
    typeof failing === 'string'
      ? []
      : [
          `(SELECT ${[`${number}::int8`, ...listOf(table)].join(', ')} FROM ${repeatedSql(rowsOf(table), { checked, ...failing, limit: rows })} LIMIT ${rows})`,
        ],
  );
  return [...scans, ...groups].join(' UNION ALL ');
}

const listOf = ({ columns }: ServerTable): string[] => columns.map((_column, index) => `r${index}`);

/** Numbers the failing rows of each test as they are found, so that no more than those to show are returned. */
function scanSql(table: ServerTable, tests: readonly (Sampled & { failing: string })[]): string {
  const list = listOf(table);
  const fails = tests.map(({ checked, failing }, i) => `((${checked}) AND (${failing})) IS TRUE AS f${i}`);
  const found = tests.map((_test, i) => `count(*) FILTER (WHERE f${i}) OVER scan AS n${i}`);
  const shown = tests.map(({ number, rows }, i) => `CASE WHEN f${i} AND n${i} <= ${rows} THEN ${number}::int8 END`);
  const total = tests.reduce((sum, { rows }) => sum + rows, 0);
  return `(SELECT ${['number', ...list].join(', ')}
    FROM (SELECT ${[...list, ...tests.map((_test, i) => `f${i}`), ...found].join(', ')}
      FROM (SELECT ${[...list, ...fails].join(', ')} FROM ${rowsOf(table)}) AS tested
      WHERE ${tests.map((_test, i) => `f${i}`).join(' OR ')} WINDOW scan AS (ROWS UNBOUNDED PRECEDING)) AS found
    CROSS JOIN LATERAL unnest(array_remove(ARRAY[${shown.join(', ')}], NULL)) AS shown(number) LIMIT ${total})`;
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
