import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import type { Dag, Plan } from '../definition/index.ts';
import type { RunJob } from '../store/index.ts';
import {
  isOver,
  MAX_RUN_MS,
  nextCheckOf,
  planOf,
  type RunContext,
  readSteps,
  runKey,
  runRepository,
  type StepError,
  type StoredRun,
  type StoredStep,
} from '../store/index.ts';
import { type Admission, changeAdmission, readAdmission, releaseSlot } from './admission.ts';
import { CANCEL_GRACE_MS, cancelReplaced, cancelRun } from './cancel-run.ts';
import { announceStuckRun } from './compute-events.ts';
import { endRun } from './end-run.ts';
import { failAttempt } from './fail-attempt.ts';
import { isOverdue } from './idle-step.ts';
import { recordLostStart } from './lost-start.ts';
import { withConcurrency } from './open-slots.ts';
import { queueItems } from './queue-entry.ts';
import { type Outcome, release } from './release.ts';
import { launchSteps, openQueue, readQueue } from './step-queue.ts';
import { forceStop, stopRun } from './stop-run.ts';

const STUCK_AFTER_MS = 5 * 60 * 1000;

/**
 * Repairs an active run: continues the work of a crashed worker or machine. Every action is one that the worker itself
 * would have taken, so it can be repeated at any time.
 */
export async function repairRun(context: RunContext, place: { workspaceId: string; runId: string }): Promise<void> {
  const run = await runRepository(context.table).get(place.workspaceId, place.runId);
  if (!run || isOver(run.status)) return;
  if (run.status === 'queued') await repairQueued(context, run);
  else await repairRunning(context, run);
  await scheduleNextCheck(context, run);
}

/** Starts an admitted run without a machine, and gives a waiting run a slot that is free. */
async function repairQueued(context: RunContext, run: StoredRun): Promise<void> {
  const job = { workspaceId: run.workspaceId, runId: run.id, epoch: run.attempt };
  if (run.cancelRequestedAt) return endRun(context, job, { status: 'cancelled' });
  const state = await readAdmission(context.table, run.workspaceId, run.pipelineId);
  if (!state.running.includes(run.id)) {
    await freeDeadSlots(context, run, state.running);
    const after = await readAdmission(context.table, run.workspaceId, run.pipelineId);
    if (!after.running.includes(run.id)) return repairWaiting(context, run, after);
  }
  if (isGivenUp(run, context.now())) return endRun(context, job, { status: 'failed', error: NEVER_STARTED });
  // Before the start, so that a rejected start is reported too.
  await watchStart(context, run, state.waiting.length);
  await context.launcher.startRun(job, minuteOf(context.now()));
}

/** A run without a place in the queue was superseded, and the worker that should have cancelled it crashed. */
async function repairWaiting(context: RunContext, run: StoredRun, { waiting, backfill }: Admission): Promise<void> {
  if ([...waiting, ...(backfill?.waiting ?? [])].includes(run.id)) return cancelReplaced(context, run);
  const job = { workspaceId: run.workspaceId, runId: run.id, epoch: run.attempt };
  await endRun(context, job, { status: 'cancelled', cancelReason: 'superseded' });
}

/** A run that cannot start holds its slot no longer than a running one. */
const isGivenUp = ({ admittedAt }: StoredRun, now: Date): boolean =>
  admittedAt !== undefined && now.getTime() - Date.parse(admittedAt) > MAX_RUN_MS;

const NEVER_STARTED = {
  code: 'WORKER_UNAVAILABLE',
  message: 'The run could not be started within a day.',
  stepId: null,
};

