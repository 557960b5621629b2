import { BlockList, isIP } from 'node:net';
import { isObject } from '../../../core/json.ts';

export type Scalar = string | number | boolean | null;
export type Condition = (value: Scalar) => boolean;

/** What is wrong with a pattern, in EventBridge's words. */
export class InvalidPattern extends Error {}

const COMPARISONS: Record<string, (value: number, bound: number) => boolean> = {
  '=': (value, bound) => value === bound,
  '<': (value, bound) => value < bound,
  '<=': (value, bound) => value <= bound,
  '>': (value, bound) => value > bound,
  '>=': (value, bound) => value >= bound,
};

/** Compiles a match type such as `prefix` with its argument. Throws `InvalidPattern`. */
export function conditionOf(matchType: string, argument: unknown): Condition {
  switch (matchType) {
    case 'prefix':
    case 'suffix':
      return affix(matchType, argument);
    case 'equals-ignore-case':
      return sameLetters(needString(argument, 'equals-ignore-case match pattern must be a string'));
    case 'wildcard':
      return wildcard(argument);
    case 'numeric':
      return numeric(argument);
    case 'cidr':
      return cidr(argument);
    case 'anything-but':
      return anythingBut(argument);
    default:
      throw new InvalidPattern(`Unrecognized match type ${matchType}`);
  }
}

export function isScalar(value: unknown): value is Scalar {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function affix(matchType: 'prefix' | 'suffix', argument: unknown): Condition {
  const fits = (value: string, part: string) =>
    matchType === 'prefix' ? value.startsWith(part) : value.endsWith(part);
  if (isObject(argument)) {
    const entries = Object.entries(argument);
    const [inner, part] = entries[0] ?? [];
    if (entries.length !== 1 || inner !== 'equals-ignore-case' || typeof part !== 'string') {
      throw new InvalidPattern(`${matchType} match pattern must be a string`);
    }
    return onStrings((value) => fits(value.toLowerCase(), part.toLowerCase()));
  }
  const part = needString(argument, `${matchType} match pattern must be a string`);
  return onStrings((value) => fits(value, part));
}

function sameLetters(text: string): Condition {
  return onStrings((value) => value.toLowerCase() === text.toLowerCase());
}

/** `*` stands for any characters; `\*` and `\\` for the characters themselves. */
function wildcard(argument: unknown): Condition {
  const text = needString(argument, 'wildcard match pattern must be a string');
  let source = '';
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] as string;
    if (character === '*') {
      if (text[index + 1] === '*') throw new InvalidPattern(`Consecutive wildcard characters at pos ${index}`);
      source += '.*';
    } else if (character === '\\') {
      const escaped = text[index + 1];
      if (escaped !== '*' && escaped !== '\\') throw new InvalidPattern(`Invalid escape character at pos ${index}`);
      source += `\\${escaped}`;
      index += 1;
    } else {
      source += character.replace(/[\^$.|?+(){}[\]/-]/, '\\$&');
    }
  }
  const pattern = new RegExp(`^${source}$`, 's');
  return onStrings((value) => pattern.test(value));
}

/** `['>', 0, '<=', 5]`: every comparison must hold. */
function numeric(argument: unknown): Condition {
  if (!Array.isArray(argument)) throw new InvalidPattern('Value of numeric must be an array.');
  if (argument.length !== 2 && argument.length !== 4) throw new InvalidPattern('Bad numeric range');
  const comparisons: ((value: number) => boolean)[] = [];
  for (let index = 0; index < argument.length; index += 2) {
    const [operator, bound] = argument.slice(index, index + 2);
    const compare = COMPARISONS[String(operator)];
    if (!compare) throw new InvalidPattern(`Bad numeric range operator: ${operator}`);
    if (typeof bound !== 'number') throw new InvalidPattern(`Value of ${operator} must be numeric`);
    comparisons.push((value) => compare(value, bound));
  }
  const [first, , second] = argument as string[];
  if (argument.length === 4 && !(first?.startsWith('>') && second?.startsWith('<'))) {
    throw new InvalidPattern(`Bad numeric range operator: ${second}`);
  }
  return (value) => typeof value === 'number' && comparisons.every((holds) => holds(value));
}

function cidr(argument: unknown): Condition {
  const [address = '', mask, ...more] = needString(argument, 'prefix match pattern must be a string').split('/');
  if (mask === undefined || more.length > 0) throw new InvalidPattern("Malformed CIDR, one '/' required");
  const version = isIP(address);
  if (version === 0) throw new InvalidPattern(`Nonstandard IP address: ${address}`);
  if (!/^\d+$/.test(mask)) throw new InvalidPattern('Malformed CIDR, mask bits must be an integer');
  if (Number(mask) > (version === 4 ? 32 : 128)) throw new InvalidPattern('Malformed CIDR, mask bits out of range');
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const block = new BlockList();
  block.addSubnet(address, Number(mask), family);
  return onStrings((value) => isIP(value) === version && block.check(value, family));
}

function anythingBut(argument: unknown): Condition {
  const rejected = Array.isArray(argument) ? argument : [argument];
  const [only] = rejected;
  if (!Array.isArray(argument) && typeof only === 'object' && only !== null) return anythingButMatching(only);
  if (!Array.isArray(argument) && typeof only !== 'string' && typeof only !== 'number') {
    throw new InvalidPattern('Value of anything-but must be an array or single string/number value.');
  }
  const types = new Set(rejected.map((each) => typeof each));
  if (rejected.length === 0) throw new InvalidPattern('Empty arrays are not allowed');
  if (!rejected.every((each) => typeof each === 'string' || typeof each === 'number')) {
    throw new InvalidPattern('Inside anything but list, start|null|boolean is not supported.');
  }
  if (types.size > 1) {
    throw new InvalidPattern(
      'Inside anything but list, either all values are number or string, mixed type is not supported',
    );
  }
  return (value) => !rejected.some((each) => each === value);
}

/** `{prefix: …}`, `{suffix: …}`, `{equals-ignore-case: …}` or `{wildcard: …}`, of one or more texts. */
function anythingButMatching(argument: object): Condition {
  const [entry, ...more] = Object.entries(argument) as [string, unknown][];
  if (!entry || more.length > 0) throw new InvalidPattern('Only one key allowed in match expression');
  const [matchType, texts] = entry;
  const list: unknown[] = Array.isArray(texts) ? texts : [texts];
  const strings = list.length > 0 && list.every((text) => typeof text === 'string');
  if (matchType === 'prefix' || matchType === 'suffix') {
    if (!strings) throw new InvalidPattern('prefix/suffix match pattern must be a string');
    if (list.includes('')) throw new InvalidPattern('Null prefix/suffix not allowed');
  } else if (matchType === 'equals-ignore-case') {
    if (!strings) {
      throw new InvalidPattern(
        'Inside anything-but/equals-ignore-case list, number|start|null|boolean is not supported.',
      );
    }
  } else if (matchType !== 'wildcard') {
    throw new InvalidPattern(`Unsupported anything-but pattern: ${matchType}`);
  }
  const rejected = list.map((text) => conditionOf(matchType, text));
  return (value) => !rejected.some((matches) => matches(value));
}

function onStrings(test: (value: string) => boolean): Condition {
  return (value) => typeof value === 'string' && test(value);
}

function needString(value: unknown, complaint: string): string {
  if (typeof value === 'string') return value;
  throw new InvalidPattern(complaint);
}
