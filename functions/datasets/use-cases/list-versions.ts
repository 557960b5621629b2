import type { VersionSummary } from '../../../shared/domains/datasets/manifests.ts';
import type { DatasetRepository } from '../../../shared/domains/datasets/repository.ts';
import { expiryOf } from '../../../shared/domains/datasets/retention.ts';
import type { DatasetVersions } from '../schemas.ts';
import { findDataset } from './find-dataset.ts';

/** The versions that can be restored, the newest first, with when each may go. */
export async function listVersions(
  deps: {
    datasets: DatasetRepository;
    versions(workspaceId: string, id: string): Promise<VersionSummary[]>;
    storedBytes(workspaceId: string, id: string): Promise<number>;
  },
  query: { workspaceId: string; id: string },
): Promise<DatasetVersions> {
  const dataset = await findDataset(deps, query);
  const [versions, storedBytes] = await Promise.all([
    deps.versions(query.workspaceId, query.id),
    deps.storedBytes(query.workspaceId, query.id),
  ]);
  const expiries = new Map(
    expiryOf(versions, dataset.retention).map(({ version, expiresAt }) => [version, expiresAt?.toISOString() ?? null]),
  );
  const items = versions.map(({ version, columns, rowCount, sizeBytes, mode, origin, createdAt }) => ({
    version,
    isCurrent: version === dataset.version,
    columns,
    rowCount,
    sizeBytes,
    mode,
    origin,
    createdAt,
    expiresAt: expiries.get(version) ?? null,
  }));
  return { items, storedBytes };
}
