import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { TSchema } from 'typebox';
import * as Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { Nullable, StrictObject, StringEnum, TaggedUnion } from '../../../../shared/platform/http/schemas.ts';
import { schemaIssues } from '../../../../shared/platform/validation/schema-issues.ts';
import { shapeIssues } from '../../../../shared/platform/validation/shape-issues.ts';

const ajv = new Ajv2020({ allErrors: true, discriminator: true, strict: false });
(addFormats as unknown as (ajv: Ajv2020) => void)(ajv);

/** As requests are validated. */
function requestIssues(schema: TSchema, value: unknown) {
  const validate = ajv.compile(schema);
  return validate(value) ? [] : schemaIssues(validate.errors ?? [], schema, value);
}

const Shape = TaggedUnion('kind', [
  StrictObject({ kind: Type.Literal('circle'), radius: Type.Number() }),
  StrictObject({ kind: Type.Literal('square'), side: Type.Number() }),
]);
const Person = StrictObject({ name: Type.String(), age: Type.Optional(Type.Integer()) });

/** A schema, a value, and the issues as `pointer CODE message`. */
const TABLE: Record<string, [TSchema, unknown, string[]]> = {
  type: [Type.String(), 1, [' TYPE must be a string']],
  'type integer': [Type.Integer(), 1.5, [' TYPE must be an integer']],
  'type boolean': [Type.Boolean(), 'x', [' TYPE must be true or false']],
  'type array': [Type.Array(Type.String()), {}, [' TYPE must be an array']],
  'type object': [Person, [], [' TYPE must be an object']],
  const: [Type.Literal('x'), 'y', [' CONST must be "x"']],
  enum: [StringEnum(['generic', 'chat']), 'chart', [' ENUM must be one of "chat", "generic"; did you mean "chat"?']],
  'enum without a near one': [StringEnum(['generic', 'chat']), 'zzz', [' ENUM must be one of "generic", "chat"']],
  'format uuid': [Type.String({ format: 'uuid' }), 'x', [' FORMAT must be a valid UUID']],
  'format date-time': [
    Type.String({ format: 'date-time' }),
    'x',
    [' FORMAT must be a valid ISO 8601 timestamp such as "2026-01-31T08:15:30.000Z"'],
  ],
  pattern: [Type.String({ pattern: '^a$' }), 'b', [' PATTERN must match the pattern ^a$']],
  'pattern of a name': [Type.String({ pattern: '\\S' }), ' ', [' PATTERN must not be blank']],
  minLength: [Type.String({ minLength: 12 }), 'x', [' MIN_LENGTH must be at least 12 characters']],
  'minLength of one': [Type.String({ minLength: 1 }), '', [' MIN_LENGTH must not be empty']],
  maxLength: [Type.String({ maxLength: 2 }), 'xyz', [' MAX_LENGTH must be at most 2 characters']],
  minimum: [Type.Integer({ minimum: 1 }), 0, [' MINIMUM must be at least 1']],
  maximum: [Type.Integer({ maximum: 200 }), 201, [' MAXIMUM must be at most 200']],
  exclusiveMinimum: [Type.Number({ exclusiveMinimum: 0 }), 0, [' EXCLUSIVE_MINIMUM must be greater than 0']],
  exclusiveMaximum: [Type.Number({ exclusiveMaximum: 1 }), 1, [' EXCLUSIVE_MAXIMUM must be less than 1']],
  multipleOf: [Type.Number({ multipleOf: 5 }), 7, [' MULTIPLE_OF must be a multiple of 5']],
  minItems: [Type.Array(Type.String(), { minItems: 1 }), [], [' MIN_ITEMS must have at least 1 item']],
  maxItems: [Type.Array(Type.String(), { maxItems: 2 }), ['a', 'b', 'c'], [' MAX_ITEMS must have at most 2 items']],
  uniqueItems: [
    Type.Array(Type.String(), { uniqueItems: true }),
    ['a', 'a'],
    [' UNIQUE_ITEMS must not have the same item twice'],
  ],
  minProperties: [
    Type.Record(Type.String(), Type.Unknown(), { minProperties: 1 }),
    {},
    [' MIN_PROPERTIES must have at least 1 member'],
  ],
  maxProperties: [
    Type.Record(Type.String(), Type.Unknown(), { maxProperties: 1 }),
    { a: 1, b: 2 },
    [' MAX_PROPERTIES must have at most 1 member'],
  ],
  required: [Person, {}, ['/name REQUIRED is required']],
  additionalProperties: [
    Person,
    { name: 'x', nmae: 1, 'a/b': 2 },
    [
      '/nmae UNKNOWN_MEMBER Unknown member "nmae"; did you mean "name"?',
      '/a~1b UNKNOWN_MEMBER Unknown member "a/b"; known are "name", "age"',
    ],
  ],
  'a list inside': [Type.Array(Person), [{ name: 1 }], ['/0/name TYPE must be a string']],
  'null or another': [Nullable(Type.String()), 5, [' TYPE must be a string or null']],
  'null or an object': [Nullable(Person), { name: 1 }, ['/name TYPE must be a string']],
  'null or a word': [
    Nullable(StringEnum(['on', 'off'])),
    'offf',
    [' ENUM must be one of "off", "on"; did you mean "off"?'],
  ],
  'one of several types': [
    Type.Union([Type.String({ maxLength: 2 }), Type.Number(), Type.Boolean()]),
    'xyz',
    [' MAX_LENGTH must be at most 2 characters'],
  ],
  'literals of a union': [
    Type.Union([Type.Literal('asc'), Type.Literal('desc')]),
    'decs',
    [' ENUM must be one of "desc", "asc"; did you mean "desc"?'],
  ],
  'a variant': [
    Shape,
    { kind: 'circle', side: 1 },
    ['/radius REQUIRED is required', '/side UNKNOWN_MEMBER Unknown member "side"; known are "kind", "radius"'],
  ],
  'an unknown variant': [
    Shape,
    { kind: 'circel', radius: 1 },
    ['/kind ENUM must be one of "circle", "square"; did you mean "circle"?'],
  ],
  'no variant': [Shape, { radius: 1 }, ['/kind REQUIRED is required']],
  'variants that cannot be told apart': [
    Type.Union([StrictObject({ a: Type.String() }), StrictObject({ b: Type.String() })]),
    { c: 1 },
    [' SHAPE has none of the allowed shapes'],
  ],
};

