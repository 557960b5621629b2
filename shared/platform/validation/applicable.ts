/** A JSON schema, or a part of one. */
export type Schema = Record<string, unknown>;

/** The parts of a schema that apply to a place in a value. */
export interface Place {
  /** The schemas that apply; of a union, the variants selected by the tag or the type of the value. */
  schemas: Schema[];
  value: unknown;
  /** Unions without a variant for this type or tag. */
  unmatched: Schema[];
  /** Whether several variants of a union are possible, so that their issues are not meaningful. */
  isAmbiguous: boolean;
}

/** The schemas that apply at each place along the path of segments, starting with the whole value. */
export function placesAlong(schema: Schema, value: unknown, segments: readonly string[]): Place[] {
  const places = [selectSchemas([schema], value)];
  for (const segment of segments) {
    const { schemas, value: parent } = places.at(-1)!;
    const inner = schemas.flatMap((each) => memberSchemas(each, segment));
    places.push(selectSchemas(inner, memberOf(parent, segment)));
  }
  return places;
}

/** The member that distinguishes the variants of a union, with its possible values. */
export function tagOf(union: Schema): { name: string; values: string[] } | undefined {
  const variants = variantsOf(union) ?? [];
  const declared = (union.discriminator as { propertyName?: string } | undefined)?.propertyName;
  const names = declared === undefined ? Object.keys(propertiesOf(variants[0] ?? {})) : [declared];
  for (const name of names) {
    const values = variants.map((variant) => valuesOf(propertiesOf(variant)[name]));
    if (variants.length > 1 && values.every((each) => each.length > 0)) return { name, values: values.flat() };
  }
  return undefined;
}

export const variantsOf = (schema: Schema): Schema[] | undefined =>
  (schema.oneOf ?? schema.anyOf) as Schema[] | undefined;

/** The strings that a `const` or an `enum` allows. */
export function valuesOf(schema: Schema | undefined): string[] {
  const values = schema && 'const' in schema ? [schema.const] : ((schema?.enum ?? []) as unknown[]);
  return values.filter((value) => typeof value === 'string');
}

/** The declared members of an object. */
export const propertiesOf = (schema: Schema): Record<string, Schema> =>
  (schema.properties ?? {}) as Record<string, Schema>;

/** The type of a JSON value as JSON Schema names it. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function selectSchemas(schemas: readonly Schema[], value: unknown): Place {
  const place: Place = { schemas: [], value, unmatched: [], isAmbiguous: false };
  for (const schema of schemas) select(schema, place);
  return place;
}

function select(schema: Schema, place: Place): void {
  place.schemas.push(schema);
  for (const part of (schema.allOf ?? []) as Schema[]) select(part, place);
  const variants = variantsOf(schema);
  if (!variants) return;
  const fitting = variants.filter((variant) => fits(variant, place.value, tagOf(schema)?.name));
  if (fitting.length === 0) place.unmatched.push(schema);
  if (fitting.length > 1) place.isAmbiguous = true;
  for (const variant of fitting) select(variant, place);
}

function fits(variant: Schema, value: unknown, tag: string | undefined): boolean {
  const variants = variantsOf(variant);
  if (variants) return variants.some((each) => fits(each, value, tagOf(variant)?.name));
  if ('const' in variant) return variant.const === value;
  if (Array.isArray(variant.enum)) return variant.enum.includes(value);
  if (variant.type !== undefined && !hasType(value, variant.type)) return false;
  if (tag === undefined || typeof value !== 'object' || value === null) return true;
  return valuesOf(propertiesOf(variant)[tag]).includes((value as Record<string, unknown>)[tag] as string);
}

function hasType(value: unknown, type: unknown): boolean {
  const actual = typeOf(value);
  return [type].flat().some((each) => each === actual || (each === 'integer' && actual === 'number'));
}

/** The schemas that apply to a value of the schemas, without its members; every possible variant of a union. */
export const applicableSchemas = (schemas: readonly Schema[], value: unknown): Schema[] =>
  selectSchemas([...schemas], value).schemas;

/** The schemas of a member, or of an item by its index. */
export function memberSchemas(schema: Schema, segment: string): Schema[] {
  const isIndex = /^\d+$/.test(segment);
  const listed = (schema.prefixItems as Schema[] | undefined)?.[Number(segment)];
  if (isIndex && (listed ?? schema.items)) return [(listed ?? schema.items) as Schema];
  const properties = propertiesOf(schema);
  if (Object.hasOwn(properties, segment)) return [properties[segment]!];
  const matching = Object.entries((schema.patternProperties ?? {}) as Record<string, Schema>)
    .filter(([pattern]) => new RegExp(pattern, 'u').test(segment))
    .map(([, member]) => member);
  if (matching.length > 0) return matching;
  return typeof schema.additionalProperties === 'object' ? [schema.additionalProperties as Schema] : [];
}

function memberOf(value: unknown, segment: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return undefined;
  return (value as Record<string, unknown>)[segment];
}
