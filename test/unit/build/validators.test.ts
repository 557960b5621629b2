import { createRequire } from 'node:module';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { compactValidators } from '../../../infra/build/compact-validators.ts';
import { validatorsModule } from '../../../infra/build/validators.ts';
import type { Route } from '../../../shared/platform/http/route.ts';

const names = Array.from({ length: 12 }, (_, index) => `member "${index}", {;}`);
const body = {
  type: 'object',
  required: ['kind'],
  additionalProperties: false,
  properties: {
    kind: { enum: ['a', 'b', 'c;d', 'e}'] },
    many: { type: 'object', additionalProperties: false, properties: Object.fromEntries(names.map((n) => [n, {}])) },
    shapes: {
      type: 'array',
      uniqueItems: true,
      items: {
        anyOf: [
          { type: 'object', required: ['x'], properties: { x: { const: 'x' }, size: { enum: [1, 2, 'b'] } } },
          { type: 'string', minLength: 2, pattern: '^[^;"}]+$' },
        ],
      },
    },
    lists: { type: 'object', patternProperties: { '^[a-z]+$': { type: 'integer', maximum: 3 } } },
    other: { enum: ['a', 'b', 'c;d', 'e}'] },
  },
} as const;
const query = { type: 'object', properties: { limit: { type: 'integer', minimum: 1, default: 50 } } } as const;

const BODIES: unknown[] = [
  { kind: 'a', many: { [names[3]!]: 1 }, shapes: ['abc', { x: 'x', size: 'b' }], lists: { a: 1 } },
  {},
  [],
  { kind: 'd', other: 'x', more: 1 },
  { kind: 'e}', many: { 'a/b~': 1, [names[0]!]: 2 }, lists: { a: 4, b: 'x', C: 'x' } },
  { kind: 'a', shapes: ['x', 'x', { x: 'y', size: 3 }, ';;', 1, {}] },
];

/** The module of validators, evaluated. */
function validatorsOf(schemas: { body: object; query: object }) {
  const code = validatorsModule([{ operationId: 'change', ...schemas } as unknown as Route]);
  const load = new Function('require', code.replace('export const validators =', 'return'));
  return load(createRequire(import.meta.url)).change as Record<'body' | 'query', Validator>;
}
type Validator = { (value: unknown): boolean; errors?: { keyword: string; instancePath: string; params: object }[] };

/** Whether the value is valid, what the validator has made of it, and every error. */
function checked(validate: Validator, given: unknown) {
  const value = structuredClone(given);
  const isValid = validate(value);
  const errors = isValid ? [] : validate.errors!;
  return {
    isValid,
    value,
    errors: errors.map(({ instancePath, keyword, params }) => ({ instancePath, keyword, params })),
  };
}

describe('generated validators', () => {
  const own = validatorsOf({ body, query });

  it.each(BODIES.map((value) => [value]))('report of %j what ajv reports', (value) => {
    const reference = new Ajv2020({ allErrors: true, strict: false }).compile(body) as Validator;
    expect(checked(own.body, value)).toEqual(checked(reference, value));
  });

  it('convert text, and report what ajv reports of it', () => {
    const ajv = new Ajv2020({ allErrors: true, strict: false, coerceTypes: true, useDefaults: true });
    const reference = ajv.compile(query) as Validator;
    for (const value of [{}, { limit: '7' }, { limit: '0' }, { limit: 'x' }])
      expect(checked(own.query, value)).toEqual(checked(reference, value));
    expect(checked(own.query, { limit: '7' }).value).toEqual({ limit: 7 });
  });

  it('include neither places in schemas nor what of a schema they do not use', () => {
    const code = validatorsModule([{ operationId: 'change', body } as unknown as Route]);
    expect(code).not.toMatch(/schemaPath|message|schema\d/);
    expect(code.split('"c;d","e}"]')).toHaveLength(2);
  });
});

describe('compactValidators', () => {
  it.each([
    ['errors', 'const err0 = {instancePath,schemaPath:"#/type"};vErrors = [err0];'],
    ['schemas', 'const schema1 = {"type":"object"};check(schema1);'],
  ])('refuses code that deals with %s in another way', (_what, code) => {
    expect(() => compactValidators(code)).toThrow('another');
  });
});
