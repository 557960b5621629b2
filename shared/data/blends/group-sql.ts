import { quoteIdentifier } from '../duckdb/quoting.ts';
import { column, type SqlColumn, type SqlParameter, type Typed, type TypedCall } from '../expressions/index.ts';
import { isCombinable, partsOf } from '../semantics/aggregate-parts.ts';
import type { Leaf } from '../semantics/leaves.ts';
import { LEVEL } from '../semantics/names.ts';
import type { Question } from '../semantics/question.ts';
import { rollupValue } from '../semantics/rollup-sql.ts';
import { keyOf } from '../semantics/tree-keys.ts';
import { Writer, type WriterOptions } from '../semantics/writer.ts';
import { isMatch, type Join, type JoinKey, keyColumns, type Side, type SortedColumn, tableOf } from './join-sql.ts';

/** An aggregate of a side that its source computes for each group of its dimensions and keys. */
export interface GroupPart {
  aggregate: TypedCall;
  column: string;
}

/** What the groups of a side are made from. The table of the side has one row for each value of dimensions and keys. */
export interface GroupedSide {
  parts: readonly GroupPart[];
}

export interface GroupedColumn {
  side: Side;
  tree: Typed;
  label: string;
}

export type GroupJoin = Join | 'right';

export interface GroupedBlend {
  keys: readonly JoinKey[];
  join: GroupJoin;
  sides: Record<Side, GroupedSide>;
  /** Those of the left side come first, in the order of its columns. */
  dimensions: readonly GroupedColumn[];
  measures: readonly GroupedColumn[];
  /** The values in the trees of the measures and of the result filters. */
  leaves: readonly (Leaf & { side: Side })[];
  resultFilters: readonly Typed[];
  /** By positions among the dimensions, followed by the measures. */
  sort: readonly SortedColumn[];
  /** Of rows with all dimensions; without it, all of them. A grand total comes besides, subtotals need all rows. */
  limit?: number;
  /** Where there are totals, `#level` before the columns says of how many leading dimensions a row has values. */
  totals: Question['totals'];
}

/** The names of the columns of a side: its dimensions, its keys and its parts. */
export const dimensionName = (index: number): string => `c${index + 1}`;
export const keyName = (index: number): string => `k${index + 1}`;
const partName = (index: number): string => `v${index + 1}`;

/** What a source has to compute so that the aggregates of several groups follow from theirs. */
export function groupParts(aggregates: readonly TypedCall[]): GroupPart[] {
  const parts = new Map<string, TypedCall>();
  for (const aggregate of aggregates.flatMap(partsOf)) {
    const key = keyOf(aggregate);
    if (!parts.has(key)) parts.set(key, aggregate);
  }
  return [...parts.values()].map((aggregate, index) => ({ aggregate, column: partName(index) }));
}

/** The aggregates whose value for several groups does not follow from theirs. */
export const wholeOnly = (aggregates: readonly TypedCall[]): TypedCall[] =>
  aggregates.filter((aggregate) => !partsOf(aggregate).every(isCombinable));

/**
 * The groups of both sides, joined by their keys and grouped by the dimensions. Each side has one row for each value of
 * its dimensions and keys, so that no row of one side multiplies those of the other: in each group, every row of a side
 * counts once. Totals are groups of fewer dimensions, joined anew: a row of one side can be in several groups of the
 * other, so the sum of the groups would count it several times.
 */
