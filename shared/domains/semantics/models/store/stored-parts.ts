import type { Key } from '../../../../platform/storage/keys.ts';
import { itemsBelow } from '../../../../platform/storage/query-items.ts';
import { toRecord } from '../../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../../platform/storage/table.ts';
import { transact } from '../../../../platform/storage/transact.ts';
import { type differences, emptyParts, PART_KINDS, type PartKind, type PartMaps } from '../definition/definition.ts';
import { baseKey, generationKey, type ModelPlace, partKey } from '../definition/keys.ts';
import { packParts, unpackParts } from './packed-parts.ts';

/** How many slices are written at the same time. */
const SLICES_AT_ONCE = 4;

/** How the parts of a generation are stored. */
export interface Stored {
  /** Whether the generation was written as a whole, with all parts compressed. */
  hasBase: boolean;
  /** The items of parts, which stand for those of the base or beside them. */
  items: number;
}

/** As `writeGeneration` leaves them. */
export const WRITTEN_AS_A_WHOLE: Stored = { hasBase: true, items: 0 };

export type Changes = ReturnType<typeof differences>;

type Parts = Record<PartKind, Map<string, unknown>>;

interface Items {
  /** The slices of the base. */
  slices: Uint8Array[];
  changed: { kind: PartKind; item: Record<string, unknown> }[];
}

export async function readItemsOf(table: Table, place: ModelPlace, generation: string): Promise<Items> {
  const start = generationKey(place, generation);
  const items: Items = { slices: [], changed: [] };
  for await (const item of itemsBelow(table, start)) {
    const [kind] = (item.sk as string).slice(start.sk.length).split('#', 1);
    if (kind === 'BASE') items.slices.push(item.content as Uint8Array);
    else items.changed.push({ kind: kind as PartKind, item });
  }
  return items;
}

/** The parts that all items of a generation make up. */
export function partsIn({ slices, changed }: Items): { parts: PartMaps; stored: Stored } {
  const hasBase = slices.length > 0;
  const parts = (hasBase ? unpackParts(slices) : emptyParts()) as unknown as Parts;
  for (const { kind, item } of changed) {
    if (item.isRemoved) parts[kind].delete(item.id as string);
    else parts[kind].set(item.id as string, toRecord(item));
  }
  const found = (hasBase ? inOrder(parts) : parts) as unknown as PartMaps;
  return { parts: found, stored: { hasBase, items: changed.length } };
}

/** In the order of ids, as items are. */
const inOrder = (parts: Parts): Parts =>
  Object.fromEntries(
    PART_KINDS.map((kind) => [kind, new Map([...parts[kind]].sort(([a], [b]) => (a < b ? -1 : 1)))]),
  ) as Parts;

/** Writes a generation that nothing reads yet, so without a condition. */
export async function writeGeneration(
  table: Table,
  place: ModelPlace,
  generation: string,
  parts: PartMaps,
): Promise<void> {
  const items = packParts(parts).map((content, slice) =>
    putItem(table, baseKey(place, generation, slice), { entity: 'model-parts', content }),
  );
  const write = async () => {
    for (let item = items.pop(); item; item = items.pop()) await transact(table, [item]);
  };
  await Promise.all(Array.from({ length: SLICES_AT_ONCE }, write));
}

/** The items that change parts of a generation, for a transaction. */
export function partItems(
  table: Table,
  place: ModelPlace & { generation: string },
  { put, remove }: Changes,
  { hasBase }: Stored,
): TransactItem[] {
  const keyOf = (kind: PartKind, id: string) => partKey(place, place.generation, kind, id);
  return [
    ...put.map(({ kind, part }) => putItem(table, keyOf(kind, part.id), { ...part, entity: 'model-part' })),
    ...remove.map(({ kind, id }) =>
      // What the base has cannot be deleted.
      hasBase
        ? putItem(table, keyOf(kind, id), { id, isRemoved: true, entity: 'model-part' })
        : { Delete: { TableName: table.name, Key: keyOf(kind, id) } },
    ),
  ];
}

const putItem = (table: Table, key: Key, item: object): TransactItem => ({
  Put: { TableName: table.name, Item: { ...item, ...key } },
});
