import type { JobContext } from '../../../shared/jobs/jobs.ts';
import { isActive, type StoredJob } from '../../../shared/jobs/record.ts';
import { jobList } from '../../../shared/jobs/repository.ts';

/** The refresh that waits or runs, if there is one. */
export async function activeRefresh(
  { jobs }: Pick<JobContext, 'jobs'>,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<StoredJob | undefined> {
  const { items } = await jobs.list(workspaceId, { limit: 1, offset: 0 }, jobList('dataset_refresh', id));
  return items.find(isActive);
}
