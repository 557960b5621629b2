import { newId } from '../../../platform/storage/ids.ts';
import type { TransactItem } from '../../../platform/storage/table.ts';
import { resolveParameters } from '../definition/index.ts';
import type { StoredPipeline, StoredRun } from '../store/index.ts';
import { pipelineRepository, type RunContext, runRepository, startLimitsOf } from '../store/index.ts';
import type { Place } from '../triggers/index.ts';
import { nextInput, readWaitingInputs } from '../triggers/index.ts';
import { type Admission, admit } from './admission.ts';
import { mayStart } from './allowance.ts';
import { newRun, OCCASION_RETENTION_SECONDS, relatedItems, STARTS_AT_ONCE } from './new-run.ts';

/** The run that gets a slot in the transaction that frees it. */
export interface HandOver {
  next: Admission;
  run: StoredRun;
  isAdmitted: boolean;
  items: TransactItem[];
}

/**
 * The run of the pipeline's oldest waiting input, if a slot is free for it or it is the next in the queue. Undefined
 * also while the pipeline accepts no start: what becomes of the input then is decided where inputs arrive.
 */
export async function handOver(context: RunContext, place: Place, freed: Admission): Promise<HandOver | undefined> {
  const { table } = context;
  if (freed.closed) return undefined;
  const waiting = await readWaitingInputs(table, place);
  if (!waiting) return undefined;
  const pipeline = await pipelineRepository(table).get(place.workspaceId, place.pipelineId);
  if (pipeline?.status !== 'active') return undefined;
  const dag = await context.dags.get(place.workspaceId, pipeline.dagHash);
  const now = context.now();
  const input = nextInput(table, place, waiting, dag, now);
  const { values, issues } = resolveParameters(dag.parameters ?? [], {});
  if (!input || issues.length > 0 || !(await mayStart(table, place.workspaceId, now))) return undefined;
  return startOf(context, pipeline, freed, { ...input, parameters: values, now });
}

type Start = NonNullable<ReturnType<typeof nextInput>> & { parameters: StoredRun['parameters']; now: Date };

function startOf(context: RunContext, pipeline: StoredPipeline, freed: Admission, start: Start): HandOver | undefined {
  const { kind, occasion, upstreamRunId, input, claim, parameters, now } = start;
  const run = newRun(
    pipeline,
    {
      workspaceId: pipeline.workspaceId,
      pipelineId: pipeline.id,
      runId: newId(now),
      trigger: { kind, scheduledAt: null, upstreamRunId, actor: null },
      parameters,
    },
    now,
  );
  const { perPipeline: startsPerMinute } = startLimitsOf(context);
  const decision = admit(freed, run.id, pipeline.concurrency, now, { startsPerMinute, takesInput: true });
  if (decision.kind === 'rejected' || (decision.kind === 'waiting' && decision.replaces.length > 0)) return undefined;
  const extras = {
    occasion: { name: occasion, retentionSeconds: OCCASION_RETENTION_SECONDS },
    claim,
    ...(input ? { input } : {}),
  };
  const isAdmitted = decision.kind === 'admitted';
  const created: StoredRun = { ...run, ...(isAdmitted ? STARTS_AT_ONCE : {}) };
  return {
    next: decision.next,
    run: created,
    isAdmitted,
    items: [...runRepository(context.table).createItems([created]), ...relatedItems(context, created, extras)],
  };
}
