import { fileTriggerOf } from '../../../../shared/domains/pipelines/definition/index.ts';
import {
  holdUpstreamEnds,
  isUpstreamEndWaiting,
  pipelineRepository,
  type RunContext,
  recordTrigger,
  removeUpstreamEnd,
  type TriggerRecord,
  type UpstreamEnd,
  upstreamOccasion,
} from '../../../../shared/domains/pipelines/store/index.ts';
import {
  dropFileBatches,
  type NextInput,
  nextInput,
  type Place,
  postponeFileBatch,
  readWaitingInputs,
  type WaitingInputs,
} from '../../../../shared/domains/pipelines/triggers/index.ts';
import { failedConditions } from '../../../../shared/platform/storage/transact.ts';
import { startByTrigger } from './start-by-trigger.ts';

/** Reasons that pass by themselves: the input keeps waiting. */
const TEMPORARY = ['RUN_OVERLAP', 'QUEUE_FULL', 'RATE_LIMITED'];
const SOON_MS = 60_000;
/** Reasons that pass when the user acts: the input keeps waiting, too. */
const UNTIL_USER_ACTS = ['PIPELINE_PAUSED', 'ALLOWANCE_EXHAUSTED'];
const LATER_MS = 5 * 60_000;
const MUCH_LATER_MS = 60 * 60_000;

/**
 * Starts the runs of a pipeline's waiting inputs, the oldest first, until none is left or no run can start; returns why
 * not. Each input is claimed in the transaction that creates its run, so this can be repeated at any time. While all
 * slots are taken, the transaction that frees one starts the next input (`hand-over.ts`).
 */
export async function startWaiting(context: RunContext, place: Place): Promise<TriggerRecord | undefined> {
  for (;;) {
    const found = await findNext(context, place);
    if (!found) return undefined;
    const { input, waiting } = found;
    const rejection = await startNext(context, place, input, waiting);
    if (rejection) return rejection;
  }
}

/**
 * Handles the end of an upstream run: the run that follows it starts now, or its end waits and is recorded as skipped.
 */
export async function startDownstream(context: RunContext, end: UpstreamEnd): Promise<void> {
  const rejection = await startWaiting(context, end);
  if (!rejection || !(await isUpstreamEndWaiting(context.table, end))) return;
  const { workspaceId, pipelineId, upstreamRunId, endedAt } = end;
  const place = { workspaceId, pipelineId, occasion: upstreamOccasion(end) };
  await recordTrigger(context.table, place, { ...rejection, kind: 'pipeline', at: endedAt, upstreamRunId });
}

async function findNext(
  context: RunContext,
  place: Place,
): Promise<{ input: NextInput; waiting: WaitingInputs } | undefined> {
  const { table, dags } = context;
  const waiting = await readWaitingInputs(table, place);
  if (!waiting) return undefined;
  const pipeline = await pipelineRepository(table).get(place.workspaceId, place.pipelineId);
  const dag = pipeline && (await dags.get(place.workspaceId, pipeline.dagHash));
  if (waiting.batches && !fileTriggerOf(dag)) await dropFileBatches(table, place);
  const input = nextInput(table, place, waiting, dag, context.now());
  return input && { input, waiting };
}

/** Returns the record of the rejection if the input and those behind it keep waiting. */
async function startNext(
  context: RunContext,
  place: Place,
  { kind, occasion, upstreamRunId, input, claim }: NextInput,
  { upstreamEnd, batches }: WaitingInputs,
): Promise<TriggerRecord | undefined> {
  const { table } = context;
  let record: TriggerRecord;
  try {
    record = await startByTrigger(context, {
      ...place,
      kind,
      occasion,
      claim,
      ...(upstreamRunId === null ? {} : { upstreamRunId }),
      ...(input ? { input } : {}),
    });
  } catch (cause) {
    // Another worker has started the input, or a file has joined the batch.
    if (failedConditions(cause).size === 0) throw cause;
    return undefined;
  }
  if (!record.reason) return undefined;
  const isTemporary = TEMPORARY.includes(record.reason);
  const after = (ms: number) => new Date(context.now().getTime() + ms);
  if (!upstreamEnd) {
    await postponeFileBatch(table, place, batches!, after(isTemporary ? SOON_MS : LATER_MS));
    return record;
  }
  if (isTemporary) return record;
  if (UNTIL_USER_ACTS.includes(record.reason)) {
    await holdUpstreamEnds(table, place, after(MUCH_LATER_MS));
    return record;
  }
  await removeUpstreamEnd(table, upstreamEnd);
  return undefined;
}
