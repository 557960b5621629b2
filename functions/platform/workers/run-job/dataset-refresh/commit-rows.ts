import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import {
  type CommittedLoad,
  commitLoad,
  type Dataset,
  datasetPrefix,
  findLoad,
} from '../../../../../shared/domains/warehouse/datasets/index.ts';
import type { StoredJob } from '../../../../../shared/platform/jobs/record.ts';
import { inTurns } from '../../../../../shared/platform/storage/turns.ts';
import { type JobControl, JobFailure, JobStopped } from '../job-kind.ts';
import { MAX_WORK_MS, type RefreshWorker } from './refresh-worker.ts';

type Load = Parameters<typeof commitLoad>[2];
type PreparedLoad = Omit<Load, 'isNew' | 'loadKey' | 'at' | 'fence'>;

/**
 * Prepares and commits exactly once: the job's id identifies the load. If another load changes the dataset in between,
 * it is prepared again, because what counts as new depends on the version that it is added to. Loads with the same
 * `turns` take turns.
 */
export async function commitRows(
  { table, objects, now }: Pick<RefreshWorker, 'table' | 'objects' | 'now'>,
  { job, control, turns }: { job: StoredJob; control: Pick<JobControl, 'fence' | 'signal'>; turns: string },
  prepare: () => Promise<PreparedLoad>,
): Promise<CommittedLoad> {
  const loadKey = `job#${job.id}`;
  const { signal } = control;
  const of = { workspaceId: job.workspaceId, name: turns };
  const committed = await inTurns(table, of, { signal, maxWaitMs: MAX_WORK_MS }, async () => {
    const earlier = await findLoad(table, job.workspaceId, loadKey);
    if (earlier) return earlier;
    const load = await prepare();
    const fence = control.fence();
    const next = { ...load, isNew: false, loadKey, at: now(), fence };
    const outcome = await commitLoad(table, objects, next, { signal });
    if (outcome.kind === 'committed') return outcome.load;
    if (outcome.kind === 'fenced') throw new JobStopped('given up');
    if (outcome.kind === 'full') {
      const gb = outcome.limitBytes / 1024 ** 3;
      throw new JobFailure('ALLOWANCE_EXHAUSTED', `The rows would exceed the ${gb} GB that the workspace may store.`);
    }
    return undefined;
  });
  if (!committed) throw new JobFailure('BUSY', 'Other loads kept changing the dataset at the same time.');
  return committed;
}

/** The key of the next file of a new version. */
export const fileKey = ({ workspaceId, id, attempt }: StoredJob, dataset: Dataset): string =>
  `${datasetPrefix(workspaceId, dataset.id)}${id}-${attempt}/${randomUUID()}.parquet`;

export const scratchFile = ({ engineResources }: Pick<RefreshWorker, 'engineResources'>): string =>
  join(engineResources.tempDir, `${randomUUID()}.parquet`);