const lines = (issues: readonly { pointer: string; code: string; message: string }[]) =>
  issues.map(({ pointer, code, message }) => `${pointer} ${code} ${message}`).sort();

describe('an issue is worded alike in requests and in definitions', () => {
  it.each(Object.entries(TABLE))('%s', (_name, [schema, value, expected]) => {
    expect(lines(requestIssues(schema, value))).toEqual([...expected].sort());
    expect(lines(shapeIssues(schema, value, ''))).toEqual([...expected].sort());
  });

  it('and all of a hundred are reported, each under its place in the request', () => {
    const Many = StrictObject(
      Object.fromEntries(Array.from({ length: 50 }, (_each, index) => [`m${index}`, Type.String()])),
    );
    expect(shapeIssues(Many, {}, '/config')).toHaveLength(50);
    expect(shapeIssues(Many, {}, '/config')[0]!.pointer).toBe('/config/m0');
    const unknown = Object.fromEntries(Array.from({ length: 5000 }, (_each, index) => [`unknown${index}`, 1]));
    expect(requestIssues(Person, unknown)).toHaveLength(100);
  });

  it('without repeating a name of any length', () => {
    const [issue] = requestIssues(Person, { name: 'x', ['n'.repeat(10_000)]: 1 });
    expect(issue!.message.length).toBeLessThan(200);
  });
});
