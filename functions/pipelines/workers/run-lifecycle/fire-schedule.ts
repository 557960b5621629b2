import { nextRunAt, pipelineRepository, type RunContext } from '../../../../shared/domains/pipelines/store/index.ts';
import { startByTrigger } from './start-by-trigger.ts';

interface Due {
  workspaceId: string;
  pipelineId: string;
  scheduledAt: string;
}

/** Queues round delays to seconds. */
const EARLY_TOLERANCE_MS = 1_000;

/**
 * Starts the run of a due instant once, however often the message is delivered, unless the schedule has changed. A
 * message from a clock that is ahead waits: the data of the run may not exist before its time.
 */
export async function fireSchedule(context: RunContext, due: Due, report: (outcome: string) => void): Promise<void> {
  const { workspaceId, pipelineId, scheduledAt } = due;
  const pipeline = await pipelineRepository(context.table).get(workspaceId, pipelineId);
  const instant = Date.parse(scheduledAt);
  const planned = pipeline && nextRunAt(pipeline, new Date(instant - 1));
  if (planned?.getTime() !== instant) return report('NOT_PLANNED');
  const earlyMs = instant - context.now().getTime();
  if (earlyMs > EARLY_TOLERANCE_MS) {
    await context.queue.send([{ message: { ...due, kind: 'fire-schedule' }, delaySeconds: earlyMs / 1000 }]);
    return report('TOO_EARLY');
  }
  const { runId, reason } = await startByTrigger(context, {
    ...due,
    kind: 'schedule',
    occasion: `schedule#${scheduledAt}`,
  });
  report(runId ?? reason!);
}
