import { failedConditions } from '../../../platform/storage/collection.ts';
import { transact } from '../../../platform/storage/transact.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import type { Dag } from '../definition/dag.ts';
import type { Plan } from '../definition/plan.ts';
import type { RunJob } from '../store/launcher.ts';
import { isOver, LONGEST_RUN_MS, type StepError, type StoredRun, type StoredStep } from '../store/records.ts';
import { runKey } from '../store/run-keys.ts';
import { nextCheckOf, planOf, type RunContext, readSteps, runRepository } from '../store/run-store.ts';
import { type Admission, changeAdmission, readAdmission, release as releaseSlot } from './admission.ts';
import { CANCEL_GRACE_MS, cancelReplaced, cancelRun } from './cancel-run.ts';
import { announceStuckRun } from './compute-events.ts';
import { endRun } from './end-run.ts';
import { failAttempt } from './fail-attempt.ts';
import { isOverdue } from './idle-step.ts';
import { noteLostStart } from './lost-start.ts';
import { type Outcome, release } from './release.ts';
import { launchSteps, openLine, readLine } from './step-queue.ts';
import { forceStop, stopRun } from './stop-run.ts';

const STUCK_AFTER_MS = 5 * 60 * 1000;

/**
 * Looks after an active run: continues what a worker, a machine or a process that died has left. Everything here is
 * what the worker itself would have done, so it may be done again at any time.
 */
export async function repairRun(context: RunContext, place: { workspaceId: string; runId: string }): Promise<void> {
  const run = await runRepository(context.table).get(place.workspaceId, place.runId);
  if (!run || isOver(run.status)) return;
  if (run.status === 'queued') await repairQueued(context, run);
  else await repairRunning(context, run);
  await checkAgain(context, run);
}

/** An admitted run that no machine has taken up is started; one that waits although a slot is free gets it. */
async function repairQueued(context: RunContext, run: StoredRun): Promise<void> {
  const job = { workspaceId: run.workspaceId, runId: run.id, epoch: run.attempt };
  if (run.cancelRequestedAt) return endRun(context, job, { status: 'cancelled' });
  const state = await readAdmission(context.table, run.workspaceId, run.pipelineId);
  if (!state.running.includes(run.id)) {
    await dropDead(context, run, state.running);
    const after = await readAdmission(context.table, run.workspaceId, run.pipelineId);
    if (!after.running.includes(run.id)) return repairWaiting(context, run, after);
  }
  if (isGivenUp(run, context.now())) return endRun(context, job, { status: 'failed', error: NEVER_STARTED });
  // Before the start: one that is refused has to be known of, too.
  await watchStart(context, run, state.waiting.length);
  await context.launcher.startRun(job, minuteOf(context.now()));
}

/** A run that has lost its place in line was superseded, whoever was to cancel it then. */
async function repairWaiting(context: RunContext, run: StoredRun, { waiting, backfill }: Admission): Promise<void> {
  if ([...waiting, ...(backfill?.waiting ?? [])].includes(run.id)) return cancelReplaced(context, run);
  const job = { workspaceId: run.workspaceId, runId: run.id, epoch: run.attempt };
  await endRun(context, job, { status: 'cancelled', cancelReason: 'superseded' });
}

/** A run that nothing can start holds its slot no longer than one that runs. */
const isGivenUp = ({ admittedAt }: StoredRun, now: Date): boolean =>
  admittedAt !== undefined && now.getTime() - Date.parse(admittedAt) > LONGEST_RUN_MS;

const NEVER_STARTED = { code: 'WORKER_UNAVAILABLE', message: 'For a day the run could not be started.', stepId: null };

/** A run that has a slot is taken up within seconds; after minutes somebody should know. */
async function watchStart(context: RunContext, run: StoredRun, waitingRuns: number): Promise<void> {
  const now = context.now();
  if (run.admittedAt) {
    if (now.getTime() - Date.parse(run.admittedAt) < STUCK_AFTER_MS) return;
    return announceStuckRun(context, run, run.admittedAt, waitingRuns + 1);
  }
  const noted = updateOf(
    context.table,
    runKey(run.workspaceId, run.id),
    { set: { admittedAt: now.toISOString() } },
    { equals: { status: 'queued', attempt: run.attempt } },
  );
  try {
    await transact(context.table, [{ Update: noted }]);
  } catch (cause) {
    if (!failedConditions(cause).has(0)) throw cause;
  }
}

