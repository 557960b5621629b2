import { isNode, type TreeNode } from '../sql/parse-tree.ts';

/** Whether a column of that name is meant. */
export type NameTest = (name: string) => boolean;

/** The names that the argument of `COLUMNS` selects; undefined if only DuckDB can decide. */
export function nameTest(expression: unknown): NameTest | undefined {
  if (!isNode(expression)) return undefined;
  const text = textOf(expression);
  if (text !== undefined) return patternTest(text);
  if (expression.class !== 'FUNCTION') return undefined;
  const [first, second] = childrenOf(expression);
  if (expression.function_name === 'list_value') {
    const names = childrenOf(expression).map(textOf);
    return names.every((name) => name !== undefined) ? oneOf(names) : undefined;
  }
  if (expression.function_name !== 'list_filter' || first?.class !== 'STAR' || second?.class !== 'LAMBDA') {
    return undefined;
  }
  const parameter = isNode(second.lhs) ? nameOf(second.lhs) : undefined;
  return parameter === undefined || !isNode(second.expr)
    ? undefined
    : comparison(second.expr, (node) => nameOf(node) === parameter);
}

/** The names that a comparison selects; `isName` recognises what stands for the name. */
export function comparison(node: TreeNode, isName: (node: TreeNode) => boolean): NameTest | undefined {
  const [subject, ...others] =
    node.class === 'COMPARISON' ? [node.left as TreeNode, node.right as TreeNode] : childrenOf(node);
  const [text] = others.map(textOf);
  if (!subject || !isName(subject) || others.length !== 1 || text === undefined) return undefined;
  const kind = node.class === 'COMPARISON' ? String(node.type) : String(node.function_name);
  return COMPARISONS[kind]?.(text);
}

const COMPARISONS: Record<string, (text: string) => NameTest> = {
  '~~': (text) => like(text, ''),
  '!~~': (text) => not(like(text, '')),
  '~~*': (text) => like(text, 'i'),
  '!~~*': (text) => not(like(text, 'i')),
  starts_with: (text) => (name) => name.startsWith(text),
  ends_with: (text) => (name) => name.endsWith(text),
  contains: (text) => (name) => name.includes(text),
  COMPARE_EQUAL: (text) => (name) => name === text,
  COMPARE_NOTEQUAL: (text) => (name) => name !== text,
};

const not =
  (test: NameTest): NameTest =>
  (name) =>
    !test(name);

function like(text: string, flags: string): NameTest {
  const parts = [...text].map((each) => (each === '%' ? '.*' : each === '_' ? '.' : escaped(each)));
  const pattern = new RegExp(`^${parts.join('')}$`, `su${flags}`);
  return (name) => pattern.test(name);
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);

/** Only what regular expressions of DuckDB and JavaScript have in common; undefined for the rest. */
function patternTest(text: string): NameTest | undefined {
  if (!/^[\w .*+?|^$()-]*$/.test(text) || /\(\?|[*+?]{2}|\([^)]*[*+][^)]*\)[*+]/.test(text)) return undefined;
  try {
    const pattern = new RegExp(text);
    return (name) => pattern.test(name);
  } catch {
    return undefined;
  }
}

/** DuckDB folds the names of the list. */
function oneOf(names: readonly (string | undefined)[]): NameTest {
  const known = new Set(names.map((name) => name!.toLowerCase()));
  return (name) => known.has(name.toLowerCase());
}

const childrenOf = ({ children }: TreeNode) => (Array.isArray(children) ? (children as TreeNode[]) : []);

function nameOf({ class: kind, column_names: names }: TreeNode): string | undefined {
  return kind === 'COLUMN_REF' && Array.isArray(names) && names.length === 1
    ? String(names[0]).toLowerCase()
    : undefined;
}

function textOf(node: TreeNode): string | undefined {
  const { value } = node as { value?: { type?: { id?: string }; value?: unknown } };
  return node.class === 'CONSTANT' && value?.type?.id === 'VARCHAR' && typeof value.value === 'string'
    ? value.value
    : undefined;
}
