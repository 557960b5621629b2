import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { tries } from '../../../platform/concurrency/tries.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions } from '../../../platform/storage/transact.ts';
import type { Concurrency } from '../definition/index.ts';
import { admissionKey, START_LIMITS } from '../store/index.ts';

const MAX_WAITING = 100;

/**
 * The runs of a pipeline that hold a slot and those that wait, as one item. Slots are counted from the runs that hold
 * them, not by a counter, and the transaction that ends a run frees its slot, so no slot can leak.
 */
export interface Admission {
  /** Ids of the runs with a slot, in the order of their admission. */
  running: string[];
  /** Ids of the waiting runs, the next one first. */
  waiting: string[];
  maxConcurrentRuns: number;
  latestRunId: string | null;
  /** The latest runs without days of backfills, the newest first; absent until the first start after an upgrade. */
  latestRunIds?: string[];
  /** Starts in the current minute. */
  starts: { minute: string; count: number };
  /** The runs of a backfill, which wait separately and leave slots to other runs. */
  backfill?: BackfillLane | null;
  /** The pipeline is deleted. */
  closed: boolean;
  version: number;
}

/** A backfill from its start to the end of its last run. */
export interface BackfillLane {
  id: string;
  from: string;
  to: string;
  /** Ids of the runs without a slot, the oldest date first. */
  waiting: string[];
  /** Ids of its runs among those with a slot. */
  running: string[];
  /** The number of other runs started since its last one. */
  others: number;
  /** A cancelled lane gets no more slots. */
  cancelled?: boolean;
}

export const NEW_ADMISSION: Admission = {
  running: [],
  waiting: [],
  maxConcurrentRuns: 1,
  latestRunId: null,
  starts: { minute: '', count: 0 },
  closed: false,
  version: 0,
};

export type Decision =
  | { kind: 'admitted'; next: Admission }
  /** Waits for a slot. `replaces` lists the runs that it cancels: waiting ones and a running one. */
  | { kind: 'waiting'; next: Admission; position: number; replaces: string[] }
  | {
      kind: 'rejected';
      code: 'RUN_OVERLAP' | 'QUEUE_FULL' | 'RATE_LIMITED' | 'PIPELINE_NOT_FOUND';
      activeRunIds: string[];
    };

export interface StartRules {
  startsPerMinute?: number;
  /** The run takes an input that waits for a slot: with a free slot it starts at the speed of the runs. */
  takesInput?: boolean;
}

/** Decides whether a new or retried run gets a slot, waits, or is rejected. */
export function admit(
  state: Admission,
  runId: string,
  policy: Required<Concurrency>,
  now: Date,
  { startsPerMinute = START_LIMITS.perPipeline, takesInput = false }: StartRules = {},
): Decision {
  const rejected = (code: Extract<Decision, { kind: 'rejected' }>['code']): Decision => ({
    kind: 'rejected',
    code,
    activeRunIds: state.running,
  });
  // A repeated request: its first try may have crashed after the admission.
  if (state.running.includes(runId)) return { kind: 'admitted', next: state };
  if (state.waiting.includes(runId)) {
    const position = state.waiting.indexOf(runId) + 1;
    return { kind: 'waiting', next: state, position, replaces: [] };
  }
  const minute = now.toISOString().slice(0, 16);
  const count = state.starts.minute === minute ? state.starts.count : 0;
  if (state.closed) return rejected('PIPELINE_NOT_FOUND');
  const hasSlot = state.waiting.length === 0 && state.running.length < policy.maxConcurrentRuns;
  const isLimited = !(takesInput && hasSlot);
  if (isLimited && count >= startsPerMinute) return rejected('RATE_LIMITED');
  const base: Admission = {
    ...state,
    maxConcurrentRuns: policy.maxConcurrentRuns,
    ...withLatest(state, runId),
    starts: { minute, count: isLimited ? count + 1 : count },
  };
  if (hasSlot) {
    return { kind: 'admitted', next: countOther({ ...base, running: [...state.running, runId] }) };
  }
  const backfilling = state.backfill?.running ?? [];
  const others = state.running.filter((id) => !backfilling.includes(id));
  if (others.length + state.waiting.length < policy.maxConcurrentRuns) {
    // Only the backfill holds the slots, which does not count as an overlap: the run is next.
    const waiting = [...state.waiting, runId];
    return { kind: 'waiting', next: { ...base, waiting }, position: waiting.length, replaces: [] };
  }
  switch (policy.onOverlap) {
    case 'skip':
      return rejected('RUN_OVERLAP');
    case 'queue': {
      if (state.waiting.length >= MAX_WAITING) return rejected('QUEUE_FULL');
      const waiting = [...state.waiting, runId];
      return { kind: 'waiting', next: { ...base, waiting }, position: waiting.length, replaces: [] };
    }
    case 'cancel_previous':
      return {
        kind: 'waiting',
        next: { ...base, waiting: [runId] },
        position: 1,
        replaces: [...state.waiting, ...others.slice(0, 1)],
      };
  }
}

const MAX_LATEST = 5;

