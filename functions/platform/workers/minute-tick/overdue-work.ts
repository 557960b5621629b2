import { advanceBackfill, BACKFILL_CHECK_PARTITION } from '../../../../shared/domains/pipelines/backfills/index.ts';
import { repairRun } from '../../../../shared/domains/pipelines/runs/index.ts';
import {
  postponeUpstreamEnd,
  RUN_CHECK_SHARDS,
  type RunContext,
  UPSTREAM_END_PARTITION,
  upstreamEndOf,
} from '../../../../shared/domains/pipelines/store/index.ts';
import { FILE_BATCH_PARTITION } from '../../../../shared/domains/pipelines/triggers/index.ts';
import { type JobContext, recoverJob } from '../../../../shared/platform/jobs/jobs.ts';
import { JOB_CHECK_SHARDS } from '../../../../shared/platform/jobs/repository.ts';
import { dueItems, type Failure, workOnDue } from '../../../../shared/platform/storage/due-items.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';

/** Repairs active runs without recent progress. */
export async function repairRuns(context: RunContext, report: (failure: Failure) => void): Promise<Failure[]> {
  const failures: Failure[] = [];
  for (let shard = 0; shard < RUN_CHECK_SHARDS; shard++) {
    const due = dueItems(context.table, `run-check#${shard}`, context.now());
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

/** Wakes the pipelines with ends of upstream runs whose run has not started yet. */
export function resendUpstreamEnds(context: RunContext, report: (failure: Failure) => void): Promise<Failure[]> {
  const woken = new Set<string>();
  return workOnDue(
    dueItems(context.table, UPSTREAM_END_PARTITION, context.now()),
    async (item) => {
      const isFirst = !woken.has(item.pk);
      if (isFirst) {
        woken.add(item.pk);
        const { workspaceId, pipelineId } = upstreamEndOf(item);
        await context.queue.send([{ message: { kind: 'start-waiting', workspaceId, pipelineId }, delaySeconds: 0 }]);
      }
      await postponeUpstreamEnd(context.table, item, isFirst, context.now());
    },
    report,
  );
}

/** Sends due file batches: those that no delayed message covers, and all others once more. */
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

/** Cancels continue in the next tick after this time. */
const CANCEL_MS = 15_000;

/** Advances active backfills. */
export function advanceBackfills(context: RunContext, report: (failure: Failure) => void): Promise<Failure[]> {
  const due = dueItems(context.table, BACKFILL_CHECK_PARTITION, context.now());
  const cancelUntil = new Date(context.now().getTime() + CANCEL_MS);
  return workOnDue(due, (item) => advanceBackfill(context, item, cancelUntil), report);
}

/** Recovers jobs that wait too long, whose workers are silent, or that no client polls any more. */
export async function recoverJobs(
  table: Table,
  context: JobContext,
  report: (failure: Failure) => void,
): Promise<Failure[]> {
  const failures: Failure[] = [];
  for (let shard = 0; shard < JOB_CHECK_SHARDS; shard++) {
    const due = dueItems(table, `job-check#${shard}`, context.now());
    failures.push(...(await workOnDue(due, ({ pk, sk: id }) => recoverJob(context, pk.split('#')[1]!, id), report)));
  }
  return failures;
}
