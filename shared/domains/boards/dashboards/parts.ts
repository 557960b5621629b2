import { assertExpected } from '../../../platform/storage/expectation.ts';
import { later } from '../../../platform/storage/ids.ts';
import { type DashboardParts, PART_KINDS, type PartKind, type Parts } from './records.ts';

/** Who edits a dashboard, and when. */
export interface Act {
  by: string;
  at: Date;
}

export interface Stamps {
  createdBy: string;
  updatedBy: string;
  createdAt: string;
  updatedAt: string;
  revision: number;
}

export function newStamps({ by, at }: Act): Stamps {
  const time = at.toISOString();
  return { createdBy: by, updatedBy: by, createdAt: time, updatedAt: time, revision: 1 };
}

/** The part with the changes. Throws `PRECONDITION_FAILED` if the client expects another revision of it. */
export function changedPart<T extends Stamps & { id: string }>(part: T, change: Partial<T>, act: Act): T {
  assertExpected(part.id, part.revision);
  return touchedPart({ ...part, ...change }, act);
}

/** Throws `PRECONDITION_FAILED` if the client expects another revision of the part that it removes. */
export const assertRemovable = ({ id, revision }: { id: string; revision: number }): void =>
  assertExpected(id, revision);

/** A part that changes along with another one. */
export function touchedPart<T extends Stamps>(part: T, { by, at }: Act): T {
  return { ...part, updatedBy: by, updatedAt: later(part.updatedAt, at), revision: part.revision + 1 };
}

/** The list with the part at the index, or at the end if there is none. */
export function placedAt<T extends { id: string }>(list: readonly T[], part: T, index: number | undefined): T[] {
  const others = list.filter(({ id }) => id !== part.id);
  const at = index ?? others.length;
  return [...others.slice(0, at), part, ...others.slice(at)];
}

/** The list with the part in the place of that with its id. */
export const replacedIn = <T extends { id: string }>(list: readonly T[], part: T): T[] =>
  list.map((each) => (each.id === part.id ? part : each));

/**
 * The list with some of its members in the given order; they share the places that they had. Undefined if the ids are
 * not those of the members.
 */
export function reordered<T extends { id: string }>(
  list: readonly T[],
  members: readonly T[],
  ids: readonly string[],
): T[] | undefined {
  const byId = new Map(members.map((member) => [member.id, member]));
  const isExact = ids.length === byId.size && new Set(ids).size === ids.length && ids.every((id) => byId.has(id));
  if (!isExact) return undefined;
  const next = ids.values();
  return list.map((each) => (byId.has(each.id) ? byId.get(next.next().value as string)! : each));
}

/**
 * The parts without the cards. Filters lose their links to them; a filter that was linked to nothing else goes with
 * them, since without links it would apply to every card.
 */
export function withoutCards(parts: DashboardParts, ids: ReadonlySet<string>, act: Act): DashboardParts {
  const filters = parts.filters.flatMap((filter) => {
    const linkedCardIds = filter.linkedCardIds.filter((id) => !ids.has(id));
    if (linkedCardIds.length === filter.linkedCardIds.length) return [filter];
    return linkedCardIds.length === 0 ? [] : [touchedPart({ ...filter, linkedCardIds }, act)];
  });
  return { ...parts, cards: parts.cards.filter(({ id }) => !ids.has(id)), filters };
}

export interface Differences {
  put: { kind: PartKind; part: Parts[PartKind]; before: Parts[PartKind] | undefined }[];
  remove: { kind: PartKind; part: Parts[PartKind] }[];
  /** Whether the lists differ: other members, or another order. */
  isStructural: boolean;
}

/** What an edit has changed. Equal parts are the same objects. */
export function differences(before: DashboardParts, after: DashboardParts): Differences {
  const found: Differences = { put: [], remove: [], isStructural: false };
  for (const kind of PART_KINDS) {
    const was = new Map<string, Parts[PartKind]>(before[kind].map((part) => [part.id, part]));
    const is = new Set(after[kind].map(({ id }) => id));
    for (const part of after[kind]) {
      if (was.get(part.id) !== part) found.put.push({ kind, part, before: was.get(part.id) });
    }
    for (const part of was.values()) if (!is.has(part.id)) found.remove.push({ kind, part });
    found.isStructural ||= [...was.keys()].join() !== [...is].join();
  }
  return found;
}
