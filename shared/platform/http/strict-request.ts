import type { TSchema } from 'typebox';

type Schema = Record<string, unknown>;

/** Keywords whose value is one schema, a list of schemas, or schemas by name. */
const ONE = ['items', 'additionalProperties', 'contains', 'propertyNames'];
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const BY_NAME = ['properties', 'patternProperties'];

/**
 * Closes every object that declares its members, including nested ones and variants of unions: a misspelt member is an
 * issue and never silently ignored. An object with arbitrary members declares `additionalProperties: true`, or is a
 * `Type.Record`.
 */
export function strictRequest<S extends TSchema | undefined>(schema: S): S {
  return (schema && close(schema as Schema)) as S;
}

function close(schema: Schema): Schema {
  const closed: Schema = { ...schema };
  for (const name of ONE) if (isSchema(schema[name])) closed[name] = close(schema[name]);
  for (const name of LISTS) {
    const list = schema[name];
    if (Array.isArray(list)) closed[name] = list.map((each) => (isSchema(each) ? close(each) : each));
  }
  for (const name of BY_NAME) if (isSchema(schema[name])) closed[name] = closeEach(schema[name]);
  if (isSchema(schema.properties) && schema.additionalProperties === undefined && !schema.patternProperties) {
    closed.additionalProperties = false;
  }
  return closed;
}

function closeEach(schemas: Schema): Schema {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, isSchema(schema) ? close(schema) : schema]),
  );
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
