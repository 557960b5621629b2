import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { type Key, workspaceKey } from './keys.ts';
import type { Table, TransactItem } from './table.ts';
import { failedConditions } from './transact.ts';

/** The kinds of records that refer to others. The names are those in the records' keys. */
export const REFERRER_TYPES = [
  'pipeline',
  'dataset',
  'saved-query',
  'cdc-stream',
  'model',
  'metric',
  'metric-digest',
  'blend',
  'dashboard',
  'report',
  'alert',
  'story',
] as const;
export type ReferrerType = (typeof REFERRER_TYPES)[number];

export interface Referrer {
  workspaceId: string;
  type: ReferrerType;
  id: string;
}

/** The referrers of records of one kind: a set stored beside each record. */
export interface References {
  /**
   * Must be the last items of the transaction that saves the referrer (or removes it, with an empty `after`). The
   * transaction fails if a record in `after` does not exist. A record with referrers cannot be deleted, so the later
   * one of two concurrent requests is rejected.
   */
  items(referrer: Referrer, before: readonly string[], after: readonly string[]): TransactItem[];
  /** Must be part of the transaction that deletes the record: it fails while the record has referrers. */
  removeItem(workspaceId: string, id: string): TransactItem;
  read(workspaceId: string, id: string): Promise<{ type: ReferrerType; id: string }[]>;
}

type KeyOf = (workspaceId: string, id: string) => Key;

/**
 * `place` is the area in the keys of a record's items, or the key of the set. `keyOf` is the record's own key; without
 * it, the existence of the record is not checked.
 */
export function references(
  table: Table,
  place: 'DATA-SOURCE' | 'DATASET' | 'SECRET' | 'MODEL' | 'METRIC' | 'SAVED-QUERY' | 'THEME' | 'BLEND' | KeyOf,
  keyOf?: KeyOf,
): References {
  const setKey: KeyOf =
    typeof place === 'function'
      ? place
      : (workspaceId, id) => workspaceKey(workspaceId, `${place}#${id}`, 'REFERENCES');
  return {
    items(referrer, before, after) {
      const { workspaceId, type } = referrer;
      const change = (id: string, verb: 'ADD' | 'DELETE'): TransactItem => ({
        Update: {
          TableName: table.name,
          Key: setKey(workspaceId, id),
          UpdateExpression: `${verb} referrers :it`,
          ExpressionAttributeValues: { ':it': new Set([`${type}#${referrer.id}`]) },
        },
      });
      const exists = (id: string): TransactItem[] =>
        keyOf
          ? [
              {
                ConditionCheck: {
                  TableName: table.name,
                  Key: keyOf(workspaceId, id),
                  ConditionExpression: 'attribute_exists(pk)',
                },
              },
            ]
          : [];
      const [was, is] = [new Set(before), new Set(after)];
      return [
        ...[...was].filter((id) => !is.has(id)).map((id) => change(id, 'DELETE')),
        ...[...is].flatMap((id) => [change(id, 'ADD'), ...exists(id)]),
      ];
    },

    removeItem: (workspaceId, id) => ({
      Delete: {
        TableName: table.name,
        Key: setKey(workspaceId, id),
        // DynamoDB removes the attribute with the last member of the set.
        ConditionExpression: 'attribute_not_exists(referrers)',
      },
    }),

    async read(workspaceId, id) {
      const found = await table.db.send(
        new GetCommand({ TableName: table.name, Key: setKey(workspaceId, id), ConsistentRead: true }),
      );
      const members = (found.Item?.referrers as Set<string> | undefined) ?? new Set();
      return [...members].sort().map((member) => {
        const [type, referrer] = member.split('#') as [ReferrerType, string];
        return { type, id: referrer };
      });
    },
  };
}

/**
 * Writes with the items at the end of the transaction. If a record no longer exists, throws the error that `gone`
 * creates from the cause and the positions among the items.
 */
export async function withReferences<T>(
  items: TransactItem[],
  write: (items: TransactItem[]) => Promise<T>,
  gone: (cause: unknown, failed: readonly number[]) => Error,
): Promise<T> {
  try {
    return await write(items);
  } catch (cause) {
    if (!(cause instanceof TransactionCanceledException)) throw cause;
    const first = (cause.CancellationReasons?.length ?? 0) - items.length;
    const failed = [...failedConditions(cause)].flatMap((position) => (position >= first ? [position - first] : []));
    if (failed.length > 0) throw gone(cause, failed);
    throw cause;
  }
}
