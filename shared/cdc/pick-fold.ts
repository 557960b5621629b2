import type { Batch } from './change-log.ts';

const MB = 1024 * 1024;

/** So many batches in a row below a size become one: each change is written anew a few times, however long the log gets. */
const SIZES = [
  { below: MB / 2, least: 32 },
  { below: 16 * MB, least: 32 },
  { below: 512 * MB, least: 4 },
];
/** What one transaction can replace, and what one worker can read at once. */
const MOST_BATCHES = 96;
const MOST_BYTES = 2048 * MB;

type Sized = Pick<Batch, 'files'>;

/** The batches in a row that are worth folding first: small ones of which there are many. None when there are none. */
export function pickFold<T extends Sized>(batches: readonly T[]): T[] {
  for (const { below, least } of SIZES) {
    const run = firstRun(batches, below, least);
    if (run) return run;
  }
  return [];
}

function firstRun<T extends Sized>(batches: readonly T[], below: number, least: number): T[] | undefined {
  let run: T[] = [];
  let bytes = 0;
  for (const batch of batches) {
    const size = batchBytes(batch);
    const isFull = run.length === MOST_BATCHES || bytes + size > MOST_BYTES;
    if (isFull && run.length >= least) return run;
    if (isFull || size >= below) [run, bytes] = [[], 0];
    if (size >= below) continue;
    run.push(batch);
    bytes += size;
  }
  return run.length >= least ? run : undefined;
}

export const batchBytes = ({ files }: Sized): number => files.reduce((sum, { bytes }) => sum + bytes, 0);
