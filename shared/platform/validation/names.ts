import { nearest } from '../text/nearest.ts';

/** Names in messages are truncated, because a client may send one of a megabyte. */
const MAX_SHOWN = 64;
/** The maximum number of names in a message. */
const MAX_LISTED = 20;

/** The known names, nearest first. */
export function nearestFirst(given: unknown, known: readonly string[]): { names: readonly string[]; near?: string } {
  const near = typeof given === 'string' ? nearest(given, known) : undefined;
  return near === undefined ? { names: known } : { names: [near, ...known.filter((name) => name !== near)], near };
}

/** The end of a sentence about an unknown name, with a suggestion. */
export function suggestion(given: string, known: readonly string[]): string {
  const name = nearest(given, known);
  if (name !== undefined) return `; did you mean "${name}"?`;
  return known.length === 0 ? '; no members are known here' : `; known are ${listed(known)}`;
}

/** Quoted names, truncated if there are too many. */
export function listed(names: readonly unknown[]): string {
  const first = names.slice(0, MAX_LISTED).map((name) => JSON.stringify(name));
  return names.length > MAX_LISTED ? `${first.join(', ')} and ${names.length - MAX_LISTED} more` : first.join(', ');
}

/** A name from the client, as shown in a message. */
export function quoteName(name: string): string {
  return JSON.stringify(name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name);
}
