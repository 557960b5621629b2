import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { workspaceKey } from '../../../shared/storage/keys.ts';
import type { Table } from '../../../shared/storage/table.ts';
import type { Lease, PermitKind } from './permit-rules.ts';

/** The leases of a workspace at one revision of the item that holds them. */
export interface Leases {
  revision: number;
  leases: readonly Lease[];
}

/** A lease as stored: every write pays for the whole item, so names are one letter and what is usual is left out. */
interface StoredLease {
  s: string;
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
  const stored = (found.Item.leases ?? []) as StoredLease[];
  return {
    revision: found.Item.revision as number,
    leases: stored.map(({ s, w, k = 'proven', n, u }) => ({ sender: s, webhookId: w, kind: k, count: n, until: u })),
  };
}

/** False when another sender was faster, or when our own write is repeated because its answer was lost. */
export async function replaceLeases(table: Table, workspaceId: string, seen: number, next: Leases): Promise<boolean> {
  const leases = next.leases.map(
    ({ sender, webhookId, kind, count, until }): StoredLease => ({
      s: sender,
      w: webhookId,
      ...(kind === 'proven' ? {} : { k: kind }),
      n: count,
      u: until,
    }),
  );
  const latest = Math.max(0, ...leases.map(({ u }) => u));
  const Item = {
    ...keyOf(workspaceId),
    entity: 'webhook-permits',
    revision: next.revision,
    leases,
    expiresAt: Math.ceil(latest / 1000) + 3600,
  };
  try {
    await table.db.send(
      new PutCommand({
        TableName: table.name,
        Item,
        ConditionExpression: seen === 0 ? 'attribute_not_exists(pk)' : 'revision = :seen',
        ...(seen === 0 ? {} : { ExpressionAttributeValues: { ':seen': seen } }),
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
