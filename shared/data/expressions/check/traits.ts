import { functionOf, type Nesting } from '../catalogue/index.ts';
import { bodyOf, partsOf, type Typed, type TypedCall } from '../language/typed.ts';
import { numberOf } from './conversions.ts';

/**
 * Whether the results of parts give the result of the whole: `full` if they are summed, `semi` if the smallest or
 * largest is taken, so that rows which are counted several times do no harm, `none` otherwise.
 */
export type Additivity = 'full' | 'semi' | 'none';

/** Every node of a tree once, with the bodies of measures and calculated fields, outermost first. */
export function* nodesOf(tree: Typed, isEntered: (node: Typed) => boolean = () => true): Generator<Typed> {
  const seen = new Set<Typed>([tree]);
  // Nodes that are added while the set is read are read too.
  for (const node of seen) {
    yield node;
    if (!isEntered(node)) continue;
    const body = bodyOf(node);
    for (const part of body ? [body] : partsOf(node)) seen.add(part);
  }
}

/** The aggregates of rows in a tree, also in measures: what a planner computes for each table on its own. */
export function aggregatesOf(tree: Typed): TypedCall[] {
  return [...nodesOf(tree, (node) => !isAggregate(node))].filter(isAggregate);
}

/** The calls of TOTAL, SHARE, PRIOR and CUMULATIVE. */
export function windowsOf(tree: Typed): TypedCall[] {
  return [...nodesOf(tree)].filter(
    (node) => node.kind === 'call' && functionOf(node.name)?.kind === 'window',
  ) as TypedCall[];
}

/** The calls that only a query planner can compute: those that look at other groups, and aggregates of aggregates. */
export const plannedOf = (tree: Typed): TypedCall[] =>
  [...nodesOf(tree)].filter(
    (node): node is TypedCall =>
      node.kind === 'call' &&
      (functionOf(node.name)?.kind === 'window' ? !isOneSelect(node) : nestingOf(node) !== undefined),
  );

/** How an aggregate of aggregates is made; undefined for other calls. */
export const nestingOf = ({ name }: TypedCall): Nesting | undefined => functionOf(name)?.nested;

export const isAggregate = (node: Typed): node is TypedCall =>
  node.kind === 'call' && functionOf(node.name)?.kind === 'aggregate';

/** The ids of all fields that are read, also by measures, and of their tables; in order of appearance. */
export function readsOf(tree: Typed): { fields: string[]; tables: string[] } {
  const fields = new Set<string>();
  const tables = new Set<string>();
  for (const node of nodesOf(tree)) {
    if (node.kind !== 'field') continue;
    tables.add(node.table);
    if (!node.body) fields.add(node.field);
  }
  return { fields: [...fields], tables: [...tables] };
}

/** How the result depends on the time of the query: a cached result holds for that day, or not at all. */
export function clockOf(tree: Typed): 'none' | 'date' | 'instant' {
  const names = [...nodesOf(tree)].flatMap((node) => (node.kind === 'call' ? [node.name] : []));
  if (names.includes('NOW')) return 'instant';
  return names.includes('TODAY') ? 'date' : 'none';
}

export function additivityOf(tree: Typed): Additivity {
  let additivity = KNOWN.get(tree);
  if (!additivity) {
    additivity = computed(tree);
    KNOWN.set(tree, additivity);
  }
  return additivity;
}

/** A measure may be reached on many ways. */
const KNOWN = new WeakMap<Typed, Additivity>();

function computed(tree: Typed): Additivity {
  switch (tree.kind) {
    case 'measure':
      return additivityOf(tree.body);
    case 'negate':
      return additivityOf(tree.operand) === 'full' ? 'full' : 'none';
    case 'convert':
      return additivityOf(tree.operand);
    case 'arithmetic':
      return additivityOfChain(tree);
    case 'call':
      return additivityOfCall(tree);
    default:
      return 'none';
  }
}

/** Sums of additive results are additive, and so are products with a constant. */
function additivityOfChain({ first, steps }: Extract<Typed, { kind: 'arithmetic' }>): Additivity {
  let isConstant = first.level === 'constant';
  let isFull = additivityOf(first) === 'full';
  for (const { operator, operand } of steps) {
    const [isScale, isTerm] = [operand.level === 'constant', additivityOf(operand) === 'full'];
    if (operator === '+' || operator === '-') isFull &&= isTerm;
    else if (operator === '*') isFull = (isFull && isScale) || (isConstant && isTerm);
    else isFull &&= isScale;
    isConstant &&= isScale;
  }
  return isFull ? 'full' : 'none';
}

function additivityOfCall({ name, args }: TypedCall): Additivity {
  if (name === 'COALESCE' && args.length === 2 && numberOf(args[1]!) === 0) {
    return additivityOf(args[0]!) === 'full' ? 'full' : 'none';
  }
  return functionOf(name)?.additivity ?? 'none';
}

/** Whether a call of TOTAL or SHARE can stand in the SELECT that groups the rows: its parts are summed as they are. */
export function isOneSelect({ name, args: [measure] }: TypedCall): boolean {
  let inner = measure!;
  while (inner.kind === 'measure') inner = inner.body;
  return (name === 'TOTAL' || name === 'SHARE') && isAggregate(inner) && functionOf(inner.name)?.additivity === 'full';
}
