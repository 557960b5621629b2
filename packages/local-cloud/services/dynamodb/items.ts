import { Consumption, writeUnits } from './capacity.ts';
import { invalid } from './errors.ts';
import { checkIndexKeys, updateIndexes } from './indexes.ts';
import { type Position, position } from './keys.ts';
import { itemsTable, type Store } from './store.ts';
import type { ItemChange, StreamWriter } from './stream-records.ts';
import type { TableDefinition } from './table.ts';
import { type Item, itemSize, sameItem } from './values.ts';

export const MAX_ITEM_BYTES = 400 * 1024;

/** A stored item, parsed on first access. */
export class StoredItem {
  readonly text: string;
  readonly size: number;
  #item: Item | undefined;

  constructor(text: string, size: number) {
    this.text = text;
    this.size = size;
  }

  get item(): Item {
    this.#item ??= JSON.parse(this.text) as Item;
    return this.#item;
  }
}

/** Reads items by key, and is the one place that changes them together with indexes, stream and sizes. */
export class Items {
  readonly #store: Store;
  readonly #streams: StreamWriter;

  constructor(store: Store, streams: StreamWriter) {
    this.#store = store;
    this.#streams = streams;
  }

  read(table: TableDefinition, at: Position): StoredItem | undefined {
    const row = this.#store.get(`SELECT item, size FROM ${itemsTable(table)} WHERE pk = ? AND sk = ?`, at.pk, at.sk);
    return row && new StoredItem(row.item as string, row.size as number);
  }

  /**
   * Replaces the item at `at` by `after` (undefined deletes) inside the caller's transaction, and returns the consumed
   * units. Throws `ValidationException` if `after` is too large or cannot be indexed.
   */
  change(
    table: TableDefinition,
    at: Position,
    before: StoredItem | undefined,
    after: Item | undefined,
    options: { expired?: boolean } = {},
  ): Consumption {
    const consumption = new Consumption();
    const size = after ? itemSize(after) : 0;
    consumption.addToTable(writeUnits(Math.max(before?.size ?? 0, size)));
    if (!before && !after) return consumption;
    const text = after && JSON.stringify(after);
    // A write without a change consumes units, but changes neither indexes nor the stream.
    if (before && after && (before.text === text || sameItem(before.item, after))) return consumption;
    if (after && text !== undefined) {
      this.#store.run(
        `INSERT OR REPLACE INTO ${itemsTable(table)} VALUES (?, ?, ?, ?, ?)`,
        at.pk,
        at.sk,
        text,
        size,
        expiryOf(table, after),
      );
    } else {
      this.#store.run(`DELETE FROM ${itemsTable(table)} WHERE pk = ? AND sk = ?`, at.pk, at.sk);
    }
    if (table.indexes.length > 0) {
      updateIndexes(this.#store, table, at, { before: before?.item, after }, consumption);
    }
    if (table.stream) {
      const change: ItemChange = { ...options };
      if (before) change.before = { item: before.item, text: before.text, size: before.size };
      if (after && text !== undefined) change.after = { item: after, text, size };
      this.#streams.append(table, change);
    }
    return consumption;
  }
}

/** Rejects an item that cannot be stored; `during` selects the message about its size. */
export function checkStorable(table: TableDefinition, item: Item, during: 'put' | 'update'): void {
  checkIndexKeys(table, item, during);
  if (itemSize(item) <= MAX_ITEM_BYTES) return;
  throw invalid(
    during === 'put'
      ? 'Item size has exceeded the maximum allowed size'
      : 'Item size to update has exceeded the maximum allowed size',
  );
}

/** Expiry of the item by the table's time-to-live attribute, in epoch seconds; null if it has none. */
export function expiryOf(table: TableDefinition, item: Item): number | null {
  const value = table.ttlAttribute === undefined ? undefined : item[table.ttlAttribute];
  if (value?.N === undefined) return null;
  const seconds = Math.floor(Number(value.N));
  return Number.isSafeInteger(seconds) ? seconds : null;
}

export function positionOf(table: TableDefinition, keyOrItem: Item): Position {
  return position(table.schema, keyOrItem);
}
