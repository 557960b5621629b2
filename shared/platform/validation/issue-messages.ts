import { type Schema, tagOf, typeOf, valuesOf, variantsOf } from './applicable.ts';
import { listed, nearestFirst, quoteName, suggestion } from './names.ts';

/** The code and message of an issue, independent of the validator. */
export interface IssueMessage {
  code: string;
  message: string;
}

type Params = Record<string, unknown>;

/** The message for each keyword, which says how to correct the value. `value` is the received one. */
const MESSAGES: Record<string, (params: Params, value: unknown) => string> = {
  type: ({ type }) => `must be ${anyOf([type].flat().map(typeName))}`,
  const: ({ allowedValue }) => `must be ${JSON.stringify(allowedValue)}`,
  enum: ({ allowedValues }, value) => oneOf(value, allowedValues as unknown[]),
  format: ({ format }) => `must be a valid ${FORMATS[format as string] ?? format}`,
  pattern: ({ pattern }) => (pattern === '\\S' ? 'must not be blank' : `must match the pattern ${pattern}`),
  minLength: ({ limit }) => (limit === 1 ? 'must not be empty' : `must be at least ${limit} characters`),
  maxLength: ({ limit }) => `must be at most ${counted(limit, 'character')}`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  exclusiveMinimum: ({ limit }) => `must be greater than ${limit}`,
  exclusiveMaximum: ({ limit }) => `must be less than ${limit}`,
  multipleOf: ({ multipleOf }) => `must be a multiple of ${multipleOf}`,
  minItems: ({ limit }) => `must have at least ${counted(limit, 'item')}`,
  maxItems: ({ limit }) => `must have at most ${counted(limit, 'item')}`,
  uniqueItems: () => 'must not have the same item twice',
  minProperties: ({ limit }) => `must have at least ${counted(limit, 'member')}`,
  maxProperties: ({ limit }) => `must have at most ${counted(limit, 'member')}`,
};

const FORMATS: Record<string, string> = {
  uuid: 'UUID',
  date: 'date such as "2026-01-31"',
  'date-time': 'ISO 8601 timestamp such as "2026-01-31T08:15:30.000Z"',
  uri: 'URL such as "https://example.com/path"',
  email: 'email address',
};

/** Creates the message of an issue; the only place that does so. */
export function issueMessage(keyword: string, params: Params, value?: unknown): IssueMessage {
  const code = keyword.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
  return { code, message: MESSAGES[keyword]?.(params, value) ?? `does not meet the rule ${keyword}` };
}

export const REQUIRED: IssueMessage = { code: 'REQUIRED', message: 'is required' };

/** The issue of an unknown member. */
export function unknownMember(name: string, known: readonly string[]): IssueMessage {
  return { code: 'UNKNOWN_MEMBER', message: `Unknown member ${quoteName(name)}${suggestion(name, known)}` };
}

/** The issue of a tag that matches no variant of a union. */
export function unknownVariant(given: unknown, known: readonly string[]): IssueMessage {
  return { code: 'ENUM', message: oneOf(given, known) };
}

/**
 * The issue of a value that matches no variant of a union, because of its type or because it is not one of the listed
 * values.
 */
export function noVariant(union: Schema, value: unknown): IssueMessage {
  const variants = leavesOf(union);
  const values = variants.flatMap((variant) => valuesOf(variant));
  const types = [...new Set(variants.flatMap(typesOf))];
  const isListed = variants.every(
    (variant) => 'const' in variant || Array.isArray(variant.enum) || variant.type === 'null',
  );
  if (isListed && typeof value === 'string') return { code: 'ENUM', message: oneOf(value, values) };
  return { code: 'TYPE', message: `must be ${anyOf(types.map(typeName))}` };
}

/** The issue for a union whose variants cannot be distinguished by the value. */
export const NO_SHAPE: IssueMessage = { code: 'SHAPE', message: 'has none of the allowed shapes' };

function oneOf(given: unknown, known: readonly unknown[]): string {
  const words = known.filter((each) => typeof each === 'string');
  const { names, near } = nearestFirst(given, words);
  const allowed = [...names, ...known.filter((each) => typeof each !== 'string')];
  const hint = near === undefined ? '' : `; did you mean "${near}"?`;
  return `must be ${allowed.length === 1 ? '' : 'one of '}${listed(allowed)}${hint}`;
}

function leavesOf(schema: Schema): Schema[] {
  const variants = variantsOf(schema);
  return variants && !tagOf(schema) ? variants.flatMap(leavesOf) : [schema];
}

function typesOf(schema: Schema): string[] {
  if ('const' in schema) return [typeOf(schema.const)];
  return ([schema.type ?? (Array.isArray(schema.enum) ? 'string' : 'object')] as unknown[]).flat() as string[];
}

const TYPE_NAMES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
};
const typeName = (type: unknown) => TYPE_NAMES[type as string] ?? String(type);

const anyOf = (names: readonly string[]) =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

const counted = (limit: unknown, what: string) => `${limit} ${what}${limit === 1 ? '' : 's'}`;
