import {
  backfillDays,
  claimBackfill,
  createBackfillRuns,
  MAX_QUEUED,
  type StoredBackfill,
  startBackfillRuns,
} from '../../../../shared/domains/pipelines/backfills/index.ts';
import { resolveParameters } from '../../../../shared/domains/pipelines/definition/index.ts';
import { checkStart } from '../../../../shared/domains/pipelines/runs/index.ts';
import type { RunContext } from '../../../../shared/domains/pipelines/store/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { daysOfBackfill } from '../days-of-backfill.ts';
import type { PipelineRepository } from '../repository.ts';
import type { Backfill } from '../schemas.ts';

interface Deps {
  pipelines: PipelineRepository;
  runs: RunContext;
  /** Why runs cannot start; null when they can. */
  executionIssue(): Promise<string | null>;
}

interface Command {
  workspaceId: string;
  id: string;
  backfillId: string;
  actor: string;
  from: string;
  to: string;
  parameters?: Record<string, unknown>;
}

/** Creates all runs of a window; they start as slots become free. Repeating an id returns the same backfill. */
export async function startBackfill(deps: Deps, command: Command): Promise<Backfill> {
  const { workspaceId, id, backfillId } = command;
  const { runs } = deps;
  const pipeline = await deps.pipelines.get(workspaceId, id);
  if (!pipeline) throw new AppError('PIPELINE_NOT_FOUND');
  if (pipeline.status === 'paused') throw new AppError('PIPELINE_PAUSED');
  const now = runs.now();
  const days = backfillDays(command, pipeline.schedule?.timezone ?? 'UTC', now);
  const dag = await runs.dags.get(workspaceId, pipeline.dagHash);
  const { values, issues } = resolveParameters(dag.parameters ?? [], command.parameters ?? {});
  if (issues.length > 0) throw new AppError('RUN_PARAMETERS_INVALID', { errors: issues });
  await checkStart(runs.table, workspaceId, now);
  const { count } = await deps.pipelines.queuedRuns(workspaceId);
  if (count + days.length > MAX_QUEUED) {
    throw new AppError('QUEUE_FULL', {
      detail: `A workspace can have at most ${MAX_QUEUED} queued runs; ${count} are queued already.`,
      retryAfterSeconds: 60,
    });
  }
  if (await deps.executionIssue()) throw new AppError('WORKER_UNAVAILABLE');

  const backfill: StoredBackfill = {
    id: backfillId,
    workspaceId,
    pipelineId: id,
    actor: command.actor,
    days: days.map(({ date, start, end }) => ({ date, start: start.toISOString(), end: end.toISOString() })),
    parameters: values,
    pipeline,
    createdAt: now.toISOString(),
  };
  await claimBackfill(runs, backfill);
  await createBackfillRuns(runs, backfill);
  // If this fails, the minute tick starts them.
  await startBackfillRuns(runs, backfill).catch(() => undefined);
  const { from, to } = command;
  const created = await daysOfBackfill(runs, backfill);
  return { backfillId, from, to, created: created.length, skipped: [], runs: created };
}
