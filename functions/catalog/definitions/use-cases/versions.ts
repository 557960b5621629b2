import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { OperationFailed } from '../../common/operations.ts';
import type { Members, ObjectPlace } from '../kinds/kind.ts';
import type { ApiObject, Context } from './context.ts';

/**
 * Objects whose versions have ids of their own, such as flowlets: the object is the series, with the content of the
 * newest version, and its revision is the number of that version.
 */
export const isSeries = ({ changedBy }: ObjectPlace): boolean => changedBy === 'POST';

/** The series as an object, of its newest version. */
export function seriesOf(version: Record<string, unknown>): ApiObject {
  const { id, seriesId, version: revision, createdAt, createdBy, ...content } = version;
  const series = { id: seriesId, revision, newestId: id, createdAt, updatedAt: createdAt, updatedBy: createdBy };
  return { ...content, ...series } as unknown as ApiObject;
}

/** The newest version of a series. */
export async function readSeries(
  { operations }: Pick<Context, 'operations'>,
  { group, path }: ObjectPlace,
  id: string,
): Promise<ApiObject> {
  const query = { limit: 1 };
  const { items } = await operations.read({ group, method: 'GET', path: `${path}/${id}/versions`, query });
  return seriesOf(items[0]);
}

/** The body that adds a version, if the newest one is the one that was read; a first version if none was. */
export const versionAfter = (members: Members, current: ApiObject | undefined): Members => ({
  ...members,
  expectedVersion: current?.revision ?? 0,
});

/** What an operation has stored, as the series. Throws if its name belongs to another series. */
export function storedSeries(version: Record<string, unknown>, id: string): ApiObject {
  const series = seriesOf(version);
  // An equal version of the name is returned instead of a new one.
  if (series.id !== id) throw nameTaken();
  return series;
}

/** A version was saved in between, or another series has the name. */
export async function refusalOf(error: unknown, context: Context, place: ObjectPlace, id: string): Promise<unknown> {
  if (!(error instanceof OperationFailed) || error.problem.code !== 'FLOWLET_CHANGED') return error;
  try {
    await readSeries(context, place, id);
  } catch (missing) {
    if (missing instanceof OperationFailed && missing.problem.status === 404) return nameTaken(error);
    throw missing;
  }
  return new AppError('STALE_WRITE', { cause: error });
}

/** As the operation would reject the name. */
function nameTaken(cause?: unknown): OperationFailed {
  const message = 'belongs to another flowlet; adopt that one by its key, or choose another name';
  const errors = [{ pointer: '/name', code: 'TAKEN', message }];
  const problem = { code: 'FLOWLET_CHANGED' as const, status: 409, detail: `The name ${message}.`, errors };
  const failed = new OperationFailed(problem, undefined);
  failed.cause = cause;
  return failed;
}
