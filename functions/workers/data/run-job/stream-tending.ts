import { withGuardedEngine } from '../../../../shared/data/duckdb/guarded-engine.ts';
import { tendStream } from '../../../../shared/domains/cdc/maintain-stream.ts';
import { MOST_WORK_MS, type RefreshWorker } from './dataset-refresh/refresh-worker.ts';

/** Then it begins no other fold: the next message goes on. */
const MOST_TENDING_MS = 5 * 60 * 1000;

type Workplace = Pick<RefreshWorker, 'table' | 'objects' | 'cache' | 'room' | 'now'>;

/** Tends what a CDC stream has stored. */
export function streamTending({ table, objects, cache, room, now }: Workplace) {
  return (workspaceId: string, id: string): Promise<void> =>
    tendStream(
      {
        table,
        objects,
        now,
        localCopies: (files) => cache.fetchAll(files.map(({ key }) => ({ key }))),
        withEngine: (work) =>
          withGuardedEngine(room, { timeoutMs: MOST_WORK_MS, signal: new AbortController().signal }, work),
      },
      { workspaceId, id },
      new Date(now().getTime() + MOST_TENDING_MS),
    );
}
