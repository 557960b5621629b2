import type { Typed, TypedCall } from '../expressions/index.ts';

/**
 * The tree with parts replaced: `replace` gives the new part, or undefined to go into the parts of that one. Measures
 * and calculated fields become the expressions that they stand for where something in those is replaced.
 */
export function replaceParts(tree: Typed, replace: (node: Typed) => Typed | undefined): Typed {
  const known = new Map<Typed, Typed>();
  const visit = (node: Typed): Typed => {
    const done = known.get(node) ?? replace(node) ?? within(node, visit);
    known.set(node, done);
    return done;
  };
  return visit(tree);
}

function within(node: Typed, visit: (node: Typed) => Typed): Typed {
  if (node.kind === 'measure' || node.kind === 'field') {
    const body = node.body && visit(node.body);
    return body === node.body ? node : body!;
  }
  let isChanged = false;
  const part = <T extends Typed | undefined>(old: T): T => {
    const replaced = old && visit(old);
    isChanged ||= replaced !== old;
    return replaced as T;
  };
  const copy = withParts(node, part);
  return isChanged ? copy : node;
}

type PartVisitor = <T extends Typed | undefined>(part: T) => T;

function withParts(node: Typed, part: PartVisitor): Typed {
  switch (node.kind) {
    case 'arithmetic':
      return {
        ...node,
        first: part(node.first),
        steps: node.steps.map((step) => ({ ...step, operand: part(step.operand) })),
      };
    case 'negate':
    case 'not':
    case 'convert':
    case 'isNull':
      return { ...node, operand: part(node.operand) };
    case 'compare':
      return { ...node, left: part(node.left), right: part(node.right) };
    case 'logic':
      return { ...node, operands: node.operands.map(part) };
    case 'in':
      return { ...node, operand: part(node.operand), items: node.items.map(part) };
    case 'between':
      return { ...node, operand: part(node.operand), low: part(node.low), high: part(node.high) };
    case 'case':
      return {
        ...node,
        branches: node.branches.map(({ when, result }) => ({ when: part(when), result: part(result) })),
        ...(node.otherwise ? { otherwise: part(node.otherwise) } : {}),
      };
    case 'call':
      return callWithParts(node, part);
    default:
      return node;
  }
}

function callWithParts(node: TypedCall, part: PartVisitor): TypedCall {
  return { ...node, args: node.args.map(part), ...(node.filter ? { filter: part(node.filter) } : {}) };
}
