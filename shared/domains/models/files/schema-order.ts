import type { TSchema } from 'typebox';

interface Node {
  properties?: Record<string, Node>;
  items?: Node;
}

/** The value with its members in the order of the schema: stored objects have no order. */
export const inSchemaOrder = <T>(schema: TSchema, value: T): T => ordered(schema as Node, value) as T;

function ordered(schema: Node, value: unknown): unknown {
  if (Array.isArray(value)) return schema.items ? value.map((item) => ordered(schema.items!, item)) : value;
  if (!schema.properties || typeof value !== 'object' || value === null) return value;
  const members = value as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(schema.properties).flatMap(([name, member]) =>
      members[name] === undefined ? [] : [[name, ordered(member, members[name])]],
    ),
  );
}
