import type { CdcStream, CdcStreamStatus, CdcTable, StoredStream } from './record.ts';
import type { CaptureState, TableState } from './state.ts';

/** A stream that is further behind than this is lagging. */
const LAGGING_SECONDS = 60;

/** A stream as the API shows it: its settings and the progress of its capture. */
export function toCdcStream(stream: StoredStream, state: CaptureState | undefined, now: Date): CdcStream {
  const lagSeconds = state?.drainedAt ? Math.max(0, (now.getTime() - Date.parse(state.drainedAt)) / 1000) : null;
  const { id, sourceId, streamId, enabled, capture, slotName, walLimitBytes, onWalLimit, createdAt, updatedAt } =
    stream;
  return {
    id,
    sourceId,
    streamId,
    tables: stream.tables.map((table) => toCdcTable(stream, table, state?.tables[table.name])),
    enabled,
    status: statusOf(stream, state, lagSeconds),
    error: state?.error ?? null,
    capture,
    slotName,
    walStatus: state?.walStatus ?? null,
    retainedWalBytes: state?.retainedWalBytes ?? null,
    walLimitBytes,
    onWalLimit,
    lagSeconds,
    confirmedLsn: state?.confirmedLsn ?? null,
    committedLsn: state?.committedLsn ?? null,
    createdAt,
    updatedAt,
  };
}

/** A table is pending while its requested snapshot has not begun. */
function toCdcTable(
  { enabled }: StoredStream,
  { name, generation }: StoredStream['tables'][number],
  state: TableState | undefined,
): CdcTable {
  if (!state || state.generation < generation) {
    return { name, status: 'pending', rows: state?.rows ?? 0, lastLsn: state?.lastLsn ?? null, error: null };
  }
  const { rows, lastLsn, error } = state;
  return { name, status: !enabled && state.status !== 'error' ? 'paused' : state.status, rows, lastLsn, error };
}

function statusOf(stream: StoredStream, state: CaptureState | undefined, lagSeconds: number | null): CdcStreamStatus {
  if (stream.deletedAt) return 'deleting';
  if (state?.error) return 'error';
  if (!stream.enabled || state?.pausedAt) return 'paused';
  if (!state || state.slotGeneration < stream.slotGeneration) return 'creating';
  const tables = stream.tables.map((table) => toCdcTable(stream, table, state.tables[table.name]).status);
  if (tables.some((status) => status === 'pending' || status === 'snapshotting')) return 'snapshotting';
  if (tables.includes('error')) return 'degraded';
  return lagSeconds !== null && lagSeconds > LAGGING_SECONDS ? 'lagging' : 'streaming';
}
