import { isObject } from '../../../core/json.ts';
import { type Condition, conditionOf, InvalidPattern, isScalar, type Scalar } from './conditions.ts';

/** What a field must match: one of the conditions, or absence if allowed. */
interface Expectation {
  path: string;
  conditions: Condition[];
  mayBeAbsent: boolean;
}

/** A leaf of an event. `places` has its index in each enclosing array. */
interface Field {
  value: Scalar;
  places: Map<string, number>;
}

/** `$or` multiplies a pattern; AWS's limit of alternatives. */
const MAX_ALTERNATIVES = 1000;

/**
 * A compiled event pattern. As in EventBridge, an event is the set of its leaves under dotted names, and expectations
 * on fields inside an array of objects must be met by one element of it.
 */
export class EventPattern {
  /** The event matches if it meets every expectation of one alternative. */
  readonly #alternatives: Expectation[][];
  /** The paths in the pattern and their prefixes; the rest of an event is skipped. */
  readonly #named: Set<string>;

  /** Throws `InvalidPattern`. */
  constructor(text: string) {
    let pattern: unknown;
    try {
      pattern = JSON.parse(text);
    } catch (error) {
      throw new InvalidPattern(String((error as Error).message));
    }
    this.#alternatives = compile(pattern, '');
    this.#named = new Set(this.#alternatives.flat().flatMap(({ path }) => prefixesOf(path)));
  }

  matches(event: object): boolean {
    const fields = new Map<string, Field[]>();
    flatten(event, { path: '', places: new Map() }, this.#named, fields);
    return this.#alternatives.some((expectations) => met(expectations, fields, new Map()));
  }
}

function compile(pattern: unknown, prefix: string): Expectation[][] {
  if (!isObject(pattern)) throw new InvalidPattern('Filter is not an object');
  const entries = Object.entries(pattern);
  if (entries.length === 0) throw new InvalidPattern('Empty objects are not allowed');
  let alternatives: Expectation[][] = [[]];
  for (const [key, expected] of entries) {
    const path = `${prefix}${key}`;
    const added = key === '$or' ? compileOr(expected, prefix) : compileField(key, path, expected);
    alternatives = alternatives.flatMap((earlier) => added.map((more) => [...earlier, ...more]));
    if (alternatives.length > MAX_ALTERNATIVES) throw new InvalidPattern('Rule is too complex');
  }
  return alternatives;
}

function compileOr(branches: unknown, prefix: string): Expectation[][] {
  if (!Array.isArray(branches) || branches.length < 2) {
    throw new InvalidPattern('$or must be an array of at least two objects');
  }
  return branches.flatMap((branch) => compile(branch, prefix));
}

function compileField(key: string, path: string, expected: unknown): Expectation[][] {
  if (!Array.isArray(expected)) {
    if (isObject(expected)) return compile(expected, `${path}.`);
    throw new InvalidPattern(`"${key}" must be an object or an array`);
  }
  if (expected.length === 0) throw new InvalidPattern('Empty arrays are not allowed');
  const expectation: Expectation = { path, conditions: [], mayBeAbsent: false };
  for (const leaf of expected) addLeaf(expectation, leaf);
  return [[expectation]];
}

function addLeaf(expectation: Expectation, leaf: unknown): void {
  if (isScalar(leaf)) {
    expectation.conditions.push((value) => value === leaf);
    return;
  }
  if (!isObject(leaf)) throw new InvalidPattern('Match value must be String, number, true, false, or null');
  const [matchType, ...more] = Object.keys(leaf);
  if (matchType === undefined || more.length > 0) throw new InvalidPattern('Only one key allowed in match expression');
  const argument = leaf[matchType];
  if (matchType !== 'exists') expectation.conditions.push(conditionOf(matchType, argument));
  else if (argument === true) expectation.conditions.push(() => true);
  else if (argument === false) expectation.mayBeAbsent = true;
  else throw new InvalidPattern('exists match pattern must be either true or false.');
}

/** `a.b.c` → `a`, `a.b`, `a.b.c`. */
function prefixesOf(path: string): string[] {
  const names = path.split('.');
  return names.map((_name, index) => names.slice(0, index + 1).join('.'));
}

/** Position of a value in its event. */
interface Place {
  path: string;
  places: Map<string, number>;
}

function flatten(
  value: unknown,
  { path, places }: Place,
  named: ReadonlySet<string>,
  fields: Map<string, Field[]>,
): void {
  if (Array.isArray(value)) {
    value.forEach((element, index) => {
      const within = isScalar(element) ? places : new Map(places).set(path, index);
      flatten(element, { path, places: within }, named, fields);
    });
  } else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      const below = path === '' ? key : `${path}.${key}`;
      if (named.has(below)) flatten(inner, { path: below, places }, named, fields);
    }
  } else if (isScalar(value)) {
    const same = fields.get(path);
    if (same) same.push({ value, places });
    else fields.set(path, [{ value, places }]);
  }
}

/** Finds one field per expectation, without two from different elements of the same array. */
function met(expectations: Expectation[], fields: Map<string, Field[]>, places: Map<string, number>): boolean {
  const [expectation, ...others] = expectations;
  if (!expectation) return true;
  const found = fields.get(expectation.path) ?? [];
  if (found.length === 0 && expectation.mayBeAbsent) return met(others, fields, places);
  return found.some(
    (field) =>
      expectation.conditions.some((holds) => holds(field.value)) &&
      [...field.places].every(([array, index]) => (places.get(array) ?? index) === index) &&
      met(others, fields, new Map([...places, ...field.places])),
  );
}
