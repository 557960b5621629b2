import { isDeepStrictEqual } from 'node:util';
import { isMapping, itemsByName } from './parts.ts';

export interface Merged {
  value: unknown;
  /** The members that both sides have changed differently, as paths such as `schedule.cron`. */
  conflicts: string[];
}

/** Both changes of what was last deployed, as far as they are of different members. */
export function merge(base: unknown, ours: unknown, theirs: unknown): Merged {
  const conflicts: string[] = [];
  const value = mergePart({ base, ours, theirs }, '', conflicts);
  return { value, conflicts };
}

/** One part in three states; undefined where it does not exist. */
interface States {
  base: unknown;
  ours: unknown;
  theirs: unknown;
}

function mergePart({ base, ours, theirs }: States, path: string, conflicts: string[]): unknown {
  if (isDeepStrictEqual(ours, theirs) || isDeepStrictEqual(base, theirs)) return ours;
  if (isDeepStrictEqual(base, ours)) return theirs;
  const [before, mine, other] = [partsOf(base), partsOf(ours), partsOf(theirs)];
  if (!before || !mine || !other) return conflict(ours, path, conflicts);
  const names = mergeOrder(before, mine, other);
  if (!names) return conflict(ours, path, conflicts);
  const merged = names.flatMap((name): [string, unknown][] => {
    const states = { base: before.get(name), ours: mine.get(name), theirs: other.get(name) };
    const value = mergePart(states, path === '' ? name : `${path}.${name}`, conflicts);
    return value === undefined ? [] : [[name, value]];
  });
  return Array.isArray(ours) ? merged.map(([, value]) => value) : Object.fromEntries(merged);
}

function conflict(ours: unknown, path: string, conflicts: string[]): unknown {
  conflicts.push(path === '' ? 'the whole file' : path);
  return ours;
}

function partsOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (Array.isArray(value)) return itemsByName(value);
  return isMapping(value) ? new Map(Object.entries(value)) : undefined;
}

type Parts = ReadonlyMap<string, unknown>;

/** All names, in the order of the side that has changed it; undefined if both have changed it differently. */
function mergeOrder(base: Parts, ours: Parts, theirs: Parts): string[] | undefined {
  const common = (side: Parts) =>
    [...side.keys()].filter((name) => base.has(name) && ours.has(name) && theirs.has(name));
  const [before, mine, other] = [common(base), common(ours), common(theirs)];
  const isMoved = !isDeepStrictEqual(before, mine);
  if (isMoved && !isDeepStrictEqual(before, other) && !isDeepStrictEqual(mine, other)) return undefined;
  const [first, second] = isMoved ? [ours, theirs] : [theirs, ours];
  const names = [...first.keys()];
  // What only the other side has follows what it follows there.
  let previous: string | undefined;
  for (const name of second.keys()) {
    if (!first.has(name)) names.splice(previous === undefined ? 0 : names.indexOf(previous) + 1, 0, name);
    previous = name;
  }
  return names;
}
