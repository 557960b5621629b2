import { folded } from '../duckdb/column-names.ts';
import type { TreeNode } from '../sql/parse-tree.ts';
import { changed, NO_COLUMN, type Origin, union } from './origins.ts';
import { isOpen, named, namesOf, type OutputColumn, type Place, type Relation, type Scope, type Walk } from './walk.ts';

/** Functions that SQL calls without brackets, if no column has their name. */
const CALLED_WITHOUT_BRACKETS = new Set(
  'current_catalog current_date current_role current_schema current_time current_timestamp current_user localtime localtimestamp session_user user'.split(
    ' ',
  ),
);

/** The origin of a name such as `id`, `o.id` or `o.address.city`. Reports a name that surely means nothing. */
export function originOfName(walk: Walk, node: TreeNode, { scope, parameters }: Place): Origin {
  const names = (node.column_names as string[] | undefined) ?? [];
  const [first = ''] = names;
  // The elements that a parameter of a lambda stands for come from the list, which is an argument as well.
  if (parameters.has(folded(first))) return NO_COLUMN;
  for (let level = scope; level; level = level.outer) {
    const found = originIn(level, names);
    if (found !== undefined) return found;
  }
  if (names.length === 1 && CALLED_WITHOUT_BRACKETS.has(folded(first))) return NO_COLUMN;
  if (!names.some((name) => folded(name) === 'rowid')) reportUnknown(walk, names, node, scope);
  return null;
}

/** Undefined if the scope has no such name, null if it may have. */
function originIn(scope: Scope, names: readonly string[]): Origin | undefined {
  const [first = '', second] = names;
  const { relations } = scope.from;
  const relation = withAlias(relations, first);
  if (second === undefined) return originOfFirst(scope, first, relation);
  const found = relation && single(named(relation.columns, second));
  if (found !== undefined) return names.length > 2 ? changed(found, 'TRANSFORMATION') : found;
  if (relation && isOpen(relation.columns, second)) return null;
  const struct = originOfFirst(scope, first, undefined);
  if (struct !== undefined) return changed(struct, 'TRANSFORMATION');
  // The name of a schema may stand before that of a table.
  return withAlias(relations, second) ? null : undefined;
}

/** A column, the whole row of the relation, or a select item, in this order. */
function originOfFirst({ from, aliases }: Scope, name: string, relation: Relation | undefined): Origin | undefined {
  const column = from.merged.get(folded(name)) ?? single(from.relations.flatMap((each) => named(each.columns, name)));
  if (column !== undefined) return column;
  if (from.relations.some(({ columns }) => isOpen(columns, name))) return null;
  if (relation) return changed(union(relation.columns.map(({ origin }) => origin)), 'TRANSFORMATION');
  return aliases.get(folded(name));
}

/** The last name as the table spells it. */
export function spelled(names: readonly string[], { scope }: Place): string {
  const written = names.at(-1)!;
  for (let level = scope; level; level = level.outer) {
    const [column] = level.from.relations.flatMap(({ columns }) => named(columns, written));
    if (column) return column.name!;
  }
  return written;
}

export const withAlias = (relations: readonly Relation[], name: string): Relation | undefined =>
  relations.find(({ alias }) => alias !== undefined && folded(alias) === folded(name));

/** Null for several: DuckDB rejects an ambiguous name. */
function single(found: readonly OutputColumn[]): Origin | undefined {
  const [column] = found;
  return found.length > 1 ? null : column?.origin;
}

function reportUnknown(walk: Walk, [first = '', second]: readonly string[], node: TreeNode, scope?: Scope): void {
  const relations: Relation[] = [];
  const aliases: string[] = [];
  for (let level = scope; level; level = level.outer) {
    relations.push(...level.from.relations);
    aliases.push(...level.aliases.keys());
  }
  const owner = second === undefined ? undefined : withAlias(relations, first);
  if (owner) {
    walk.report(second!, namesOf(owner.columns), node);
    return;
  }
  const columns = relations.flatMap((relation) => namesOf(relation.columns));
  const tables = relations.flatMap(({ alias }) => (alias === undefined ? [] : [alias]));
  walk.report(first, second === undefined ? [...columns, ...aliases] : [...tables, ...columns], node);
}
