import { cancelBackfill as cancel } from '../../../../shared/domains/pipelines/backfills/index.ts';
import type { RunContext } from '../../../../shared/domains/pipelines/store/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { daysOfBackfill } from '../days-of-backfill.ts';
import type { PipelineRepository } from '../repository.ts';
import type { CancelledBackfill } from '../schemas.ts';

/** A request has 29 s; the minute tick cancels the remaining days. */
const CANCEL_MS = 15_000;

/** Cancels the pipeline's backfill and returns the status of each day. */
export async function cancelBackfill(
  deps: { pipelines: PipelineRepository; runs: RunContext },
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<CancelledBackfill> {
  if (!(await deps.pipelines.get(workspaceId, id))) throw new AppError('PIPELINE_NOT_FOUND');
  const until = new Date(deps.runs.now().getTime() + CANCEL_MS);
  const backfill = await cancel(deps.runs, { workspaceId, pipelineId: id }, until);
  return {
    backfillId: backfill.id,
    from: backfill.days[0]!.date,
    to: backfill.days.at(-1)!.date,
    runs: await daysOfBackfill(deps.runs, backfill),
  };
}
