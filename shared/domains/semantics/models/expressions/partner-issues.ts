import { type Diagnostic, nodesOf, type Typed } from '../../../../data/expressions/index.ts';
import type { ModelDefinition } from '../definition/definition.ts';
import { type PathToOneProblem, pathToOne } from './path-to-one.ts';

/** Why rows of the table do not lead to the other tables that an expression reads, each at its first field. */
export function partnerIssues(definition: ModelDefinition, tableId: string, tree: Typed): Diagnostic[] {
  const first = new Map<string, Typed>();
  // The body of a calculated field reads fields of its own table, and its places are those of another text.
  for (const node of nodesOf(tree, ({ kind }) => kind !== 'field'))
    if (node.kind === 'field' && node.table !== tableId && !first.has(node.table)) first.set(node.table, node);
  return [...first].flatMap(([to, { from, to: end }]) => {
    const path = pathToOne(definition, tableId, to);
    if (!('problem' in path)) return [];
    const names = [tableId, to].map((id) => definition.tables.get(id)!.alias) as [string, string];
    return [{ severity: 'error' as const, from, to: end, ...PROBLEMS[path.problem](...names) }];
  });
}

const PROBLEMS: Record<
  PathToOneProblem,
  (own: string, other: string) => Pick<Diagnostic, 'code' | 'message' | 'hint'>
> = {
  none: (own, other) => ({
    code: 5001,
    message: `No relationship leads from ${own} to ${other}.`,
    hint: 'Add a relationship in which each row has at most one match.',
  }),
  ambiguous: (own, other) => ({
    code: 5002,
    message: `Several paths of relationships lead from ${own} to ${other}.`,
    hint: 'Deactivate all but one, or add the table a second time under another alias.',
  }),
  many: (own, other) => ({
    code: 5003,
    message: `A row of ${own} can have several matches in ${other}.`,
    hint: 'A policy can read its own table, and tables in which each of its rows has at most one match.',
  }),
  inactive: (own, other) => ({
    code: 5004,
    message: `${own} and ${other} are joined only by inactive relationships.`,
    hint: 'Activate one of them.',
  }),
};
