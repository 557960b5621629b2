import { innerSchemas, isJson, type Json, mapInnerSchemas } from './json-schema.ts';

/** The direction of a schema: requests or replies. */
export type Direction = 'request' | 'reply';

export interface SchemaComponents {
  /** `components.schemas`: every named schema that was referenced so far. */
  readonly schemas: Json;
  /** The schema as shown in the document; one with an `$id` becomes a component and is referenced. */
  show(schema: unknown, direction: Direction): unknown;
}

/**
 * Collects named schemas. `detailed` contains schemas, by `$id`, that replace looser ones of routes; `replies` are the
 * schemas of all replies.
 *
 * A member with a default is optional in requests but always present in replies. A schema with such a member that is
 * used in both directions becomes two components; the name of the one for requests ends in `Input`.
 */
export function schemaComponents(detailed: ReadonlyMap<string, Json>, replies: readonly unknown[]): SchemaComponents {
  const schemas: Json = {};
  const detailOf = (schema: Json): Json => detailed.get(schema.$id as string) ?? schema;
  const replied = idsIn(replies, detailOf);
  const differs = new Map<string, boolean>();
  /** Routes share the objects of their schemas, so that one is referenced many times and defined once. */
  const defined: Record<Direction, Set<Json>> = { request: new Set(), reply: new Set() };

  /** Whether requests may omit members that replies contain. */
  function isLooserInRequests(given: Json): boolean {
    const schema = detailOf(given);
    const id = schema.$id as string | undefined;
    const known = id === undefined ? undefined : differs.get(id);
    if (known !== undefined) return known;
    const found =
      requiredInRequests(schema).length < requiredOf(schema).length || innerSchemas(schema).some(isLooserInRequests);
    if (id !== undefined) differs.set(id, found);
    return found;
  }

  function show(given: unknown, direction: Direction): unknown {
    if (!isJson(given)) return given;
    const { $id, ...schema } = detailOf(given);
    if (typeof $id !== 'string') return shape(schema, direction);
    const name = direction === 'request' && replied.has($id) && isLooserInRequests(given) ? `${$id}Input` : $id;
    const reference = { $ref: `#/components/schemas/${name}` };
    if (defined[direction].has(given)) return reference;
    const shown = shape(schema, direction);
    const known = schemas[name];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(shown)) {
      throw new Error(`two different schemas are called ${name}`);
    }
    schemas[name] = shown;
    defined[direction].add(given);
    return reference;
  }

  function shape(schema: Json, direction: Direction): Json {
    const required = direction === 'request' ? requiredInRequests(schema) : requiredOf(schema);
    const { required: _required, ...rest } = schema;
    const inner = mapInnerSchemas(required.length > 0 ? { ...rest, required } : rest, (each) => show(each, direction));
    return withoutNullUnion(withNamedVariants(withOpenMembers(withDescribedDefault(inner)), schema));
  }

  return { schemas, show };
}

function idsIn(schemas: readonly unknown[], detailOf: (schema: Json) => Json): Set<string> {
  const ids = new Set<string>();
  const visit = (given: unknown): void => {
    if (!isJson(given)) return;
    const schema = detailOf(given);
    if (typeof schema.$id === 'string') {
      if (ids.has(schema.$id)) return;
      ids.add(schema.$id);
    }
    innerSchemas(schema).forEach(visit);
  };
  schemas.forEach(visit);
  return ids;
}

const requiredOf = ({ required = [] }: Json): string[] => required as string[];

function requiredInRequests(schema: Json): string[] {
  const { properties = {} } = schema as { properties?: Record<string, Json> };
  return requiredOf(schema).filter((name) => !('default' in (properties[name] ?? {})));
}

/**
 * Describes the default in words. Client generators take the keyword `default` to mean that the member is always
 * present, and would require it in requests.
 */
function withDescribedDefault(schema: Json): Json {
  if (!('default' in schema)) return schema;
  const { default: value, description, ...rest } = schema;
  const sentence = `Default: \`${JSON.stringify(value)}\`.`;
  return { ...rest, description: description === undefined ? sentence : `${description} ${sentence}` };
}

/** Members of any name as `additionalProperties`, which more tools support than `patternProperties`. */
function withOpenMembers(schema: Json): Json {
  const { patternProperties, additionalProperties, ...rest } = schema;
  const [only, ...others] = Object.entries((patternProperties ?? {}) as Json);
  if (!only || others.length > 0) return schema;
  const [pattern, members] = only;
  const isClosed = additionalProperties === false;
  return { ...rest, additionalProperties: members, ...(isClosed ? { propertyNames: { pattern } } : {}) };
}

/** Maps each value of a union's discriminator to its variant. */
function withNamedVariants(schema: Json, declared: Json): Json {
  const { discriminator, type: _type, required: _required, ...rest } = schema;
  if (!isJson(discriminator)) return schema;
  const tag = discriminator.propertyName as string;
  const variants = declared.oneOf as { properties: Record<string, { const: string }> }[];
  const mapping = variants.map(({ properties }, index) => [
    properties[tag]!.const,
    (schema.oneOf as { $ref: string }[])[index]!.$ref,
  ]);
  return { ...rest, discriminator: { propertyName: tag, mapping: Object.fromEntries(mapping) } };
}

/** Shows a union of a plain type and null as `type: [string, null]`. */
function withoutNullUnion(schema: Json): Json {
  const { anyOf, ...rest } = schema;
  const [first, second, ...others] = (anyOf ?? []) as Json[];
  if (!first || second?.type !== 'null' || others.length > 0 || typeof first.type !== 'string') return schema;
  if ('const' in first) return schema;
  const values = Array.isArray(first.enum) ? { enum: [...first.enum, null] } : {};
  return { ...first, ...values, type: [first.type, 'null'], ...rest };
}
