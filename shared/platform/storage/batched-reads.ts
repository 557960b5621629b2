import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Key } from './keys.ts';
import { readItems } from './read-items.ts';
import type { Table } from './table.ts';

type Item = Record<string, unknown>;

/** The key of a read of a whole item. */
function keyOf({ input }: GetCommand): Key | undefined {
  return input.ProjectionExpression === undefined ? (input.Key as unknown as Key) : undefined;
}

/**
 * The table for one request that only reads: what is read at the same time becomes one read of up to a hundred items,
 * and each item is read once, consistently.
 */
export function withBatchedReads(table: Table): Table {
  const known = new Map<string, Promise<Item | undefined>>();
  let waiting: { key: Key; settle(item: Promise<Item | undefined>): void }[] = [];
  const nameOf = ({ pk, sk }: Key) => JSON.stringify([pk, sk]);

  function flush(): void {
    const asked = waiting;
    waiting = [];
    for (let start = 0; start < asked.length; start += 100) {
      const batch = asked.slice(start, start + 100);
      const found = readItems(
        table,
        batch.map(({ key }) => key),
      ).then((items) => new Map(items.map((item) => [nameOf(item as unknown as Key), item])));
      for (const { key, settle } of batch) settle(found.then((items) => items.get(nameOf(key))));
    }
  }

  const read = (key: Key): Promise<Item | undefined> => {
    const name = nameOf(key);
    const item =
      known.get(name) ??
      new Promise<Item | undefined>((settle) => {
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ key, settle });
      });
    known.set(name, item);
    return item;
  };

  const send = async (command: unknown, ...options: unknown[]) => {
    const key = command instanceof GetCommand ? keyOf(command) : undefined;
    if (!key) return (table.db.send as (...all: unknown[]) => Promise<unknown>)(command, ...options);
    const item = await read(key);
    // Callers may change what they have read.
    return { $metadata: {}, ...(item && { Item: structuredClone(item) }) };
  };
  return { ...table, db: Object.create(table.db, { send: { value: send } }) as Table['db'] };
}
