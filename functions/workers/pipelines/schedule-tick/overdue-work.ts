import {
  advanceBackfill,
  BACKFILL_CHECK_PARTITION,
  FILE_BATCH_PARTITION,
  RUN_CARE_SHARDS,
  type RunContext,
  repairRun,
  UPSTREAM_END_PARTITION,
  upstreamEndOf,
} from '../../../../shared/domains/pipelines/index.ts';
import { type JobContext, recoverJob } from '../../../../shared/platform/jobs/jobs.ts';
import { JOB_CARE_SHARDS } from '../../../../shared/platform/jobs/repository.ts';
import { dueItems, type Failure, workOnDue } from '../../../../shared/platform/storage/due-items.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';

/** Looks after the active runs whose time has come. */
export async function repairRuns(context: RunContext, report: (failure: Failure) => void): Promise<Failure[]> {
  const failures: Failure[] = [];
  for (let shard = 0; shard < RUN_CARE_SHARDS; shard++) {
    const due = dueItems(context.table, `run-care#${shard}`, context.now());
    failures.push(
      ...(await workOnDue(
        due,
        ({ pk }) => {
          const [, workspaceId, , runId] = pk.split('#');
          return repairRun(context, { workspaceId: workspaceId!, runId: runId! });
        },
        report,
      )),
    );
  }
  return failures;
}

/** Tells once more of upstream pipelines that have ended and whose downstream has not started yet. */
export function resendUpstreamEnds(context: RunContext, report: (failure: Failure) => void): Promise<Failure[]> {
  return workOnDue(
    dueItems(context.table, UPSTREAM_END_PARTITION, context.now()),
    (item) => context.queue.send([{ message: { kind: 'upstream-end', ...upstreamEndOf(item) }, delaySeconds: 0 }]),
    report,
  );
}

/** Tells of files that have waited long enough: of long waits first, of all others once more. */
export function startFileBatches(context: RunContext, report: (failure: Failure) => void): Promise<Failure[]> {
  return workOnDue(
    dueItems(context.table, FILE_BATCH_PARTITION, context.now()),
    ({ pk }) => {
      const [, workspaceId, , pipelineId] = pk.split('#');
      const message = { kind: 'file-batch', workspaceId: workspaceId!, pipelineId: pipelineId! } as const;
      return context.queue.send([{ message, delaySeconds: 0 }]);
    },
    report,
  );
}

/** The tick has other things to do in its minute: what cancels have not ended by then is left to the next one. */
const CANCEL_MS = 15_000;

/** Brings on the backfills that are at work. */
export function advanceBackfills(context: RunContext, report: (failure: Failure) => void): Promise<Failure[]> {
  const due = dueItems(context.table, BACKFILL_CHECK_PARTITION, context.now());
  const cancelUntil = new Date(context.now().getTime() + CANCEL_MS);
  return workOnDue(due, (item) => advanceBackfill(context, item, cancelUntil), report);
}

/** Looks after jobs that wait for long, whose workers are silent, or that nobody asks for any more. */
export async function recoverJobs(
  table: Table,
  context: JobContext,
  report: (failure: Failure) => void,
): Promise<Failure[]> {
  const failures: Failure[] = [];
  for (let shard = 0; shard < JOB_CARE_SHARDS; shard++) {
    const due = dueItems(table, `job-care#${shard}`, context.now());
    failures.push(...(await workOnDue(due, ({ pk, sk: id }) => recoverJob(context, pk.split('#')[1]!, id), report)));
  }
  return failures;
}
