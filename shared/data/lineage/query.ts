import { folded } from '../duckdb/column-names.ts';
import { findOwn, isAggregate } from '../sql/aggregates.ts';
import { isNode, type TreeNode } from '../sql/parse-tree.ts';
import { ordersOf, originAt, originOfExpression, starColumns } from './expressions.ts';
import { aliased, fromOf } from './from.ts';
import { comparison } from './name-patterns.ts';
import { spelled } from './names.ts';
import { type IndirectSubtype, type Origin, union } from './origins.ts';
import { EMPTY_FROM, named, type OutputColumn, type Place, type Scope, UNKNOWN_COLUMNS, type Walk } from './walk.ts';

/** The output columns of a query. */
export function analyseQuery(walk: Walk, node: TreeNode, outer: Place): readonly OutputColumn[] {
  walk.count();
  const place = { ...outer, queries: withQueries(walk, node, outer) };
  switch (node.type) {
    case 'SELECT_NODE':
      return selected(walk, node, place);
    case 'SET_OPERATION_NODE':
      return combined(walk, node, place);
    case 'RECURSIVE_CTE_NODE':
      return recursive(walk, node, place);
    default:
      return UNKNOWN_COLUMNS;
  }
}

function withQueries(walk: Walk, node: TreeNode, outer: Place): Place['queries'] {
  const entries = isNode(node.cte_map) && Array.isArray(node.cte_map.map) ? node.cte_map.map : [];
  let { queries } = outer;
  for (const { key, value } of entries) {
    const query = value.query?.node as TreeNode | undefined;
    const columns = query ? analyseQuery(walk, query, { ...outer, queries }) : UNKNOWN_COLUMNS;
    queries = new Map(queries).set(folded(String(key)), aliased(columns, value.aliases));
  }
  return queries;
}

/** Reads the recursive part until it adds no further origin. */
function recursive(walk: Walk, node: TreeNode, place: Place): readonly OutputColumn[] {
  const sizeOf = (columns: readonly OutputColumn[]) =>
    columns.reduce((sum, { origin }) => sum + (origin?.size ?? 0), 0);
  const name = folded(String(node.cte_name));
  let columns = aliased(analyseQuery(walk, node.left as TreeNode, place), node.aliases);
  for (;;) {
    const queries = new Map(place.queries).set(name, columns);
    const again = analyseQuery(walk, node.right as TreeNode, { ...place, queries });
    const next = byPosition(columns, again);
    const isSame = sizeOf(next) === sizeOf(columns) && next.every(({ origin }, i) => !origin === !columns[i]?.origin);
    if (isSame || next === UNKNOWN_COLUMNS) return next;
    columns = next;
  }
}

function combined(walk: Walk, node: TreeNode, place: Place): readonly OutputColumn[] {
  const children = Array.isArray(node.children) ? (node.children as TreeNode[]) : [node.left, node.right];
  const [first, ...others] = children.map((child) => analyseQuery(walk, child as TreeNode, place));
  if (!first) return UNKNOWN_COLUMNS;
  const kind = String(node.setop_type);
  const isFilter = kind === 'EXCEPT' || kind === 'INTERSECT';
  if (isFilter) for (const other of others) walk.decides(union(other.map(({ origin }) => origin)), 'FILTER');
  const columns = others.reduce(kind === 'UNION_BY_NAME' ? byName : byPosition, first);
  sortedAndLimited(walk, node, columns, place);
  return columns;
}

function byPosition(left: readonly OutputColumn[], right: readonly OutputColumn[]): readonly OutputColumn[] {
  if (left.length !== right.length || [...left, ...right].some(({ isMany }) => isMany)) return UNKNOWN_COLUMNS;
  return left.map((column, index) => ({ ...column, origin: union([column.origin, right[index]!.origin]) }));
}

function byName(left: readonly OutputColumn[], right: readonly OutputColumn[]): readonly OutputColumn[] {
  if ([...left, ...right].some(({ name, isMany, mayBeMany }) => name === undefined || isMany || mayBeMany)) {
    return UNKNOWN_COLUMNS;
  }
  const both = left.map((column) => {
    const [other] = named(right, column.name!);
    return other ? { ...column, origin: union([column.origin, other.origin]) } : column;
  });
  return [...both, ...right.filter(({ name }) => named(left, name!).length === 0)];
}

function selected(walk: Walk, node: TreeNode, place: Place): readonly OutputColumn[] {
  const from = fromOf(walk, node.from_table, place);
  const aliases = new Map<string, Origin>();
  const scope: Scope = { from, aliases, outer: place.scope };
  const inside: Place = { ...place, scope, current: undefined };
  const items = Array.isArray(node.select_list) ? (node.select_list as TreeNode[]) : [];
  const columns = items.flatMap((item) => {
    const made = itemColumns(walk, item, inside);
    if (typeof item.alias === 'string' && made.length === 1) aliases.set(folded(item.alias), made[0]!.origin);
    return made;
  });
  const decide = (part: unknown, subtype: IndirectSubtype) => {
    if (part !== undefined) walk.decides(originOfExpression(walk, part, inside), subtype);
  };
  decide(node.where_clause, 'FILTER');
  const groups = Array.isArray(node.group_expressions) ? node.group_expressions : [];
  for (const group of groups as TreeNode[]) walk.decides(originOfTerm(walk, group, columns, inside), 'GROUP_BY');
  // GROUP BY ALL
  if (node.aggregate_handling === 'FORCE_AGGREGATES') {
    for (const item of items) if (!findOwn(item, isAggregate)) decide(withoutAlias(item), 'GROUP_BY');
  }
  decide(node.having, 'FILTER');
  decide(node.qualify, 'FILTER');
  sortedAndLimited(walk, node, columns, inside);
  return columns;
}

