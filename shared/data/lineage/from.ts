import { folded } from '../duckdb/column-names.ts';
import { isNode, type TreeNode } from '../sql/parse-tree.ts';
import { originOfExpression } from './expressions.ts';
import { changed, type Origin, union } from './origins.ts';
import { pivotedColumns } from './pivots.ts';
import {
  EMPTY_FROM,
  type From,
  named,
  namesOf,
  type OutputColumn,
  type Place,
  type Relation,
  type StarColumn,
  UNKNOWN_COLUMNS,
  type Walk,
} from './walk.ts';

/** What a FROM clause offers. `before` is to its left, where a subquery or a function may look as well. */
export function fromOf(walk: Walk, node: unknown, place: Place, before: From = EMPTY_FROM): From {
  walk.count();
  if (!isNode(node) || node.type === 'EMPTY') return EMPTY_FROM;
  if (node.type === 'JOIN') return joined(walk, node, place, before);
  const columns = numbered(aliased(columnsOf(walk, node, besides(place, before), place), node.column_name_alias));
  const alias = node.alias ?? (node.type === 'BASE_TABLE' ? node.table_name : callName(node));
  const relation: Relation = { alias: alias === undefined ? undefined : String(alias), columns };
  return { relations: [relation], star: columns.map((each) => ({ ...each, relation })), merged: new Map() };
}

const callName = (node: TreeNode) => (isNode(node.function) ? node.function.function_name : undefined);

/** Names of tables to the left are visible, after the own ones and before those of the query around. */
function besides(place: Place, before: From): Place {
  if (before.relations.length === 0) return place;
  return { ...place, scope: { from: before, aliases: new Map(), outer: place.scope } };
}

function columnsOf(walk: Walk, node: TreeNode, inside: Place, place: Place): readonly OutputColumn[] {
  switch (node.type) {
    case 'BASE_TABLE': {
      const name = folded(String(node.table_name));
      if (node.schema_name) return UNKNOWN_COLUMNS;
      return place.queries.get(name) ?? walk.tables.get(name)?.columns ?? UNKNOWN_COLUMNS;
    }
    case 'SUBQUERY': {
      const { node: query } = (node.subquery ?? {}) as { node?: TreeNode };
      return query ? walk.query(query, inside) : UNKNOWN_COLUMNS;
    }
    case 'EXPRESSION_LIST': {
      const rows = ((node.values ?? []) as unknown[][]).map((row) =>
        row.map((each) => originOfExpression(walk, each, inside)),
      );
      return (rows[0] ?? []).map((_, index) => ({
        name: `col${index}`,
        origin: union(rows.map((row) => row[index] ?? null)),
      }));
    }
    case 'TABLE_FUNCTION':
      return callColumns(walk, node.function, inside);
    case 'PIVOT':
      return pivotedColumns(walk, node, fromOf(walk, node.source, place), place);
    default:
      return UNKNOWN_COLUMNS;
  }
}

function callColumns(walk: Walk, call: unknown, place: Place): readonly OutputColumn[] {
  if (!isNode(call)) return UNKNOWN_COLUMNS;
  const name = folded(String(call.function_name));
  const origin = changed(originOfExpression(walk, call.children, place), 'TRANSFORMATION');
  if (name === 'range' || name === 'generate_series') return [{ name, origin }];
  const [, ...options] = Array.isArray(call.children) ? call.children : [];
  if (name !== 'unnest') return UNKNOWN_COLUMNS;
  return options.length > 0 ? [{ origin, isMany: true }] : [{ name, origin }];
}

/** Renames the first columns, as `t(a, b)` does. */
export function aliased(columns: readonly OutputColumn[], aliases: unknown): readonly OutputColumn[] {
  if (!Array.isArray(aliases) || aliases.length === 0) return columns;
  // The last one named may stand for several, of which it is then the first.
  const isUncertain = columns.some(
    ({ isMany, mayBeMany }, index) => index < aliases.length && (isMany || (mayBeMany && index < aliases.length - 1)),
  );
  if (isUncertain) {
    // Which of the columns have the names is unknown, but the names exist.
    return [...aliases.map((name) => ({ name: String(name), origin: null })), ...UNKNOWN_COLUMNS];
  }
  return columns.map((column, index) =>
    index < aliases.length ? { ...withoutText(column), name: String(aliases[index]) } : column,
  );
}

/** DuckDB numbers the columns of a subquery that repeat a name: `id`, `id_1`. */
function numbered(columns: readonly OutputColumn[]): readonly OutputColumn[] {
  const counts = new Map<string, number>();
  return columns.map((column) => {
    if (column.name === undefined) return column;
    const key = folded(column.name);
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    if (count === 0) return column;
    const name = `${column.name}_${count}`;
    return { ...column, name: named(columns, name).length > 0 ? undefined : name };
  });
}

const withoutText = ({ isText: _, ...column }: OutputColumn): OutputColumn => column;

function joined(walk: Walk, node: TreeNode, place: Place, before: From): From {
  const left = fromOf(walk, node.left, place, before);
  const right = fromOf(walk, node.right, place, sideBySide(before, left));
  const kind = String(node.join_type);
  const names = node.ref_type === 'NATURAL' ? commonNames(left, right) : ((node.using_columns ?? []) as string[]);
  const both = sideBySide(left, right);
  if (!names) return unknownJoin(walk, both);
  const merged = new Map(both.merged);
  for (const name of names) {
    walk.expectName(name, left.star, node);
    walk.expectName(name, right.star, node);
    const sides = [columnIn(left, name), columnIn(right, name)] as const;
    walk.decides(union(sides), 'JOIN');
    merged.set(folded(name), mergedOrigin(kind, sides));
  }
  const scope = { from: both, aliases: new Map(), outer: besides(place, before).scope };
  if (node.condition !== undefined) walk.decides(originOfExpression(walk, node.condition, { ...place, scope }), 'JOIN');
  if (kind === 'SEMI' || kind === 'ANTI') return left;
  const isMerged = ({ name }: StarColumn) => name !== undefined && names.some((each) => folded(each) === folded(name));
  const star = [
    ...left.star.map((each) => (isMerged(each) ? { ...each, origin: merged.get(folded(each.name!)) ?? null } : each)),
    ...right.star.filter((each) => !isMerged(each)),
  ];
  return { relations: both.relations, star, merged };
}

/** Which columns a natural join merges is unknown, and so is where each unqualified name comes from. */
function unknownJoin(walk: Walk, { relations, merged }: From): From {
  walk.decides(null, 'JOIN');
  return { relations: [...relations, { alias: undefined, columns: UNKNOWN_COLUMNS }], star: UNKNOWN_COLUMNS, merged };
}

const sideBySide = (left: From, right: From): From => ({
  relations: [...left.relations, ...right.relations],
  star: [...left.star, ...right.star],
  merged: new Map([...left.merged, ...right.merged]),
});

/** Undefined if the columns of a side are unknown. */
function commonNames(left: From, right: From): string[] | undefined {
  if ([...left.star, ...right.star].some(({ name }) => name === undefined)) return undefined;
  return namesOf(left.star).filter((name) => named(right.star, name).length > 0);
}

function columnIn({ star, merged }: From, name: string): Origin {
  const known = merged.get(folded(name));
  if (known !== undefined) return known;
  const found = named(star, name);
  return found.length === 1 ? found[0]!.origin : null;
}

/** Either side of a join may name the column; in a full join it may come from both. */
const mergedOrigin = (kind: string, sides: readonly [Origin, Origin]): Origin =>
  kind === 'OUTER' || kind === 'FULL' ? changed(union(sides), 'TRANSFORMATION') : union(sides);
