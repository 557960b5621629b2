import type { Batch } from './change-log.ts';

const MB = 1024 * 1024;

/**
 * At least `minCount` consecutive batches below a size are combined into one, so each change is rewritten only a few
 * times however long the log gets. Rewriting a large batch must add at least `minGain` bytes to it.
 */
const SIZES = [
  { below: MB / 2, minCount: 32, minGain: 0 },
  { below: 16 * MB, minCount: 32, minGain: 0 },
  { below: 512 * MB, minCount: 4, minGain: 64 * MB },
];
/** Limits of what one transaction can replace, and of what one worker can read at once. */
const MAX_BATCHES = 96;
const MAX_BYTES = 2048 * MB;

type Sized = Pick<Batch, 'files'>;

/** The consecutive batches to compact first: small ones come first. Empty if there is nothing to compact. */
export function pickCompaction<T extends Sized>(batches: readonly T[]): T[] {
  for (const { below, minCount, minGain } of SIZES) {
    const run = runsBelow(batches, below).find((each) => each.length >= minCount && gain(each) >= minGain);
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

/** The bytes that are combined with the largest batch. */
function gain(batches: readonly Sized[]): number {
  const sizes = batches.map(batchBytes);
  return sizes.reduce((sum, size) => sum + size, 0) - Math.max(...sizes);
}

export const batchBytes = ({ files }: Sized): number => files.reduce((sum, { bytes }) => sum + bytes, 0);