const withoutAlias = ({ alias: _, ...item }: TreeNode): TreeNode => item;

function sortedAndLimited(walk: Walk, node: TreeNode, columns: readonly OutputColumn[], place: Place): void {
  const isSet = node.type !== 'SELECT_NODE';
  // A set operation is sorted by its columns, or by names that only its first query has.
  const own: Scope = {
    from: {
      ...EMPTY_FROM,
      relations: [{ alias: undefined, columns: [...columns, ...UNKNOWN_COLUMNS] }],
      star: columns,
    },
    aliases: new Map(),
    outer: place.scope,
  };
  const inside = isSet ? { ...place, scope: own } : place;
  for (const modifier of Array.isArray(node.modifiers) ? (node.modifiers as TreeNode[]) : []) {
    const terms = ordersOf(modifier.orders) as TreeNode[];
    for (const term of terms) walk.decides(originOfTerm(walk, term, columns, inside, true), 'SORT');
    const targets = Array.isArray(modifier.distinct_on_targets) ? modifier.distinct_on_targets : [];
    for (const target of targets)
      walk.decides(originOfTerm(walk, target as TreeNode, columns, inside, true), 'GROUP_BY');
    walk.decides(originOfExpression(walk, [modifier.limit, modifier.offset], inside), 'FILTER');
  }
}

/**
 * The origin of a term of GROUP BY or ORDER BY, which may be the position or, if it sorts, the name of an output
 * column.
 */
function originOfTerm(
  walk: Walk,
  term: TreeNode,
  columns: readonly OutputColumn[],
  place: Place,
  prefersOutput = false,
): Origin {
  const { value } = term as { value?: { value?: unknown } };
  if (term.class === 'CONSTANT' && typeof value?.value === 'number') return originAt(columns, value.value);
  if (term.class === 'POSITIONAL_REFERENCE') return originAt(columns, Number(term.index));
  if (prefersOutput && term.class === 'STAR') return union(columns.map(({ origin }) => origin));
  const names = term.class === 'COLUMN_REF' ? (term.column_names as string[]) : [];
  if (prefersOutput && names.length === 1) {
    const [output] = named(columns, names[0]!);
    if (output) return output.origin;
  }
  return originOfExpression(walk, term, place);
}

/** The columns that an item of a select list becomes. */
function itemColumns(walk: Walk, item: TreeNode, place: Place): readonly OutputColumn[] {
  const alias = typeof item.alias === 'string' ? item.alias : undefined;
  if (item.class === 'STAR') {
    const columns = starColumns(walk, item, place);
    return alias === undefined ? columns : columns.map((column) => renamed(column, alias));
  }
  const [first] = Array.isArray(item.children) ? (item.children as TreeNode[]) : [];
  if (first?.class === 'STAR' && !first.columns) {
    const test = comparison(item, (node) => node === first);
    const columns = starColumns(walk, first, place);
    const isNamed = columns.every(({ name }) => name !== undefined);
    return test && isNamed ? columns.filter(({ name }) => test(name!)) : UNKNOWN_COLUMNS;
  }
  const star = columnsCall(item);
  if (star) {
    return starColumns(walk, star, place).map((column) => {
      const origin = originOfExpression(walk, item, { ...place, current: column });
      const { name = column.name } = { name: alias };
      return { ...renamed(column, name), origin };
    });
  }
  const origin = originOfExpression(walk, item, place);
  const column: OutputColumn = alias === undefined ? { ...nameOf(item, place), origin } : { name: alias, origin };
  return isUnnest(item) ? [unnested(item, column, place)] : [column];
}

/** Backslashes in an alias of `COLUMNS` stand for parts of the name. */
const renamed = (column: OutputColumn, alias: string | undefined): OutputColumn => ({
  ...column,
  name: alias?.includes('\\') ? undefined : alias,
});

/** The `COLUMNS(…)` for each column of which the expression is repeated. */
function columnsCall(node: unknown): TreeNode | undefined {
  if (Array.isArray(node)) return node.map(columnsCall).find((found) => found !== undefined);
  if (!isNode(node) || node.class === 'SUBQUERY' || node.type === 'OPERATOR_UNPACK') return undefined;
  if (node.class === 'STAR') return node.columns ? node : undefined;
  return columnsCall(Object.values(node));
}

const isUnnest = (item: TreeNode) => item.class === 'FUNCTION' && folded(String(item.function_name)) === 'unnest';

/** A struct becomes a column for each field, a list one column. */
function unnested(item: TreeNode, { name, origin, isText }: OutputColumn, { scope }: Place): OutputColumn {
  const [list, ...options] = Array.isArray(item.children) ? (item.children as TreeNode[]) : [];
  if (options.length > 0) return { origin, isMany: true };
  const names = list?.class === 'COLUMN_REF' ? (list.column_names as string[]) : [];
  const [column] = scope?.from.relations.flatMap(({ columns }) => named(columns, names.at(-1) ?? '')) ?? [];
  const isList = column?.type?.startsWith('list(') || LISTS.has(String(list?.function_name));
  return { name, origin, ...(isText ? { isText } : {}), ...(isList ? {} : { mayBeMany: true }) };
}

/** Functions that return a list. */
const LISTS = new Set(
  'array_agg generate_series list list_transform list_value range regexp_extract_all regexp_split_to_array split str_split string_split string_to_array'.split(
    ' ',
  ),
);

/** DuckDB names a column by its last name, and everything else by its text. */
function nameOf(item: TreeNode, place: Place): { name?: string; isText?: true } {
  if (item.class === 'COLUMN_REF') return { name: spelled(item.column_names as string[], place) };
  if (['CONSTANT', 'PARAMETER', 'POSITIONAL_REFERENCE'].includes(String(item.class))) return {};
  return { isText: true };
}
