import type { Batch } from './change-log.ts';

const MB = 1024 * 1024;

/**
 * So many batches in a row below a size become one: each change is written anew a few times, however long the log gets. What comes to
 * a large one must be worth its being written anew.
 */
const SIZES = [
  { below: MB / 2, least: 32, worth: 0 },
  { below: 16 * MB, least: 32, worth: 0 },
  { below: 512 * MB, least: 4, worth: 64 * MB },
];
/** What one transaction can replace, and what one worker can read at once. */
const MAX_BATCHES = 96;
const MAX_BYTES = 2048 * MB;

type Sized = Pick<Batch, 'files'>;

/** The batches in a row that are worth folding first: small ones of which there are many. None when there are none. */
export function pickFold<T extends Sized>(batches: readonly T[]): T[] {
  for (const { below, least, worth } of SIZES) {
    const run = runsBelow(batches, below).find((each) => each.length >= least && gain(each) >= worth);
    if (run) return run;
  }
  return [];
}

function runsBelow<T extends Sized>(batches: readonly T[], below: number): T[][] {
  const runs: T[][] = [[]];
  let bytes = 0;
  for (const batch of batches) {
    const size = batchBytes(batch);
    if (size >= below || runs.at(-1)!.length === MAX_BATCHES || bytes + size > MAX_BYTES) {
      runs.push([]);
      bytes = 0;
    }
    if (size >= below) continue;
    runs.at(-1)!.push(batch);
    bytes += size;
  }
  return runs;
}

/** What comes to the largest. */
function gain(batches: readonly Sized[]): number {
  const sizes = batches.map(batchBytes);
  return sizes.reduce((sum, size) => sum + size, 0) - Math.max(...sizes);
}

export const batchBytes = ({ files }: Sized): number => files.reduce((sum, { bytes }) => sum + bytes, 0);
