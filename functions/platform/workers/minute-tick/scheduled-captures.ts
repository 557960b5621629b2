import {
  CAPTURE_SHARDS,
  type CaptureMessage,
  type CaptureQueue,
  captureShard,
  type StoredStream,
  streamRepository,
} from '../../../../shared/domains/pipelines/cdc/index.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import type { Scheduled } from './announce-due.ts';

/** How often the capture of a polling stream runs. */
const POLL_MS = 10_000;
/** Paused, deleted and continuously captured streams are only checked. */
const CHECK_MS = 60_000;

/** CDC streams, whose capture runs at intervals. */
export function scheduledCaptures(table: Table, queue: CaptureQueue): Scheduled<CaptureMessage> {
  const streams = streamRepository(table);
  return {
    partitions: Array.from({ length: CAPTURE_SHARDS }, (_, shard) => captureShard(shard)),
    queue,
    async find(item) {
      const workspaceId = item.pk.split('#')[1]!;
      const stream = await streams.get(workspaceId, item.sk);
      return (
        stream && {
          next: (after) => nextTurn(stream, after),
          message: () => ({ workspaceId, id: stream.id }),
        }
      );
    },
  };
}

function nextTurn({ enabled, capture, deletedAt }: StoredStream, after: Date): Date {
  const everyMs = enabled && capture === 'polling' && !deletedAt ? POLL_MS : CHECK_MS;
  return new Date((Math.floor(after.getTime() / everyMs) + 1) * everyMs);
}
