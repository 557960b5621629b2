import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type Collection, collection } from '../../../platform/storage/collection.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import { readItems } from '../../../platform/storage/read-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import { type Plan, planRun } from '../definition/index.ts';
import type { DagStore } from './dag-store.ts';
import type { Launcher, RunJob, StepJob } from './launcher.ts';
import { runCheckShard, runKey, stepKey } from './run-keys.ts';
import type { StoredRun } from './run-record.ts';
import type { StartLimits } from './start-limit-settings.ts';
import { isOver, type StoredStep } from './step-record.ts';
import type { StepLimits } from './step-slots.ts';
import type { WorkQueue } from './work-queue.ts';

/** The dependencies of run processing. */
export interface RunContext {
  table: Table;
  dags: DagStore;
  launcher: Launcher;
  queue: WorkQueue;
  /** Overrides `STEP_LIMITS`. */
  stepLimits?: StepLimits;
  /** Overrides `START_LIMITS`. */
  startLimits?: StartLimits;
  now(): Date;
  /** Between 0 and 1. */
  random(): number;
}

/** An active run is checked this long after its last change. */
export const CHECK_AFTER_MS = 60_000;

export function runRepository(table: Table): Collection<StoredRun> {
  return collection<StoredRun>(table, {
    entity: 'run',
    isHistory: true,
    key: runKey,
    parent: (run) => run.pipelineId,
    attributes: (run) => (isOver(run.status) || waitsInBackfill(run) ? {} : nextCheckOf(run.id, run.createdAt)),
  });
}

/** Hundreds of runs may wait for days, so their backfill is checked instead. */
const waitsInBackfill = (run: StoredRun) => run.backfillId !== null && run.status === 'queued';

/** The attributes that schedule the next check of an active run. */
export function nextCheckOf(runId: string, since: string): { due: string; dueAt: string } {
  return { due: runCheckShard(runId), dueAt: new Date(Date.parse(since) + CHECK_AFTER_MS).toISOString() };
}

/** Reserves the next event numbers of a run and returns its current state; undefined when `epoch` has ended. */
export async function reserveEvents(
  table: Table,
  job: RunJob,
  count: number,
): Promise<{ run: StoredRun; first: number } | undefined> {
  try {
    const reply = await table.db.send(
      new UpdateCommand({
        ...updateOf(
          table,
          runKey(job.workspaceId, job.runId),
          { add: { seq: count } },
          { equals: { attempt: job.epoch } },
        ),
        ReturnValues: 'ALL_NEW',
      }),
    );
    const run = toRecord<StoredRun>(reply.Attributes!);
    return { run, first: run.seq - count + 1 };
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}

/** All nodes of a run in their order. */
export async function readSteps(table: Table, workspaceId: string, runId: string): Promise<StoredStep[]> {
  const { pk } = runKey(workspaceId, runId);
  return Array.fromAsync(itemsBelow(table, { pk, sk: 'STEP#' }), (item) => toRecord<StoredStep>(item));
}

/** Some nodes by index. */
export async function readNodes(
  table: Table,
  job: { workspaceId: string; runId: string },
  indexes: readonly number[],
): Promise<Map<number, StoredStep>> {
  const items = await readItems(
    table,
    indexes.map((index) => stepKey(job.workspaceId, job.runId, index)),
  );
  return new Map(items.map((item) => [item.index as number, toRecord<StoredStep>(item)]));
}

/** A run and one of its nodes, in one request. */
export async function readRunAndNode(
  table: Table,
  { workspaceId, runId, index }: StepJob,
): Promise<{ run: StoredRun | undefined; node: StoredStep | undefined }> {
  const keys = [runKey(workspaceId, runId), stepKey(workspaceId, runId, index)];
  const items = await readItems(table, keys);
  const [run, node] = keys.map(({ sk }) => items.find((item) => item.sk === sk));
  return { run: run && toRecord<StoredRun>(run), node: node && toRecord<StoredStep>(node) };
}

const plans = new Map<string, Plan>();

/** The plan of a run; the same for all its attempts. */
export async function planOf(context: RunContext, run: StoredRun): Promise<Plan> {
  const known = plans.get(run.id);
  if (known) return known;
  const dag = await context.dags.get(run.workspaceId, run.dagHash);
  const plan = planRun(dag, run.parameters, run.planVersion ?? 1);
  plans.set(run.id, plan);
  if (plans.size > 100) plans.delete(plans.keys().next().value as string);
  return plan;
}

/** How long an attempt counts as alive without a heartbeat. */
export const LEASE_MS = 60_000;
