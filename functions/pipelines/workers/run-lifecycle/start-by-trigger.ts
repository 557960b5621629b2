import {
  createRun,
  OCCASION_RETENTION_SECONDS,
  type RunRequest,
} from '../../../../shared/domains/pipelines/runs/index.ts';
import {
  type RunContext,
  recordTrigger,
  rejectionOf,
  startedWith,
  type TriggerRecord,
} from '../../../../shared/domains/pipelines/store/index.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';

export interface Start {
  workspaceId: string;
  pipelineId: string;
  kind: TriggerRecord['kind'];
  /** An occasion starts at most one run. */
  occasion: string;
  scheduledAt?: string;
  upstreamRunId?: string;
  input?: RunRequest['input'];
  claim?: RunRequest['claim'];
}

/** Starts the run of an occasion once, however often it is reported, and records the outcome. */
export async function startByTrigger(context: RunContext, start: Start): Promise<TriggerRecord> {
  const { workspaceId, pipelineId, kind, occasion, scheduledAt, upstreamRunId, input, claim } = start;
  const about = {
    at: claim?.at ?? context.now().toISOString(),
    kind,
    scheduledAt: scheduledAt ?? null,
    upstreamRunId: upstreamRunId ?? null,
  };
  const keep = async (record: TriggerRecord) => {
    await recordTrigger(context.table, { workspaceId, pipelineId, occasion }, record);
    return record;
  };
  try {
    const run = await createRun(context, {
      workspaceId,
      pipelineId,
      runId: newId(context.now()),
      trigger: { kind, scheduledAt: about.scheduledAt, upstreamRunId: about.upstreamRunId, actor: null },
      parameters: {},
      occasion: { name: occasion, retentionSeconds: OCCASION_RETENTION_SECONDS },
      ...(scheduledAt ? { logicalDate: scheduledAt } : {}),
      ...(input ? { input } : {}),
      ...(claim ? { claim } : {}),
    });
    return await keep({ ...about, ...startedWith(run.id) });
  } catch (error) {
    const rejection = rejectionOf(error);
    if (!rejection) throw error;
    return keep({ ...about, ...rejection });
  }
}
