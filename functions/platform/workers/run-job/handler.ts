import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import type { SQSEvent } from 'aws-lambda';
import { vectorStore } from '../../../../shared/domains/catalog/meaning/index.ts';
import { sourceTables } from '../../../../shared/domains/semantics/models/index.ts';
import { rightsDeps } from '../../../../shared/domains/semantics/row-rights/index.ts';
import { datasetRepository, readManifest } from '../../../../shared/domains/warehouse/datasets/index.ts';
import { dataSourceRepository } from '../../../../shared/domains/warehouse/sources/index.ts';
import { aiFunction } from '../../../../shared/platform/ai/function/client.ts';
import { aiSettings, embeddingModelName } from '../../../../shared/platform/ai/settings.ts';
import { MasterSecret, parameterReader } from '../../../../shared/platform/crypto/master-secret.ts';
import { secretBox } from '../../../../shared/platform/crypto/secret-box.ts';
import { environment } from '../../../../shared/platform/http/open-group.ts';
import { type JobMessage, jobQueue } from '../../../../shared/platform/jobs/queue.ts';
import { jobRepository } from '../../../../shared/platform/jobs/repository.ts';
import { guardFromEnvironment } from '../../../../shared/platform/net/guard-from-environment.ts';
import { ObjectCache } from '../../../../shared/platform/objects/object-cache.ts';
import { objectStore } from '../../../../shared/platform/objects/object-store.ts';
import { createLogger } from '../../../../shared/platform/observability/logger.ts';
import { openTable } from '../../../../shared/platform/storage/table.ts';
import type { DashboardExportWorker } from './dashboard-export/dashboard-export-worker.ts';
import { REFRESH_LIMITS, type RefreshWorker } from './dataset-refresh/refresh-worker.ts';
import { jobKinds } from './kinds.ts';
import type { ScanWorker } from './quality-scan/scan-worker.ts';
import type { QueryWorker } from './query/query-worker.ts';
import type { SearchVectorsWorker } from './search-vectors/search-vectors.ts';
import { SYNC_LIMITS } from './source-sync/read-catalogue.ts';
import type { SyncWorker } from './source-sync/sync-worker.ts';
import { startDueJob } from './start-due-job.ts';
import { streamMaintenance } from './stream-maintenance.ts';
import { type JobWorker, workOnJob } from './work-on-job.ts';

const log = createLogger('run-job');
const table = openTable(environment('TABLE_NAME'));
const bucket = environment('DATA_BUCKET');
const s3 = new S3Client({});
/** The scratch disk: one half caches objects, the other is for engines and the files that they write. */
const scratch = join(tmpdir(), 'run-job');
// A killed process leaves its files to the next one on the same disk.
rmSync(scratch, { recursive: true, force: true });
mkdirSync(scratch, { recursive: true });

const objects = objectStore(bucket, s3);
const master = new MasterSecret(parameterReader(environment('MASTER_SECRET_PARAMETER')));
const SCRATCH_MB = Number(environment('SCRATCH_MB'));
const ai = aiSettings();
const deps: RefreshWorker & QueryWorker & SyncWorker & ScanWorker & DashboardExportWorker & SearchVectorsWorker = {
  table,
  datasets: datasetRepository(table),
  manifest: readManifest.bind(undefined, table, objects),
  objects,
  cache: new ObjectCache({
    s3,
    bucket,
    folder: join(tmpdir(), 'run-job-objects'),
    maxBytes: SCRATCH_MB * 1024 * 1024 * 0.5,
  }),
  sources: dataSourceRepository(table),
  secrets: secretBox(master),
  guard: guardFromEnvironment(),
  copies: { ...rightsDeps(table, table.now), readTables: sourceTables(table, objects) },
  ownBucket: bucket,
  engineResources: {
    memoryMb: Number(process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE ?? 4096),
    tempDir: scratch,
    scratchMb: SCRATCH_MB,
  },
  now: table.now,
  limits: REFRESH_LIMITS,
  syncLimits: SYNC_LIMITS,
  master,
  ai: aiFunction(environment('AI_FUNCTION')),
  vectors: vectorStore(table, objects),
  embeddingModel: ai && embeddingModelName(ai),
  reportCard: (error, { id }) => log.error('a card cannot be exported', { error: error as Error, jobId: id }),
};

const worker: JobWorker = {
  jobs: jobRepository(table),
  queue: jobQueue(environment('JOB_QUEUE_URL')),
  now: table.now,
  kinds: jobKinds(deps),
  report: (error, { id, kind, attempt }) => log.error('a job failed unexpectedly', { error, jobId: id, kind, attempt }),
  exit: () => process.kill(process.pid, 'SIGKILL'),
};

const maintain = streamMaintenance(deps);

/**
 * Driven by the job queue, one message at a time. If the process crashes, its message stays hidden for long, but the
 * job's lease ends soon and the minute tick sends another message.
 */
export async function handler(event: SQSEvent): Promise<void> {
  for (const record of event.Records) {
    const message = JSON.parse(record.body) as JobMessage;
    log.appendKeys({ workspaceId: message.workspaceId });
    if (message.op === 'work') await workOnJob(worker, message.workspaceId, message.jobId);
    else if (message.op === 'maintain-stream') await maintain(message.workspaceId, message.streamId);
    else await startDueJob(worker, message, (outcome) => log.info('a schedule is due', { ...message, outcome }));
  }
}
