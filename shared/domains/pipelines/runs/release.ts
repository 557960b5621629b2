import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import { type Change, type Condition, updateOf } from '../../../platform/storage/update.ts';
import type { Node, Plan, SkipReason } from '../definition/index.ts';
import type { RunContext, RunJob, StepState, StoredStep } from '../store/index.ts';
import { stepKey } from '../store/index.ts';
import { settleIdle } from './settle-idle.ts';

/** The outcome of an ended node. */
export interface Outcome {
  index: number;
  status: StepState;
  skipReason: SkipReason | null;
  /** A dependent that began in the transaction that stored the end. */
  begun?: number | undefined;
}

export interface Released {
  /** Steps that may begin now. */
  ready: number[];
  /** The status of the run if its last node has ended. */
  end: 'succeeded' | 'failed' | undefined;
  /** Whether a cancel has settled a dependent: the run must be stopped (`stop-run.ts`). */
  stopped: boolean;
}

/**
 * Releases the dependents of ended nodes. Removing a number from a set is idempotent, so everything can be repeated
 * after a worker has crashed half-way. Dependents that end as a result (skipped steps, barriers) are settled, and their
 * dependents released in turn. `stored` holds all nodes, if they have been read. Those that
 * have no pending dependencies and that a crashed worker has not settled are then settled, too.
 */
export async function release(
  context: RunContext,
  plan: Plan,
  job: RunJob,
  first: readonly Outcome[],
  stored: readonly StoredStep[] = [],
): Promise<Released> {
  const undecided = stored.filter(
    (step) => step.status === 'pending' && step.pending === undefined && step.epoch === job.epoch,
  );
  const released: Released = { ready: [], end: undefined, stopped: false };
  let over = [...first, ...(await conclude(context, plan, job, undecided, released))];
  while (over.length > 0) {
    const waiting = dependentsOf(plan, over, stored);
    const end = plan.nodes[plan.end]!;
    // An end that waits for a single node needs no record of what is over.
    if (end.initial.pending.length === 1 && waiting.has(end.index)) {
      released.end = waiting.get(end.index)!.some((last) => flagOf(end, last).sawFailure) ? 'failed' : 'succeeded';
      waiting.delete(end.index);
    }
    const updated = await inGroups([...waiting], ([index, ended]) =>
      removePending(context, job, plan.nodes[index]!, ended),
    );
    over = await conclude(context, plan, job, updated, released);
  }
  return released;
}

/**
 * Maps each waiting node to the ended nodes it waits for. In a run started by another version of the code, these may
 * differ.
 */
function dependentsOf(plan: Plan, over: readonly Outcome[], stored: readonly StoredStep[]): Map<number, Outcome[]> {
  const edges = over.flatMap((outcome) => plan.nodes[outcome.index]!.feeds.map((index) => ({ index, outcome })));
  const waits = (index: number, { index: before }: Outcome) =>
    plan.nodes[index]!.initial.pending.includes(before) || stored[index]?.pending?.has(before);
  // Another version may not pass a failure on from item to item, so each item is marked.
  const sees = (index: number, outcome: Outcome) => flagOf(plan.nodes[index]!, outcome).sawFailure;
  const open = edges.filter(
    ({ index, outcome }) => index !== outcome.begun && (waits(index, outcome) || sees(index, outcome)),
  );
  const byNode = Map.groupBy(open, ({ index }) => index);
  return new Map([...byNode].map(([index, all]) => [index, all.map(({ outcome }) => outcome)]));
}

/** Settles the nodes without pending dependencies; returns those that have ended. */
async function conclude(
  context: RunContext,
  plan: Plan,
  job: RunJob,
  nodes: readonly (StoredStep | undefined)[],
  released: Released,
): Promise<Outcome[]> {
  const decided: Decided[] = [];
  // A node that was updated twice counts in its last state.
  for (const stored of new Map(nodes.map((step) => [step?.index, step])).values()) {
    if (stored?.status === 'cancelled') released.stopped = true;
    if (!stored || stored.pending) continue;
    const node = plan.nodes[stored.index]!;
    if (stored.status === 'ready') released.ready.push(node.index);
    if (stored.status !== 'pending') continue;
    if (node.kind === 'end') released.end = stored.sawFailure ? 'failed' : 'succeeded';
    else decided.push({ node, stored, resolution: resolutionOf(node, stored) });
  }
  const settled = await settleAll(context, job, decided);
  const isReady = ({ resolution }: Decided) => resolution.status === 'ready';
  released.ready.push(...settled.filter(isReady).map(({ node }) => node.index));
  return settled.filter((each) => !isReady(each)).map(({ node, resolution }) => ({ index: node.index, ...resolution }));
}

