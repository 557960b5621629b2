import { invalid } from '../errors.ts';
import type { KeyAttribute, KeySchema } from '../keys.ts';
import { type AttributeValue, typeOf } from '../values.ts';
import { bindCondition, type Condition, type Operand } from './condition.ts';
import type { Placeholders } from './placeholders.ts';
import type { Comparator } from './syntax.ts';

/** The part of one partition that a query reads. */
export interface KeyCondition {
  hash: AttributeValue;
  range?:
    | { kind: '=' | '<' | '<=' | '>' | '>=' | 'begins_with'; value: AttributeValue }
    | { kind: 'between'; low: AttributeValue; high: AttributeValue };
}

/** A condition on one key attribute. */
interface Part {
  name: string;
  kind: Comparator | 'begins_with' | 'between';
  values: AttributeValue[];
}

const mirrored: Record<Comparator, Comparator> = { '=': '=', '<>': '<>', '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

/** Compiles a `KeyConditionExpression` for a table or index with the key `schema`. Throws `ValidationException`. */
export function bindKeyCondition(text: string, placeholders: Placeholders): Map<string, Part> {
  const parts = new Map<string, Part>();
  collect(bindCondition(text, 'KeyConditionExpression', placeholders), parts);
  if (parts.size > 2) throw invalid('Conditions can be of length 1 or 2 only');
  return parts;
}

/** Assigns the conditions to the parts of the key. */
export function fitKeyCondition(parts: Map<string, Part>, schema: KeySchema): KeyCondition {
  const hash = parts.get(schema.hash.name);
  if (!hash) throw invalid(`Query condition missed key schema element: ${schema.hash.name}`);
  if (hash.kind !== '=') throw invalid('Query key condition not supported');
  checkTypes(hash, schema.hash);
  const condition: KeyCondition = { hash: hash.values[0] as AttributeValue };
  if (parts.size === 1) return condition;
  if (!schema.range) throw invalid('Query key condition not supported');
  const range = parts.get(schema.range.name);
  if (!range) throw invalid(`Query condition missed key schema element: ${schema.range.name}`);
  checkTypes(range, schema.range);
  const [first, second] = range.values as [AttributeValue, AttributeValue];
  if (range.kind === 'between') condition.range = { kind: 'between', low: first, high: second };
  else if (range.kind !== '<>') condition.range = { kind: range.kind, value: first };
  return condition;
}

function collect(condition: Condition, parts: Map<string, Part>): void {
  switch (condition.kind) {
    case 'and':
      collect(condition.left, parts);
      collect(condition.right, parts);
      return;
    case 'compare': {
      if (condition.comparator === '<>') throw wrongOperator('<>');
      const { left, right, comparator } = condition;
      if (left.kind === 'path') add(parts, left, comparator, [right]);
      else if (right.kind === 'path') add(parts, right, mirrored[comparator], [left]);
      else throw noKey(left, right);
      return;
    }
    case 'between':
      if (condition.operand.kind !== 'path') {
        throw invalid(
          'Invalid condition in KeyConditionExpression: BETWEEN operator must have the key attribute as its first operand',
        );
      }
      add(parts, condition.operand, 'between', [condition.low, condition.high]);
      return;
    case 'begins_with':
      if (condition.operand.kind !== 'path') {
        throw invalid(
          'Invalid condition in KeyConditionExpression: begins_with operator must have the key attribute as its first operand',
        );
      }
      add(parts, condition.operand, 'begins_with', [condition.search]);
      return;
    case 'exists':
      throw wrongOperator(condition.expected ? 'attribute_exists' : 'attribute_not_exists');
    case 'or':
    case 'not':
    case 'in':
      throw wrongOperator(condition.kind.toUpperCase());
    default:
      throw wrongOperator(condition.kind);
  }
}

function add(
  parts: Map<string, Part>,
  { path }: Extract<Operand, { kind: 'path' }>,
  kind: Part['kind'],
  operands: Operand[],
): void {
  const values = operands.map((operand) => {
    if (operand.kind === 'value') return operand.value;
    if (operand.kind === 'size') throw invalid('KeyConditionExpressions cannot contain nested operations');
    throw invalid('Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition');
  });
  if (path.length > 1)
    throw invalid(
      'Invalid KeyConditionExpression: KeyConditionExpressions cannot have conditions on nested attributes',
    );
  const name = path[0] as string;
  if (parts.has(name)) throw invalid('KeyConditionExpressions must only contain one condition per key');
  parts.set(name, { name, kind, values });
}

function checkTypes(part: Part, key: KeyAttribute): void {
  for (const value of part.values) {
    if (typeOf(value) !== key.type) {
      throw invalid('One or more parameter values were invalid: Condition parameter type does not match schema type');
    }
    if (value.S === '' || value.B === '') {
      if (part.kind === 'begins_with') continue;
      const kind = value.S === '' ? 'string' : 'binary';
      throw invalid(
        `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty ${kind} value. Key: ${key.name}`,
      );
    }
  }
}

function wrongOperator(operator: string): Error {
  return invalid(`Invalid operator used in KeyConditionExpression: ${operator}`);
}

function noKey(...operands: Operand[]): Error {
  if (operands.some(({ kind }) => kind === 'size')) {
    return invalid('KeyConditionExpressions cannot contain nested operations');
  }
  return invalid('Invalid condition in KeyConditionExpression: No key attribute specified');
}
