import { requireMayWrite, type WriteDeps } from '../../../../shared/domains/pipelines/copies/index.ts';
import {
  copyPlaceOf,
  type Dag,
  loadedDatasets,
  readsOfDag,
  writesOfDag,
} from '../../../../shared/domains/pipelines/definition/index.ts';
import {
  type CopyDeps,
  definedItem,
  readsAnything,
  requireAllRows,
} from '../../../../shared/domains/semantics/row-rights/index.ts';
import type { DatasetRepository } from '../../../../shared/domains/warehouse/datasets/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import type { TransactItem } from '../../../../shared/platform/storage/table.ts';

/**
 * What is stored with a definition of the caller: they answer for the rows that its runs read, also if others start
 * them. Throws `RLS_COPY` if they may not see all of these, and `FORBIDDEN` if it loads what decides which rows they
 * see.
 */
export async function definedCopy(
  deps: CopyDeps & WriteDeps & { datasets: Pick<DatasetRepository, 'getMany'> },
  principal: Principal,
  pipeline: { workspaceId: string; id: string },
  dag: Dag,
): Promise<TransactItem[]> {
  const datasets = await namesLoaded(deps, pipeline.workspaceId, dag);
  await requireMayWrite(deps, principal, { datasets, ...writesOfDag(dag) });
  const reads = readsOfDag(dag);
  if (!readsAnything(reads)) return [];
  await requireAllRows(deps, principal, { reads, pointer: '/dag' });
  return [definedItem(deps.table, copyPlaceOf(pipeline, dag), principal)];
}

/** The names of the datasets that the definition loads. */
async function namesLoaded(
  { datasets }: { datasets: Pick<DatasetRepository, 'getMany'> },
  workspaceId: string,
  dag: Dag,
): Promise<string[]> {
  const { names, ids } = loadedDatasets(dag);
  const byId = ids.length === 0 ? [] : await datasets.getMany(workspaceId, ids);
  return [...names, ...byId.map(({ name }) => name)];
}