/** A node without pending dependencies. */
interface Decided {
  node: Node;
  stored: StoredStep;
  resolution: Resolution;
}

/** Writes the resolutions; returns those that no other worker has written before. */
async function settleAll(context: RunContext, job: RunJob, decided: readonly Decided[]): Promise<Decided[]> {
  const isSkipped = ({ node, resolution }: Decided) => resolution.status === 'skipped' && node.kind === 'step';
  const skipped = decided.filter(isSkipped).map(({ stored, resolution }) => ({
    step: stored,
    outcome: { status: 'skipped', skipReason: resolution.skipReason } as const,
  }));
  const [idle, others] = await Promise.all([
    settleIdle(context, job, skipped),
    inGroups(decided, async (each) => !isSkipped(each) && (await apply(context, job, each))),
  ]);
  return decided.filter((each, place) => others[place] || idle.has(each.node.index));
}

type Resolution = { status: 'ready' | 'succeeded' | 'failed' | 'skipped'; skipReason: SkipReason | null };

/** The next state of a node without pending dependencies. */
export function resolutionOf(
  node: Pick<Node, 'kind' | 'after'>,
  saw: Pick<StoredStep, 'sawSuccess' | 'sawFailure'>,
): Resolution {
  const barrier = node.kind === 'barrier';
  if (node.after.length === 0) return { status: 'ready', skipReason: null };
  if (saw.sawFailure) {
    return barrier ? { status: 'failed', skipReason: null } : { status: 'skipped', skipReason: 'upstream_failed' };
  }
  if (!saw.sawSuccess) return { status: 'skipped', skipReason: 'upstream_skipped' };
  return { status: barrier ? 'succeeded' : 'ready', skipReason: null };
}

/**
 * Removes ended nodes from the pending set of a dependent; undefined if that belongs to another attempt of the run.
 */
function removePending(
  context: RunContext,
  job: RunJob,
  node: Node,
  over: readonly Outcome[],
): Promise<StoredStep | undefined> {
  const set = Object.assign({}, ...over.map((ended) => flagOf(node, ended))) as ReturnType<typeof flagOf>;
  return change(context, job, node.index, { take: { pending: new Set(over.map(({ index }) => index)) }, set }, {});
}

function flagOf({ after, initial }: Node, over: Outcome): Partial<Pick<StoredStep, 'sawSuccess' | 'sawFailure'>> {
  if (!after.includes(over.index)) {
    // An item that was skipped because of what it waited for passes that on to the next one.
    return initial.sawSuccess && over.skipReason === 'upstream_failed' ? { sawFailure: true } : {};
  }
  if (over.status === 'succeeded') return { sawSuccess: true };
  if (over.status === 'failed' || over.skipReason === 'upstream_failed') return { sawFailure: true };
  return {};
}

async function apply(context: RunContext, job: RunJob, { node, resolution }: Decided): Promise<boolean> {
  const set = { ...resolution, ...(resolution.status === 'ready' ? { readyAt: context.now().toISOString() } : {}) };
  return (await change(context, job, node.index, { set }, { equals: { status: 'pending' } })) !== undefined;
}

async function change(
  context: RunContext,
  job: RunJob,
  index: number,
  changes: Change,
  condition: Condition,
): Promise<StoredStep | undefined> {
  try {
    const reply = await context.table.db.send(
      new UpdateCommand({
        ...updateOf(context.table, stepKey(job.workspaceId, job.runId, index), changes, {
          ...condition,
          equals: { ...condition.equals, epoch: job.epoch },
        }),
        ReturnValues: 'ALL_NEW',
      }),
    );
    return toRecord<StoredStep>(reply.Attributes!);
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}

const AT_ONCE = 20;

async function inGroups<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(start, start + AT_ONCE).map(work))));
  }
  return results;
}
