import { BlockList, isIPv6 } from 'node:net';
import { arnPattern, wildcard } from './pattern.ts';

/** Values of the condition keys of a request, by key in lower case; a key with several values has a list. */
export type RequestContext = Readonly<Record<string, string | readonly string[]>>;

export type Condition = (context: RequestContext) => boolean;

/** The `Condition` element of a statement. */
export type ConditionElement = Record<string, Record<string, ConditionValue | ConditionValue[]>>;
type ConditionValue = string | number | boolean;

/** Makes the comparison of one value with those of a policy. */
type Comparison = (expected: string[]) => (actual: string) => boolean;

const anyOf =
  (compile: (expected: string) => (actual: string) => boolean): Comparison =>
  (expected) => {
    const tests = expected.map(compile);
    return (actual) => tests.some((test) => test(actual));
  };

const equal = anyOf((expected) => (actual) => actual === expected);
const equalIgnoringCase = anyOf((expected) => (actual) => actual.toLowerCase() === expected.toLowerCase());
const arnLike = anyOf(arnPattern);

const ordered = (read: (text: string) => number, test: (actual: number, expected: number) => boolean): Comparison =>
  anyOf((expected) => {
    const limit = read(expected);
    return (actual) => test(read(actual), limit);
  });

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  StringEquals: equal,
  StringEqualsIgnoreCase: equalIgnoringCase,
  StringLike: anyOf(wildcard),
  ArnEquals: arnLike,
  ArnLike: arnLike,
  Bool: equalIgnoringCase,
  IpAddress: anyOf(addressRange),
  ...inOrder('Numeric', Number),
  ...inOrder('Date', dateOf),
};

/** `StringNotEquals` is the opposite of `StringEquals`, and so on. */
const NEGATED: Readonly<Record<string, string>> = {
  StringNotEquals: 'StringEquals',
  StringNotEqualsIgnoreCase: 'StringEqualsIgnoreCase',
  StringNotLike: 'StringLike',
  ArnNotEquals: 'ArnEquals',
  ArnNotLike: 'ArnLike',
  NumericNotEquals: 'NumericEquals',
  DateNotEquals: 'DateEquals',
  NotIpAddress: 'IpAddress',
};

/** The keys whose values the local cloud supplies. */
const KNOWN_KEYS: ReadonlySet<string> = new Set([
  'aws:principalaccount',
  'aws:principalarn',
  'aws:principalisawsservice',
  'aws:principalservicename',
  'aws:principaltype',
  'aws:securetransport',
  'aws:sourceaccount',
  'aws:sourcearn',
  'ecs:cluster',
  'iam:passedtoservice',
  's3:delimiter',
  's3:max-keys',
  's3:prefix',
]);

/**
 * Compiles the `Condition` element of a statement: all of its operators and keys must hold. Throws an error that names
 * an unknown operator or key.
 */
export function compileConditions(element: ConditionElement = {}): Condition {
  const conditions = Object.entries(element).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, values]) => compileCondition(operator, key, [values].flat().map(String))),
  );
  return (context) => conditions.every((holds) => holds(context));
}

function compileCondition(operator: string, key: string, expected: string[]): Condition {
  const [, set, name = '', optional] = /^(?:(ForAllValues|ForAnyValue):)?(\w+?)(IfExists)?$/.exec(operator) ?? [];
  const place = key.toLowerCase();
  if (!KNOWN_KEYS.has(place)) throw new Error(`the condition key ${key}`);
  if (name === 'Null') return (context) => (context[place] === undefined) === (expected[0]?.toLowerCase() === 'true');
  const positive = NEGATED[name] ?? name;
  const comparison = Object.hasOwn(COMPARISONS, positive) ? COMPARISONS[positive] : undefined;
  if (!comparison) throw new Error(`the condition operator ${operator}`);
  const matches = comparison(expected);
  const negated = name !== positive;
  const test = (actual: string) => matches(actual) !== negated;
  return (context) => {
    const actual = context[place];
    if (actual === undefined) return set === 'ForAllValues' || (set === undefined && negated) || optional !== undefined;
    const values = typeof actual === 'string' ? [actual] : actual;
    if (set === 'ForAllValues') return values.every(test);
    return set === undefined && negated ? values.every(test) : values.some(test);
  };
}

function inOrder(prefix: string, read: (text: string) => number): Record<string, Comparison> {
  return {
    [`${prefix}Equals`]: ordered(read, (actual, expected) => actual === expected),
    [`${prefix}LessThan`]: ordered(read, (actual, expected) => actual < expected),
    [`${prefix}LessThanEquals`]: ordered(read, (actual, expected) => actual <= expected),
    [`${prefix}GreaterThan`]: ordered(read, (actual, expected) => actual > expected),
    [`${prefix}GreaterThanEquals`]: ordered(read, (actual, expected) => actual >= expected),
  };
}

/** ISO 8601 or epoch seconds. */
function dateOf(text: string): number {
  return /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text);
}

function addressRange(range: string): (address: string) => boolean {
  const [network = '', length] = range.split('/');
  const family = isIPv6(network) ? 'ipv6' : 'ipv4';
  const list = new BlockList();
  list.addSubnet(network, Number(length ?? (family === 'ipv6' ? 128 : 32)), family);
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
