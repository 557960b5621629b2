import { innerSchemas, isJson, type Json } from '../build/openapi/json-schema.ts';
import type { Operation } from './operations.ts';

/** The schemas of components that clients send and receive. */
export interface UsedSchemas {
  schemas: Readonly<Record<string, Json>>;
  sent: ReadonlySet<string>;
  received: ReadonlySet<string>;
}

export function usedSchemas(operations: readonly Operation[], document: Json): UsedSchemas {
  const { schemas } = document.components as { schemas: Record<string, Json> };
  const sent = reachable(operations.flatMap(({ body, query }) => [body?.schema, query]).filter(isJson), schemas);
  const received = reachable(operations.map(({ replySchema }) => replySchema).filter(isJson), schemas);
  const used = Object.entries(schemas).filter(([name]) => sent.has(name) || received.has(name));
  return { schemas: Object.fromEntries(used), sent, received };
}

/** The names of the components that schemas use, also through others. */
function reachable(from: readonly Json[], schemas: Readonly<Record<string, Json>>): Set<string> {
  const found = new Set<string>();
  const left = [...from];
  for (let schema = left.pop(); schema; schema = left.pop()) {
    const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1)! : undefined;
    if (name !== undefined && !found.has(name)) {
      found.add(name);
      left.push(schemas[name]!);
    }
    left.push(...innerSchemas(schema));
  }
  return found;
}

/** The names of components are those of types already, but for separators. */
export const componentName = (name: string): string => name.replaceAll(/[^A-Za-z0-9_]/g, '_');
