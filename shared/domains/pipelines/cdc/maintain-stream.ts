import type { Engine } from '../../../data/duckdb/engine.ts';
import type { ObjectStore } from '../../../platform/objects/object-store.ts';
import { newId } from '../../../platform/storage/ids.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { type Batch, changeLog } from './change-log.ts';
import { type CompactionContext, compactBatches } from './compact-batches.ts';
import { compactionPrefix, compactionStore, REPLACED_RETENTION_MS } from './compaction-store.ts';
import { endMaintenance, readMaintenance, recordDeletion, updateStreamUsage } from './maintenance.ts';
import { batchBytes, pickCompaction } from './pick-compaction.ts';
import { streamRepository } from './repository.ts';
import { type CaptureState, captureStates, type StatePlace } from './state.ts';

/** The dependencies of stream maintenance. */
export interface MaintenanceContext {
  table: Table;
  objects: ObjectStore;
  localCopies: CompactionContext['localCopies'];
  withEngine<T>(work: (engine: Engine) => Promise<T>): Promise<T>;
  now(): Date;
}

/**
 * Limits the storage of a stream: compacts small batches, dropping changes that newer ones have replaced, removes
 * replaced files after an hour, and updates the storage usage of the workspace. Removes everything of a deleted stream.
 * It can be repeated, crash at any point, and run concurrently with itself, the capture and readers.
 */
export async function maintainStream(context: MaintenanceContext, place: StatePlace, until: Date): Promise<void> {
  const { table, objects, now } = context;
  const compactions = compactionStore(table, objects);
  const state = await captureStates(table).get(place);
  if (!state || !(await streamRepository(table).get(place.workspaceId, place.id)))
    return maintainDeleted(context, place);
  await compactions.clear(place, new Date(now().getTime() - REPLACED_RETENTION_MS));
  let batches = await readLog(context, state);
  while (now() < until) {
    const run = pickCompaction(batches.filter((batch) => isSettled(batch, state, now())));
    if (run.length === 0) break;
    if (!(await compact(context, place, run))) break;
    batches = await readLog(context, state);
  }
  const bytes = batches.reduce((sum, batch) => sum + batchBytes(batch), 0);
  await updateStreamUsage(table, place, bytes, now());
}

const readLog = ({ table, objects }: MaintenanceContext, state: CaptureState): Promise<Batch[]> =>
  Array.fromAsync(changeLog(table, objects).read(state, { after: 0, upTo: state.seq }));

/** Whether no reader, including those that have already started, can end before the batch. */
function isSettled({ seq, at }: Batch, { tables }: CaptureState, now: Date): boolean {
  if (Date.parse(at) + REPLACED_RETENTION_MS > now.getTime()) return false;
  return Object.values(tables).every(
    ({ complete, readableUpTo }) => complete || readableUpTo === null || seq <= readableUpTo,
  );
}

async function compact(context: MaintenanceContext, place: StatePlace, batches: readonly Batch[]): Promise<boolean> {
  const { table, objects, now, localCopies, withEngine } = context;
  const compactions = compactionStore(table, objects);
  const compactionId = newId(now());
  await compactions.begin(place, compactionId, now());
  const compacted = await withEngine((engine) =>
    compactBatches({ engine, objects, localCopies }, batches, compactionPrefix(place, compactionId)),
  );
  return compactions.replace(place, compactionId, batches, compacted, now());
}

/** Also removes files of a compaction that ran during the deletion; such a worker has ended after an hour. */
async function maintainDeleted({ table, objects, now }: MaintenanceContext, place: StatePlace): Promise<void> {
  const maintenance = await readMaintenance(table, place);
  if (!maintenance) return;
  await changeLog(table, objects).remove(place);
  await updateStreamUsage(table, place, 0, now());
  await recordDeletion(table, place, now());
  const { goneAt } = maintenance;
  if (goneAt && Date.parse(goneAt) + REPLACED_RETENTION_MS <= now().getTime()) await endMaintenance(table, place);
}
