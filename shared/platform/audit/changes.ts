/** How a member of a record appears in the log: as it is, as a function makes it, or only as having a value. */
export type Shown<V> = 'shown' | 'hidden' | ((value: V) => unknown);

/**
 * The members of a record that the log shows. All others stay out of it. Encrypted members can only be `hidden`, and
 * digests of secrets have no place in it.
 */
export type ShownMembers<T> = {
  readonly [K in keyof T]?: K extends `sealed${string}`
    ? 'hidden'
    : K extends 'digest' | `${string}Digest` | `${string}Digests` | 'passwordHash'
      ? never
      : Shown<NonNullable<T[K]>>;
};

export const HIDDEN = '[hidden]';

const MAX_TEXT = 1_000;
const MAX_JSON = 2_000;

export type Members = Record<string, unknown>;

/** The members that differ, before and after; all of them if there is only one side. */
export function changedMembers<T extends object>(
  members: ShownMembers<T>,
  before: T | undefined,
  after: T | undefined,
): { before?: Members; after?: Members } {
  const names = (Object.keys(members) as (keyof T & string)[]).filter(
    (name) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]),
  );
  const side = (record: T | undefined) =>
    record &&
    Object.fromEntries(
      names.map((name) => [publicName(name), showValue(members[name] as Shown<unknown>, record[name])] as const),
    );
  const [was, is] = [side(before), side(after)];
  return { ...(was ? { before: was } : {}), ...(is ? { after: is } : {}) };
}

function showValue(how: Shown<unknown>, value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (how === 'hidden') return HIDDEN;
  return bounded(how === 'shown' ? value : how(value));
}

/** Members as they are, each within what an entry may hold. */
export const boundedMembers = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, bounded(value)]));

/** An entry is small, whatever the record holds. */
function bounded(value: unknown): unknown {
  if (typeof value === 'string') return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT).toWellFormed()}…` : value;
  const bytes = Buffer.byteLength(JSON.stringify(value) ?? '');
  return bytes > MAX_JSON ? `[${bytes} bytes]` : value;
}

/** `sealedSecret` is the `secret` of the API. */
function publicName(name: string): string {
  const [, word] = /^sealed([A-Z]\w*)$/.exec(name) ?? [];
  return word ? word[0]!.toLowerCase() + word.slice(1) : name;
}

/** A URL without what may be a credential: paths of chat services and queries often are. */
export function originOf(url: string): string {
  return `${URL.parse(url)?.origin ?? ''}/…`;
}
