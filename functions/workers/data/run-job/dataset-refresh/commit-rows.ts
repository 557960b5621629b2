import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import {
  type CommittedLoad,
  commitLoad,
  type Dataset,
  datasetPrefix,
  findLoad,
} from '../../../../../shared/domains/datasets/index.ts';
import type { StoredJob } from '../../../../../shared/platform/jobs/record.ts';
import { type JobControl, JobFailure, JobStopped } from '../job-kind.ts';
import type { RefreshWorker } from './refresh-worker.ts';

const MAX_TRIES = 5;

type Load = Parameters<typeof commitLoad>[2];
type PreparedLoad = Omit<Load, 'isNew' | 'loadKey' | 'at' | 'fence'>;

/**
 * Prepares and commits exactly once: the job's id identifies the load. If another load changes the dataset in between, everything is
 * repeated, because what counts as new depends on the version that it is added to.
 */
export async function commitRows(
  { table, objects, now }: Pick<RefreshWorker, 'table' | 'objects' | 'now'>,
  { job, control }: { job: StoredJob; control: Pick<JobControl, 'fence'> },
  prepare: () => Promise<PreparedLoad>,
): Promise<CommittedLoad> {
  const loadKey = `job#${job.id}`;
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const earlier = await findLoad(table, job.workspaceId, loadKey);
    if (earlier) return earlier;
    const load = await prepare();
    const fence = control.fence();
    const outcome = await commitLoad(table, objects, { ...load, isNew: false, loadKey, at: now(), fence });
    if (outcome.kind === 'committed') return outcome.load;
    if (outcome.kind === 'fenced') throw new JobStopped('given up');
    if (outcome.kind === 'full') {
      const gb = outcome.limitBytes / 1024 ** 3;
      throw new JobFailure('ALLOWANCE_EXHAUSTED', `The rows would exceed the ${gb} GB that the workspace may store.`);
    }
  }
  throw new JobFailure('BUSY', 'Other loads kept changing the dataset at the same time.');
}

/** The key of the next file of a new version. */
export const fileKey = ({ workspaceId, id, attempt }: StoredJob, dataset: Dataset): string =>
  `${datasetPrefix(workspaceId, dataset.id)}${id}-${attempt}/${randomUUID()}.parquet`;

export const scratchFile = ({ engineResources }: Pick<RefreshWorker, 'engineResources'>): string =>
  join(engineResources.tempDir, `${randomUUID()}.parquet`);
