import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Key } from '../../../platform/storage/keys.ts';
import type { Table } from '../../../platform/storage/table.ts';

/** A filter on all items of the table. */
interface Filter {
  FilterExpression: string;
  ExpressionAttributeValues: Record<string, string>;
}

/**
 * Everything of a workspace, also of kinds that come later: its partitions and unique values, and what refers to it
 * elsewhere, such as memberships, sign-ins and API keys. What the company keeps about it stays.
 */
export const itemsOfWorkspace = (workspaceId: string): Filter => ({
  FilterExpression:
    'begins_with(pk, :partitions) OR begins_with(pk, :unique) OR (workspaceId = :workspace AND NOT begins_with(pk, :company))',
  ExpressionAttributeValues: {
    ':partitions': `W#${workspaceId}#`,
    ':unique': `UNIQUE#${workspaceId}#`,
    ':workspace': workspaceId,
    ':company': 'C#',
  },
});

/** Everything of a company: its partitions and unique values, and what refers to it elsewhere. */
export const itemsOfCompany = (companyId: string): Filter => ({
  FilterExpression:
    'pk = :partition OR begins_with(pk, :partitions) OR begins_with(pk, :unique) OR companyId = :company',
  ExpressionAttributeValues: {
    ':partition': `C#${companyId}`,
    ':partitions': `C#${companyId}#`,
    ':unique': `UNIQUE#C#${companyId}#`,
    ':company': companyId,
  },
});

/**
 * Reads the whole table from `start` on and hands over the keys of what the filter finds. No index knows everything
 * that belongs to a workspace, and erasing is rare. Returns the place of the interruption once `isOver` is true.
 */
export async function scanItems(
  table: Table,
  { filter, start, isOver }: { filter: Filter; start?: Key | undefined; isOver(): boolean },
  handle: (keys: Key[]) => Promise<unknown>,
): Promise<Key | undefined> {
  let from = start;
  do {
    const page = await table.db.send(
      new ScanCommand({
        TableName: table.name,
        ...filter,
        ProjectionExpression: 'pk, sk',
        ConsistentRead: true,
        ExclusiveStartKey: from,
      }),
    );
    const keys = (page.Items ?? []).map(({ pk, sk }) => ({ pk, sk }) as Key);
    if (keys.length > 0) await handle(keys);
    from = page.LastEvaluatedKey as Key | undefined;
  } while (from && !isOver());
  return from;
}