/** Slots belong to active runs: one whose run is over or gone is given on. A day of a backfill may have one before it is stored. */
async function dropDead(context: RunContext, place: StoredRun, holders: readonly string[]): Promise<void> {
  const stored = await runRepository(context.table).getMany(place.workspaceId, holders);
  const known = new Set(stored.map(({ id }) => id));
  const active = stored.filter(({ status }) => !isOver(status)).map(({ id }) => id);
  await changeAdmission(context.table, place, async (state) => {
    const yetToCome = (state.backfill?.running ?? []).filter((id) => !known.has(id));
    const dead = state.running.filter((id) => holders.includes(id) && !active.includes(id) && !yetToCome.includes(id));
    let next = releaseSlot(state, '').next;
    for (const id of dead) next = releaseSlot(next, id).next;
    return {
      next,
      position: 0,
      write: (admission) => transact(context.table, [admission]),
      result: undefined,
    };
  });
}

async function repairRunning(context: RunContext, run: StoredRun): Promise<void> {
  const now = context.now().getTime();
  const place = { workspaceId: run.workspaceId, runId: run.id };
  if (!run.cancelRequestedAt && now - Date.parse(run.startedAt!) > LONGEST_RUN_MS) {
    await cancelRun(context, place, 'time_limit');
    return;
  }
  if (run.cancelRequestedAt) {
    const late = now - Date.parse(run.cancelRequestedAt) > CANCEL_GRACE_MS;
    return late ? forceStop(context, run) : stopRun(context, run);
  }
  const dag = await context.dags.get(run.workspaceId, run.dagHash);
  const plan = await planOf(context, run);
  const job = { ...place, epoch: run.attempt };
  const steps = await readSteps(context.table, run.workspaceId, run.id);
  await releaseAll(context, run, plan, job, steps);
  const inLine = new Set((await readLine(context, place)).map(({ job }) => job.index));
  for (const step of steps) {
    if (step.kind !== 'step' || step.epoch !== run.attempt || inLine.has(step.index)) continue;
    await repairStep(context, run, dag, step, now);
  }
  // Who stood in line may have died before telling of it.
  if (inLine.size > 0) await openLine(context, place);
}

/**
 * Tells again of every node that is over to whoever has not heard of it. A run that is being cancelled ends when its last worker has
 * stopped, whoever has heard of what.
 */
export async function releaseAll(
  context: RunContext,
  run: StoredRun,
  plan: Plan,
  job: RunJob,
  steps: readonly StoredStep[],
): Promise<void> {
  const isCancelled = steps.some(({ status, epoch }) => status === 'cancelled' && epoch === job.epoch);
  if (run.cancelRequestedAt || isCancelled) return stopRun(context, run);
  const over = steps.filter((step) => isOver(step.status) && step.kind !== 'end');
  const unheard = over.filter((step) =>
    plan.nodes[step.index]!.feeds.some((index) => steps[index]?.pending?.has(step.index)),
  );
  const outcomes = unheard.map(({ index, status, skipReason }): Outcome => ({ index, status, skipReason }));
  const undecided = steps.filter(
    (step) => step.status === 'pending' && step.pending === undefined && step.epoch === job.epoch,
  );
  const { ready, end, stopped } = await release(context, plan, job, outcomes, undecided);
  const again = minuteOf(context.now());
  await launchSteps(context, job, ready, again);
  if (end) await endRun(context, job, { status: end });
  if (stopped) await stopRun(context, run);
}

async function repairStep(context: RunContext, run: StoredRun, dag: Dag, step: StoredStep, now: number): Promise<void> {
  const job = { workspaceId: run.workspaceId, runId: run.id, epoch: run.attempt, index: step.index };
  const again = `${step.attempt}-${minuteOf(context.now())}`;
  if (isOverdue(step, now)) {
    const lost = { run, dag, step, holder: `care-${again}`, loss: { kind: 'unheard' } } as const;
    const { kind } = await noteLostStart(context, lost);
    if (kind === 'again' || kind === 'retry') await launchSteps(context, job, [step.index], again);
  }
  if (step.status === 'running' && Date.parse(step.leaseUntil ?? '') < now) {
    const lost: StepError = { code: 'WORKER_LOST', message: 'The worker died or lost its connection.' };
    const error = step.crashReport ?? lost;
    const failed = await failAttempt(context, { run, dag, step, error, billed: error !== lost });
    if (failed.kind === 'retry') await launchSteps(context, job, [step.index], again);
  }
}

/** Puts the run back into the line of those to look after. */
async function checkAgain(context: RunContext, run: StoredRun): Promise<void> {
  try {
    await transact(context.table, [
      {
        Update: updateOf(
          context.table,
          runKey(run.workspaceId, run.id),
          { set: nextCheckOf(run.id, context.now().toISOString()) },
          { exists: ['due'] },
        ),
      },
    ]);
  } catch (cause) {
    if (!failedConditions(cause).has(0)) throw cause;
  }
}

/** Names a second start once a minute: more often would only add executions that find nothing to do. */
function minuteOf(now: Date): string {
  return `m${Math.floor(now.getTime() / 60_000)}`;
}
