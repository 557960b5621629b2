import type jsonata from 'jsonata';

/** Variables that an expression reads from outside. */
export interface FreeVariables {
  /** Names (without `$`) that the expression reads but does not bind. */
  readonly names: ReadonlySet<string>;
  /** Nodes that may be undefined: direct arguments of `$exists`. */
  readonly optionalReads: ReadonlySet<unknown>;
}

type Node = Record<string, unknown>;

/**
 * Collects the free variables of a parsed expression. Names bound anywhere in it (`:=`, lambda parameters, `@$v`,
 * `#$i`) count as bound everywhere in it.
 */
export function freeVariables(ast: jsonata.ExprNode): FreeVariables {
  const read = new Set<string>();
  const bound = new Set<string>();
  const optionalReads = new Set<unknown>();
  for (const node of nodesOf(ast, new Set())) {
    if (node.type === 'variable') read.add(String(node.value));
    for (const name of namesBoundBy(node)) bound.add(name);
    if (node.type === 'function' && variableName(node.procedure) === 'exists') {
      optionalReads.add((node.arguments as unknown[])[0]);
    }
  }
  // `$` and `$$` are the context, not variables.
  for (const name of ['', '$', ...bound]) read.delete(name);
  return { names: read, optionalReads };
}

/** Every node of the tree, each once. */
function* nodesOf(value: unknown, seen: Set<unknown>): Generator<Node> {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  if (!Array.isArray(value)) yield value as Node;
  for (const member of Object.values(value)) yield* nodesOf(member, seen);
}

function namesBoundBy(node: Node): string[] {
  return [
    ...(node.type === 'bind' ? [variableName(node.lhs)] : []),
    ...(node.type === 'lambda' ? (node.arguments as unknown[]).map(variableName) : []),
    ...(typeof node.focus === 'string' ? [node.focus] : []),
    ...(node.index === undefined ? [] : [variableName(node.index)]),
  ];
}

function variableName(node: unknown): string {
  return typeof node === 'object' && node !== null ? String((node as Node).value) : String(node);
}
