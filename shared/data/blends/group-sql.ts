import { quoteIdentifier } from '../duckdb/quoting.ts';
import { column, type SqlColumn, type SqlParameter, type Typed, type TypedCall } from '../expressions/index.ts';
import { isCombinable, partsOf } from '../semantics/aggregate-parts.ts';
import type { Leaf } from '../semantics/leaves.ts';
import { rollupValue } from '../semantics/rollup-sql.ts';
import { keyOf } from '../semantics/tree-keys.ts';
import { Writer, type WriterOptions } from '../semantics/writer.ts';
import {
  isMatch,
  type Join,
  type JoinKey,
  keyColumns,
  SIDES,
  type Side,
  type SortedColumn,
  tableOf,
} from './join-sql.ts';

/** An aggregate of a side that its source computes for each group of its dimensions and keys. */
export interface GroupPart {
  aggregate: TypedCall;
  column: string;
}

/** What the groups of a side are made from. The table of the side has one row for each value of dimensions and keys. */
export interface GroupedSide {
  dimensions: number;
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
  limit: number;
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
 * counts once.
 */
export function groupSql(
  blend: GroupedBlend,
  options: Omit<WriterOptions, 'dialect' | 'params'>,
): { sql: string; params: SqlParameter[] } {
  const { keys, join, dimensions, measures, leaves, limit } = blend;
  const writer = new Writer({ ...options, dialect: 'duckdb' });
  const columnOf = (field: string): SqlColumn => ({ column: field });
  const shown = dimensions.map((_, index) => `d${index + 1}`);
  const replaced = new Map<Typed, SqlColumn>([
    ...dimensions.map(({ tree }, index) => [tree, { column: shown[index]! }] as const),
    ...leaves.map(({ node }, index) => [node, { column: `a${index + 1}` }] as const),
  ]);
  const grouped = [
    ...placesOf(dimensions).map(({ side, at }, index) => `${side[0]}.${dimensionName(at)} AS ${shown[index]}`),
    ...leaves.map(({ aggregate, side }, index) => `${combinedValue(aggregate, side, blend)} AS a${index + 1}`),
  ];
  const values = [
    ...dimensions.map(({ tree, label }, index) => ({
      sql: writer.sql(column(shown[index]!, tree.type), columnOf),
      label,
    })),
    ...measures.map(({ tree, label }) => ({ sql: writer.sql(tree, columnOf, replaced), label })),
  ];
  const conditions = blend.resultFilters.map((tree) => `(${writer.sql(tree, columnOf, replaced)})`);
  const order = [...blend.sort, ...dimensions.map((_, position) => ({ position, descending: false }))];
  const isFirst = (position: number, index: number) => order.findIndex((each) => each.position === position) === index;
  const terms = order
    .filter(({ position }, index) => isFirst(position, index))
    .map(({ position, descending }) => `${position + 1} ${descending ? 'DESC' : 'ASC'} NULLS LAST`);
  const sql = `WITH ${SIDES.map((side) => `"#${side}_groups" AS (\n${groupsOf(side, blend)}\n)`).join(', ')},
"#joined" AS (
  SELECT ${grouped.join(', ')}
  FROM "#left_groups" AS l ${join.toUpperCase()} JOIN "#right_groups" AS r ON ${isMatch(keys, 'l', 'r')}
  ${groupBy(dimensions.length)}
)
SELECT ${values.map(({ sql: value, label }) => `${value} AS ${quoteIdentifier(label)}`).join(', ')}
FROM "#joined"
${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}\n` : ''}ORDER BY ${terms.length > 0 ? terms.join(', ') : '1'}
LIMIT ${limit}`;
  return { sql, params: writer.params };
}

/** Keys that differ in the source may compare as equal, so their groups become one. */
function groupsOf(side: Side, { keys, sides }: GroupedBlend): string {
  const { dimensions, parts } = sides[side];
  const names = [...Array.from({ length: dimensions }, (_, index) => dimensionName(index)), ...keyColumns(keys)];
  const values = parts.map(({ aggregate, column: name }) => {
    const value = rollupValue({ aggregate, columns: [name], isWhole: true });
    return `${value} AS ${name}`;
  });
  return `  SELECT ${[...names, ...values].join(', ')} FROM ${tableOf(side)} GROUP BY ${names.join(', ')}`;
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
