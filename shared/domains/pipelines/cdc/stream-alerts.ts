import { idFrom } from '../../../platform/storage/ids.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { outboxItem } from '../../events/events/index.ts';
import type { CdcError, StoredStream } from './record.ts';
import type { CaptureState } from './state.ts';

export const WAL_LIMIT = 'WAL_LIMIT';
export const SLOT_LOST = 'SLOT_LOST';

/** A short outage, such as a restart of the source, is not reported. */
const REPORT_AFTER_MS = 5 * 60 * 1000;

/** The maximum number of alerts of one turn; the next turns send the others. */
const MAX_AT_ONCE = 20;

export function isOverLimit({ walLimitBytes }: StoredStream, { retainedWalBytes }: CaptureState): boolean {
  return retainedWalBytes !== null && retainedWalBytes > walLimitBytes;
}

/**
 * The alerts of a stream that were not sent yet, and the names of all that are sent and still apply. Written with the
 * state.
 */
export function newAlerts(
  table: Table,
  stream: StoredStream,
  state: CaptureState,
  at: Date,
): { items: TransactItem[]; reported: string[] } {
  const alerts = alertsOf(stream, state, at);
  const fresh = [...alerts].filter(([name]) => !state.reported.includes(name)).slice(0, MAX_AT_ONCE);
  const items = fresh.map(([name, { tableName, error }]) =>
    outboxItem(table, {
      id: idFrom('cdc.stream_failing', stream.id, name, state.epoch),
      workspaceId: stream.workspaceId,
      event: 'cdc.stream_failing',
      data: {
        workspaceId: stream.workspaceId,
        cdcStreamId: stream.id,
        streamId: stream.streamId,
        sourceId: stream.sourceId,
        tableName,
        error,
        retainedWalBytes: state.retainedWalBytes,
        detectedAt: at.toISOString(),
        url: `/api/pipelines/cdc-streams/${stream.id}`,
      },
      at,
    }),
  );
  const reported = [...alerts.keys()].filter(
    (name) => state.reported.includes(name) || fresh.some(([each]) => each === name),
  );
  return { items, reported };
}

function alertsOf(stream: StoredStream, state: CaptureState, now: Date) {
  const alerts = new Map<string, { tableName: string | null; error: CdcError }>();
  const { error, drainedAt, createdAt } = state;
  const silentMs = now.getTime() - Date.parse(drainedAt ?? createdAt);
  if (error && (error.code === SLOT_LOST || silentMs > REPORT_AFTER_MS)) {
    alerts.set(error.code, { tableName: null, error });
  }
  if (isOverLimit(stream, state)) {
    const message = `The source keeps ${state.retainedWalBytes} bytes of its log for the stream; the limit is ${stream.walLimitBytes}.`;
    alerts.set(WAL_LIMIT, { tableName: null, error: { code: WAL_LIMIT, message } });
  }
  for (const [name, table] of Object.entries(state.tables)) {
    if (table.error) alerts.set(`table ${name}`, { tableName: name, error: table.error });
  }
  return alerts;
}
