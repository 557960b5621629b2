import type { EngineParameter } from '../duckdb/parameters.ts';
import { quoteIdentifier } from '../duckdb/quoting.ts';
import { renumberedParameters } from '../sql/positional-parameters.ts';
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

/** The tables of the rows of both sides. No dataset can be called so: names have no control characters. */
export const tableOf = (side: Side) => quoteIdentifier(`#${side}\u007f`);

/** The rows of a side where they lie, instead of in its table: a query over attached files. */
export interface SideView {
  sql: string;
  /** The values of `$1`, `$2`, …. */
  params: readonly EngineParameter[];
}
export type SideViews = Partial<Record<Side, SideView>>;

/** The statement over both sides, of which some are views: only the columns that it uses are read from their files. */
export function overViews(
  statement: string,
  views: SideViews,
  given: readonly EngineParameter[] = [],
): { sql: string; params: EngineParameter[] } {
  const params = [...given];
  const parts = SIDES.flatMap((side) => {
    const view = views[side];
    if (!view) return [];
    const sql = renumberedParameters(view.sql, params.length);
    params.push(...view.params);
    return [`${tableOf(side)} AS NOT MATERIALIZED (\n${sql}\n)`];
  });
  return { sql: parts.length === 0 ? statement : `WITH ${parts.join(', ')}\nSELECT * FROM (\n${statement}\n)`, params };
}

/** How many rows a view has, counted up to a limit. */
export function rowCount(
  { sql, params }: SideView,
  limit: number,
): { sql: string; params: readonly EngineParameter[] } {
  return { sql: `SELECT count(*) FROM (SELECT 1 FROM (\n${sql}\n) LIMIT ${limit})`, params };
}

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

/** The columns of what is compared in the rows of a side. */
export const keyColumns = (keys: readonly JoinKey[]): string[] =>
  keys.flatMap((_, index) => [valueAt(index), stateAt(index)]);

/** Whether a row of the left side and one of the right match, which unknown values never do. */
export function isMatch(keys: readonly JoinKey[], left: string, right: string): string {
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
  const list = keyColumns(keys).join(', ');
  // Each side is read once. Rows that match nothing are in few groups.
  const groups = (side: Side) => `SELECT ${list}, count(*) AS n FROM ${tableOf(side)} GROUP BY ${list}`;
  const sumOf = (condition: string) => `coalesce(sum(n) FILTER (WHERE ${condition}), 0)`;
  const counts = (side: Side) => `
    SELECT coalesce(sum(n), 0) AS all_rows,
      ${sumOf(anyKey(keys, (state) => `${state} = 1`))} AS nulls,
      ${sumOf(anyKey(keys, (state) => `${state} > 1`))} AS unconverted,
      coalesce(max(n) FILTER (WHERE ${canMatch(keys)}), 0) AS most
    FROM ${side}_keys`;
  return `WITH
    left_keys AS MATERIALIZED (${groups('left')}),
    right_keys AS MATERIALIZED (${groups('right')}),
    left_count AS (${counts('left')}),
    right_count AS (${counts('right')}),
    matched AS (
      SELECT coalesce(sum(l.n), 0) AS of_left, coalesce(sum(r.n), 0) AS of_right,
        coalesce(max(r.n), 0) AS most, coalesce(sum(l.n * r.n), 0) AS pairs
      FROM left_keys AS l JOIN right_keys AS r ON ${isMatch(keys, 'l', 'r')})
  SELECT l.all_rows, r.all_rows, l.nulls, r.nulls, l.unconverted, r.unconverted,
    m.of_left, m.of_right, l.most, r.most, m.most, m.pairs
  FROM left_count AS l, right_count AS r, matched AS m`;
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
