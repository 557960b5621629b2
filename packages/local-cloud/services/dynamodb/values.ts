import { invalid, invalidParameter } from './errors.ts';
import { canonicalNumber, compareNumbers, numberSize } from './numbers.ts';

/** An attribute value in wire format: exactly one member, named by its type. Binary is base64 text. */
export type AttributeValue = {
  S?: string;
  N?: string;
  B?: string;
  BOOL?: boolean;
  NULL?: boolean;
  SS?: string[];
  NS?: string[];
  BS?: string[];
  L?: AttributeValue[];
  M?: Item;
};
export type Item = { [attribute: string]: AttributeValue };

export const valueTypes = ['S', 'N', 'B', 'BOOL', 'NULL', 'SS', 'NS', 'BS', 'L', 'M'] as const;
export type ValueType = (typeof valueTypes)[number];

const DEEPEST_NESTING = 32;

/** The type of a checked value. */
export function typeOf(value: AttributeValue): ValueType {
  for (const type in value) return type as ValueType;
  throw new Error('An attribute value without a type');
}

/** Checks a received value and normalises its numbers in place. Throws `ValidationException`. */
export function normaliseValue(value: AttributeValue, depth = 0): void {
  let seen = 0;
  for (const type in value) {
    seen += 1;
    if (seen > 1) {
      throw invalid(
        'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
      );
    }
    switch (type) {
      case 'S':
      case 'B':
      case 'BOOL':
        break;
      case 'N':
        value.N = canonicalNumber(value.N as string);
        break;
      case 'NULL':
        if (!value.NULL) throw invalidParameter('Null attribute value types must have the value of true');
        break;
      case 'SS':
        normaliseSet(value.SS as string[], 'SS', 'An string set  may not be empty');
        break;
      case 'NS':
        value.NS = (value.NS as string[]).map(canonicalNumber);
        normaliseSet(value.NS, 'NS', 'An number set  may not be empty');
        break;
      case 'BS':
        normaliseSet(value.BS as string[], 'BS', 'Binary sets should not be empty');
        break;
      case 'L':
        rejectDeepNesting(depth);
        for (const element of value.L as AttributeValue[]) normaliseValue(element, depth + 1);
        break;
      case 'M':
        rejectDeepNesting(depth);
        for (const name in value.M) normaliseValue(value.M[name] as AttributeValue, depth + 1);
        break;
    }
  }
  if (seen === 0) {
    throw invalid('Supplied AttributeValue is empty, must contain exactly one of the supported datatypes');
  }
}

function rejectDeepNesting(depth: number): void {
  if (depth >= DEEPEST_NESTING) throw invalid('Nesting Levels have exceeded supported limits');
}

function normaliseSet(members: string[], type: 'SS' | 'NS' | 'BS', whenEmpty: string): void {
  if (members.length === 0) throw invalidParameter(whenEmpty);
  if (new Set(members).size === members.length) return;
  if (type === 'NS') throw invalid('Input collection contains duplicates');
  const list = `[${members.join(', ')}]`;
  throw invalidParameter(
    type === 'SS'
      ? `Input collection ${list} contains duplicates.`
      : `Input collection ${list}of type BS contains duplicates.`,
  );
}

/** Size of an item, for the 400 KB limit and capacity units. */
export function itemSize(item: Item): number {
  let size = 0;
  for (const name in item) size += textSize(name) + valueSize(item[name] as AttributeValue);
  return size;
}

export function valueSize(value: AttributeValue): number {
  switch (typeOf(value)) {
    case 'S':
      return textSize(value.S as string);
    case 'N':
      return numberSize(value.N as string);
    case 'B':
      return binarySize(value.B as string);
    case 'BOOL':
    case 'NULL':
      return 1;
    case 'SS':
      return (value.SS as string[]).reduce((sum, member) => sum + textSize(member), 0);
    case 'NS':
      return (value.NS as string[]).reduce((sum, member) => sum + numberSize(member), 0);
    case 'BS':
      return (value.BS as string[]).reduce((sum, member) => sum + binarySize(member), 0);
    case 'L':
      return (value.L as AttributeValue[]).reduce((sum, element) => sum + 1 + valueSize(element), 3);
    case 'M': {
      let size = 3;
      const map = value.M as Item;
      for (const name in map) size += 1 + textSize(name) + valueSize(map[name] as AttributeValue);
      return size;
    }
  }
}

export function textSize(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

export function binarySize(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return (base64.length / 4) * 3 - padding;
}

/** A deep copy. */
export function copyValue(value: AttributeValue): AttributeValue {
  if (value.M) return { M: copyItem(value.M) };
  if (value.L) return { L: value.L.map(copyValue) };
  const type = typeOf(value);
  const content = value[type];
  return { [type]: Array.isArray(content) ? [...content] : content };
}

export function copyItem(item: Item): Item {
  const copy: Item = {};
  for (const name in item) copy[name] = copyValue(item[name] as AttributeValue);
  return copy;
}

/** Equality in DynamoDB's sense: type and content, sets without order. */
export function sameValue(a: AttributeValue, b: AttributeValue): boolean {
  const type = typeOf(a);
  if (type !== typeOf(b)) return false;
  switch (type) {
    case 'SS':
    case 'NS':
    case 'BS': {
      const [left, right] = [a[type] as string[], b[type] as string[]];
      if (left.length !== right.length) return false;
      const members = new Set(right);
      return left.every((member) => members.has(member));
    }
    case 'L': {
      const [left, right] = [a.L as AttributeValue[], b.L as AttributeValue[]];
      return (
        left.length === right.length &&
        left.every((element, index) => sameValue(element, right[index] as AttributeValue))
      );
    }
    case 'M':
      return sameItem(a.M as Item, b.M as Item);
    default:
      return a[type] === b[type];
  }
}

export function sameItem(a: Item, b: Item): boolean {
  let count = 0;
  for (const name in a) {
    if (!Object.hasOwn(b, name) || !sameValue(a[name] as AttributeValue, b[name] as AttributeValue)) return false;
    count += 1;
  }
  return count === Object.keys(b).length;
}

/** Compares two values of one scalar type; undefined for types without an order, so that every comparison is false. */
export function compareValues(a: AttributeValue, b: AttributeValue): number | undefined {
  if (a.S !== undefined && b.S !== undefined) return compareText(a.S, b.S);
  if (a.N !== undefined && b.N !== undefined) return compareNumbers(a.N, b.N);
  if (a.B !== undefined && b.B !== undefined) {
    return Buffer.compare(Buffer.from(a.B, 'base64'), Buffer.from(b.B, 'base64'));
  }
  return undefined;
}

const SURROGATE = /[\ud800-\udfff]/;

/** Strings sort by their UTF-8 bytes; code units give the same order without surrogate pairs. */
function compareText(a: string, b: string): number {
  if (a === b) return 0;
  if (SURROGATE.test(a) || SURROGATE.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : 1;
}
