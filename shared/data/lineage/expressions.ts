import { folded } from '../duckdb/column-names.ts';
import { isAggregate } from '../sql/aggregates.ts';
import { isNode, type TreeNode } from '../sql/parse-tree.ts';
import { nameTest } from './name-patterns.ts';
import { originOfName, withAlias } from './names.ts';
import { changed, NO_COLUMN, type Origin, union } from './origins.ts';
import { type OutputColumn, type Place, type StarColumn, UNKNOWN_COLUMNS, type Walk } from './walk.ts';

/** Functions whose second argument is a lambda. Anywhere else an arrow reads a member of a JSON value. */
const WITH_LAMBDA = new Set(
  'apply array_apply array_filter array_reduce array_transform filter list_apply list_filter list_reduce list_transform reduce'.split(
    ' ',
  ),
);

/** The columns that an expression is computed from, those of its conditions included. */
export function originOfExpression(walk: Walk, node: unknown, place: Place): Origin {
  walk.count();
  if (Array.isArray(node)) return union(node.map((each) => originOfExpression(walk, each, place)));
  if (!isNode(node)) return NO_COLUMN;
  switch (node.class) {
    case 'COLUMN_REF':
      return originOfName(walk, node, place);
    case 'CONSTANT':
    case 'PARAMETER':
      return NO_COLUMN;
    case 'POSITIONAL_REFERENCE':
      return originAt(place.scope?.from.star ?? UNKNOWN_COLUMNS, Number(node.index));
    case 'STAR':
      return place.current ? place.current.origin : union(starColumns(walk, node, place).map(({ origin }) => origin));
    case 'SUBQUERY':
      return originOfSubquery(walk, node, place);
    case 'FUNCTION':
      return originOfCall(walk, node, place);
    case 'WINDOW':
      return originOfWindow(walk, node, place);
    case 'LAMBDA':
      return changed(originOfParts(walk, [node.lhs, node.expr], place), 'TRANSFORMATION');
    case 'CASE':
      return originOfCase(walk, node, place);
    case 'OPERATOR':
      if (node.type === 'OPERATOR_UNPACK') return originOfParts(walk, node.children, { ...place, current: undefined });
      break;
  }
  const parts = Object.entries(node).flatMap(([name, member]) => (name === 'cast_type' ? [] : [member]));
  return changed(originOfParts(walk, parts, place), 'TRANSFORMATION');
}

const originOfParts = (walk: Walk, parts: unknown, place: Place) => originOfExpression(walk, parts, place);

/** The origin of the column at a place that is counted from 1. */
export function originAt(columns: readonly OutputColumn[], position: number): Origin {
  const before = columns.slice(0, position);
  return before.some(({ isMany, mayBeMany }) => isMany || mayBeMany) ? null : (before[position - 1]?.origin ?? null);
}

function originOfCall(walk: Walk, node: TreeNode, place: Place): Origin {
  const { schema, catalog, filter, order_bys: orders } = node;
  const name = folded(String(node.function_name));
  // `note.upper()` names its first argument where a schema would stand.
  const isMethod = typeof schema === 'string' && !['main', 'pg_catalog', 'system'].includes(schema);
  const subject = { ...node, class: 'COLUMN_REF', column_names: catalog === undefined ? [schema] : [catalog, schema] };
  const parts = (Array.isArray(node.children) ? (node.children as TreeNode[]) : []).map((child, index) => {
    const isLambda = child.class === 'LAMBDA' && WITH_LAMBDA.has(name) && (index > 0 || isMethod);
    if (!isLambda) return originOfExpression(walk, child, place);
    const parameters = new Set([...place.parameters, ...parametersOf(child.lhs)]);
    return originOfExpression(walk, child.expr, { ...place, parameters });
  });
  const deciding = originOfExpression(walk, filter, place);
  if (filter !== undefined) walk.decides(deciding, 'FILTER');
  for (const order of ordersOf(orders)) walk.decides(originOfExpression(walk, order, place), 'SORT');
  const all = union([...(isMethod ? [originOfName(walk, subject, place)] : []), ...parts, deciding]);
  return changed(all, isAggregate(node) ? 'AGGREGATION' : 'TRANSFORMATION');
}

/** The sort expressions of an ORDER BY. */
export function ordersOf(modifier: unknown): unknown[] {
  const { orders = modifier } = isNode(modifier) ? modifier : {};
  return Array.isArray(orders) ? orders.map(({ expression }) => expression) : [];
}

function parametersOf(lhs: unknown): string[] {
  if (!isNode(lhs)) return [];
  if (lhs.class === 'COLUMN_REF') return (lhs.column_names as string[]).map(folded);
  return Array.isArray(lhs.children) ? lhs.children.flatMap(parametersOf) : [];
}

