import type { CopyDeps } from '../../../../shared/domains/semantics/row-rights/index.ts';
import type { DatasetRepository, LastRefresh } from '../../../../shared/domains/warehouse/datasets/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { type Job, showJob } from '../../../../shared/platform/jobs/record.ts';
import { type JobRepository, jobList } from '../../../../shared/platform/jobs/repository.ts';
import type { PageOf } from '../../../../shared/platform/storage/page.ts';
import { withoutHiddenRows } from './hidden-refresh-rows.ts';
import { findDataset } from './read-datasets.ts';

interface Deps extends CopyDeps {
  datasets: DatasetRepository;
  jobs: { jobs: Pick<JobRepository, 'list'> };
}

interface Query {
  principal: Principal;
  id: string;
  query: Parameters<JobRepository['list']>[1];
}

/** Throws `DATASET_NOT_FOUND`. */
export async function listRefreshes(deps: Deps, { principal, id, query }: Query): Promise<PageOf<Job>> {
  const { workspaceId } = principal;
  const dataset = await findDataset(deps, { workspaceId, id });
  const page = await deps.jobs.jobs.list(workspaceId, query, jobList('dataset_refresh', id));
  const items = page.items.map(async (stored) => {
    const { result, ...job } = showJob(stored);
    const { changedValues: found, ...rest } = (result ?? {}) as Pick<LastRefresh, 'changedValues'>;
    const { error, changedValues } = await withoutHiddenRows(deps, principal, dataset, {
      error: job.error,
      ...(found && { changedValues: found }),
    });
    return { ...job, error, result: result && { ...rest, ...(changedValues && { changedValues }) } };
  });
  return { ...page, items: await Promise.all(items) };
}
