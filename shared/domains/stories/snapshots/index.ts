/** The public API of this domain; everything else is internal. */
export { snapshotCleanUps } from './clean-ups.ts';
export {
  type KeptBlock,
  keptBlock,
  keptCard,
  type OpenedBlock,
  openBlock,
  readKept,
  type SnapshotDeps,
  snapshotValues,
  storedRows,
} from './read-snapshot.ts';
export { type EndedPins, type SnapshotStore, snapshotStore } from './snapshot-store.ts';
export { type NotKept, takeSnapshot } from './take-snapshot.ts';
