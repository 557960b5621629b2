import type { EngineParameter } from '../duckdb/parameters.ts';
import type { TreeNode } from '../sql/parse-tree.ts';
import type { Refusals } from './refusals.ts';
import type { Scope } from './scope.ts';
import { fits, type Typed, UNKNOWN } from './typed.ts';

/** Members of nodes that say nothing about the value: names, places, and how it was written. */
const SILENT = new Set(['class', 'type', 'alias', 'query_location', 'is_operator', 'schema']);

export interface Context {
  scope: Scope | undefined;
  refusals: Refusals;
  params: readonly EngineParameter[];
  /** What the names of the select list stand for, where they may be used. */
  aliases?: ReadonlyMap<string, Typed>;
  /** Translates an expression; passed along because expressions, calls and windows contain each other. */
  expression(node: TreeNode, context: Context): Typed;
  /** A query within an expression: its text, and its columns. */
  query(node: TreeNode, context: Context): { sql: string; columns: readonly { type: string }[] };
}

export const listOf = (value: unknown): TreeNode[] => (Array.isArray(value) ? (value as TreeNode[]) : []);

/** Refuses what a node holds besides the members that are known: a part that was overlooked would change the meaning. */
export function onlyKnows(context: Context, node: TreeNode, members: readonly string[]): void {
  const other = Object.keys(node).find((name) => !SILENT.has(name) && !members.includes(name));
  if (other) context.refusals.add(`${other.replaceAll('_', ' ')} has no counterpart in Athena.`, node);
}

/** A truth value, where nothing else may stand. */
export function condition(node: TreeNode, context: Context): string {
  const value = context.expression(node, context);
  if (fits(value.type, 'boolean')) return value.sql;
  context.refusals.add(`A value of type ${value.type} stands for a truth value here: Athena needs a comparison.`, node);
  return UNKNOWN.sql;
}
