import { runsOf, type StoredBackfill } from '../../../shared/domains/pipelines/backfills/index.ts';
import { type RunContext, runRepository } from '../../../shared/domains/pipelines/store/index.ts';
import type { CancelledBackfill } from './schemas.ts';

/** The run of each day of a backfill with its status, the oldest first. */
export async function daysOfBackfill(
  context: RunContext,
  backfill: StoredBackfill,
): Promise<CancelledBackfill['runs']> {
  const runs = runsOf(backfill);
  const ids = runs.map(({ id }) => id);
  const stored = await runRepository(context.table).getMany(backfill.workspaceId, ids);
  const statuses = new Map(stored.map(({ id, status }) => [id, status]));
  return runs.map(({ id, status }, index) => ({
    id,
    date: backfill.days[index]!.date,
    status: statuses.get(id) ?? status,
  }));
}
