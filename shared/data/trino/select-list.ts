import { folded } from '../duckdb/column-names.ts';
import { isNode, type TreeNode } from '../sql/parse-tree.ts';
import { listOf, rejectUnknownMembers } from './context.ts';
import { expression } from './expressions.ts';
import { inTable, type NamedTable, type Scope } from './scope.ts';
import type { TableContext } from './tables.ts';
import type { Typed } from './typed.ts';

/** A column of a query's result. */
export interface Item {
  name: string;
  value: Typed;
  /** The node it was translated from; absent for a column of a star. */
  node?: TreeNode;
}

/** The columns of a select list with stars expanded, each under a unique name. */
export function itemsOf(nodes: readonly TreeNode[], context: TableContext): Item[] {
  const items: Item[] = [];
  // Later items may use a name of the list unless it is also the name of a column.
  const aliases = new Map<string, Typed>();
  const taken = new Set<string>();
  const add = (name: string, value: Typed, node?: TreeNode) => {
    let free = name;
    for (let next = 2; taken.has(folded(free)); next += 1) free = `${name} ${next}`;
    taken.add(folded(free));
    items.push({ name: free, value, ...(node ? { node } : {}) });
  };
  for (const node of nodes) {
    if (node.class === 'STAR') {
      for (const { name, value } of star(node, context)) add(name, value);
      continue;
    }
    const value = expression(node, { ...context, aliases });
    const alias = String(node.alias ?? '');
    if (alias !== '') aliases.set(folded(alias), value);
    add(alias || ownName(node) || `column ${items.length + 1}`, value, node);
  }
  return items;
}

const ownName = (node: TreeNode) => (node.class === 'COLUMN_REF' ? (node.column_names as string[]).at(-1)! : '');

export const aliasesOf = (items: readonly Item[]): Map<string, Typed> =>
  new Map(items.flatMap(({ node, name, value }) => (node?.alias ? [[folded(name), value] as const] : [])));

function star(node: TreeNode, context: TableContext): { name: string; value: Typed }[] {
  rejectUnknownMembers(context, node, ['relation_name', 'exclude_list', 'replace_list']);
  const scope = context.scope as Scope;
  const of = node.relation_name === undefined ? undefined : folded(String(node.relation_name));
  const tables = scope.tables.filter(({ alias }) => of === undefined || folded(alias) === of);
  const excluded = listOf(node.exclude_list) as unknown[];
  if (excluded.some((each) => typeof each !== 'string')) {
    context.issues.add('EXCLUDE of a column by its table has no counterpart in Athena.', node);
  }
  const gone = new Set(excluded.map((each) => folded(String(each))));
  const replaced = new Map(
    (listOf(node.replace_list) as unknown as { key: string; value: TreeNode }[]).map(({ key, value }) => [
      folded(key),
      isNode(value) ? expression(value, context) : undefined,
    ]),
  );
  return tables.flatMap((table) =>
    expandTable(table, scope, of === undefined)
      .filter(({ name }) => !gone.has(folded(name)))
      .map(({ name, value }) => ({ name, value: replaced.get(folded(name)) ?? read(value, node, context) })),
  );
}

const read = (value: Typed, node: TreeNode, { issues }: TableContext): Typed =>
  value.barred ? issues.add(value.barred, node) : value;

function expandTable(table: NamedTable, scope: Scope, unqualified: boolean): { name: string; value: Typed }[] {
  return table.columns
    .filter(({ name }) => !unqualified || !table.hidden?.has(folded(name)))
    .map((column) => ({
      name: column.name,
      value: (unqualified ? scope.shared?.get(folded(column.name)) : undefined) ?? inTable(table, column),
    }));
}
