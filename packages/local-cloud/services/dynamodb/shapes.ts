import { AwsError, unsupported } from '../../core/aws-error.ts';
import { isObject } from '../../core/json.ts';
import { invalid } from './errors.ts';

/**
 * Shapes of requests: types, limits and enumerations as in AWS's model of the service. Unknown members are rejected.
 */
export type Shape =
  | { type: 'string'; min?: number; max?: number; pattern?: RegExp; values?: readonly string[] }
  | { type: 'integer'; min?: number; max?: number }
  | { type: 'boolean' }
  | { type: 'blob' }
  | { type: 'list'; of: Shape; min?: number; max?: number }
  | { type: 'map'; of: Shape; min?: number; max?: number }
  | { type: 'structure'; members: Members }
  | { type: 'value' };

type ShapeOf<T extends Shape['type']> = Extract<Shape, { type: T }>;

/** `required` members must be present; `legacy` ones belong to the API before expressions and are rejected by name. */
export type Member = { shape: Shape; required?: boolean } | 'legacy';
export type Members = Record<string, Member>;

const MAX_VIOLATIONS = 10;

/**
 * Checks a whole request. Throws `SerializationException`, `UnsupportedOperationException` or `ValidationException`.
 */
export function checkRequest(operation: string, members: Members, input: unknown): void {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw serialization('Start of structure or map found where not expected');
  }
  const check = new Check(operation);
  check.structure('', members, input as Record<string, unknown>);
  check.throwViolations();
}

class Check {
  readonly #operation: string;
  readonly #violations: string[] = [];

  constructor(operation: string) {
    this.#operation = operation;
  }

  structure(path: string, members: Members, input: Record<string, unknown>): void {
    for (const name in input) {
      if (input[name] === null || input[name] === undefined) delete input[name];
      else this.#checkSupported(path, members, name);
    }
    for (const name in members) {
      const member = members[name] as Exclude<Member, 'legacy'>;
      if (input[name] === undefined) {
        if (member.required) this.#violation(undefined, join(path, name), 'Member must not be null');
      } else if (typeof member !== 'string') {
        this.#value(join(path, name), member.shape, input[name]);
      }
    }
  }

  throwViolations(): void {
    const count = this.#violations.length;
    if (count === 0) return;
    throw invalid(`${count} validation error${count > 1 ? 's' : ''} detected: ${this.#violations.join('; ')}`);
  }

  #checkSupported(path: string, members: Members, name: string): void {
    const member = Object.hasOwn(members, name) ? members[name] : undefined;
    if (member === 'legacy') throw unsupported('dynamodb', `the legacy parameter ${name} of ${this.#operation}`);
    if (!member) throw unsupported('dynamodb', `the parameter ${path ? `${path}.` : ''}${name} of ${this.#operation}`);
  }

  #value(path: string, shape: Shape, value: unknown): void {
    switch (shape.type) {
      case 'string':
        this.#string(path, shape, value);
        break;
      case 'integer':
        this.#integer(path, shape, value);
        break;
      case 'boolean':
        checkBoolean(value);
        break;
      case 'blob':
        checkBlob(value);
        break;
      case 'list':
        this.#list(path, shape, value);
        break;
      case 'map':
        this.#map(path, shape, value);
        break;
      case 'structure':
        if (!isObject(value)) throw serialization('Unexpected field type');
        this.structure(path, shape.members, value);
        break;
      case 'value':
        checkAttributeValue(value);
        break;
    }
  }

  #string(path: string, shape: ShapeOf<'string'>, value: unknown): void {
    checkString(value);
    this.#length(path, shape, value.length, value);
    if (shape.pattern && !shape.pattern.test(value)) {
      const source = shape.pattern.source.slice(1, -1);
      this.#violation(value, path, `Member must satisfy regular expression pattern: ${source}`);
    }
    if (shape.values && !shape.values.includes(value)) {
      this.#violation(value, path, `Member must satisfy enum value set: [${shape.values.join(', ')}]`);
    }
  }

  #integer(path: string, { min, max }: ShapeOf<'integer'>, value: unknown): void {
    if (typeof value !== 'number') throw serialization(`${received(value)} cannot be converted to Integer`);
    if (min !== undefined && value < min) {
      this.#violation(value, path, `Member must have value greater than or equal to ${min}`);
    }
    if (max !== undefined && value > max) {
      this.#violation(value, path, `Member must have value less than or equal to ${max}`);
    }
  }

  #list(path: string, shape: ShapeOf<'list'>, value: unknown): void {
    if (!Array.isArray(value)) throw serialization('Unexpected field type');
    this.#length(path, shape, value.length, value);
    for (const [index, element] of value.entries()) this.#value(`${path}.${index + 1}.member`, shape.of, element);
  }

  #map(path: string, shape: ShapeOf<'map'>, value: unknown): void {
    if (!isObject(value)) throw serialization('Unexpected field type');
    this.#length(path, shape, Object.keys(value).length, value);
    for (const key in value) this.#value(`${path}.${key}.member`, shape.of, value[key]);
  }

  #length(path: string, { min, max }: { min?: number; max?: number }, length: number, value: unknown): void {
    if (min !== undefined && length < min) {
      this.#violation(value, path, `Member must have length greater than or equal to ${min}`);
    }
    if (max !== undefined && length > max) {
      this.#violation(value, path, `Member must have length less than or equal to ${max}`);
    }
  }

  #violation(value: unknown, path: string, constraint: string): void {
    if (this.#violations.length >= MAX_VIOLATIONS) return;
    const shown = value === undefined ? 'null' : `'${text(value)}'`;
    this.#violations.push(`Value ${shown} at '${path}' failed to satisfy constraint: ${constraint}`);
  }
}

