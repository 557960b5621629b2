const MIN_MB = 64;
const MAX_MB = 192;

/**
 * The expected memory of a process for a function of this memory size. A small function needs some 40 MB in addition to
 * the pages of Node that all processes share; a large one rarely uses more than a part of its limit.
 */
export function expectedMb(memorySizeMb: number): number {
  return Math.min(MAX_MB, Math.max(MIN_MB, memorySizeMb / 4));
}
