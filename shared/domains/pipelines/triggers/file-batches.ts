import { newId } from '../../../platform/storage/ids.ts';
import type { FileWatch } from '../definition/index.ts';

/** The maximum number of files of a run; further files start another one. */
export const MAX_FILES = 10_000;
/** A batch to which files keep arriving is closed no earlier than this. */
const MIN_FORCED_CLOSE_MS = 60 * 60 * 1000;

/** An arrived file. Of two arrivals at one path the later has the greater sequencer. */
export interface ArrivedFile {
  path: string;
  /** The object version; absent for a bucket without versions. */
  version?: string;
  sequencer: string;
  arrivedAt: string;
}

/**
 * The file batches of a pipeline that have no run yet: complete ones, and at most one open batch, which still grows.
 * The transaction that creates the run of a batch closes it, so each file belongs to exactly one batch.
 */
export interface FileBatches {
  open?: OpenBatch;
  complete: Batch[];
  version: string;
}

export interface Batch {
  id: string;
  openedAt: string;
}

interface OpenBatch extends Batch {
  lastAt: string;
  files: number;
}

export type BatchPolicy = Pick<FileWatch, 'quietSeconds' | 'minFiles'>;

/** When the next batch starts a run; undefined while there is no batch or too few files. */
export function batchDueAt(batches: FileBatches, { quietSeconds, minFiles }: BatchPolicy): Date | undefined {
  const [first] = batches.complete;
  if (first) return new Date(first.openedAt);
  const { open } = batches;
  if (!open || open.files < minFiles) return undefined;
  const quietMs = quietSeconds * 1000;
  const forced = Date.parse(open.openedAt) + Math.max(10 * quietMs, MIN_FORCED_CLOSE_MS);
  return new Date(Math.min(Date.parse(open.lastAt) + quietMs, forced));
}

/**
 * Adds files to the open batch, or to a new one if there is none or it is full. `joining` is the number of files that
 * the open batch does not contain yet.
 */
export function withFiles(
  batches: FileBatches | undefined,
  fresh: readonly ArrivedFile[],
  joining: number,
  now: Date,
): FileBatches & { open: OpenBatch } {
  const { open: before, complete = [] } = batches ?? {};
  const times = fresh.map(({ arrivedAt }) => arrivedAt).sort();
  const [first, last] = [times[0]!, times.at(-1)!];
  const version = newId(now);
  if (before && before.files + joining <= MAX_FILES) {
    const lastAt = [before.lastAt, last].sort()[1]!;
    return { open: { ...before, lastAt, files: before.files + joining }, complete, version };
  }
  const open = { id: newId(now), openedAt: first, lastAt: last, files: fresh.length };
  const full = before ? [{ id: before.id, openedAt: before.openedAt }] : [];
  return { open, complete: [...complete, ...full], version };
}

/** The batch that is due now, and the remaining ones; undefined if none is due. */
export function takeDueBatch(
  batches: FileBatches,
  policy: BatchPolicy,
  now: Date,
): { batch: Batch; rest: FileBatches } | undefined {
  const dueAt = batchDueAt(batches, policy);
  if (!dueAt || dueAt > now) return undefined;
  const version = newId(now);
  const [first, ...others] = batches.complete;
  if (first) return { batch: first, rest: { ...batches, complete: others, version } };
  const { id, openedAt } = batches.open!;
  return { batch: { id, openedAt }, rest: { complete: [], version } };
}

/** The newest arrival at each path. */
export function newestOf(arrived: readonly ArrivedFile[]): ArrivedFile[] {
  const newest = new Map<string, ArrivedFile>();
  for (const file of arrived) {
    if (isNewer(file.sequencer, newest.get(file.path)?.sequencer)) newest.set(file.path, file);
  }
  return [...newest.values()];
}

/** Sequencers are hexadecimal strings of any length, padded on the right for comparison. */
export function isNewer(one: string, other: string | undefined): boolean {
  if (other === undefined) return true;
  const length = Math.max(one.length, other.length);
  return one.toUpperCase().padEnd(length, '0') > other.toUpperCase().padEnd(length, '0');
}
