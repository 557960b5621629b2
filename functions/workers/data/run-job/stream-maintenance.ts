import { withGuardedEngine } from '../../../../shared/data/duckdb/guarded-engine.ts';
import { maintainStream } from '../../../../shared/domains/cdc/index.ts';
import { MAX_WORK_MS, type RefreshWorker } from './dataset-refresh/refresh-worker.ts';

/** Then it begins no other fold: the next message goes on. */
const MAX_TENDING_MS = 5 * 60 * 1000;

type Workplace = Pick<RefreshWorker, 'table' | 'objects' | 'cache' | 'room' | 'now'>;

/** Tends what a CDC stream has stored. */
export function streamMaintenance({ table, objects, cache, room, now }: Workplace) {
  return (workspaceId: string, id: string): Promise<void> =>
    maintainStream(
      {
        table,
        objects,
        now,
        localCopies: (files) => cache.fetchAll(files.map(({ key }) => ({ key }))),
        withEngine: (work) =>
          withGuardedEngine(room, { timeoutMs: MAX_WORK_MS, signal: new AbortController().signal }, work),
      },
      { workspaceId, id },
      new Date(now().getTime() + MAX_TENDING_MS),
    );
}