export function groupSql(
  blend: GroupedBlend,
  options: Omit<WriterOptions, 'dialect' | 'params'>,
): { sql: string; params: SqlParameter[] } {
  const { dimensions, measures, leaves, totals, limit } = blend;
  const levels = levelsOf(blend);
  const writer = new Writer({ ...options, dialect: 'duckdb' });
  const columnOf = (field: string): SqlColumn => ({ column: field });
  const shown = dimensions.map((_, index) => `d${index + 1}`);
  const replaced = new Map<Typed, SqlColumn>([
    ...dimensions.map(({ tree }, index) => [tree, { column: shown[index]! }] as const),
    ...leaves.map(({ node }, index) => [node, { column: `a${index + 1}` }] as const),
  ]);
  const values = [
    ...dimensions.map(({ tree, label }, index) => ({
      sql: writer.sql(column(shown[index]!, tree.type), columnOf),
      label,
    })),
    ...measures.map(({ tree, label }) => ({ sql: writer.sql(tree, columnOf, replaced), label })),
  ];
  const isTotal = `${LEVEL} < ${dimensions.length}`;
  const conditions = blend.resultFilters
    .map((tree) => `(${writer.sql(tree, columnOf, replaced)})`)
    .map((condition) => (totals === 'none' ? condition : `(${isTotal} OR ${condition})`));
  const first = totals === 'none' ? [] : [LEVEL];
  const order = [...blend.sort, ...dimensions.map((_, position) => ({ position, descending: false }))];
  const isFirst = (position: number, index: number) => order.findIndex((each) => each.position === position) === index;
  const terms = order
    .filter(({ position }, index) => isFirst(position, index))
    .map(({ position, descending }) => `${position + first.length + 1} ${descending ? 'DESC' : 'ASC'} NULLS LAST`);
  const orderTerms = [...first.map(() => '1'), ...terms];
  const selected = [...first, ...values.map(({ sql: value, label }) => `${value} AS ${quoteIdentifier(label)}`)];
  const sql = `WITH "#joined" AS (
${levels.map((level) => joinedSql(blend, level)).join('\n  UNION ALL\n')}
)
SELECT ${selected.join(', ')}
FROM "#joined"
${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}\n` : ''}ORDER BY ${orderTerms.length > 0 ? orderTerms.join(', ') : '1'}${limit === undefined ? '' : `\nLIMIT ${limit + levels.length - 1}`}`;
  return { sql, params: writer.params };
}

/** How many of the leading dimensions the groups have: all, and fewer for totals. */
function levelsOf({ dimensions: { length: all }, totals }: GroupedBlend): number[] {
  if (totals === 'none' || all === 0) return [all];
  return totals === 'grand' ? [all, 0] : Array.from({ length: all + 1 }, (_, index) => all - index);
}

/** The groups by so many of the leading dimensions; the others are null. */
function joinedSql(blend: GroupedBlend, level: number): string {
  const { keys, join, dimensions, leaves, totals } = blend;
  const kept = placesOf(dimensions).slice(0, level);
  const columns = [
    ...dimensions.map((_, index) => {
      const place = kept[index];
      return `${place ? `${place.side[0]}.${dimensionName(place.at)}` : 'NULL'} AS d${index + 1}`;
    }),
    ...leaves.map(({ aggregate, side }, index) => `${combinedValue(aggregate, side, blend)} AS a${index + 1}`),
    ...(totals === 'none' ? [] : [`${level} AS ${LEVEL}`]),
  ];
  const groups = (side: Side) =>
    `(\n${groupsOf(side, blend, kept.filter((each) => each.side === side).length)}\n  ) AS ${side[0]}`;
  return `  SELECT ${columns.join(', ')}
  FROM ${groups('left')} ${join.toUpperCase()} JOIN ${groups('right')} ON ${isMatch(keys, 'l', 'r')}
  ${groupBy(level)}`;
}

/** Keys that differ in the source may compare as equal, so their groups become one. */
function groupsOf(side: Side, { keys, sides }: GroupedBlend, dimensions: number): string {
  const names = [...Array.from({ length: dimensions }, (_, index) => dimensionName(index)), ...keyColumns(keys)];
  const values = sides[side].parts.map(({ aggregate, column: name }) => {
    const value = rollupValue({ aggregate, columns: [name], isWhole: true });
    return `${value} AS ${name}`;
  });
  return `    SELECT ${[...names, ...values].join(', ')} FROM ${tableOf(side)} GROUP BY ${names.join(', ')}`;
}

/** The value of an aggregate from the parts of the groups that fall into one. */
function combinedValue(aggregate: TypedCall, side: Side, { sides }: GroupedBlend): string {
  const columns = partsOf(aggregate).map((part) => {
    const key = keyOf(part);
    return `${side[0]}.${sides[side].parts.find((each) => keyOf(each.aggregate) === key)!.column}`;
  });
  return rollupValue({ aggregate, columns, isWhole: true });
}

/** Where the dimensions stand among those of their side. */
function placesOf(dimensions: readonly GroupedColumn[]): { side: Side; at: number }[] {
  const counts = { left: 0, right: 0 };
  return dimensions.map(({ side }) => ({ side, at: counts[side]++ }));
}

const groupBy = (count: number): string =>
  count === 0 ? '' : `GROUP BY ${Array.from({ length: count }, (_, index) => index + 1).join(', ')}`;
