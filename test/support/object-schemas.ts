import type { Route } from '../../shared/platform/http/route.ts';

type Schema = Record<string, unknown>;

/** An object that a request can contain, and where. */
export interface ObjectSchema {
  /** Such as `createPipeline /dag/steps/*`. */
  place: string;
  schema: Schema;
}

/** Every object of a route's body and query, those in lists and in unions too. */
export function objectSchemas(route: Route): ObjectSchema[] {
  return [
    ...collect(route.body as Schema | undefined, `${route.operationId} `),
    ...collect(route.query as Schema | undefined, `${route.operationId} ?`),
  ];
}

function collect(schema: Schema | undefined, place: string): ObjectSchema[] {
  if (!schema) return [];
  const own = 'properties' in schema || 'patternProperties' in schema || schema.additionalProperties !== undefined;
  const named = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  const variants = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) => (list ?? []) as Schema[]);
  const inner = [schema.items, ...Object.values(schema.patternProperties ?? {}), schema.additionalProperties];
  return [
    ...(own ? [{ place, schema }] : []),
    ...named.flatMap(([name, member]) => collect(member, `${place}/${name}`)),
    ...variants.flatMap((variant) => collect(variant, place)),
    ...inner.flatMap((each) => (typeof each === 'object' ? collect(each as Schema, `${place}/*`) : [])),
  ];
}
