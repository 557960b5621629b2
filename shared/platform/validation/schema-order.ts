import type { TSchema } from 'typebox';

interface Node {
  properties?: Record<string, Node>;
  items?: Node;
  anyOf?: Node[];
}

/**
 * The value with its members in the order of the schema, and those that the schema does not list in the order of their
 * names: stored objects have no order.
 */
export const inSchemaOrder = <T>(schema: TSchema, value: T): T => ordered(schema as Node, value) as T;

function ordered(schema: Node, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => ordered(variantOf(schema.items ?? {}, item), item));
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Record<string, unknown>;
  const { properties } = variantOf(schema, value);
  const names = properties ? Object.keys(properties) : Object.keys(members).sort();
  return Object.fromEntries(
    names.flatMap((name) =>
      members[name] === undefined
        ? []
        : [[name, ordered(variantOf(properties?.[name] ?? {}, members[name]), members[name])]],
    ),
  );
}

/** The only alternative that fits an object or a list; an empty schema if several fit. */
function variantOf(schema: Node, value: unknown): Node {
  if (!schema.anyOf) return schema;
  const fitting = schema.anyOf.filter(({ properties, items }) => (Array.isArray(value) ? items : properties));
  return fitting.length === 1 ? fitting[0]! : {};
}
