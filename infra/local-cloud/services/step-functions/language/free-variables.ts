import type jsonata from 'jsonata';

/** What an expression reads from outside itself. */
export interface FreeVariables {
  /** Names (without `$`) that the expression reads and does not bind itself. */
  readonly names: ReadonlySet<string>;
  /** Nodes that may be undefined: the direct argument of `$exists`. */
  readonly optionalReads: ReadonlySet<unknown>;
}

type Node = Record<string, unknown>;

/**
 * Collects the free variables of a parsed expression. Names bound anywhere in it (`:=`, lambda parameters, `@$v`, `#$i`)
 * count as bound everywhere in it.
 */
export function freeVariables(ast: jsonata.ExprNode): FreeVariables {
  const read = new Set<string>();
  const bound = new Set<string>();
  const optionalReads = new Set<unknown>();
  const seen = new Set<unknown>();

  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    if (Array.isArray(value)) {
      value.forEach(visit);
      return;
    }
    const node = value as Node;
    if (node.type === 'variable') read.add(String(node.value));
    if (node.type === 'bind') bound.add(variableName(node.lhs));
    if (node.type === 'lambda') for (const parameter of node.arguments as unknown[]) bound.add(variableName(parameter));
    if (typeof node.focus === 'string') bound.add(node.focus);
    if (node.index !== undefined) bound.add(variableName(node.index));
    if (node.type === 'function' && variableName(node.procedure) === 'exists') {
      optionalReads.add((node.arguments as unknown[])[0]);
    }
    Object.values(node).forEach(visit);
  };
  visit(ast);

  // `$` and `$$` are the context, not variables.
  for (const name of ['', '$', ...bound]) read.delete(name);
  return { names: read, optionalReads };
}

function variableName(node: unknown): string {
  return typeof node === 'object' && node !== null ? String((node as Node).value) : String(node);
}
