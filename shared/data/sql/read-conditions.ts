import { folded } from '../duckdb/column-names.ts';
import type { Column } from '../duckdb/column-types.ts';
import type { ColumnPredicate } from '../tables/prune.ts';
import { type BoundValues, comparable } from './comparable-constant.ts';
import { isNode, type TreeNode, visitNodes } from './parse-tree.ts';

export interface ReadableTable {
  name: string;
  columns: readonly Column[];
}

/**
 * The conditions on the rows of each table in a checked statement, one list for every time that it reads the table.
 * Rows that satisfy none of the lists do not affect the result. A table is absent if this is uncertain. Only
 * comparisons with constants count, in the WHERE clause of the query that reads the table itself, through joins that
 * keep unmatched rows.
 */
export function readConditions(
  root: TreeNode,
  tables: readonly ReadableTable[],
  bound: BoundValues,
): Map<string, ColumnPredicate[][]> {
  const named = new Map(tables.map((table) => [folded(table.name), table]));
  const counts = new Map<string, number>();
  const hidden = new Set<string>();
  const found = new Map<string, ColumnPredicate[][]>();
  visitNodes(root, (node) => {
    if (node.type === 'BASE_TABLE') counts.set(tableOf(node), (counts.get(tableOf(node)) ?? 0) + 1);
    if (node.type === 'RECURSIVE_CTE_NODE') hidden.add(folded(String(node.cte_name)));
    for (const name of cteNames(node)) hidden.add(name);
    if (node.type !== 'SELECT_NODE') return;
    for (const { table, predicates } of readings(node, named, bound)) {
      found.set(table, [...(found.get(table) ?? []), predicates]);
    }
  });
  const certain = [...found].filter(([name, readings]) => !hidden.has(name) && readings.length === counts.get(name));
  return new Map(certain.map(([name, readings]) => [named.get(name)!.name, readings]));
}

interface Reading {
  /** The folded name. */
  table: string;
  predicates: ColumnPredicate[];
}

function readings(select: TreeNode, named: ReadonlyMap<string, ReadableTable>, bound: BoundValues): Reading[] {
  const from = isNode(select.from_table) && select.sample === undefined ? flattened(select.from_table) : undefined;
  if (!from) return [];
  const scope: Source[] = from.tables.flatMap((node) => {
    const table = named.get(tableOf(node));
    return table ? [{ table, alias: folded(String(node.alias ?? node.table_name)) }] : [];
  });
  const predicates = conjuncts(select.where_clause).flatMap(
    (node) => predicateOf(node, scope, from.isInner, bound) ?? [],
  );
  return scope.map((source) => ({
    table: folded(source.table.name),
    predicates: predicates.filter((each) => each.source === source).map(({ predicate }) => predicate),
  }));
}

interface Source {
  table: ReadableTable;
  alias: string;
}

const PLAIN_TABLE = new Set(['type', 'alias', 'query_location', 'table_name']);
const JOIN_TYPES = new Set(['INNER', 'LEFT', 'RIGHT', 'OUTER']);
const JOIN_KINDS = new Set(['REGULAR', 'CROSS', 'NATURAL']);

/** The tables of a FROM clause. Undefined if a row matters beyond its own values, as in ASOF and positional joins. */
function flattened(node: TreeNode): { tables: TreeNode[]; isInner: boolean } | undefined {
  if (node.type === 'BASE_TABLE') {
    const isPlain = Object.keys(node).every((member) => PLAIN_TABLE.has(member));
    return isPlain ? { tables: [node], isInner: true } : undefined;
  }
  if (node.type !== 'JOIN') return { tables: [], isInner: true };
  if (!JOIN_TYPES.has(String(node.join_type)) || !JOIN_KINDS.has(String(node.ref_type))) return undefined;
  const [left, right] = [node.left, node.right].map((side) => (isNode(side) ? flattened(side) : undefined));
  if (!left || !right) return undefined;
  const isInner = node.join_type === 'INNER' && left.isInner && right.isInner;
  return { tables: [...left.tables, ...right.tables], isInner };
}

