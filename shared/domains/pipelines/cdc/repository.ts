import { auditedRecords } from '../../../platform/audit/records.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { type Collection, collection } from '../../../platform/storage/collection.ts';
import { idFrom } from '../../../platform/storage/ids.ts';
import { withReferences } from '../../../platform/storage/references.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { removeCopyItem } from '../../semantics/row-rights/index.ts';
import { sourceReferenceItems } from '../../warehouse/sources/index.ts';
import { newMaintenanceItem } from './maintenance.ts';
import type { StoredStream } from './record.ts';
import { streamCopy } from './stream-copy.ts';

export const CAPTURE_SHARDS = 4;
/** The partitions of the due index for the next captures of streams. */
export const captureShard = (shard: number): string => `cdc-capture#${shard}`;

export interface StreamRepository extends Pick<Collection<StoredStream>, 'get' | 'list' | 'readAll' | 'find'> {
  /** Throws `CDC_STREAM_ID_TAKEN`, or `DATA_SOURCE_NOT_FOUND` if the source was deleted just now. */
  create(stream: StoredStream, also: TransactItem[]): Promise<StoredStream>;
  /** Throws `STALE_WRITE`. */
  replace(previous: StoredStream, next: StoredStream, also?: TransactItem[]): Promise<StoredStream>;
  /** Removes the stream and its reference to the source. Throws `STALE_WRITE`. */
  remove(stream: StoredStream): Promise<void>;
  /** The stream of a source by its `streamId`. */
  byName(workspaceId: string, sourceId: string, streamId: string): Promise<StoredStream | undefined>;
}

export function streamRepository(table: Table): StreamRepository {
  const streams = collection<StoredStream>(table, {
    entity: 'cdc-stream',
    unique: { of: ({ sourceId, streamId }) => nameOf(sourceId, streamId), taken: 'CDC_STREAM_ID_TAKEN' },
    logs: auditedRecords<StoredStream>(table, {
      subject: 'cdc_stream',
      name: ({ streamId }) => streamId,
      members: {
        sourceId: 'shown',
        tables: 'shown',
        slotGeneration: 'shown',
        enabled: 'shown',
        capture: 'shown',
        walLimitBytes: 'shown',
        onWalLimit: 'shown',
        deletedAt: 'shown',
      },
    }),
    // A changed stream is due at the next tick.
    attributes: ({ id, updatedAt }) => ({
      due: captureShard(Number.parseInt(id.slice(-2), 16) % CAPTURE_SHARDS),
      dueAt: updatedAt,
    }),
  });
  const references = ({ workspaceId, id }: StoredStream, before: readonly string[], after: readonly string[]) =>
    sourceReferenceItems(table, { workspaceId, type: 'cdc-stream', id }, before, after);

  return {
    get: streams.get,
    list: streams.list,
    readAll: streams.readAll,
    find: streams.find,
    create: (stream, also) =>
      withReferences(
        references(stream, [], [stream.sourceId]),
        (items) => streams.create(stream, [...also, newMaintenanceItem(table, stream, stream.createdAt), ...items]),
        (cause) => new AppError('DATA_SOURCE_NOT_FOUND', { cause }),
      ),
    replace: (previous, next, also) => streams.replace(previous, next, 'STALE_WRITE', also),
    remove: (stream) =>
      streams.remove(stream, 'STALE_WRITE', [
        ...references(stream, [stream.sourceId], []),
        removeCopyItem(table, streamCopy(stream).place),
      ]),
    byName: (workspaceId, sourceId, streamId) => streams.find(workspaceId, nameOf(sourceId, streamId)),
  };
}

const nameOf = (sourceId: string, streamId: string) => `${sourceId}#${streamId}`;

/** A stream name of a source always gets the same slot name, so a slot that was left behind is found again. */
export function slotNameOf({
  workspaceId,
  sourceId,
  streamId,
}: Pick<StoredStream, 'workspaceId' | 'sourceId' | 'streamId'>) {
  return `analytics_${streamId}_${idFrom('cdc-slot', workspaceId, sourceId, streamId).slice(0, 8)}`;
}