/** The latest runs of a pipeline, the newest first. */
export const latestRunsOf = ({ latestRunId, latestRunIds }: Admission): string[] =>
  latestRunIds ?? (latestRunId === null ? [] : [latestRunId]);

const withLatest = (state: Admission, runId: string): Pick<Admission, 'latestRunId' | 'latestRunIds'> => ({
  latestRunId: runId,
  latestRunIds: [runId, ...latestRunsOf(state).filter((id) => id !== runId)].slice(0, MAX_LATEST),
});

/** The admission once a run was removed that never started. */
export function withoutLatest(state: Admission, runId: string): Admission {
  const latestRunIds = latestRunsOf(state).filter((id) => id !== runId);
  return { ...state, latestRunId: latestRunIds[0] ?? null, latestRunIds };
}

/** Removes a run that has ended, and gives its slot to the next one. */
export function releaseSlot(state: Admission, runId: string): { next: Admission; promoted: string[] } {
  const without = (ids: readonly string[]) => ids.filter((id) => id !== runId);
  const lane = state.backfill;
  const freed: Admission = {
    ...state,
    running: without(state.running),
    waiting: without(state.waiting),
    ...(lane ? { backfill: { ...lane, waiting: without(lane.waiting), running: without(lane.running) } } : {}),
  };
  return assignSlots(freed);
}

/** Assigns free slots to waiting runs. */
export function assignSlots(state: Admission): { next: Admission; promoted: string[] } {
  const promoted: string[] = [];
  let next = state;
  while (next.running.length < next.maxConcurrentRuns) {
    const [first] = next.waiting;
    const lane = next.backfill;
    const [oldest] = lane && !lane.cancelled && lane.running.length < shareOf(next) ? lane.waiting : [];
    if (oldest !== undefined && (first === undefined || isBackfillTurn(next))) {
      next = { ...next, running: [...next.running, oldest], backfill: withRunning(lane!, oldest) };
      promoted.push(oldest);
    } else if (first !== undefined) {
      next = countOther({ ...next, running: [...next.running, first], waiting: next.waiting.slice(1) });
      promoted.push(first);
    } else break;
  }
  const lane = next.backfill;
  const over = lane && lane.waiting.length + lane.running.length === 0;
  return { next: over ? { ...next, backfill: null } : next, promoted };
}

/** A backfill leaves one slot to other runs, if there is more than one. */
const shareOf = (state: Admission) => Math.max(1, state.maxConcurrentRuns - 1);

/** With a single slot other runs go first, but every third start belongs to the backfill. */
const isBackfillTurn = (state: Admission) => state.maxConcurrentRuns === 1 && (state.backfill?.others ?? 0) >= 2;

const withRunning = (lane: BackfillLane, runId: string): BackfillLane => ({
  ...lane,
  waiting: lane.waiting.filter((id) => id !== runId),
  running: [...lane.running, runId],
  others: 0,
});

function countOther(state: Admission): Admission {
  return state.backfill ? { ...state, backfill: { ...state.backfill, others: state.backfill.others + 1 } } : state;
}

export async function readAdmission(table: Table, workspaceId: string, pipelineId: string): Promise<Admission> {
  const found = await table.db.send(
    new GetCommand({ TableName: table.name, Key: admissionKey(workspaceId, pipelineId), ConsistentRead: true }),
  );
  return found.Item ? toRecord<Admission>(found.Item) : NEW_ADMISSION;
}

/** Puts the next state if the stored one is still as it was read. */
export function admissionItem(
  table: Table,
  place: { workspaceId: string; pipelineId: string },
  seen: Admission,
  next: Admission,
): TransactItem {
  return {
    Put: {
      TableName: table.name,
      Item: {
        ...admissionKey(place.workspaceId, place.pipelineId),
        entity: 'admission',
        ...next,
        version: seen.version + 1,
      },
      ConditionExpression: 'attribute_not_exists(pk) OR version = :seen',
      ExpressionAttributeValues: { ':seen': seen.version },
    },
  };
}

export interface AdmissionChange<R> {
  next: Admission;
  /** Writes the admission with related items; `position` is its index in that transaction. */
  write(admission: TransactItem): Promise<void>;
  position: number;
  result: R;
}

/**
 * Changes the admission of a pipeline together with related items. `plan` computes the change from the state as read
 * and is called again when another writer changes the state first; it throws to reject. Other failed conditions are
 * rethrown. Throws `SERVICE_BUSY` after `maxTries`, or when it has tried for too long.
 */
export async function changeAdmission<R>(
  table: Table,
  place: { workspaceId: string; pipelineId: string },
  plan: (state: Admission) => Promise<AdmissionChange<R>>,
  maxTries?: number,
): Promise<R> {
  for await (const count of tries()) {
    const seen = await readAdmission(table, place.workspaceId, place.pipelineId);
    const change = await plan(seen);
    try {
      await change.write(admissionItem(table, place, seen, change.next));
      return change.result;
    } catch (cause) {
      if (!failedConditions(cause).has(change.position)) throw cause;
      if (count === maxTries) break;
    }
  }
  throw new AppError('SERVICE_BUSY', {
    detail: 'Too many runs of the pipeline start and end at the same time; try again.',
  });
}
