/** An event pattern: a tree of the event's own shape whose leaves list what is accepted there. */
export interface Pattern {
  [field: string]: Pattern | Leaf[] | Pattern[];
}

type Leaf = string | number | boolean | null | Condition;
type Condition = Record<string, unknown>;

const COMPARISONS: Record<string, (value: number, bound: number) => boolean> = {
  '=': (value, bound) => value === bound,
  '<': (value, bound) => value < bound,
  '<=': (value, bound) => value <= bound,
  '>': (value, bound) => value > bound,
  '>=': (value, bound) => value >= bound,
};

const CONDITIONS = ['prefix', 'suffix', 'equals-ignore-case', 'anything-but', 'numeric', 'exists', 'wildcard', 'cidr'];
const SUPPORTED = ['prefix', 'suffix', 'equals-ignore-case', 'anything-but', 'numeric', 'exists'];

/** Checks the form of a pattern. Throws an `Error` that names what is wrong or not supported. */
export function readPattern(value: unknown, path = 'the pattern'): Pattern {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${path} must be an object`);
  for (const [field, expected] of Object.entries(value)) {
    if (field === '$or') {
      if (!Array.isArray(expected)) throw new Error('$or must be a list of patterns');
      for (const branch of expected) readPattern(branch, '$or');
    } else if (Array.isArray(expected)) {
      if (expected.length === 0) throw new Error(`${field} accepts nothing`);
      for (const leaf of expected) checkLeaf(leaf, field);
    } else {
      readPattern(expected, field);
    }
  }
  return value as Pattern;
}

function checkLeaf(leaf: unknown, field: string): void {
  if (typeof leaf !== 'object' || leaf === null) return;
  const [condition, ...more] = Object.keys(leaf);
  if (condition === undefined || more.length > 0) throw new Error(`${field} needs one condition at a time`);
  if (!CONDITIONS.includes(condition)) throw new Error(`${field} has the unknown condition ${condition}`);
  if (!SUPPORTED.includes(condition)) throw new Error(`the local cloud does not support the condition ${condition}`);
}

export function matches(pattern: Pattern, event: unknown): boolean {
  return Object.entries(pattern).every(([field, expected]) => {
    if (field === '$or') return (expected as Pattern[]).some((branch) => matches(branch, event));
    const present = typeof event === 'object' && event !== null && Object.hasOwn(event, field);
    const value = present ? (event as Record<string, unknown>)[field] : undefined;
    if (!Array.isArray(expected)) return matches(expected, value);
    const values = Array.isArray(value) ? value : [value];
    return (expected as Leaf[]).some((leaf) => values.some((each) => accepts(leaf, each, present)));
  });
}

function accepts(leaf: Leaf, value: unknown, present: boolean): boolean {
  if (typeof leaf !== 'object' || leaf === null) return present && value === leaf;
  const [condition, argument] = Object.entries(leaf)[0] as [string, unknown];
  if (condition === 'exists') return (present && (typeof value !== 'object' || value === null)) === argument;
  if (!present) return false;
  switch (condition) {
    case 'prefix':
      return text(value, argument, (each, part) => each.startsWith(part));
    case 'suffix':
      return text(value, argument, (each, part) => each.endsWith(part));
    case 'equals-ignore-case':
      return text(value, argument, (each, part) => each.toLowerCase() === part.toLowerCase());
    case 'anything-but':
      return !anyOf(argument).some((leafOfList) => accepts(leafOfList, value, true));
    case 'numeric':
      return typeof value === 'number' && inRange(value, argument as (string | number)[]);
    default:
      return false;
  }
}

function anyOf(argument: unknown): Leaf[] {
  return Array.isArray(argument) ? argument : [argument as Leaf];
}

function text(value: unknown, argument: unknown, test: (value: string, part: string) => boolean): boolean {
  if (typeof value !== 'string') return false;
  if (typeof argument === 'string') return test(value, argument);
  const folded = (argument as { 'equals-ignore-case'?: string })['equals-ignore-case'];
  return folded !== undefined && test(value.toLowerCase(), folded.toLowerCase());
}

/** `['>', 0, '<=', 5]`: every comparison must hold. */
function inRange(value: number, comparisons: (string | number)[]): boolean {
  for (let index = 0; index < comparisons.length; index += 2) {
    const compare = COMPARISONS[comparisons[index] as string];
    if (!compare?.(value, comparisons[index + 1] as number)) return false;
  }
  return true;
}