/** A run with a slot gets a machine within seconds; after minutes it is reported as stuck. */
async function watchStart(context: RunContext, run: StoredRun, waitingRuns: number): Promise<void> {
  const now = context.now();
  if (run.admittedAt) {
    if (now.getTime() - Date.parse(run.admittedAt) < STUCK_AFTER_MS) return;
    return announceStuckRun(context, run, run.admittedAt, waitingRuns + 1);
  }
  const isNew = run.startsAtOnce && run.seq === 0;
  const noted = updateOf(
    context.table,
    runKey(run.workspaceId, run.id),
    { set: { admittedAt: now.toISOString(), ...(isNew ? { seq: 1 } : {}) }, remove: ['startsAtOnce'] },
    { equals: { status: 'queued', attempt: run.attempt, ...(isNew ? { seq: 0 } : {}) } },
  );
  try {
    // It waits for a machine, so it counts as queued from now on.
    await transact(context.table, [{ Update: noted }, ...(isNew ? queueItems(context.table, run, now) : [])]);
  } catch (cause) {
    if (!failedConditions(cause).has(0)) throw cause;
  }
}

/** Frees slots of runs that have ended or do not exist. A day of a backfill may hold a slot before it is stored. */
async function freeDeadSlots(context: RunContext, place: StoredRun, holders: readonly string[]): Promise<void> {
  const stored = await runRepository(context.table).getMany(place.workspaceId, holders);
  const known = new Set(stored.map(({ id }) => id));
  const active = stored.filter(({ status }) => !isOver(status)).map(({ id }) => id);
  await changeAdmission(context.table, place, async (state) => {
    const notStored = (state.backfill?.running ?? []).filter((id) => !known.has(id));
    const dead = state.running.filter((id) => holders.includes(id) && !active.includes(id) && !notStored.includes(id));
    let { next } = releaseSlot(await withConcurrency(context.table, place, state), '');
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
  if (!run.cancelRequestedAt && now - Date.parse(run.attemptStartedAt!) > MAX_RUN_MS) {
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
  const queued = new Set((await readQueue(context, place)).map(({ job }) => job.index));
  for (const step of steps) {
    if (step.kind !== 'step' || step.epoch !== run.attempt || queued.has(step.index)) continue;
    await repairStep(context, run, dag, step, now);
  }
  // A worker may have crashed after it queued steps and before it marked the queue as open.
  if (queued.size > 0) await openQueue(context, place);
}

/**
 * Releases the dependents of every ended node that still list it as pending. A run that is being cancelled is stopped
 * instead.
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
  const unreleased = over.filter((step) =>
    plan.nodes[step.index]!.feeds.some((index) => steps[index]?.pending?.has(step.index)),
  );
  const outcomes = unreleased.map(({ index, status, skipReason }): Outcome => ({ index, status, skipReason }));
  const { ready, end, stopped } = await release(context, plan, job, outcomes, steps);
  const again = minuteOf(context.now());
  await launchSteps(context, job, ready, again);
  if (end) await endRun(context, job, { status: end });
  if (stopped) await stopRun(context, run);
}

async function repairStep(context: RunContext, run: StoredRun, dag: Dag, step: StoredStep, now: number): Promise<void> {
  const job = { workspaceId: run.workspaceId, runId: run.id, epoch: run.attempt, index: step.index };
  const again = `${step.attempt}-${minuteOf(context.now())}`;
  if (isOverdue(step, now)) {
    const lost = { run, dag, step, holder: `check-${again}`, loss: { kind: 'silent' } } as const;
    const { kind } = await recordLostStart(context, lost);
    if (kind === 'again' || kind === 'retry') await launchSteps(context, job, [step.index], again);
  }
  if (step.status === 'running' && Date.parse(step.leaseUntil ?? '') < now) {
    const lost: StepError = { code: 'WORKER_LOST', message: 'The worker crashed or lost its connection.' };
    const error = step.crashReport ?? lost;
    const failed = await failAttempt(context, { run, dag, step, error, billed: error !== lost });
    if (failed.kind === 'retry') await launchSteps(context, job, [step.index], again);
  }
}

async function scheduleNextCheck(context: RunContext, run: StoredRun): Promise<void> {
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

/** Repeated starts get a new name once a minute: more often would only add executions without work. */
function minuteOf(now: Date): string {
  return `m${Math.floor(now.getTime() / 60_000)}`;
}
