import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Key } from './keys.ts';
import type { Table } from './table.ts';

type Item = Record<string, unknown>;
type Query = Omit<QueryCommandInput, 'TableName' | 'ExclusiveStartKey' | 'Limit'>;

/** Decoding a page holds up other requests of the process. */
const MAX_PAGE = 1_000;

/**
 * Yields the results of a query, page by page, at most `atMost` items. If the caller stops early, no further page is
 * read.
 */
export async function* queryItems(
  table: Table,
  query: Query,
  atMost = Number.POSITIVE_INFINITY,
): AsyncGenerator<Item, void, undefined> {
  let left = atMost;
  let start: Item | undefined;
  do {
    const page = await table.db.send(
      new QueryCommand({
        ...query,
        TableName: table.name,
        ...(Number.isFinite(left) ? { Limit: Math.min(left, MAX_PAGE) } : {}),
        ExclusiveStartKey: start,
      }),
    );
    yield* page.Items ?? [];
    left -= page.Items?.length ?? 0;
    start = page.LastEvaluatedKey;
  } while (start && left > 0);
}

/** The items of a partition whose sort keys start with `sk` (all if it is empty); a consistent read. */
export function itemsBelow(
  table: Table,
  { pk, sk }: Key,
  { newestFirst = false, atMost }: { newestFirst?: boolean; atMost?: number } = {},
): AsyncGenerator<Item, void, undefined> {
  const query: Query = {
    KeyConditionExpression: sk === '' ? 'pk = :pk' : 'pk = :pk AND begins_with(sk, :beginning)',
    ExpressionAttributeValues: { ':pk': pk, ...(sk === '' ? {} : { ':beginning': sk }) },
    ConsistentRead: true,
    ScanIndexForward: !newestFirst,
  };
  return queryItems(table, query, atMost);
}