function conjuncts(node: unknown): TreeNode[] {
  if (!isNode(node)) return [];
  if (node.type !== 'CONJUNCTION_AND') return [node];
  return (node.children as unknown[]).flatMap(conjuncts);
}

/** Longer lists are ignored, because every value is compared with the bounds of every file. */
const MAX_VALUES = 1000;
const OPERATORS: Record<string, 'eq' | 'lt' | 'lte' | 'gt' | 'gte'> = {
  COMPARE_EQUAL: 'eq',
  COMPARE_LESSTHAN: 'lt',
  COMPARE_LESSTHANOREQUALTO: 'lte',
  COMPARE_GREATERTHAN: 'gt',
  COMPARE_GREATERTHANOREQUALTO: 'gte',
};
const FLIPPED = { eq: 'eq', lt: 'gt', lte: 'gte', gt: 'lt', gte: 'lte' } as const;

interface SourcePredicate {
  source: Source;
  predicate: ColumnPredicate;
}

function predicateOf(
  node: TreeNode,
  scope: Source[],
  isInner: boolean,
  bound: BoundValues,
): SourcePredicate[] | undefined {
  const onColumn = (
    column: unknown,
    make: (column: string, type: string) => (ColumnPredicate | undefined)[],
  ): SourcePredicate[] | undefined => {
    const found = columnOf(column, scope);
    if (!found) return undefined;
    const predicates = make(found.column.name, found.column.type);
    return predicates.flatMap((predicate) => (predicate ? [{ source: found.source, predicate }] : []));
  };
  const compared = (column: unknown, op: keyof typeof FLIPPED, constant: unknown) =>
    onColumn(column, (name, type) => [comparison(name, op, comparable(type, constant, bound))]);

  const op = OPERATORS[String(node.type)];
  if (node.class === 'COMPARISON' && op) {
    return compared(node.left, op, node.right) ?? compared(node.right, FLIPPED[op], node.left);
  }
  if (node.type === 'COMPARE_BETWEEN') {
    const bounds = [compared(node.input, 'gte', node.lower), compared(node.input, 'lte', node.upper)];
    return bounds.flatMap((each) => each ?? []);
  }
  const [first, ...others] = Array.isArray(node.children) ? (node.children as unknown[]) : [];
  if (node.type === 'COMPARE_IN' && others.length <= MAX_VALUES) {
    return onColumn(first, (column, type) => {
      const values = others.map((other) => comparable(type, other, bound));
      return values.includes(undefined) ? [] : [{ column, op: 'in', values: values as string[] }];
    });
  }
  if (node.type === 'OPERATOR_IS_NOT_NULL') return onColumn(first, (column) => [{ column, op: 'not_null' }]);
  // An outer join adds nulls for unmatched rows, so leaving out a row here would make its partner appear unmatched.
  if (node.type === 'OPERATOR_IS_NULL' && isInner) return onColumn(first, (column) => [{ column, op: 'is_null' }]);
  return undefined;
}

const comparison = (
  column: string,
  op: keyof typeof FLIPPED,
  value: string | undefined,
): ColumnPredicate | undefined => (value === undefined ? undefined : { column, op, value });

/** The column that a name refers to: of the given table, or of the only table that has it. */
function columnOf(node: unknown, scope: readonly Source[]): { source: Source; column: Column } | undefined {
  if (!isNode(node) || node.class !== 'COLUMN_REF') return undefined;
  const names = (node.column_names as string[]).map(folded);
  const name = names.at(-1)!;
  const sources =
    names.length === 1 ? scope : names.length === 2 ? scope.filter(({ alias }) => alias === names[0]) : [];
  const found = sources.flatMap((source) => {
    const column = source.table.columns.find((each) => folded(each.name) === name);
    return column ? [{ source, column }] : [];
  });
  return found.length === 1 ? found[0] : undefined;
}

const tableOf = (node: TreeNode) => folded(String(node.table_name));

function cteNames(node: TreeNode): string[] {
  const entries = isNode(node.cte_map) && Array.isArray(node.cte_map.map) ? node.cte_map.map : [];
  return entries.map((entry) => folded(String((entry as TreeNode).key)));
}
