import type { DefinitionRecord, ObjectKind } from '../../../../shared/domains/catalog/definitions/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { OperationFailed } from '../../common/operations.ts';
import { type FileContent, fileOf } from '../files/file-content.ts';
import type { Names } from '../files/names.ts';
import type { DefinitionKind } from '../kinds/kind.ts';
import { PLACES } from '../kinds/places.ts';
import type { ApiObject, Context } from './context.ts';
import { isSeries, readSeries, seriesOf } from './versions.ts';

const PAGE = 200;

/** All objects of a kind that the caller may list; none if the caller may not list them. */
export async function listObjects({ operations }: Context, kind: ObjectKind): Promise<ApiObject[]> {
  const { group, path } = PLACES[kind];
  const page = async (offset: number): Promise<{ items: ApiObject[]; total: number; limit: number }> =>
    operations.read({ group, method: 'GET', path, query: { limit: PAGE, offset } });
  try {
    const first = await page(0);
    // A page of large records has fewer of them, and says so.
    const size = first.limit;
    const offsets = Array.from({ length: Math.ceil(Math.max(first.total - size, 0) / size) }, (_, i) => (i + 1) * size);
    const others = await Promise.all(offsets.map(page));
    const listed = [first, ...others].flatMap((each) => each.items);
    const items = isSeries(PLACES[kind]) ? listed.map(seriesOf) : listed;
    return [...new Map(items.map((each) => [each.id, each])).values()];
  } catch (error) {
    if (error instanceof OperationFailed && error.problem.status === 403) return [];
    throw asProblem(error);
  }
}

/** The object as the caller may see it; undefined if there is none. */
export async function readObject(context: Context, kind: ObjectKind, id: string): Promise<ApiObject | undefined> {
  const place = PLACES[kind];
  const { group, path } = place;
  try {
    const object = isSeries(place)
      ? await readSeries(context, place, id)
      : await context.operations.read({ group, method: 'GET', path: `${path}/${id}` });
    // One that can be restored is deleted.
    return (object.deletedAt ?? null) === null ? object : undefined;
  } catch (error) {
    if (error instanceof OperationFailed && error.problem.status === 404) return undefined;
    throw asProblem(error);
  }
}

/** The object with the variables that its file has in place of secrets, which no operation returns. */
export function withVariables(
  kind: DefinitionKind,
  { object, record }: { object: ApiObject; record: DefinitionRecord | undefined },
  key: string,
): ApiObject {
  if (!kind.variablesOf) return object;
  const isOwn = record?.objectId === object.id;
  return { ...object, secrets: isOwn ? (record.secrets ?? {}) : kind.variablesOf(object, key) };
}

/** What a file says about an object, and the revision that has this content. */
export async function readContent(
  { operations }: Context,
  kind: DefinitionKind,
  object: ApiObject,
  names: Names,
): Promise<FileContent & { revision: number }> {
  const { content, beside } = kind;
  if (!content && !beside) return { ...(await fileOf(kind, object, names)), revision: object.revision };
  try {
    if (!content) {
      const more = await beside!.read(operations, object, names);
      return { ...(await fileOf(kind, { ...object, ...more }, names)), revision: object.revision };
    }
    const { members, revision } = await content.read(operations, object);
    return { ...(await fileOf(kind, members, names)), revision };
  } catch (error) {
    if (error instanceof OperationFailed && error.problem.status === 404) throw new AppError('DEFINITION_NOT_FOUND');
    throw asProblem(error);
  }
}

/** What an operation has replied, for a caller who asked for a definition. Other errors stay what they are. */
export function asProblem(error: unknown): unknown {
  if (!(error instanceof OperationFailed)) return error;
  const { code, status, detail } = error.problem;
  if (status === 401) return new AppError('UNAUTHENTICATED', { cause: error });
  if (status === 403) return new AppError('FORBIDDEN', { detail, cause: error });
  if (status === 429 || status === 503) {
    return new AppError('SERVICE_BUSY', { cause: error, retryAfterSeconds: error.retryAfterSeconds ?? 2 });
  }
  // The record has changed since it was read.
  if (code === 'PRECONDITION_FAILED' || code === 'STALE_WRITE') return new AppError('STALE_WRITE', { cause: error });
  return error;
}
