import { AppError } from '../../../shared/errors/app-error.ts';
import type { ErrorCode } from '../../../shared/errors/catalogue.ts';
import { createRun } from '../../../shared/pipelines/create-run.ts';
import { nextRunAt, pipelineRepository } from '../../../shared/pipelines/pipeline-store.ts';
import type { RunContext } from '../../../shared/pipelines/run-store.ts';
import { newId } from '../../../shared/storage/ids.ts';

interface Due {
  workspaceId: string;
  pipelineId: string;
  scheduledAt: string;
}

/** Refusals that another try would meet again: the instant is passed over. */
const PASSED_OVER: readonly ErrorCode[] = [
  'RUN_OVERLAP',
  'QUEUE_FULL',
  'RATE_LIMITED',
  'ALLOWANCE_EXHAUSTED',
  'PIPELINE_PAUSED',
  'PIPELINE_NOT_FOUND',
  'RUN_PARAMETERS_INVALID',
];

/** Starts the run of a due instant, once however often the message comes, unless the schedule has changed since. */
export async function fireSchedule(context: RunContext, due: Due, report: (outcome: string) => void): Promise<void> {
  const { workspaceId, pipelineId, scheduledAt } = due;
  const pipeline = await pipelineRepository(context.table).get(workspaceId, pipelineId);
  const instant = Date.parse(scheduledAt);
  const planned = pipeline && nextRunAt(pipeline, new Date(instant - 1));
  if (planned?.getTime() !== instant) return report('NOT_PLANNED');
  try {
    const run = await createRun(context, {
      workspaceId,
      pipelineId,
      runId: newId(context.now()),
      trigger: { kind: 'schedule', scheduledAt, upstreamRunId: null, actor: null },
      parameters: {},
      logicalDate: scheduledAt,
      occasion: `schedule#${scheduledAt}`,
    });
    report(run.id);
  } catch (error) {
    if (!(error instanceof AppError) || !PASSED_OVER.includes(error.code)) throw error;
    report(error.code);
  }
}
