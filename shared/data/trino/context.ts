import type { EngineParameter } from '../duckdb/parameters.ts';
import type { TreeNode } from '../sql/parse-tree.ts';
import type { PortabilityIssues } from './portability-issues.ts';
import type { Scope } from './scope.ts';
import { fits, type Typed, UNKNOWN } from './typed.ts';

/** Members of nodes that do not affect the value: names, positions, and notation. */
const SILENT = new Set(['class', 'type', 'alias', 'query_location', 'is_operator', 'schema']);

export interface Context {
  scope: Scope | undefined;
  issues: PortabilityIssues;
  params: readonly EngineParameter[];
  /** The expressions of the select list by name, where its names may be used. */
  aliases?: ReadonlyMap<string, Typed>;
  /** Translates an expression. It is passed on because expressions, calls and windows contain each other. */
  expression(node: TreeNode, context: Context): Typed;
  /** Translates a query within an expression to its text and columns. */
  query(node: TreeNode, context: Context): { sql: string; columns: readonly { type: string }[] };
}

export const listOf = (value: unknown): TreeNode[] => (Array.isArray(value) ? (value as TreeNode[]) : []);

/** Rejects a node with unknown members, because ignoring a part would change the meaning. */
export function rejectUnknownMembers(context: Context, node: TreeNode, members: readonly string[]): void {
  const other = Object.keys(node).find((name) => !SILENT.has(name) && !members.includes(name));
  if (other) context.issues.add(`${other.replaceAll('_', ' ')} has no counterpart in Athena.`, node);
}

/** Translates an expression that must be a truth value. */
export function condition(node: TreeNode, context: Context): string {
  const value = context.expression(node, context);
  if (fits(value.type, 'boolean')) return value.sql;
  context.issues.add(`A value of type ${value.type} is used as a truth value, but Athena needs a comparison.`, node);
  return UNKNOWN.sql;
}
