import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import {
  extraEngines,
  openRunContext,
  refuseBeyondAllowance,
  type StepCompute,
} from '../../../../shared/domains/pipelines/index.ts';
import { MasterSecret, parameterReader } from '../../../../shared/platform/crypto/master-secret.ts';
import { secretBox } from '../../../../shared/platform/crypto/secret-box.ts';
import { environment } from '../../../../shared/platform/http/open-group.ts';
import { ObjectCache } from '../../../../shared/platform/objects/object-cache.ts';
import { objectStore } from '../../../../shared/platform/objects/object-store.ts';
import { BriefCache } from '../../../../shared/platform/storage/cache.ts';
import { openTable } from '../../../../shared/platform/storage/table.ts';
import type { Worker } from './attempt.ts';

/** What works on steps, from the environment of a function or of a container. */
export function openWorker(compute: StepCompute, report: Worker['report']): Worker {
  const bucket = environment('DATA_BUCKET');
  const s3 = new S3Client({});
  const table = openTable(environment('TABLE_NAME'));
  const objects = objectStore(bucket, s3);
  const scratchDir = join(tmpdir(), 'run-step');
  mkdirSync(scratchDir, { recursive: true });
  /** A chain of short steps asks once; the cap may be passed by what the steps of these seconds use. */
  const allowances = new BriefCache<void>({ ttlMs: 10_000 });
  return {
    context: openRunContext(table, objects),
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
    compute,
    extra: extraEngines(process.env.EXTRA_ENGINES),
    ...athenaOf(bucket),
    refuseBeyondAllowance: (workspaceId) =>
      allowances.get(workspaceId, Date.now(), () => refuseBeyondAllowance(table, workspaceId, table.now())),
    report,
    endProcess: () => process.kill(process.pid, 'SIGKILL'),
  };
}

/**
 * The worker as an execution can use it that knows of these engines: it goes on by the definition that it began with, which may be
 * older than what its deployment has by now.
 */
export function within(worker: Worker, engines: readonly string[] = []): Worker {
  const { athena, ...others } = worker;
  return {
    ...others,
    extra: new Set([...worker.extra].filter((each) => engines.includes(each))),
    ...(athena && engines.includes('athena') ? { athena } : {}),
  };
}

function athenaOf(bucket: string): Pick<Worker, 'athena'> {
  const { ATHENA_DATABASE: database, ATHENA_FROM_MB: fromMb } = process.env;
  return database ? { athena: { database, bucket, fromBytes: Number(fromMb) * 1024 * 1024 } } : {};
}
