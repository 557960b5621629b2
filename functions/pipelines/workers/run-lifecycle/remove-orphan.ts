import type { DataSourceRepository } from '../../../../shared/domains/warehouse/sources/index.ts';
import type { ObjectStore } from '../../../../shared/platform/objects/object-store.ts';
import { type ObjectCreated, UPLOAD } from './record-arrival.ts';

/**
 * The URL of an upload outlives its source: removes a file that came after the source was deleted, and answers whether
 * it did.
 */
export async function removeOrphan(
  deps: { sources: Pick<DataSourceRepository, 'get'>; objects: Pick<ObjectStore, 'remove'> },
  event: ObjectCreated,
): Promise<boolean> {
  const { key } = event.detail.object;
  const [, workspaceId, sourceId] = UPLOAD.exec(key) ?? [];
  if (!workspaceId || !sourceId || (await deps.sources.get(workspaceId, sourceId))) return false;
  await deps.objects.remove([key]);
  return true;
}
