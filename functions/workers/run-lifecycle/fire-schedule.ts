import { nextRunAt, pipelineRepository } from '../../../shared/pipelines/pipeline-store.ts';
import type { RunContext } from '../../../shared/pipelines/run-store.ts';
import { startByTrigger } from './start-by-trigger.ts';

interface Due {
  workspaceId: string;
  pipelineId: string;
  scheduledAt: string;
}

/** Starts the run of a due instant, once however often the message comes, unless the schedule has changed since. */
export async function fireSchedule(context: RunContext, due: Due, report: (outcome: string) => void): Promise<void> {
  const { workspaceId, pipelineId, scheduledAt } = due;
  const pipeline = await pipelineRepository(context.table).get(workspaceId, pipelineId);
  const instant = Date.parse(scheduledAt);
  const planned = pipeline && nextRunAt(pipeline, new Date(instant - 1));
  if (planned?.getTime() !== instant) return report('NOT_PLANNED');
  const { runId, reason } = await startByTrigger(context, {
    ...due,
    kind: 'schedule',
    occasion: `schedule#${scheduledAt}`,
  });
  report(runId ?? reason!);
}
