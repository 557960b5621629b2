import { folded } from '../duckdb/column-names.ts';
import { isNode, type TreeNode, visitNodes } from './parse-tree.ts';

/** Allowed functions whose result depends on when, or how often, they are called. */
export const UNREPEATABLE_FUNCTIONS: ReadonlySet<string> = new Set([
  'ago',
  'current_date',
  'current_localtime',
  'current_localtimestamp',
  'get_current_time',
  'get_current_timestamp',
  'now',
  'reservoir_quantile',
  'today',
  'transaction_timestamp',
]);

/** Written without brackets, they look like columns. */
const KEYWORDS: ReadonlySet<string> = new Set([
  'current_date',
  'current_time',
  'current_timestamp',
  'localtime',
  'localtimestamp',
]);

/**
 * What makes a checked statement give other rows when it runs again on the same ones, such as `now()`; undefined if
 * nothing does. A column called like a keyword counts as the keyword.
 */
export function unrepeatablePart(root: TreeNode): string | undefined {
  let found: string | undefined;
  visitNodes(root, (node) => {
    found ??= partOf(node);
  });
  return found;
}

function partOf(node: TreeNode): string | undefined {
  if (isNode(node.sample)) return 'a sample';
  if (node.class === 'FUNCTION' || node.class === 'WINDOW') {
    const name = folded(String(node.function_name));
    // With one argument, it is the time until today.
    const isAge = name === 'age' && (node.children as unknown[] | undefined)?.length === 1;
    return isAge || UNREPEATABLE_FUNCTIONS.has(name) ? `${name}()` : undefined;
  }
  if (node.class === 'COLUMN_REF') {
    const [name, ...more] = node.column_names as string[];
    return more.length === 0 && KEYWORDS.has(folded(name!)) ? folded(name!) : undefined;
  }
  // A function can be called by a name in a text, as with list_aggregate.
  const value = node.class === 'CONSTANT' && isNode(node.value) ? node.value.value : undefined;
  return typeof value === 'string' && folded(value) === 'reservoir_quantile' ? `${folded(value)}()` : undefined;
}
