import { withGuardedEngine } from '../../../../shared/data/duckdb/guarded-engine.ts';
import { maintainStream } from '../../../../shared/domains/pipelines/cdc/index.ts';
import { MAX_WORK_MS, type RefreshWorker } from './dataset-refresh/refresh-worker.ts';

/** No further compaction starts after this time; the next message continues. */
const MAX_MAINTENANCE_MS = 5 * 60 * 1000;

type MaintenanceDeps = Pick<RefreshWorker, 'table' | 'objects' | 'cache' | 'engineResources' | 'now'>;

/** Compacts and expires what a CDC stream has stored. */
export function streamMaintenance({ table, objects, cache, engineResources, now }: MaintenanceDeps) {
  return (workspaceId: string, id: string): Promise<void> =>
    maintainStream(
      {
        table,
        objects,
        now,
        localCopies: (files) => cache.fetchAll(files.map(({ key }) => ({ key }))),
        withEngine: (work) =>
          withGuardedEngine(engineResources, { timeoutMs: MAX_WORK_MS, signal: new AbortController().signal }, work),
      },
      { workspaceId, id },
      new Date(now().getTime() + MAX_MAINTENANCE_MS),
    );
}
