const LEAST_MB = 64;
const MOST_MB = 192;

/**
 * The memory that a process of a function with this memory size is expected to take for itself. A small function has some
 * 40 MB beside the pages of Node that all processes share; a large one rarely works in more than a part of what it may use.
 */
export function expectedMb(memorySizeMb: number): number {
  return Math.min(MOST_MB, Math.max(LEAST_MB, memorySizeMb / 4));
}
