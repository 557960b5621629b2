/** A node of DuckDB's serialized parse tree. The engine omits members with their default value. */
export interface TreeNode {
  class?: string;
  type?: unknown;
  query_location?: number;
  [member: string]: unknown;
}

export interface ParseTree {
  error: boolean;
  error_type?: string;
  error_message?: string;
  position?: string;
  statements?: { node: TreeNode }[];
}

export const isNode = (value: unknown): value is TreeNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Calls `visit` with every node of a tree or a part of one. */
export function visitNodes(value: unknown, visit: (node: TreeNode) => void): void {
  if (Array.isArray(value)) for (const item of value) visitNodes(item, visit);
  if (!isNode(value)) return;
  visit(value);
  for (const member of Object.values(value)) visitNodes(member, visit);
}

export const EXPRESSION_CLASSES = new Set([
  'BETWEEN',
  'CASE',
  'CAST',
  'COLLATE',
  'COLUMN_REF',
  'COMPARISON',
  'CONJUNCTION',
  'CONSTANT',
  'FUNCTION',
  'LAMBDA',
  'LAMBDA_REF',
  'OPERATOR',
  'PARAMETER',
  'POSITIONAL_REFERENCE',
  'STAR',
  'SUBQUERY',
  'WINDOW',
]);

export const QUERY_NODES = new Set(['SELECT_NODE', 'SET_OPERATION_NODE', 'RECURSIVE_CTE_NODE']);

export const TABLE_REFERENCES = new Set([
  'BASE_TABLE',
  'EMPTY',
  'EXPRESSION_LIST',
  'JOIN',
  'PIVOT',
  'SUBQUERY',
  'TABLE_FUNCTION',
]);

/**
 * Parts of a query that have a `type` but are neither expression, query nor table: sort orders, limits, type details.
 */
export const PARTS =
  /^(ORDER_MODIFIER|LIMIT_MODIFIER|LIMIT_PERCENT_MODIFIER|DISTINCT_MODIFIER|ORDER_DEFAULT|ASCENDING|DESCENDING|[A-Z_]+_TYPE_INFO)$/;
