import { outboxItem } from '../../../../../shared/domains/events/events/index.ts';
import {
  mayQuoteRows,
  readsOfDataset,
  tablesRead,
  withoutQuotedRows,
} from '../../../../../shared/domains/semantics/row-rights/index.ts';
import { assertProductUsable } from '../../../../../shared/domains/tenancy/usage/index.ts';
import {
  addStorageStatsItem,
  datasetRepository,
  type LastRefresh,
  lastRefreshItem,
  refreshInput,
} from '../../../../../shared/domains/warehouse/datasets/index.ts';
import { isProductError } from '../../../../../shared/platform/entitlements/product-check.ts';
import type { JobError, StoredJob } from '../../../../../shared/platform/jobs/record.ts';
import type { Ending } from '../../../../../shared/platform/jobs/repository.ts';
import { isInstantOf } from '../../../../../shared/platform/schedule/schedule.ts';
import { idFrom } from '../../../../../shared/platform/storage/ids.ts';
import type { TransactItem } from '../../../../../shared/platform/storage/table.ts';
import { transact } from '../../../../../shared/platform/storage/transact.ts';
import { JobStopped, type JobWork } from '../job-kind.ts';
import { refresh } from './refresh.ts';
import type { RefreshWorker } from './refresh-worker.ts';

/** Reads the source of a dataset and commits the rows as its next version. */
export function datasetRefresh(worker: RefreshWorker): JobWork {
  const datasets = datasetRepository(worker.table);
  return {
    async run(job, control) {
      const dataset = await datasets.get(job.workspaceId, job.subjectId);
      if (!dataset) throw new JobStopped('cancelled');
      // If this attempt crashes, the clean-up finds the files that it left.
      await transact(worker.table, [addStorageStatsItem(worker.table, dataset, 0, worker.now())]);
      return refresh(worker, job, control);
    },

    afterwards: async (job, ending) => [
      lastRefreshItem(
        worker.table,
        { workspaceId: job.workspaceId, id: job.subjectId },
        {
          status: ending.status,
          at: worker.now().toISOString(),
          error: ending.status === 'failed' ? ending.error : null,
          jobId: job.id,
          ...(ending.status === 'succeeded' ? reportOf(ending.result) : {}),
        },
      ),
      ...(await announcement(worker, job, ending)),
    ],

    async due({ workspaceId, subjectId: datasetId, scheduledAt }) {
      const dataset = await datasets.get(workspaceId, datasetId);
      if (!dataset?.source || !isInstantOf(dataset.schedule, scheduledAt)) return undefined;
      // Schedules go on when a licence returns; nothing is refreshed without one.
      return (await isUsable(worker, workspaceId)) ? refreshInput(dataset) : undefined;
    },
  };
}

async function isUsable({ table, now }: RefreshWorker, workspaceId: string): Promise<boolean> {
  try {
    await assertProductUsable(table, workspaceId, 'warehouse', now());
    return true;
  } catch (cause) {
    if (isProductError(cause)) return false;
    throw cause;
  }
}

function reportOf(result: Record<string, unknown>): Pick<LastRefresh, 'version' | 'changedValues'> {
  const { version, changedValues } = result as { version: number; changedValues?: LastRefresh['changedValues'] };
  return { version, ...(changedValues ? { changedValues } : {}) };
}

/** The user who requested a refresh sees its result; only a scheduled one needs an event when it fails. */
async function announcement(worker: RefreshWorker, job: StoredJob, ending: Ending): Promise<TransactItem[]> {
  if (ending.status !== 'failed' || job.trigger.kind !== 'schedule') return [];
  const at = worker.now();
  const error = await sentError(worker, job, ending.error);
  return [
    outboxItem(worker.table, {
      id: idFrom('source.sync_failed', job.id),
      workspaceId: job.workspaceId,
      event: 'source.sync_failed',
      data: {
        workspaceId: job.workspaceId,
        sourceId: job.input.sourceId as string | null,
        sourceName: null,
        datasetId: job.subjectId,
        datasetName: job.input.datasetName as string,
        jobId: job.id,
        error,
        scheduledFor: job.trigger.scheduledAt,
        failedAt: at.toISOString(),
        url: `/api/datasets/${job.subjectId}/history`,
      },
      at,
    }),
  ];
}

/** The error for receivers of events, who may be anyone: its message may quote rows. */
async function sentError(worker: RefreshWorker, { workspaceId, subjectId }: StoredJob, error: JobError) {
  const dataset = mayQuoteRows(error) ? await datasetRepository(worker.table).get(workspaceId, subjectId) : undefined;
  if (!dataset) return error;
  const reads = readsOfDataset(dataset);
  return withoutQuotedRows(error, await tablesRead(worker.copies, workspaceId, reads, () => true));
}
