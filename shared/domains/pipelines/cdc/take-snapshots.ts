import type { PostgresSource } from '../../../data/connectors/postgres/connection.ts';
import { isTableError } from './batch-writer.ts';
import { type CaptureLoop, errorOf } from './capture-loop.ts';
import type { Lsn } from './lsn.ts';
import { heartbeat } from './slot.ts';
import { readChunk } from './snapshot.ts';
import type { CaptureState, TableState } from './state.ts';
import { describeTable } from './table-shape.ts';

const CHUNK_ROWS = 50_000;

export interface SnapshotWork {
  source: PostgresSource;
  loop: CaptureLoop;
  state: CaptureState;
  /** Everything before this position is in the change log. */
  caughtUpTo: Lsn;
  now(): Date;
}

export type SnapshotProgress = 'progress' | 'waiting' | 'none';

/**
 * Continues the snapshots of incomplete tables by some rows each, so that the changes of other tables need not wait. A
 * table is complete when the changes made during its snapshot are captured too.
 */
export async function takeSnapshots(work: SnapshotWork): Promise<SnapshotProgress> {
  let outcome: SnapshotProgress = 'none';
  for (const [name, table] of Object.entries(work.state.tables)) {
    if (table.status !== 'pending' && table.status !== 'snapshotting') continue;
    const step = table.highLsn === null ? await nextRows(work, name, table) : complete(work, table);
    if (outcome !== 'progress') outcome = step;
  }
  return outcome;
}

function complete({ caughtUpTo }: SnapshotWork, table: TableState): SnapshotProgress {
  if (caughtUpTo >= table.highLsn!) Object.assign(table, { status: 'streaming', complete: true });
  return 'progress';
}

async function nextRows(work: SnapshotWork, name: string, table: TableState): Promise<SnapshotProgress> {
  const { source, loop, state, now } = work;
  const begins = table.status === 'pending';
  try {
    const shape = await describeTable(source, name);
    const progress = await readChunk(
      source,
      {
        table: name,
        shape,
        after: table.after,
        rows: CHUNK_ROWS,
        lsn: state.committedLsn!,
        at: now().toISOString(),
        recentXids: state.recentXids,
        waitFor: begins ? table.waitFor : null,
        begins,
      },
      (rows) => {
        if (begins) begin(state, table);
        return loop.append(name, shape, rows, begins);
      },
      // Called before the rows are stored, so that the rows and this progress are stored together.
      ({ after, isLast, highLsn }) => Object.assign(table, isLast ? { after: null, highLsn } : { after }),
    );
    // In an idle source, the log would not get past this position for a while.
    if (table.highLsn !== null) await heartbeat(source);
    return progress;
  } catch (error) {
    if (!isTableError(error)) throw error;
    Object.assign(table, { status: 'error', error: errorOf(error) });
    return 'progress';
  }
}

/** Readers see the earlier rows until the new ones are complete. */
function begin(state: CaptureState, table: TableState): void {
  const readableUpTo = table.complete ? state.seq : table.readableUpTo;
  Object.assign(table, { status: 'snapshotting', complete: false, readableUpTo });
}
