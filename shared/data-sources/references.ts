import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { failedConditions } from '../storage/collection.ts';
import { type Key, workspaceKey } from '../storage/keys.ts';
import type { Table, TransactItem } from '../storage/table.ts';
import { dataSourceRepository } from './repository.ts';

/** What would stop working without a source that it names. The words are those of the records' keys. */
export const REFERRER_TYPES = ['pipeline', 'dataset', 'saved-query', 'cdc-stream'] as const;
export type ReferrerType = (typeof REFERRER_TYPES)[number];

export interface Referrer {
  workspaceId: string;
  type: ReferrerType;
  id: string;
}

const referencesKey = (workspaceId: string, sourceId: string): Key =>
  workspaceKey(workspaceId, `DATA-SOURCE#${sourceId}`, 'REFERENCES');

const memberOf = ({ type, id }: Pick<Referrer, 'type' | 'id'>) => `${type}#${id}`;

/**
 * Belongs, as its last items, into the transaction that saves (or, with nothing in `after`, removes) what refers to sources. It
 * fails when a source of `after` is gone, and a source with a referrer cannot be deleted: whichever comes second is refused.
 */
export function sourceReferenceItems(
  table: Table,
  referrer: Referrer,
  before: readonly string[],
  after: readonly string[],
): TransactItem[] {
  const change = (sourceId: string, verb: 'ADD' | 'DELETE'): TransactItem => ({
    Update: {
      TableName: table.name,
      Key: referencesKey(referrer.workspaceId, sourceId),
      UpdateExpression: `${verb} referrers :it`,
      ExpressionAttributeValues: { ':it': new Set([memberOf(referrer)]) },
    },
  });
  const exists = (sourceId: string): TransactItem => ({
    ConditionCheck: {
      TableName: table.name,
      Key: dataSourceRepository(table).key(referrer.workspaceId, sourceId),
      ConditionExpression: 'attribute_exists(pk)',
    },
  });
  const [was, is] = [new Set(before), new Set(after)];
  return [
    ...[...was].filter((id) => !is.has(id)).map((id) => change(id, 'DELETE')),
    ...[...is].flatMap((id) => [change(id, 'ADD'), exists(id)]),
  ];
}

/** Writes with the items at the end of its transaction; throws what `gone` makes when a source is not there any more. */
export async function keepingSources<T>(
  items: TransactItem[],
  write: (items: TransactItem[]) => Promise<T>,
  gone: (cause: unknown) => Error,
): Promise<T> {
  try {
    return await write(items);
  } catch (cause) {
    if (!(cause instanceof TransactionCanceledException)) throw cause;
    const first = (cause.CancellationReasons?.length ?? 0) - items.length;
    if ([...failedConditions(cause)].some((position) => position >= first)) throw gone(cause);
    throw cause;
  }
}

/** Belongs into the transaction that deletes the source: it fails while anything refers to it. */
export function removeReferencesItem(table: Table, workspaceId: string, sourceId: string): TransactItem {
  return {
    Delete: {
      TableName: table.name,
      Key: referencesKey(workspaceId, sourceId),
      // A set that has lost its last member is no attribute any more.
      ConditionExpression: 'attribute_not_exists(referrers)',
    },
  };
}

/** What refers to a source. */
export async function readReferrers(
  table: Table,
  workspaceId: string,
  sourceId: string,
): Promise<{ type: ReferrerType; id: string }[]> {
  const found = await table.db.send(
    new GetCommand({ TableName: table.name, Key: referencesKey(workspaceId, sourceId), ConsistentRead: true }),
  );
  const members = (found.Item?.referrers as Set<string> | undefined) ?? new Set();
  return [...members].sort().map((member) => {
    const [type, id] = member.split('#') as [ReferrerType, string];
    return { type, id };
  });
}
