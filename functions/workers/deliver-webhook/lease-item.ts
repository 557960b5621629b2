import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { workspaceKey } from '../../../shared/storage/keys.ts';
import type { Table } from '../../../shared/storage/table.ts';
import type { Lease, PermitKind } from './permit-rules.ts';

/** The leases of a workspace; `revision` counts how often anybody got more. */
export interface Leases {
  revision: number;
  leases: readonly Lease[];
}

/** A lease as stored: every write pays for the whole item, so names are one letter and what is usual is left out. */
interface StoredLease {
  w: string;
  k?: PermitKind;
  n: number;
  u: number;
}

const keyOf = (workspaceId: string) => workspaceKey(workspaceId, 'WEBHOOK-PERMITS', 'IN-USE');

export async function readLeases(table: Table, workspaceId: string): Promise<Leases> {
  const found = await table.db.send(
    new GetCommand({ TableName: table.name, Key: keyOf(workspaceId), ConsistentRead: true }),
  );
  if (!found.Item) return { revision: 0, leases: [] };
  const senders = Object.entries((found.Item.senders ?? {}) as Record<string, StoredLease[]>);
  return {
    revision: (found.Item.revision ?? 0) as number,
    leases: senders.flatMap(([sender, stored]) =>
      stored.map(({ w, k = 'proven', n, u }) => ({ sender, webhookId: w, kind: k, count: n, until: u })),
    ),
  };
}

/**
 * Writes down that a sender has these leases, which are more than it had, and forgets senders whose leases have lapsed.
 * False when somebody else got more since `seen`, or when our own write is repeated because its answer was lost.
 */
export async function moreLeases(
  table: Table,
  workspaceId: string,
  { seen, sender, own, lapsed }: { seen: number; sender: string; own: readonly Lease[]; lapsed: readonly string[] },
): Promise<boolean> {
  const stored = toStored(own);
  const expiresAt = Math.ceil(Math.max(...own.map(({ until }) => until)) / 1000) + 3600;
  const key = keyOf(workspaceId);
  try {
    if (seen === 0) {
      const Item = { ...key, entity: 'webhook-permits', revision: 1, senders: { [sender]: stored }, expiresAt };
      await table.db.send(
        new PutCommand({ TableName: table.name, Item, ConditionExpression: 'attribute_not_exists(pk)' }),
      );
      return true;
    }
    const gone = lapsed.map((name, index) => [`#gone${index}`, name] as const);
    const remove =
      gone.length === 0 ? '' : ` REMOVE ${gone.map(([placeholder]) => `senders.${placeholder}`).join(', ')}`;
    await table.db.send(
      new UpdateCommand({
        TableName: table.name,
        Key: key,
        UpdateExpression: `SET senders.#sender = :own, revision = :next, expiresAt = :expiresAt${remove}`,
        ConditionExpression: 'revision = :seen',
        ExpressionAttributeNames: { '#sender': sender, ...Object.fromEntries(gone) },
        ExpressionAttributeValues: { ':own': stored, ':seen': seen, ':next': seen + 1, ':expiresAt': expiresAt },
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

/**
 * Writes down that a sender has these leases left, which are fewer than it had. It needs to see nothing before, and whoever
 * is about to get more is in nobody's way: what they have seen was at most too much.
 */
export async function fewerLeases(
  table: Table,
  workspaceId: string,
  { sender, own }: { sender: string; own: readonly Lease[] },
): Promise<void> {
  const update = new UpdateCommand({
    TableName: table.name,
    Key: keyOf(workspaceId),
    UpdateExpression: own.length === 0 ? 'REMOVE senders.#sender' : 'SET senders.#sender = :own',
    ConditionExpression: 'attribute_exists(senders.#sender)',
    ExpressionAttributeNames: { '#sender': sender },
    ...(own.length === 0 ? {} : { ExpressionAttributeValues: { ':own': toStored(own) } }),
  });
  try {
    await table.db.send(update);
  } catch (error) {
    // Forgotten by others, since they have lapsed.
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

function toStored(leases: readonly Lease[]): StoredLease[] {
  return leases.map(({ webhookId, kind, count, until }) => ({
    w: webhookId,
    ...(kind === 'proven' ? {} : { k: kind }),
    n: count,
    u: until,
  }));
}
