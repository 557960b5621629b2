import { folded } from '../duckdb/column-names.ts';
import allowedFunctions from './allowed-functions.json' with { type: 'json' };
import { isNode, type TreeNode } from './parse-tree.ts';

const AGGREGATES: ReadonlySet<string> = new Set(allowedFunctions.aggregates);

/** Whether a node of a parse tree calls an aggregate function, and not as a window function. */
export const isAggregate = (node: TreeNode): boolean =>
  node.class === 'FUNCTION' && AGGREGATES.has(folded(String(node.function_name)));

export const isWindow = (node: TreeNode): boolean => node.class === 'WINDOW';

/** The first such node, in an expression or query but not in its subqueries. */
export function findOwn(part: unknown, isWanted: (node: TreeNode) => boolean): TreeNode | undefined {
  if (isNode(part) && part.class === 'SUBQUERY') return undefined;
  if (isNode(part) && isWanted(part)) return part;
  const members = Array.isArray(part) ? part : isNode(part) ? Object.values(part) : [];
  for (const member of members) {
    const found = findOwn(member, isWanted);
    if (found) return found;
  }
  return undefined;
}
