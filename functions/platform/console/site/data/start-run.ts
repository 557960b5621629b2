import { timeText } from '../ui/moment.ts';
import { toast } from '../ui/toast.tsx';
import { api, hasSeen, replyTo, type Types } from './client.ts';
import { knownMe } from './me.ts';
import { problemOf } from './problem.ts';
import { refreshQueries } from './query.ts';

/**
 * Starts a run and shows it. If it is the one that an earlier try has started, whose reply was lost, the page says so
 * and offers another one.
 */
export async function startRun(id: string, body: Types.RunPipeline, show: (runId: string) => void): Promise<void> {
  const { reply: run, doneAt } = await replyTo(api.pipelines.start(id, body));
  void refreshQueries(['pipelines']);
  show(run.id);
  if (doneAt === undefined) return;
  const failed = (error: unknown) => toast(problemOf(error).sentence, { isFailed: true });
  toast(`You started this run at ${timeText(doneAt)}, but the reply was lost.`, {
    action: { label: 'Start another', run: () => void startRun(id, body, show).catch(failed) },
  });
}

/**
 * The person sees a run: to start one once more is no repeat of the try that has started it. The runs of schedules and
 * of others do not tell whether that try has succeeded.
 */
export function hasSeenRun(run: Pick<Types.Run, 'pipelineId' | 'createdAt' | 'trigger'>): void {
  const { pipelineId, createdAt, trigger } = run;
  const isOwn = trigger.kind === 'manual' && trigger.actor === knownMe()?.user.id;
  if (isOwn) hasSeen(`/pipelines/${pipelineId}/run`, createdAt);
}
