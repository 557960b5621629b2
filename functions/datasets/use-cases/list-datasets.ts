import type { Dataset } from '../../../shared/domains/datasets/record.ts';
import type { DatasetRepository } from '../../../shared/domains/datasets/repository.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import type { Cursors } from '../../../shared/platform/http/cursor.ts';
import type { CursorPageOf, PageOf } from '../../../shared/platform/storage/page.ts';

/** An offset beside a cursor is refused: they name two places. Throws the codes of `Cursors.open`. */
export async function listDatasets(
  deps: { datasets: DatasetRepository; cursors: Cursors; now: () => Date },
  query: { workspaceId: string; limit: number; offset: number; cursor?: string },
): Promise<PageOf<Dataset> & CursorPageOf<Dataset>> {
  const { workspaceId, limit, offset, cursor } = query;
  const now = deps.now();
  const scope = { workspaceId, list: ['datasets'] };
  if (cursor && offset > 0) {
    throw new AppError('VALIDATION_FAILED', {
      errors: [{ pointer: '/query/offset', code: 'NOT_WITH_CURSOR', message: 'cannot be combined with a cursor' }],
    });
  }
  const place = cursor ? await deps.cursors.open(cursor, scope, now) : { after: undefined, asOf: now.toISOString() };
  if (offset > 0) return { ...(await deps.datasets.list(workspaceId, { limit, offset })), nextCursor: null };
  const { last, ...page } = await deps.datasets.listAfter(workspaceId, { limit, after: place.after });
  const nextCursor = last ? await deps.cursors.seal({ asOf: place.asOf, after: last }, scope, now) : null;
  return { ...page, limit, offset, nextCursor };
}
