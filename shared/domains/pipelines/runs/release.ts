import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { toRecord } from '../../../platform/storage/collection.ts';
import { type Change, type Condition, updateOf } from '../../../platform/storage/update.ts';
import type { Node, Plan, SkipReason } from '../definition/plan.ts';
import type { RunJob } from '../store/launcher.ts';
import type { StepState, StoredStep } from '../store/records.ts';
import { stepKey } from '../store/run-keys.ts';
import type { RunContext } from '../store/run-store.ts';
import { settleIdle } from './settle-idle.ts';

/** A node that is over, and how. */
export interface Outcome {
  index: number;
  status: StepState;
  skipReason: SkipReason | null;
}

export interface Released {
  /** Steps that may begin now. */
  ready: number[];
  /** Set when the last node of the run is over: how the run ends. */
  end: 'succeeded' | 'failed' | undefined;
  /** A node was met that a cancel has settled: the run is to be stopped (`stop-run.ts`). */
  stopped: boolean;
}

/**
 * Tells everything that waits for a node that it is over. Taking a number out of a set can be done twice, so a worker
 * that died half-way is made good by doing all of it again. Nodes whose fate is sealed by it (skipped ones,
 * barriers) are settled and told about in turn. `undecided` are nodes that were told everything by a worker that died
 * before it drew the conclusion.
 */
export async function release(
  context: RunContext,
  plan: Plan,
  job: RunJob,
  first: readonly Outcome[],
  undecided: readonly StoredStep[] = [],
): Promise<Released> {
  const released: Released = { ready: [], end: undefined, stopped: false };
  let over = [...first, ...(await conclude(context, plan, job, undecided, released))];
  while (over.length > 0) {
    const tellings = over.flatMap((outcome) =>
      plan.nodes[outcome.index]!.feeds.map((index) => ({ node: plan.nodes[index]!, outcome })),
    );
    const told = await inGroups(tellings, ({ node, outcome }) => tell(context, job, node, outcome));
    over = await conclude(context, plan, job, told, released);
  }
  return released;
}

/** Settles those of the told nodes that wait for nothing any more; answers which of them are over by it. */
async function conclude(
  context: RunContext,
  plan: Plan,
  job: RunJob,
  told: readonly (StoredStep | undefined)[],
  released: Released,
): Promise<Outcome[]> {
  const decided: Decided[] = [];
  // A node that was told twice is told in its last state.
  for (const stored of new Map(told.map((step) => [step?.index, step])).values()) {
    if (stored?.status === 'cancelled') released.stopped = true;
    if (!stored || stored.pending) continue;
    const node = plan.nodes[stored.index]!;
    if (stored.status === 'ready') released.ready.push(node.index);
    if (stored.status !== 'pending') continue;
    if (node.kind === 'end') released.end = stored.sawFailure ? 'failed' : 'succeeded';
    else decided.push({ node, stored, fate: fateOf(node, stored) });
  }
  const settled = await settleAll(context, job, decided);
  const isReady = ({ fate }: Decided) => fate.status === 'ready';
  released.ready.push(...settled.filter(isReady).map(({ node }) => node.index));
  return settled.filter((each) => !isReady(each)).map(({ node, fate }) => ({ index: node.index, ...fate }));
}

/** A node that waits for nothing any more. */
interface Decided {
  node: Node;
  stored: StoredStep;
  fate: Fate;
}

/** Those whose fate was written now, and not by somebody else. */
async function settleAll(context: RunContext, job: RunJob, decided: readonly Decided[]): Promise<Decided[]> {
  const isSkipped = ({ node, fate }: Decided) => fate.status === 'skipped' && node.kind === 'step';
  const skipped = decided.filter(isSkipped).map(({ stored, fate }) => ({
    step: stored,
    outcome: { status: 'skipped', skipReason: fate.skipReason } as const,
  }));
  const [idle, others] = await Promise.all([
    settleIdle(context, job, skipped),
    inGroups(decided, async (each) => !isSkipped(each) && (await apply(context, job, each))),
  ]);
  return decided.filter((each, place) => others[place] || idle.has(each.node.index));
}

type Fate = { status: 'ready' | 'succeeded' | 'failed' | 'skipped'; skipReason: SkipReason | null };

/** What becomes of a node when nothing is left that it waits for. */
export function fateOf(node: Pick<Node, 'kind' | 'after'>, saw: Pick<StoredStep, 'sawSuccess' | 'sawFailure'>): Fate {
  const barrier = node.kind === 'barrier';
  if (node.after.length === 0) return { status: 'ready', skipReason: null };
  if (saw.sawFailure) {
    return barrier ? { status: 'failed', skipReason: null } : { status: 'skipped', skipReason: 'upstream_failed' };
  }
  if (!saw.sawSuccess) return { status: 'skipped', skipReason: 'upstream_skipped' };
  return { status: barrier ? 'succeeded' : 'ready', skipReason: null };
}

/** The waiting node after it was told, undefined when it belongs to another attempt of the run. */
function tell(context: RunContext, job: RunJob, node: Node, over: Outcome): Promise<StoredStep | undefined> {
  const decides = node.after.includes(over.index);
  return change(
    context,
    job,
    node.index,
    { take: { pending: new Set([over.index]) }, ...(decides ? { set: flagOf(over) } : {}) },
    {},
  );
}

function flagOf(over: Outcome): Partial<Pick<StoredStep, 'sawSuccess' | 'sawFailure'>> {
  if (over.status === 'succeeded') return { sawSuccess: true };
  if (over.status === 'failed' || over.skipReason === 'upstream_failed') return { sawFailure: true };
  return {};
}

async function apply(context: RunContext, job: RunJob, { node, fate }: Decided): Promise<boolean> {
  const set = { ...fate, ...(fate.status === 'ready' ? { readyAt: context.now().toISOString() } : {}) };
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
