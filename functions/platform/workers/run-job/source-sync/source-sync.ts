import { outboxItem } from '../../../../../shared/domains/events/events/index.ts';
import {
  catalogueObjects,
  cataloguePointerItem,
  dataSourceRepository,
  syncInput,
} from '../../../../../shared/domains/warehouse/sources/index.ts';
import type { StoredJob } from '../../../../../shared/platform/jobs/record.ts';
import type { Ending } from '../../../../../shared/platform/jobs/repository.ts';
import { isInstantOf } from '../../../../../shared/platform/schedule/schedule.ts';
import { idFrom } from '../../../../../shared/platform/storage/ids.ts';
import type { TransactItem } from '../../../../../shared/platform/storage/table.ts';
import { failedConditions, transact } from '../../../../../shared/platform/storage/transact.ts';
import { type JobControl, JobStopped, type JobWork } from '../job-kind.ts';
import { readCatalogueOf } from './read-catalogue.ts';
import type { SyncWorker } from './sync-worker.ts';

/** Reads the catalogue of a data source and replaces the stored one. */
export function sourceSync(worker: SyncWorker): JobWork {
  const sources = dataSourceRepository(worker.table);
  return {
    run: (job, control) => sync(worker, job, control),

    afterwards: (job, ending) => announcement(worker, job, ending),

    async due({ workspaceId, subjectId: sourceId, scheduledAt }) {
      const source = await sources.get(workspaceId, sourceId);
      return source && isInstantOf(source.schedule, scheduledAt) ? syncInput(source) : undefined;
    },
  };
}

async function sync(worker: SyncWorker, job: StoredJob, control: JobControl): Promise<Record<string, unknown>> {
  const { workspaceId, subjectId: sourceId } = job;
  const sources = dataSourceRepository(worker.table);
  const source = await sources.get(workspaceId, sourceId);
  if (!source) throw new JobStopped('cancelled');
  const syncedAt = worker.now().toISOString();
  const catalogue = await readCatalogueOf(worker, source, {
    signal: control.signal,
    report: (tables) => control.progress({ rows: tables }),
  });

  const place = { workspaceId, sourceId };
  const object = `${catalogueObjects(place)}${job.id}-${job.attempt}.json`;
  await worker.objects.write(object, Buffer.from(JSON.stringify(catalogue)), 'application/json');
  const stillThere: TransactItem = {
    ConditionCheck: {
      TableName: worker.table.name,
      Key: sources.key(workspaceId, sourceId),
      ConditionExpression: 'attribute_exists(pk)',
    },
  };
  try {
    await transact(worker.table, [
      control.fence(),
      stillThere,
      cataloguePointerItem(worker.table, place, { object, syncedAt, jobId: job.id }),
    ]);
  } catch (cause) {
    const failed = failedConditions(cause);
    if (failed.size === 0) throw cause;
    await worker.objects.remove([object]);
    throw new JobStopped(failed.has(0) ? 'given up' : 'cancelled');
  }
  await removeOldObjects(worker, catalogueObjects(place), object);
  const columns = catalogue.tables.reduce((sum, table) => sum + (table.columns?.length ?? 0), 0);
  return { syncedAt, schemas: catalogue.schemas.length, tables: catalogue.tables.length, columns };
}

const RETENTION_MS = 24 * 60 * 60 * 1000;

/** Only after a day: a reader may still use the old pointer, and another worker may be about to store a new one. */
async function removeOldObjects(worker: SyncWorker, prefix: string, current: string): Promise<void> {
  const before = new Date(worker.now().getTime() - RETENTION_MS).toISOString();
  const old = (await worker.objects.list(prefix)).filter(({ key, updatedAt }) => key !== current && updatedAt < before);
  await worker.objects.remove(old.map(({ key }) => key));
}

/** The user who requested a sync sees its result; only a scheduled one needs an event when it fails. */
function announcement(worker: SyncWorker, job: StoredJob, ending: Ending): TransactItem[] {
  if (ending.status !== 'failed' || job.trigger.kind !== 'schedule') return [];
  const at = worker.now();
  return [
    outboxItem(worker.table, {
      id: idFrom('source.sync_failed', job.id),
      workspaceId: job.workspaceId,
      event: 'source.sync_failed',
      data: {
        workspaceId: job.workspaceId,
        sourceId: job.subjectId,
        sourceName: job.input.sourceName as string,
        datasetId: null,
        datasetName: null,
        jobId: job.id,
        error: ending.error,
        scheduledFor: job.trigger.scheduledAt,
        failedAt: at.toISOString(),
        url: `/api/data-sources/${job.subjectId}/history`,
      },
      at,
    }),
  ];
}
