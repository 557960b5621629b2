import {
  columnsLostByContent,
  type FindBroken,
  refuseBreaking,
} from '../../../../shared/domains/catalog/lineage/index.ts';
import { requireMayWrite, type WriteDeps } from '../../../../shared/domains/pipelines/copies/index.ts';
import {
  type Dataset,
  type DatasetRepository,
  type readManifest,
  restoreVersion,
} from '../../../../shared/domains/warehouse/datasets/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import type { ObjectStore } from '../../../../shared/platform/objects/object-store.ts';
import { findDataset } from './read-datasets.ts';

interface RestoreDeps extends WriteDeps {
  objects: ObjectStore;
  datasets: DatasetRepository;
  findBroken: FindBroken;
  manifest(dataset: Parameters<typeof readManifest>[2]): ReturnType<typeof readManifest>;
}

/** Throws what `restoreVersion` throws, and `REFERENCED` without `force` if the version lacks columns in use. */
export async function restoreDataset(
  deps: RestoreDeps,
  command: { principal: Principal; id: string; version: number; force: boolean; restoreId: string },
): Promise<Dataset> {
  const { principal, id, version, force, restoreId } = command;
  const { workspaceId, userId } = principal;
  const { name } = await findDataset(deps, { workspaceId, id });
  await requireMayWrite(deps, principal, { datasets: [name] });
  const content = force ? undefined : await deps.manifest({ workspaceId, id, version });
  if (content) await refuseBreaking(deps.findBroken, principal, columnsLostByContent(id, content.columns));
  return restoreVersion(deps, { restoreId, workspaceId, datasetId: id, version, userId, at: deps.now() });
}
