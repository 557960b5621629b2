import { quoteIdentifier } from '../duckdb/quoting.ts';
import { type Comparison, comparedValue } from './key-sql.ts';
import type { KeyKind } from './key-types.ts';

export const SIDES = ['left', 'right'] as const;
export type Side = (typeof SIDES)[number];

export const JOINS = ['left', 'inner', 'full'] as const;
export type Join = (typeof JOINS)[number];

/** A key of a blend, with the columns of the sides that it compares. */
export interface JoinKey extends Comparison {
  left: { column: string; kind: KeyKind };
  right: { column: string; kind: KeyKind };
}

/** The tables of the rows of both sides. */
export const tableOf = (side: Side) => quoteIdentifier(`#${side}`);

const valueAt = (index: number) => quoteIdentifier(`#key${index + 1}`);
/** 0 for a value, 1 for a null, and for a value that does not convert 2 on the left and 3 on the right. */
const stateAt = (index: number) => quoteIdentifier(`#state${index + 1}`);

/** The rows of a side, with what is compared beside them. */
export function keyedRows(rows: string, side: Side, keys: readonly JoinKey[]): string {
  const columns = keys.flatMap((key, index) => {
    const { column: name, kind } = key[side];
    const column = `side.${quoteIdentifier(name)}`;
    const value = comparedValue(column, kind, key);
    const lost = side === 'left' ? 2 : 3;
    const state = `CASE WHEN ${column} IS NULL THEN 1 WHEN ${valueAt(index)} IS NULL THEN ${lost} ELSE 0 END`;
    return [`${value} AS ${valueAt(index)}`, `CAST(${state} AS UTINYINT) AS ${stateAt(index)}`];
  });
  return `SELECT side.*, ${columns.join(', ')} FROM (\n${rows}\n) AS side`;
}

/** Whether a row of the left side and one of the right match, which unknown values never do. */
function isMatch(keys: readonly JoinKey[], left: string, right: string): string {
  const pairs = keys.flatMap(({ matchNulls }, index) => {
    const [value, state] = [valueAt(index), stateAt(index)];
    if (!matchNulls) return [`${left}.${value} = ${right}.${value}`];
    return [`${left}.${value} IS NOT DISTINCT FROM ${right}.${value}`, `${left}.${state} = ${right}.${state}`];
  });
  return pairs.join(' AND ');
}

/** Whether a row can match any other. */
const canMatch = (keys: readonly JoinKey[]): string =>
  keys.map(({ matchNulls }, index) => (matchNulls ? `${stateAt(index)} < 2` : `${stateAt(index)} = 0`)).join(' AND ');

const anyKey = (keys: readonly JoinKey[], condition: (state: string) => string): string =>
  keys.map((_, index) => condition(stateAt(index))).join(' OR ');

/** The columns of the statement below, all of them whole numbers. */
export const STATISTICS = [
  'leftRows',
  'rightRows',
  'leftNullKeys',
  'rightNullKeys',
  'leftUnconverted',
  'rightUnconverted',
  'matchedLeft',
  'matchedRight',
  'leftMultiplicity',
  'rightMultiplicity',
  'maxMultiplicity',
  'pairs',
] as const;
export type JoinStatistics = Record<(typeof STATISTICS)[number], number>;

/**
 * One row about how the sides match. The multiplicities are the most rows that one key has on a side; the last one is
 * the most rows of the right side that a row of the left one matches.
 */
export function statisticsSql(keys: readonly JoinKey[]): string {
  const list = keys.flatMap((_, index) => [valueAt(index), stateAt(index)]).join(', ');
  const counts = (side: Side) => `
    SELECT count(*) AS all_rows,
      count(*) FILTER (WHERE ${anyKey(keys, (state) => `${state} = 1`)}) AS nulls,
      count(*) FILTER (WHERE ${anyKey(keys, (state) => `${state} > 1`)}) AS unconverted
    FROM ${tableOf(side)}`;
  const groups = (side: Side) =>
    `SELECT ${list}, count(*) AS n FROM ${tableOf(side)} WHERE ${canMatch(keys)} GROUP BY ${list}`;
  return `WITH
    left_count AS (${counts('left')}),
    right_count AS (${counts('right')}),
    left_keys AS MATERIALIZED (${groups('left')}),
    right_keys AS MATERIALIZED (${groups('right')}),
    matched AS MATERIALIZED (
      SELECT l.n AS of_left, r.n AS of_right FROM left_keys AS l JOIN right_keys AS r ON ${isMatch(keys, 'l', 'r')})
  SELECT
    (SELECT all_rows FROM left_count), (SELECT all_rows FROM right_count),
    (SELECT nulls FROM left_count), (SELECT nulls FROM right_count),
    (SELECT unconverted FROM left_count), (SELECT unconverted FROM right_count),
    coalesce(sum(of_left), 0), coalesce(sum(of_right), 0),
    (SELECT coalesce(max(n), 0) FROM left_keys), (SELECT coalesce(max(n), 0) FROM right_keys),
    coalesce(max(of_right), 0), coalesce(sum(of_left * of_right), 0)
  FROM matched`;
}

export interface JoinedColumn {
  side: Side;
  column: string;
  name: string;
}

/** The rows of both sides beside each other. */
export function joinSql(
  keys: readonly JoinKey[],
  { columns, join, sort }: { columns: readonly JoinedColumn[]; join: Join; sort: readonly SortedColumn[] },
): string {
  const list = columns.map(
    ({ side, column, name }) => `${side[0]}.${quoteIdentifier(column)} AS ${quoteIdentifier(name)}`,
  );
  const order = sort.map(({ position, descending }) => `${position + 1} ${descending ? 'DESC' : 'ASC'} NULLS LAST`);
  return `SELECT ${list.join(', ')}
FROM ${tableOf('left')} AS l ${join.toUpperCase()} JOIN ${tableOf('right')} AS r ON ${isMatch(keys, 'l', 'r')}${
    order.length > 0 ? `\nORDER BY ${order.join(', ')}` : ''
  }`;
}

export interface SortedColumn {
  /** Among the columns. */
  position: number;
  descending: boolean;
}

/** The different values of a key on a side, at most one more than `limit`. */
export const distinctKeys = (side: Side, index: number, limit: number): string =>
  `SELECT DISTINCT ${valueAt(index)} FROM ${tableOf(side)} WHERE ${stateAt(index)} = 0 LIMIT ${limit + 1}`;
