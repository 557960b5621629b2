import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import { OperationFailed } from '../../common/operations.ts';
import { kindOf } from '../kinds/index.ts';
import { PLACES } from '../kinds/places.ts';
import type { ApiObject, Context, Named } from './context.ts';
import { findDefinition } from './find-definition.ts';
import { keyBook } from './key-book.ts';
import { asProblem, readContent, withVariables } from './objects.ts';
import { isSeries } from './versions.ts';

/** Deletes the object by its own operation, then what was stored of its file. */
export function deleteDefinition(
  context: Context,
  named: Named & { digest?: string | undefined; withData: boolean },
): Promise<void> {
  return onNewest('STALE_WRITE', async () => {
    const book = keyBook(context);
    const { record, object } = await findDefinition(context, book, named);
    if (!object) throw new AppError('DEFINITION_NOT_FOUND');
    if (named.digest !== undefined) {
      const shown = withVariables(kindOf(named.kind), { object, record }, named.key);
      const { digest } = await readContent(context, kindOf(named.kind), shown, book);
      if (digest !== named.digest) throw new AppError('DEFINITION_DRIFTED', { members: { digest } });
    }
    if (!named.withData) await assertNoData(context, named, object);
    await remove(context, named, object);
    if (record?.objectId === object.id) await context.definitions.end(record, context.now());
  });
}

/** Throws `DEFINITION_HAS_DATA` for an object with more than its settings. */
async function assertNoData({ operations }: Context, { kind }: Named, object: ApiObject): Promise<void> {
  const data = await kindOf(kind)
    .dataOf?.(operations, object)
    .catch((error) => {
      throw asProblem(error);
    });
  if (data === undefined) return;
  throw new AppError('DEFINITION_HAS_DATA', { detail: `${data} Send \`withData=true\` to delete them too.` });
}

async function remove({ operations }: Context, { kind }: Named, { id, revision }: { id: string; revision: number }) {
  const place = PLACES[kind];
  const { group, path } = place;
  const request = isSeries(place)
    ? { path: `${path}/${id}/all` as const }
    : { path: `${path}/${id}` as const, revision };
  try {
    await operations.send({ group, method: 'DELETE', ...request });
  } catch (error) {
    if (error instanceof OperationFailed && error.problem.status === 409 && error.problem.code !== 'STALE_WRITE') {
      const { detail, code, referencedBy = [] } = error.problem;
      throw new AppError('REFERENCED', { detail, members: { referencedBy, rejectedAs: code }, cause: error });
    }
    throw asProblem(error);
  }
}
