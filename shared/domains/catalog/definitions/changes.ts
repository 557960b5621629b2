/** The members in which two files differ, as paths such as `schedule.cron` and `steps.clean.sql`. */
export interface MemberChanges {
  added: string[];
  changed: string[];
  removed: string[];
}

export function changesBetween(before: object, after: object): MemberChanges {
  const changes: MemberChanges = { added: [], changed: [], removed: [] };
  compare('', before, after, changes);
  return changes;
}

export const isEmpty = ({ added, changed, removed }: MemberChanges): boolean =>
  added.length + changed.length + removed.length === 0;

/** More members than this are the whole part. */
const MAX_LISTED = 100;

function compare(path: string, before: unknown, after: unknown, changes: MemberChanges): void {
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  const [old, next] = [partsOf(before), partsOf(after)];
  const isFull = changes.added.length + changes.changed.length + changes.removed.length >= MAX_LISTED;
  if (!old || !next || isFull) {
    changes.changed.push(path);
    return;
  }
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  const { added, changed, removed } = changes;
  const count = added.length + changed.length + removed.length;
  for (const name of old.keys()) if (!next.has(name)) removed.push(at(name));
  for (const [name, value] of next) {
    if (old.has(name)) compare(at(name), old.get(name), value, changes);
    else added.push(at(name));
  }
  // The same parts in another order.
  if (added.length + changed.length + removed.length === count) changed.push(path);
}

/** The members of an object, or the items of a list by their ids or names; undefined for a value without parts. */
function partsOf(value: unknown): Map<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value)) return new Map(Object.entries(value));
  const names = value.map(nameOf);
  if (names.some((name) => name === undefined) || new Set(names).size < names.length) return undefined;
  return new Map(value.map((item, index) => [names[index]!, item]));
}

function nameOf(item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const { id, name } = item as { id?: unknown; name?: unknown };
  return [id, name].find((each): each is string => typeof each === 'string');
}
