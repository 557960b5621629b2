import { type AttributeValue, binarySize, compareValues, type Item, sameValue, typeOf } from '../values.ts';
import type { Condition, Operand } from './condition.ts';
import { readPath } from './paths.ts';
import type { Comparator } from './syntax.ts';

const NOTHING: Item = {};

/** Whether `condition` holds for `item`; a missing item has no attributes. */
export function holds(condition: Condition, item: Item = NOTHING): boolean {
  switch (condition.kind) {
    case 'and':
      return holds(condition.left, item) && holds(condition.right, item);
    case 'or':
      return holds(condition.left, item) || holds(condition.right, item);
    case 'not':
      return !holds(condition.condition, item);
    case 'compare':
      return compares(condition.comparator, resolve(condition.left, item), resolve(condition.right, item));
    case 'between': {
      const value = resolve(condition.operand, item);
      return (
        compares('>=', value, resolve(condition.low, item)) && compares('<=', value, resolve(condition.high, item))
      );
    }
    case 'in': {
      const value = resolve(condition.operand, item);
      return value !== undefined && condition.list.some((element) => compares('=', value, resolve(element, item)));
    }
    case 'exists':
      return (readPath(item, condition.path) !== undefined) === condition.expected;
    case 'attribute_type': {
      const value = resolve(condition.operand, item);
      return value !== undefined && typeOf(value) === condition.type;
    }
    case 'begins_with':
      return beginsWith(resolve(condition.operand, item), resolve(condition.search, item));
    case 'contains':
      return contains(resolve(condition.operand, item), resolve(condition.search, item));
  }
}

function resolve(operand: Operand, item: Item): AttributeValue | undefined {
  switch (operand.kind) {
    case 'path':
      return readPath(item, operand.path);
    case 'value':
      return operand.value;
    case 'size': {
      const value = resolve(operand.of, item);
      const size = value && lengthOf(value);
      return size === undefined ? undefined : { N: String(size) };
    }
  }
}

/**
 * The result of `size()`: UTF-16 units of a string, bytes of a binary, members of a set, list or map; undefined for
 * other types.
 */
function lengthOf(value: AttributeValue): number | undefined {
  if (value.S !== undefined) return value.S.length;
  if (value.B !== undefined) return binarySize(value.B);
  if (value.M !== undefined) return Object.keys(value.M).length;
  return (value.SS ?? value.NS ?? value.BS ?? value.L)?.length;
}

function compares(
  comparator: Comparator,
  left: AttributeValue | undefined,
  right: AttributeValue | undefined,
): boolean {
  // A missing attribute differs from everything: only `<>` holds for it.
  if (left === undefined || right === undefined) return comparator === '<>';
  if (comparator === '=') return sameValue(left, right);
  if (comparator === '<>') return !sameValue(left, right);
  const order = compareValues(left, right);
  if (order === undefined) return false;
  if (comparator === '<') return order < 0;
  if (comparator === '<=') return order <= 0;
  return comparator === '>' ? order > 0 : order >= 0;
}

function beginsWith(value: AttributeValue | undefined, prefix: AttributeValue | undefined): boolean {
  if (value?.S !== undefined && prefix?.S !== undefined) return value.S.startsWith(prefix.S);
  if (value?.B === undefined || prefix?.B === undefined) return false;
  const [bytes, start] = [Buffer.from(value.B, 'base64'), Buffer.from(prefix.B, 'base64')];
  return bytes.subarray(0, start.length).equals(start);
}

function contains(value: AttributeValue | undefined, search: AttributeValue | undefined): boolean {
  if (value === undefined || search === undefined) return false;
  if (value.L !== undefined) return value.L.some((element) => sameValue(element, search));
  if (search.S !== undefined) return value.S?.includes(search.S) ?? value.SS?.includes(search.S) ?? false;
  if (search.N !== undefined) return value.NS?.includes(search.N) ?? false;
  if (search.B === undefined) return false;
  if (value.B !== undefined) return Buffer.from(value.B, 'base64').includes(Buffer.from(search.B, 'base64'));
  return value.BS?.includes(search.B) ?? false;
}
