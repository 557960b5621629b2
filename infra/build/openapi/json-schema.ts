export type Json = Record<string, unknown>;

const SCHEMA = new Set(['items', 'additionalProperties', 'contains', 'not', 'propertyNames']);
const SCHEMA_LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const SCHEMAS_BY_NAME = new Set(['properties', 'patternProperties']);

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Replaces each schema directly inside a JSON schema. Keywords with data, such as `enum`, are unchanged. */
export function mapInnerSchemas(schema: Json, change: (inner: Json) => unknown): Json {
  const changed = (value: unknown) => (isJson(value) ? change(value) : value);
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (SCHEMA.has(keyword)) return [keyword, changed(value)];
      if (SCHEMA_LISTS.has(keyword)) return [keyword, (value as unknown[]).map(changed)];
      if (SCHEMAS_BY_NAME.has(keyword)) {
        const named = Object.entries(value as Json).map(([name, inner]) => [name, changed(inner)]);
        return [keyword, Object.fromEntries(named)];
      }
      return [keyword, value];
    }),
  );
}

/** The schemas directly inside a schema. */
export function innerSchemas(schema: Json): Json[] {
  const found: Json[] = [];
  mapInnerSchemas(schema, (inner) => {
    found.push(inner);
    return inner;
  });
  return found;
}
