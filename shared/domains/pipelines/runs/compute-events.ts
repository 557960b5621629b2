import { idFrom } from '../../../platform/storage/ids.ts';
import type { TransactItem } from '../../../platform/storage/table.ts';
import { emit, outboxItem } from '../../events/events/index.ts';
import type { StoredRun, StoredStep } from '../store/index.ts';
import { LEASE_MS, type RunContext } from '../store/index.ts';

/** The event of a lost worker; part of the transaction that ends the attempt, so it is sent once per attempt. */
export function workerLostItem(context: RunContext, run: StoredRun, step: StoredStep, at: Date): TransactItem {
  const { workspaceId, id: runId, pipelineId, pipelineName } = run;
  const lastSeenAt = step.leaseUntil ? new Date(Date.parse(step.leaseUntil) - LEASE_MS).toISOString() : null;
  return outboxItem(context.table, {
    id: idFrom('compute.vm_unreachable', runId, step.index, step.attempt),
    workspaceId,
    event: 'compute.vm_unreachable',
    at,
    data: {
      workspaceId,
      runId,
      stepId: step.stepId,
      pipelineId,
      pipelineName,
      lastSeenAt,
      detectedAt: at.toISOString(),
      url: `/api/pipelines/runs/${runId}`,
    },
  });
}

/** Reports a run that has a slot but no machine, once per attempt of the run. */
export function announceStuckRun(
  context: RunContext,
  run: StoredRun,
  since: string,
  waitingRuns: number,
): Promise<void> {
  const { workspaceId, id: runId, pipelineId, pipelineName, attempt } = run;
  const at = context.now();
  return emit(context.table, {
    id: idFrom('compute.queue_stuck', runId, attempt),
    workspaceId,
    event: 'compute.queue_stuck',
    at,
    data: {
      workspaceId,
      pipelineId,
      pipelineName,
      waitingRuns,
      waitingSince: since,
      detectedAt: at.toISOString(),
      url: `/api/pipelines/runs/${runId}`,
    },
  });
}

const HOUR = 'YYYY-MM-DDTHH'.length;

/** Reports that runs or steps of a pipeline cannot start, at most once an hour. */
export function announceNoWorker(
  context: RunContext,
  run: Pick<StoredRun, 'workspaceId' | 'pipelineId' | 'pipelineName'>,
  what: { size?: string | null; error?: { code: string; message: string }; failingSince?: string } = {},
) {
  const { workspaceId, pipelineId, pipelineName } = run;
  const at = context.now();
  const detectedAt = at.toISOString();
  return emit(context.table, {
    id: idFrom('compute.provision_failing', pipelineId, detectedAt.slice(0, HOUR)),
    workspaceId,
    event: 'compute.provision_failing',
    at,
    data: {
      workspaceId,
      pipelineId,
      pipelineName,
      size: null,
      error: { code: 'WORKER_UNAVAILABLE', message: 'The state machines that run pipelines do not respond.' },
      failingSince: detectedAt,
      ...what,
      detectedAt,
      url: `/api/pipelines/${pipelineId}`,
    },
  });
}
