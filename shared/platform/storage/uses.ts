import { workspaceKey } from './keys.ts';
import { readItems } from './read-items.ts';
import { type References, type Referrer, references } from './references.ts';
import type { Table, TransactItem } from './table.ts';
import { transact } from './transact.ts';

/** What dashboards, reports and the like show, and the area in the keys of its records. */
const AREAS = {
  model: 'MODEL',
  dataset: 'DATASET',
  savedQuery: 'SAVED-QUERY',
  metric: 'METRIC',
  theme: 'THEME',
  blend: 'BLEND',
} as const;
export type UsedKind = keyof typeof AREAS;

/** A record that another one uses. */
export interface Use {
  kind: UsedKind;
  id: string;
}

const keyOf = (kind: UsedKind, workspaceId: string, id: string) => workspaceKey(workspaceId, AREAS[kind], id);

/** What refers to the records of a kind. */
export const referencesTo = (table: Table, kind: UsedKind): References =>
  references(table, AREAS[kind], (workspaceId, id) => keyOf(kind, workspaceId, id));

/** A transaction has at most 100 items, and a use takes two. */
const AT_ONCE = 45;

const named = ({ kind, id }: Use) => `${kind} ${id}`;

export const isSameUse = (a: Use, b: Use): boolean => a.kind === b.kind && a.id === b.id;

/** Texts of users may name any id. */
const ID = /^[\w-]{1,64}$/;

/** Those of the records that exist, each once. */
export async function presentUses(table: Table, workspaceId: string, uses: readonly Use[]): Promise<Use[]> {
  const distinct = [...new Map(uses.filter(({ id }) => ID.test(id)).map((use) => [named(use), use])).values()];
  if (distinct.length === 0) return [];
  const items = await readItems(
    table,
    distinct.map(({ kind, id }) => keyOf(kind, workspaceId, id)),
  );
  const found = new Set(items.map(({ pk, sk }) => `${pk} ${sk}`));
  return distinct.filter(({ kind, id }) => {
    const { pk, sk } = keyOf(kind, workspaceId, id);
    return found.has(`${pk} ${sk}`);
  });
}

export interface UseChange {
  before: readonly Use[];
  after: readonly Use[];
  /** How many uses may be part of the transaction; the others become known before it. */
  room?: number;
  /** Throws if one of the records that do not exist has to. */
  rejectMissing?(missing: readonly Use[]): void;
}

/**
 * Items for the transaction that stores a record: they make each record that it uses from now on known as used, and
 * fail if one was deleted in between. What does not exist is left out. Uses that end stay known until the record is to
 * be deleted (see `findReferrers`).
 */
export async function useItems(
  table: Table,
  referrer: Referrer,
  { before, after, room = AT_ONCE, rejectMissing }: UseChange,
): Promise<TransactItem[]> {
  const known = new Set(before.map(named));
  const wanted = after.filter((use) => !known.has(named(use)));
  const added = await presentUses(table, referrer.workspaceId, wanted);
  rejectMissing?.(wanted.filter((use) => !added.some((each) => isSameUse(each, use))));
  const itemsOf = (uses: readonly Use[]) =>
    uses.flatMap(({ kind, id }) => referencesTo(table, kind).items(referrer, [], [id]));
  const inside = Math.min(Math.max(room, 0), AT_ONCE);
  for (let start = inside; start < added.length; start += AT_ONCE) {
    await transact(table, itemsOf(added.slice(start, start + AT_ONCE)));
  }
  return itemsOf(added.slice(0, inside));
}
