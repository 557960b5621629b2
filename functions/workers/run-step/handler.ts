import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { MasterSecret, parameterReader } from '../../../shared/crypto/master-secret.ts';
import { secretBox } from '../../../shared/crypto/secret-box.ts';
import { environment } from '../../../shared/http/open-group.ts';
import { ObjectCache } from '../../../shared/objects/object-cache.ts';
import { objectStore } from '../../../shared/objects/object-store.ts';
import { createLogger } from '../../../shared/observability/logger.ts';
import { refuseBeyondAllowance } from '../../../shared/pipelines/allowance.ts';
import type { ComputeSize } from '../../../shared/pipelines/compute.ts';
import { dagStore } from '../../../shared/pipelines/dag-store.ts';
import { launcher, type StepJob } from '../../../shared/pipelines/launcher.ts';
import { workQueue } from '../../../shared/pipelines/work-queue.ts';
import { BriefCache } from '../../../shared/storage/cache.ts';
import { openTable } from '../../../shared/storage/table.ts';
import type { Worker } from './attempt.ts';
import { type Answer, execute } from './execute.ts';
import { type Crash, recover } from './recover.ts';

/** A chain of steps is followed for so long; a step begun later would have too little of the function's time left. */
const GO_ON_MS = 30_000;

const log = createLogger('run-step');
const bucket = environment('DATA_BUCKET');
const s3 = new S3Client({});
const table = openTable(environment('TABLE_NAME'));
const objects = objectStore(bucket, s3);
const scratchDir = join(tmpdir(), 'run-step');
mkdirSync(scratchDir, { recursive: true });

/** A chain of short steps asks once; the cap may be passed by what the steps of these seconds use. */
const allowances = new BriefCache<void>({ ttlMs: 10_000 });

const worker: Worker = {
  context: {
    table,
    dags: dagStore(table, objects),
    queue: workQueue(environment('WORK_QUEUE_URL')),
    launcher: launcher({ run: environment('RUN_MACHINE_ARN'), step: environment('STEP_MACHINE_ARN') }),
    now: () => new Date(),
    random: Math.random,
  },
  objects,
  cache: new ObjectCache({
    s3,
    bucket,
    folder: join(tmpdir(), 'objects'),
    maxBytes: Number(process.env.SCRATCH_MB ?? 8192) * 1024 * 1024 * 0.5,
  }),
  secrets: secretBox(new MasterSecret(parameterReader(environment('MASTER_SECRET_PARAMETER')))),
  allowedPrivateCidrs: (process.env.ALLOWED_PRIVATE_CIDRS ?? '').split(',').filter(Boolean),
  scratchDir,
  compute: { engine: 'function', size: environment('COMPUTE_SIZE') as ComputeSize },
  extra: new Set(),
  refuseBeyondAllowance: (workspaceId) =>
    allowances.get(workspaceId, Date.now(), () => refuseBeyondAllowance(table, workspaceId, new Date())),
  report: (error) => log.error('an attempt failed unexpectedly', { error }),
};

export type StepEvent =
  | { op: 'execute'; job: StepJob; execution: string }
  | { op: 'recover'; job: StepJob; execution: string; crash: Crash };

/** Driven by the step machine (`step-machine.ts`). */
export async function handler(event: StepEvent): Promise<Answer> {
  const { job, execution } = event;
  log.appendKeys({ workspaceId: job.workspaceId, runId: job.runId, index: job.index });
  if (event.op === 'recover') {
    log.warn('an invocation died', { crash: event.crash });
    return recover(worker, job, execution, event.crash);
  }
  const startedAt = performance.now();
  return execute(worker, job, execution, () => performance.now() - startedAt < GO_ON_MS);
}
