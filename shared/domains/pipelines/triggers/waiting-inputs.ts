import type { Key } from '../../../platform/storage/keys.ts';
import type { Table } from '../../../platform/storage/table.ts';
import type { Dag } from '../definition/index.ts';
import { fileTriggerOf } from '../definition/index.ts';
import { oldestUpstreamEnd, upstreamEndClaim, upstreamEndOf, upstreamOccasion } from '../store/index.ts';
import { claimDueBatch, type Place, readFileBatches } from './file-batch-store.ts';
import type { FileBatches } from './file-batches.ts';
import type { InputClaim, StoredTriggerInput } from './trigger-input.ts';

/** The inputs of a pipeline that have no run yet, as read. */
export interface WaitingInputs {
  upstreamEnd?: Key;
  batches?: FileBatches;
}

/** The next input of a pipeline, and what its run has to claim. */
export interface NextInput {
  kind: 'pipeline' | 'file_arrival';
  occasion: string;
  upstreamRunId: string | null;
  input?: StoredTriggerInput;
  claim: InputClaim;
}

export async function readWaitingInputs(table: Table, place: Place): Promise<WaitingInputs | undefined> {
  const [upstreamEnd, batches] = await Promise.all([oldestUpstreamEnd(table, place), readFileBatches(table, place)]);
  if (!upstreamEnd && !batches) return undefined;
  return { ...(upstreamEnd ? { upstreamEnd } : {}), ...(batches ? { batches } : {}) };
}

/** The input that waits longest: an upstream end, or a file batch that is due. */
export function nextInput(
  table: Table,
  place: Place,
  { upstreamEnd, batches }: WaitingInputs,
  dag: Pick<Dag, 'trigger'> | undefined,
  now: Date,
): NextInput | undefined {
  if (upstreamEnd) {
    const end = upstreamEndOf(upstreamEnd);
    const { upstreamRunId, endedAt: at } = end;
    const claim = { at, ...upstreamEndClaim(table, upstreamEnd) };
    return { kind: 'pipeline', occasion: upstreamOccasion(end), upstreamRunId, claim };
  }
  const trigger = fileTriggerOf(dag);
  if (!trigger || !batches) return undefined;
  const { quietSeconds = 60, minFiles = 1 } = trigger;
  const due = claimDueBatch(table, place, batches, { quietSeconds, minFiles }, now);
  if (!due) return undefined;
  const { batch, acquire, release } = due;
  return {
    kind: 'file_arrival',
    occasion: `files#${batch.id}`,
    upstreamRunId: null,
    input: { fileBatch: { pipelineId: place.pipelineId, id: batch.id } },
    claim: { at: batch.openedAt, acquire, release },
  };
}
