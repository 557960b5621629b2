import { gunzipSync, gzipSync } from 'node:zlib';
import type { Key } from '../../../platform/storage/keys.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';

/** An item has at most 400 KB. */
const SLICE_BYTES = 350 * 1024;

export interface Slices {
  entity: string;
  /** The key of a slice, by its number. */
  keyOf(slice: number): Key;
}

/** Stores a JSON value, compressed, in new items. The content of a story of the maximum size fits in a transaction. */
export function sliceItems(table: Table, { entity, keyOf }: Slices, value: unknown): TransactItem[] {
  const content = gzipSync(JSON.stringify(value));
  return Array.from({ length: Math.ceil(content.length / SLICE_BYTES) }, (_, slice) => ({
    Put: {
      TableName: table.name,
      Item: {
        ...keyOf(slice),
        entity,
        content: content.subarray(slice * SLICE_BYTES, (slice + 1) * SLICE_BYTES),
      },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  }));
}

/** The value in the slices below a key; undefined if there are none. */
export async function readSlices<T>(table: Table, prefix: Key): Promise<T | undefined> {
  const items = await Array.fromAsync(itemsBelow(table, prefix));
  if (items.length === 0) return undefined;
  const content = gunzipSync(Buffer.concat(items.map((item) => Buffer.from(item.content as Uint8Array))));
  return JSON.parse(content.toString('utf8')) as T;
}
