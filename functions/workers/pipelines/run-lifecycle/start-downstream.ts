import {
  forgetUpstreamEnd,
  postponeUpstreamEnd,
  type RunContext,
  type UpstreamEnd,
} from '../../../../shared/domains/pipelines/index.ts';
import { startByTrigger } from './start-by-trigger.ts';

/** Reasons that pass: the upstream's end waits for them and is not lost. */
const PASSING = ['RUN_OVERLAP', 'QUEUE_FULL', 'RATE_LIMITED'];

/** Starts the run that an upstream pipeline's end has earned, once; while the pipeline is busy, a later tick does it. */
export async function startDownstream(context: RunContext, end: UpstreamEnd): Promise<void> {
  const { workspaceId, pipelineId, upstreamRunId, upstreamAttempt, endedAt } = end;
  const { reason } = await startByTrigger(context, {
    workspaceId,
    pipelineId,
    kind: 'pipeline',
    occasion: `pipeline#${upstreamRunId}#${upstreamAttempt}`,
    upstreamRunId,
    at: endedAt,
  });
  if (reason && PASSING.includes(reason)) await postponeUpstreamEnd(context.table, end, context.now());
  else await forgetUpstreamEnd(context.table, end);
}