const attributeTypes: Record<string, (value: unknown) => void> = {
  S: checkString,
  N: checkString,
  B: checkBlob,
  BOOL: checkBoolean,
  NULL: checkBoolean,
  SS: (value) => checkArray(value, checkString),
  NS: (value) => checkArray(value, checkString),
  BS: (value) => checkArray(value, checkBlob),
  L: (value) => checkArray(value, checkAttributeValue),
  M: (value) => {
    if (!isObject(value)) throw serialization('Unexpected field type');
    for (const name in value) checkAttributeValue(value[name]);
  },
};

/** Checks the form of an attribute value; `normaliseValue` checks its content. */
function checkAttributeValue(value: unknown): void {
  if (!isObject(value)) throw serialization('Unexpected value type in payload');
  for (const type in value) {
    const check = Object.hasOwn(attributeTypes, type) ? attributeTypes[type] : undefined;
    if (check && value[type] !== null) check(value[type]);
    else delete value[type];
  }
}

function checkString(value: unknown): asserts value is string {
  if (typeof value !== 'string') throw serialization(`${received(value)} cannot be converted to String`);
}

function checkBoolean(value: unknown): void {
  if (typeof value !== 'boolean') throw serialization(`${received(value)} cannot be converted to Boolean`);
}

function checkBlob(value: unknown): void {
  if (typeof value !== 'string') throw serialization('only base-64-encoded strings are convertible to bytes');
  if (value.length % 4 !== 0) {
    throw serialization(`Base64 encoded length is expected a multiple of 4 bytes but found: ${value.length}`);
  }
  if (Buffer.from(value, 'base64').toString('base64') !== value) {
    throw serialization('Invalid last non-pad Base64 character dectected');
  }
}

function checkArray(value: unknown, check: (element: unknown) => void): void {
  if (!Array.isArray(value)) throw serialization('Unexpected field type');
  for (const element of value) check(element);
}

function serialization(message: string): AwsError {
  return new AwsError('SerializationException', message);
}

function received(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'TRUE_VALUE' : 'FALSE_VALUE';
  if (typeof value === 'number') return Number.isInteger(value) ? 'NUMBER_VALUE' : 'DECIMAL_VALUE';
  return typeof value === 'string' ? 'STRING_VALUE' : 'START_OBJECT_VALUE';
}

function text(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(text).join(', ')}]`;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function join(path: string, name: string): string {
  const lowered = name.charAt(0).toLowerCase() + name.slice(1);
  return path ? `${path}.${lowered}` : lowered;
}
