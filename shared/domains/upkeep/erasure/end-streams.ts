import { AppError } from '../../../platform/errors/app-error.ts';
import { later } from '../../../platform/storage/ids.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { streamRepository } from '../../pipelines/cdc/index.ts';

const PAGE = 200;

/**
 * Deletes the CDC streams of a workspace in the usual way, so that their sources drop the replication slots. Returns
 * false while a stream is left; the capture worker removes it.
 */
export async function endStreams(table: Table, workspaceId: string, now: Date): Promise<boolean> {
  const streams = streamRepository(table);
  const { items } = await streams.list(workspaceId, { limit: PAGE, offset: 0 });
  for (const stream of items) {
    if (stream.deletedAt) continue;
    const at = later(stream.updatedAt, now);
    await streams.replace(stream, { ...stream, deletedAt: at, updatedAt: at }).catch((error: unknown) => {
      // The capture has changed it meanwhile; the next round deletes it.
      if (!(error instanceof AppError && error.code === 'STALE_WRITE')) throw error;
    });
  }
  return items.length === 0;
}