function originOfWindow(walk: Walk, node: TreeNode, place: Place): Origin {
  const { children, partitions, orders, arg_orders: sorting, filter_expr: filter, ...others } = node;
  const computed = originOfExpression(walk, children, place);
  const over = originOfExpression(walk, [partitions, ordersOf(orders)], place);
  walk.decides(over, 'WINDOW');
  for (const order of ordersOf(sorting)) walk.decides(originOfExpression(walk, order, place), 'SORT');
  const filtered = originOfExpression(walk, filter, place);
  if (filter !== undefined) walk.decides(filtered, 'FILTER');
  const isAggregated = node.type === 'WINDOW_AGGREGATE';
  const rest = originOfExpression(walk, Object.values(others), place);
  return union([
    changed(computed, isAggregated ? 'AGGREGATION' : 'TRANSFORMATION'),
    changed(union([over, filtered, rest]), 'TRANSFORMATION'),
  ]);
}

function originOfCase(walk: Walk, node: TreeNode, place: Place): Origin {
  const checks = (node.case_checks ?? []) as { when_expr: unknown; then_expr: unknown }[];
  const conditions = originOfExpression(
    walk,
    checks.map((check) => check.when_expr),
    place,
  );
  walk.decides(conditions, 'CONDITIONAL');
  const results = originOfExpression(walk, [...checks.map((check) => check.then_expr), node.else_expr], place);
  return changed(union([conditions, results]), 'TRANSFORMATION');
}

function originOfSubquery(walk: Walk, node: TreeNode, place: Place): Origin {
  const { node: query } = (node.subquery ?? {}) as { node?: TreeNode };
  if (!query) return null;
  const from = walk.indirect.length;
  const wasPartial = walk.isRowsPartial;
  walk.isRowsPartial = false;
  const columns = walk.query(query, place);
  const isPartial = walk.isRowsPartial;
  walk.isRowsPartial ||= wasPartial;
  if (!String(node.subquery_type).endsWith('EXISTS')) {
    const compared = originOfExpression(walk, node.child, place);
    return changed(union([compared, ...columns.map(({ origin }) => origin)]), 'TRANSFORMATION');
  }
  // Whether there is a row depends on the columns that decide about rows.
  const deciding = walk.indirect.slice(from).filter(({ subtype }) => subtype === 'FILTER' || subtype === 'JOIN');
  return isPartial
    ? null
    : new Map(
        deciding.map(({ table, column }) => [
          JSON.stringify([table, column]),
          { table, column, subtype: 'TRANSFORMATION' },
        ]),
      );
}

interface StarLists {
  exclude_list?: string[];
  qualified_exclude_list?: { table?: string; column: string }[];
  replace_list?: { key: string; value: TreeNode }[];
  rename_list?: { key: { column: string; table?: string }; value: string }[];
}

/** The columns that `*`, `o.*` or `COLUMNS(…)` means. */
export function starColumns(walk: Walk, node: TreeNode, place: Place): readonly OutputColumn[] {
  const all = allColumns(walk, node, place);
  const lists = node as StarLists;
  const excluded = [
    ...(lists.exclude_list ?? []).map((column) => ({ column })),
    ...(lists.qualified_exclude_list ?? []),
  ];
  const replaced = new Map((lists.replace_list ?? []).map((each) => [folded(each.key), each]));
  const renamed = new Map((lists.rename_list ?? []).map(({ key, value }) => [folded(key.column), value]));
  for (const { column } of excluded) walk.expectName(column, all, node);
  for (const name of [...replaced.keys(), ...renamed.keys()]) walk.expectName(name, all, node);
  const isExcluded = (column: StarColumn) =>
    excluded.some(({ column: name, table }: { column: string; table?: string }) => {
      if (column.name === undefined || folded(column.name) !== folded(name)) return false;
      return (
        table === undefined || (column.relation?.alias !== undefined && folded(column.relation.alias) === folded(table))
      );
    });
  const kept = all
    .filter((column) => !isExcluded(column))
    .map((column): OutputColumn => {
      const { relation: _, ...plain } = column as StarColumn;
      const name = plain.name === undefined ? undefined : folded(plain.name);
      const replacement = name === undefined ? undefined : replaced.get(name);
      const origin = replacement ? originOfExpression(walk, replacement.value, place) : plain.origin;
      return {
        ...plain,
        origin,
        name: (name === undefined ? undefined : renamed.get(name)) ?? replacement?.key ?? plain.name,
      };
    });
  if (node.expr === undefined) return kept;
  const test = nameTest(node.expr);
  if (!test || kept.some(({ name }) => name === undefined)) return UNKNOWN_COLUMNS;
  return kept.filter(({ name }) => test(name!));
}

function allColumns(walk: Walk, node: TreeNode, place: Place): readonly StarColumn[] {
  const { from } = place.scope ?? {};
  if (!from) return UNKNOWN_COLUMNS;
  const { relation_name: name } = node;
  if (typeof name !== 'string' || name === '') return from.star;
  const relation = withAlias(from.relations, name);
  if (relation) return relation.columns.map((column) => ({ ...column, relation }));
  // A star after the name of a column means the fields of the struct.
  const fields = originOfName(walk, { ...node, class: 'COLUMN_REF', column_names: [name] }, place);
  return [{ origin: changed(fields, 'TRANSFORMATION'), isMany: true }];
}
