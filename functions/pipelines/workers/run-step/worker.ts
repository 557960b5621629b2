import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { guardedOptions } from '../../../../shared/data/duckdb/guarded-engine.ts';
import { warmPool } from '../../../../shared/data/duckdb/warm-pool.ts';
import { extraEngines, type StepCompute } from '../../../../shared/domains/pipelines/definition/index.ts';
import { checkAllowance } from '../../../../shared/domains/pipelines/runs/index.ts';
import { openRunContext } from '../../../../shared/domains/pipelines/store/index.ts';
import { sourceTables } from '../../../../shared/domains/semantics/models/index.ts';
import { rightsDeps } from '../../../../shared/domains/semantics/row-rights/index.ts';
import { MasterSecret, parameterReader } from '../../../../shared/platform/crypto/master-secret.ts';
import { secretBox } from '../../../../shared/platform/crypto/secret-box.ts';
import { environment } from '../../../../shared/platform/http/open-group.ts';
import { guardFromEnvironment, webhookSchemes } from '../../../../shared/platform/net/guard-from-environment.ts';
import { ObjectCache } from '../../../../shared/platform/objects/object-cache.ts';
import { objectStore } from '../../../../shared/platform/objects/object-store.ts';
import { BriefCache } from '../../../../shared/platform/storage/cache.ts';
import { openTable } from '../../../../shared/platform/storage/table.ts';
import { engineResources, SCRATCH_MB, type Worker } from './attempt.ts';
import { endStepWith } from './end-step.ts';

/** The worker of steps, configured by the environment of a function or a container. */
export function openWorker(compute: StepCompute, report: Worker['report']): Worker {
  const bucket = environment('DATA_BUCKET');
  const s3 = new S3Client({});
  const table = openTable(environment('TABLE_NAME'));
  const objects = objectStore(bucket, s3);
  const scratchDir = join(tmpdir(), 'run-step');
  // A process that was killed may have left files on this disk.
  rmSync(scratchDir, { recursive: true, force: true });
  mkdirSync(scratchDir, { recursive: true });
  /**
   * Cached so that a chain of short steps reads the allowance once; usage may exceed the cap by the steps of these
   * seconds.
   */
  const allowances = new BriefCache<void>({ ttlMs: 10_000 });
  return {
    context: openRunContext(table, objects),
    objects,
    cache: new ObjectCache({
      s3,
      bucket,
      folder: join(tmpdir(), 'objects'),
      maxBytes: SCRATCH_MB * 1024 * 1024 * 0.5,
    }),
    secrets: secretBox(new MasterSecret(parameterReader(environment('MASTER_SECRET_PARAMETER')))),
    copies: { ...rightsDeps(table, table.now), readTables: sourceTables(table, objects) },
    guard: guardFromEnvironment(),
    schemes: webhookSchemes(),
    scratchDir,
    engines: warmPool(guardedOptions(engineResources({ scratchDir }))),
    compute,
    extra: extraEngines(process.env.EXTRA_ENGINES),
    ...athenaOf(bucket),
    checkAllowance: (workspaceId) =>
      allowances.get(workspaceId, Date.now(), () => checkAllowance(table, workspaceId, table.now())),
    endStep: endStepWith(),
    report,
    endProcess: () => process.kill(process.pid, 'SIGKILL'),
  };
}

/**
 * Restricts a worker to the engines that its execution knows: an execution continues with the state machine definition
 * that it started with, which may be older than the deployment.
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
