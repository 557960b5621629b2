/**
 * The merged order of blocks, by their ids; deleted ones included. Blocks that neither side moved keep their order.
 * Each side's moved and inserted blocks follow the same block as on that side; where both sides put blocks, those of
 * one side come first, and which side that is depends on the ids alone. A block that both sides moved is where the
 * first one put it.
 */
export function mergeOrder(base: readonly string[], theirs: readonly string[], mine: readonly string[]): string[] {
  // Without the names of the sides, the result is the same in both directions.
  const [first, second] = [theirs, mine].sort((one, other) => compareTexts(one.join(' '), other.join(' ')));
  const placedByFirst = movedOrNew(base, first!);
  const placedBySecond = new Set([...movedOrNew(base, second!)].filter((id) => !placedByFirst.has(id)));
  const fixed = base.filter((id) => !placedByFirst.has(id) && !placedBySecond.has(id));
  const isFixed = new Set(fixed);
  const runs = [runsOf(first!, placedByFirst, isFixed), runsOf(second!, placedBySecond, isFixed)];
  const runsAfter = (anchor: string | undefined): string[] => runs.flatMap((run) => run.get(anchor) ?? []);
  return [...runsAfter(undefined), ...fixed.flatMap((id) => [id, ...runsAfter(id)])];
}

const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** The placed blocks in the order of the side, by the fixed block that they follow; undefined for the start. */
function runsOf(
  side: readonly string[],
  placed: ReadonlySet<string>,
  isFixed: ReadonlySet<string>,
): Map<string | undefined, string[]> {
  const runs = new Map<string | undefined, string[]>();
  let anchor: string | undefined;
  for (const id of side) {
    if (isFixed.has(id)) anchor = id;
    else if (placed.has(id)) runs.set(anchor, [...(runs.get(anchor) ?? []), id]);
  }
  return runs;
}

/**
 * The blocks of a side that are new, and as few as possible of the others so that the rest is in the order of the base.
 */
function movedOrNew(base: readonly string[], side: readonly string[]): Set<string> {
  const places = new Map(base.map((id, index) => [id, index]));
  const known = side.filter((id) => places.has(id));
  const unmoved = new Set(longestIncreasing(known.map((id) => places.get(id)!)).map((index) => base[index]!));
  return new Set(side.filter((id) => !unmoved.has(id)));
}

/** A longest increasing part of a list of different numbers. */
function longestIncreasing(numbers: readonly number[]): number[] {
  /** The smallest last number of the increasing parts of each length, and the number before each. */
  const ends: number[] = [];
  const before = new Map<number, number | undefined>();
  for (const number of numbers) {
    const length = lowerBound(ends, number);
    before.set(number, ends[length - 1]);
    ends[length] = number;
  }
  const found: number[] = [];
  for (let last = ends.at(-1); last !== undefined; last = before.get(last)) found.push(last);
  return found.reverse();
}

/** How many numbers of the sorted list are smaller. */
function lowerBound(sorted: readonly number[], number: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
