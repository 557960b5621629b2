import { closestMatch } from 'leven';

/** Of a name that an issue repeats: a client may send one of a megabyte. */
const MAX_SHOWN = 64;
/** Names that an issue lists. */
const MAX_LISTED = 20;

/** The known name that was probably meant: another spelling, a slip of the keyboard, or the beginning of one. */
export function nearest(given: string, known: readonly string[]): string | undefined {
  const wanted = plain(given.slice(0, MAX_SHOWN));
  const spellings = new Map(known.map((name) => [plain(name), name]));
  const maxDistance = wanted.length < 4 ? 1 : Math.max(2, Math.floor(wanted.length / 3));
  const found = closestMatch(wanted, [...spellings.keys()], { maxDistance }) ?? extended(wanted, [...spellings.keys()]);
  return found === undefined ? undefined : spellings.get(found);
}

/** The known names, the nearest one first. */
export function nearestFirst(given: unknown, known: readonly string[]): string[] {
  const first = typeof given === 'string' ? nearest(given, known) : undefined;
  return first === undefined ? [...known] : [first, ...known.filter((name) => name !== first)];
}

/** What to do about a name that is not known, as the end of a sentence. */
export function suggestion(given: string, known: readonly string[]): string {
  const name = nearest(given, known);
  if (name !== undefined) return `; did you mean ${JSON.stringify(name)}?`;
  if (known.length === 0) return '; no members are known here';
  return `; known are ${listed(known)}`;
}

/** Names in quotation marks, cut off where there are too many to read. */
export function listed(names: readonly unknown[]): string {
  const shown = names.slice(0, MAX_LISTED).map((name) => JSON.stringify(name));
  return names.length > MAX_LISTED ? `${shown.join(', ')} and ${names.length - MAX_LISTED} more` : shown.join(', ');
}

/** A name of the client's as an issue repeats it. */
export function shown(name: string): string {
  return JSON.stringify(name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name);
}

const plain = (name: string) => name.toLowerCase().replaceAll(/[_\s-]/g, '');

function extended(wanted: string, known: readonly string[]): string | undefined {
  if (wanted.length < 3) return undefined;
  return known.find((name) => name.startsWith(wanted) || (name.length > 2 && wanted.startsWith(name)));
}
