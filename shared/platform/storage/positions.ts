import { queryItems } from './query-items.ts';
import { BY_COLLECTION, type Table } from './table.ts';

/** A position is the creation time (24 characters), `#` and the id. */
export function idAt(position: string): string {
  return position.slice(25);
}

/** Positions in a list, newest first, at most `atMost` of those before `before`. */
export function newest(table: Table, list: string, atMost: number, before?: string): Promise<string[]> {
  return positionsOf(table, list, atMost, false, before);
}

/** The same, oldest first. */
export function oldest(table: Table, list: string, atMost: number): Promise<string[]> {
  return positionsOf(table, list, atMost, true);
}

async function positionsOf(
  table: Table,
  list: string,
  atMost: number,
  isForward: boolean,
  before?: string,
): Promise<string[]> {
  const items = queryItems(
    table,
    {
      IndexName: BY_COLLECTION,
      KeyConditionExpression:
        before === undefined ? '#collection = :collection' : '#collection = :collection AND #position < :before',
      ExpressionAttributeNames: {
        '#collection': 'collection',
        ...(before === undefined ? {} : { '#position': 'position' }),
      },
      ExpressionAttributeValues: { ':collection': list, ...(before === undefined ? {} : { ':before': before }) },
      ScanIndexForward: isForward,
    },
    atMost,
  );
  return Array.fromAsync(items, ({ position }) => position as string);
}
