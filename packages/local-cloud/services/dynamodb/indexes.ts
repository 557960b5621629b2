import { type Consumption, writeUnits } from './capacity.ts';
import { SchemaMismatch } from './errors.ts';
import {
  type KeyAttribute,
  keyNames,
  keySize,
  MAX_HASH_KEY_BYTES,
  MAX_RANGE_KEY_BYTES,
  type Position,
  position,
} from './keys.ts';
import { entriesTable, type Store } from './store.ts';
import type { SecondaryIndex, TableDefinition } from './table.ts';
import { type AttributeValue, type Item, itemSize, sameItem, typeOf } from './values.ts';

/** The entry of an item in an index. */
interface Entry {
  at: Position;
  item: Item;
}

/** The attributes in an index, or `ALL`. */
export function projectedNames(table: TableDefinition, index: SecondaryIndex): Set<string> | 'ALL' {
  if (index.projection.type === 'ALL') return 'ALL';
  const names = new Set([...keyNames(table.schema), ...keyNames(index.schema)]);
  if (index.projection.type === 'INCLUDE') for (const name of index.projection.nonKeyAttributes ?? []) names.add(name);
  return names;
}

/** Undefined if the item lacks a key attribute of the index: then it has no entry. */
function entryOf(table: TableDefinition, index: SecondaryIndex, item: Item | undefined): Entry | undefined {
  if (!item) return undefined;
  for (const name of keyNames(index.schema)) if (!Object.hasOwn(item, name)) return undefined;
  const at = position(index.schema, item);
  const names = projectedNames(table, index);
  if (names === 'ALL') return { at, item };
  const projected: Item = {};
  for (const name of names) if (Object.hasOwn(item, name)) projected[name] = item[name] as AttributeValue;
  return { at, item: projected };
}

/** Updates every index after an item changed, and counts the consumed units. */
export function updateIndexes(
  store: Store,
  table: TableDefinition,
  base: Position,
  change: { before: Item | undefined; after: Item | undefined },
  consumption: Consumption,
): void {
  for (const index of table.indexes) {
    const before = entryOf(table, index, change.before);
    const after = entryOf(table, index, change.after);
    const stays = before && after && before.at.pk.equals(after.at.pk) && before.at.sk.equals(after.at.sk);
    if (stays) {
      if (sameItem(before.item, after.item)) continue;
      const size = Math.max(itemSize(before.item), itemSize(after.item));
      putEntry(store, index, base, after);
      consumption.addToIndex(index, writeUnits(size));
      continue;
    }
    if (before) {
      deleteEntry(store, index, base, before);
      consumption.addToIndex(index, writeUnits(itemSize(before.item)));
    }
    if (after) {
      putEntry(store, index, base, after);
      consumption.addToIndex(index, writeUnits(itemSize(after.item)));
    }
  }
}

/** Adds the entry of `item` when an index is added to an existing table. */
export function fillIndex(
  store: Store,
  table: TableDefinition,
  index: SecondaryIndex,
  base: Position,
  item: Item,
): void {
  // Items written before the index existed may have an attribute that cannot be its key; they stay outside.
  if (indexKeyError(index, item)) return;
  const entry = entryOf(table, index, item);
  if (entry) putEntry(store, index, base, entry);
}

function putEntry(store: Store, index: SecondaryIndex, base: Position, entry: Entry): void {
  store.run(
    `INSERT OR REPLACE INTO ${entriesTable(index)} VALUES (?, ?, ?, ?, ?, ?)`,
    entry.at.pk,
    entry.at.sk,
    base.pk,
    base.sk,
    JSON.stringify(entry.item),
    itemSize(entry.item),
  );
}

function deleteEntry(store: Store, index: SecondaryIndex, base: Position, entry: Entry): void {
  store.run(
    `DELETE FROM ${entriesTable(index)} WHERE pk = ? AND sk = ? AND base_pk = ? AND base_sk = ?`,
    entry.at.pk,
    entry.at.sk,
    base.pk,
    base.sk,
  );
}

/** Rejects an item whose attribute of an index key has the wrong type, is empty or too long. */
export function checkIndexKeys(table: TableDefinition, item: Item, during: 'put' | 'update'): void {
  for (const index of table.indexes) {
    const error = indexKeyError(index, item, during);
    if (error) throw error;
  }
}

function indexKeyError(index: SecondaryIndex, item: Item, during: 'put' | 'update' = 'put'): Error | undefined {
  const { hash, range } = index.schema;
  return attributeFault(index, item, hash, during) ?? (range && attributeFault(index, item, range, during));
}

function attributeFault(
  index: SecondaryIndex,
  item: Item,
  key: KeyAttribute,
  during: 'put' | 'update',
): Error | undefined {
  const value = Object.hasOwn(item, key.name) ? item[key.name] : undefined;
  if (!value) return undefined;
  if (typeOf(value) !== key.type) {
    return new SchemaMismatch(
      `One or more parameter values were invalid: Type mismatch for Index Key ${key.name} Expected: ${key.type} Actual: ${typeOf(value)} IndexName: ${index.name}`,
    );
  }
  if (value.S === '' || value.B === '') {
    const rule = `The AttributeValue for a key attribute cannot contain an empty ${value.S === '' ? 'string' : 'binary'} value.`;
    return new SchemaMismatch(
      during === 'put'
        ? `One or more parameter values are not valid. A value specified for a secondary index key is not supported. ${rule} IndexName: ${index.name}, IndexKey: ${key.name}`
        : `One or more parameter values are not valid. The update expression attempted to update a secondary index key to a value that is not supported. ${rule}`,
    );
  }
  const isHash = key === index.schema.hash;
  if (keySize(value) > (isHash ? MAX_HASH_KEY_BYTES : MAX_RANGE_KEY_BYTES)) {
    return new SchemaMismatch(
      isHash
        ? 'One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes'
        : 'One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes',
    );
  }
  return undefined;
}
