import type { PostgresSource } from '../../../data/connectors/postgres/connection.ts';
import type { StoredStream } from './record.ts';
import { dropSlot, readSlot } from './slot.ts';
import type { CaptureState } from './state.ts';
import { isOverLimit, SLOT_LOST, WAL_LIMIT } from './stream-alerts.ts';

/**
 * Records how much of its log the source keeps for the stream, and applies `onWalLimit` beyond the limit: a full disk
 * stops the source, which is worse than a stream that has to start again. A change of the stream resumes it after a
 * pause.
 */
export async function guardLog(
  source: PostgresSource,
  stream: StoredStream,
  state: CaptureState,
  now: Date,
): Promise<void> {
  const slot = await readSlot(source, stream.slotName);
  Object.assign(state, { walStatus: slot?.walStatus ?? null, retainedWalBytes: slot?.retainedBytes ?? null });
  if (!isOverLimit(stream, state)) return;
  if (stream.onWalLimit === 'pause' && !state.reported.includes(WAL_LIMIT)) state.pausedAt = now.toISOString();
  if (stream.onWalLimit !== 'drop') return;
  await dropSlot(source, stream.slotName);
  const message =
    'The source kept more of its log than the limit, so the replication slot was dropped; resync the stream.';
  state.error = { code: SLOT_LOST, message };
}
