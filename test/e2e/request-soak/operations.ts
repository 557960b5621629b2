import type { Json } from './mutations.ts';

export interface Operation {
  operationId: string;
  method: string;
  path: string;
  /** The content type of its body. */
  type: string;
  example: Json;
  schema: Json;
  /** Whether the same path can be read. */
  isReadable: boolean;
}

/** The operations that take a body. */
export const operationsOf = (document: Json): Operation[] =>
  Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).flatMap(([method, operation]) => {
      const [[type, content] = []] = Object.entries<Json>(operation.requestBody?.content ?? {});
      if (!type) return [];
      const example = content.example ?? Object.values<Json>(content.examples)[0].value;
      const { operationId } = operation;
      const isReadable = methods.get !== undefined;
      return [{ operationId, method: method.toUpperCase(), path, type, example, schema: content.schema, isReadable }];
    }),
  );

/** The members that a schema of the document declares at a place of a value. */
export function membersAt(document: Json, schema: Json, path: readonly string[]): string[] {
  let found = variants(document, schema);
  for (const name of path) {
    found = found.flatMap((each) => {
      const next = /^\d+$/.test(name) ? each.items : (each.properties?.[name] ?? each.additionalProperties);
      return typeof next === 'object' ? variants(document, next) : [];
    });
  }
  return [...new Set(found.flatMap(({ properties }) => Object.keys(properties ?? {})))];
}

/** A schema with its references and alternatives resolved. */
function variants(document: Json, schema: Json): Json[] {
  const { $ref, anyOf = [], oneOf = [], allOf = [] } = schema;
  if ($ref) return variants(document, document.components.schemas[$ref.split('/').at(-1)]);
  return [schema, ...[...anyOf, ...oneOf, ...allOf].flatMap((each) => variants(document, each))];
}
