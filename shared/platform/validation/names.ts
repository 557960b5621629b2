import { nearest } from '../text/nearest.ts';

/** Of a name that an issue repeats: a client may send one of a megabyte. */
const MAX_SHOWN = 64;
/** Names that an issue lists. */
const MAX_LISTED = 20;

/** The known names, the nearest one first. */
export function nearestFirst(given: unknown, known: readonly string[]): { names: readonly string[]; near?: string } {
  const near = typeof given === 'string' ? nearest(given, known) : undefined;
  return near === undefined ? { names: known } : { names: [near, ...known.filter((name) => name !== near)], near };
}

/** What to do about a name that is not known, as the end of a sentence. */
export function suggestion(given: string, known: readonly string[]): string {
  const name = nearest(given, known);
  if (name !== undefined) return `; did you mean "${name}"?`;
  return known.length === 0 ? '; no members are known here' : `; known are ${listed(known)}`;
}

/** Names in quotation marks, cut off where there are too many to read. */
export function listed(names: readonly unknown[]): string {
  const first = names.slice(0, MAX_LISTED).map((name) => JSON.stringify(name));
  return names.length > MAX_LISTED ? `${first.join(', ')} and ${names.length - MAX_LISTED} more` : first.join(', ');
}

/** A name of the client's as an issue repeats it. */
export function shown(name: string): string {
  return JSON.stringify(name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name);
}
