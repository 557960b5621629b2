import type { Engine } from '../../data/duckdb/engine.ts';
import type { ObjectStore } from '../../platform/objects/object-store.ts';
import { newId } from '../../platform/storage/ids.ts';
import type { Table } from '../../platform/storage/table.ts';
import { type Batch, changeLog } from './change-log.ts';
import { type CompactionContext, foldBatches } from './compact-batches.ts';
import { foldPrefix, foldStore, REPLACED_STAYS_MS } from './compaction-store.ts';
import { endMaintenance, meterStream, noteGone, readMaintenance } from './maintenance.ts';
import { batchBytes, pickFold } from './pick-compaction.ts';
import { streamRepository } from './repository.ts';
import { type CaptureState, captureStates, type StatePlace } from './state.ts';

/** What tending streams works with. */
export interface MaintenanceContext {
  table: Table;
  objects: ObjectStore;
  localCopies: CompactionContext['localCopies'];
  withEngine<T>(work: (engine: Engine) => Promise<T>): Promise<T>;
  now(): Date;
}

/**
 * Keeps what a stream has stored small: many small batches become few, changes go that newer ones have replaced, files go an hour
 * after that, and the workspace's storage meter learns what is left. Of a stream that is gone nothing stays. May be repeated, die
 * anywhere and run beside its twin, the capture and readers.
 */
export async function maintainStream(context: MaintenanceContext, place: StatePlace, until: Date): Promise<void> {
  const { table, objects, now } = context;
  const folds = foldStore(table, objects);
  const state = await captureStates(table).get(place);
  if (!state || !(await streamRepository(table).get(place.workspaceId, place.id))) return maintainGone(context, place);
  await folds.clear(place, new Date(now().getTime() - REPLACED_STAYS_MS));
  let batches = await readLog(context, state);
  while (now() < until) {
    const run = pickFold(batches.filter((batch) => isSettled(batch, state, now())));
    if (run.length === 0) break;
    if (!(await fold(context, place, run))) break;
    batches = await readLog(context, state);
  }
  const bytes = batches.reduce((sum, batch) => sum + batchBytes(batch), 0);
  await meterStream(table, place, bytes, now());
}

const readLog = ({ table, objects }: MaintenanceContext, state: CaptureState): Promise<Batch[]> =>
  Array.fromAsync(changeLog(table, objects).read(state, { after: 0, upTo: state.seq }));

/** Whether no reader, not even one of before, stops in front of the batch. */
function isSettled({ seq, at }: Batch, { tables }: CaptureState, now: Date): boolean {
  if (Date.parse(at) + REPLACED_STAYS_MS > now.getTime()) return false;
  return Object.values(tables).every(
    ({ complete, readableUpTo }) => complete || readableUpTo === null || seq <= readableUpTo,
  );
}

async function fold(context: MaintenanceContext, place: StatePlace, batches: readonly Batch[]): Promise<boolean> {
  const { table, objects, now, localCopies, withEngine } = context;
  const folds = foldStore(table, objects);
  const foldId = newId(now());
  await folds.begin(place, foldId, now());
  const folded = await withEngine((engine) =>
    foldBatches({ engine, objects, localCopies }, batches, foldPrefix(place, foldId)),
  );
  return folds.replace(place, foldId, batches, folded, now());
}

/** Also what a fold stored while the stream was being deleted; whoever was at it then is over in an hour. */
async function maintainGone({ table, objects, now }: MaintenanceContext, place: StatePlace): Promise<void> {
  const tending = await readMaintenance(table, place);
  if (!tending) return;
  await changeLog(table, objects).remove(place);
  await meterStream(table, place, 0, now());
  await noteGone(table, place, now());
  const { goneAt } = tending;
  if (goneAt && Date.parse(goneAt) + REPLACED_STAYS_MS <= now().getTime()) await endMaintenance(table, place);
}
