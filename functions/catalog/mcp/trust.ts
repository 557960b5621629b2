import { OperationFailed, type OperationRequest, type Operations } from '../common/operations.ts';

/** Kinds of objects that answers come from, by the names that the catalog has for them. */
export type SourceType = 'model' | 'metric' | 'saved-query' | 'dashboard';

/** Tools write types with underscores, as the search does, and take each other's. */
export const toolType = (type: string): string => type.replaceAll('-', '_');
export const catalogType = (type: string): string => type.replaceAll('_', '-');

const SHOWN = ['name', 'status', 'isCertified', 'certifiedBy', 'note', 'expiresAt', 'replacedBy', 'removeAfter'];

/**
 * The reply of an operation on an object, with the certification of the object: null if the caller may not read it, as
 * with keys that are limited to objects. Throws the errors of the operation.
 */
export async function readWithSource(
  operations: Operations,
  { type, id }: { type: SourceType; id: string },
  request: OperationRequest,
) {
  const path = `/api/catalog/certifications/${type}/${id}`;
  const [reply, certification] = await Promise.all([
    operations.read(request),
    operations.read({ group: 'catalog', method: 'GET', path }).then((state) => pick(state, SHOWN), nullIfRefused),
  ]);
  return { reply, source: { type: toolType(type), id, certification } };
}

function nullIfRefused(error: unknown): null {
  if (error instanceof OperationFailed) return null;
  throw error;
}

/** The members with the names, as far as the record has them. */
export const pick = (record: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.filter((name) => record[name] !== undefined).map((name) => [name, record[name]]));
