import {
  postponeUpstreamEnd,
  type RunContext,
  removeUpstreamEnd,
  type UpstreamEnd,
} from '../../../../shared/domains/pipelines/index.ts';
import { startByTrigger } from './start-by-trigger.ts';

/** Temporary reasons: the end of the upstream run is stored and tried again. */
const TEMPORARY = ['RUN_OVERLAP', 'QUEUE_FULL', 'RATE_LIMITED'];

/** Starts the run that follows the end of an upstream run, once; while the pipeline is busy, a later tick starts it. */
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
  if (reason && TEMPORARY.includes(reason)) await postponeUpstreamEnd(context.table, end, context.now());
  else await removeUpstreamEnd(context.table, end);
}
