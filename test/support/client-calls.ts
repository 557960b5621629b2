import { GROUPS } from '../../functions/api.ts';
import { openApiDocument } from '../../infra/build/openapi/document.ts';
import { clientOperations, type Operation } from '../../infra/clients/operations.ts';

export const UNKNOWN_ID = '01a22997-4f10-7cf9-9400-18c2f8d14ff7';

/** A call of an operation with values that its declaration accepts, and the codes that it may fail with. */
export interface ClientCall extends Pick<Operation, 'resource' | 'method' | 'reply'> {
  path: unknown[];
  /** Absent where the operation has none. */
  body?: unknown;
  query?: Record<string, unknown>;
  codes: string[];
}

/** They end what the others need. */
const LAST = ['auth.changePassword', 'auth.endOtherSessions', 'auth.logout', 'workspaces.delete', 'company.delete'];

/** A call of every operation of clients, with the examples of the document. */
export function callsOfEveryOperation(): ClientCall[] {
  const examples = new Map(
    GROUPS.flatMap(({ sections }) => sections).flatMap(({ examples }) =>
      [...examples].map(([route, { request }]) => [route.operationId, request] as const),
    ),
  );
  const place = ({ resource, method }: Operation) => LAST.indexOf(`${resource}.${method}`);
  return clientOperations(GROUPS, openApiDocument(GROUPS))
    .sort((one, other) => place(one) - place(other))
    .map(({ resource, method, reply, operationId, errors, pathParameters, body, query }) => ({
      ...{ resource, method, reply },
      path: pathParameters.map(({ schema }) => exampleOf(schema)),
      ...(body && { body: examples.get(operationId) ?? {} }),
      ...(query && { query: requiredOf(query) }),
      // Errors of SCIM have a shape of their own, without a code.
      codes: [...errors, 'RATE_LIMITED', ...(resource === 'scim' ? ['UNKNOWN'] : [])],
    }));
}

function exampleOf({ format, enum: values, type, const: only, anyOf }: Record<string, unknown>): unknown {
  if (only !== undefined) return only;
  if (Array.isArray(values)) return values[0];
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0]);
  if (type === 'integer') return 1;
  return format === 'uuid' ? UNKNOWN_ID : 'unknown';
}

function requiredOf({ properties, required }: Record<string, unknown>): Record<string, unknown> {
  const schemas = properties as Record<string, Record<string, unknown>>;
  return Object.fromEntries((required as string[]).map((name) => [name, exampleOf(schemas[name]!)]));
}
