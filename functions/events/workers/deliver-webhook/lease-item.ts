import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { fromAttributes, type Table } from '../../../../shared/platform/storage/table.ts';
import {
  addedPermits,
  type Counters,
  isCounter,
  type Lease,
  limitOf,
  type PermitKind,
  sumLeases,
} from './permit-rules.ts';

/** The leases of one sender as the item stores them. They expire, so a crashed sender does not keep any. */
export interface SenderLeases {
  sender: string;
  /** Counts the sender's writes, so that the sender recognizes its own write after a lost response. */
  version: number;
  /** Milliseconds since the epoch. */
  until: number;
  leases: readonly Lease[];
}

/** The permits in use in a workspace: the counters that limit them, and the leases by sender. */
export interface PermitsInUse {
  counters: Counters;
  senders: readonly SenderLeases[];
}

/** A sender's leases as stored. Every write pays for the whole item, so names are short and defaults are omitted. */
interface StoredSender {
  v: number;
  u: number;
  l: Record<string, number | [number, PermitKind]>;
}

const SENDER = 's#';
const RETENTION_SECONDS = 3600;

export async function permitsInUse(table: Table, workspaceId: string): Promise<PermitsInUse> {
  const found = await table.db.send(
    new GetCommand({ TableName: table.name, Key: keyOf(workspaceId), ConsistentRead: true }),
  );
  return toPermits(found.Item);
}

/**
 * Replaces the leases of one sender if they still equal `before` and no new permit exceeds a limit. A single write
 * suffices under concurrency because the counters are the condition. Returns what is in use now, and whether the leases
 * were replaced. An `after` without leases removes the sender.
 */
export async function replaceLeases(
  table: Table,
  workspaceId: string,
  before: SenderLeases,
  after: SenderLeases,
): Promise<{ isReplaced: boolean; inUse: PermitsInUse }> {
  const own = SENDER + before.sender;
  const names: Record<string, string> = { '#own': own };
  const values: Record<string, unknown> = {};
  const conditions: string[] = [];
  if (before.version === 0) conditions.push('attribute_not_exists(#own)');
  else {
    names['#v'] = 'v';
    values[':version'] = before.version;
    conditions.push('#own.#v = :version');
  }
  const [had, has] = [sumLeases(before.leases), sumLeases(after.leases)];
  const fresh = addedPermits(before.leases, after.leases);
  const add: string[] = [];
  for (const [index, name] of [...new Set([...Object.keys(had), ...Object.keys(has)])].entries()) {
    const change = (has[name] ?? 0) - (had[name] ?? 0);
    if (change === 0) continue;
    names[`#c${index}`] = name;
    values[`:c${index}`] = change;
    add.push(`#c${index} :c${index}`);
    if (!fresh[name]) continue;
    values[`:m${index}`] = limitOf(name) - change;
    conditions.push(`(attribute_not_exists(#c${index}) OR #c${index} <= :m${index})`);
  }
  const isOver = after.leases.length === 0;
  const set = ['entity = :entity', 'expiresAt = :expiresAt', ...(isOver ? [] : ['#own = :own'])];
  values[':entity'] = 'webhook-permits';
  values[':expiresAt'] = Math.ceil(Math.max(before.until, after.until) / 1000) + RETENTION_SECONDS;
  if (!isOver) values[':own'] = toStored(after);
  try {
    const reply = await table.db.send(
      new UpdateCommand({
        TableName: table.name,
        Key: keyOf(workspaceId),
        UpdateExpression: `SET ${set.join(', ')}${isOver ? ' REMOVE #own' : ''}${add.length > 0 ? ` ADD ${add.join(', ')}` : ''}`,
        ConditionExpression: conditions.join(' AND '),
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: values,
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return { isReplaced: true, inUse: toPermits(reply.Attributes) };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const inUse = toPermits(error.Item && fromAttributes(error.Item));
    // After a lost response the client repeats the write and finds its own result.
    const found = inUse.senders.find(({ sender }) => sender === before.sender);
    return { isReplaced: !isOver && found?.version === after.version && found.until === after.until, inUse };
  }
}

/** Removes counters that are zero to keep the item small; not if one is in use again. */
export async function removeCounters(table: Table, workspaceId: string, counters: readonly string[]): Promise<void> {
  const names = Object.fromEntries(counters.map((name, index) => [`#c${index}`, name]));
  const placeholders = Object.keys(names);
  const update = new UpdateCommand({
    TableName: table.name,
    Key: keyOf(workspaceId),
    UpdateExpression: `REMOVE ${placeholders.join(', ')}`,
    ConditionExpression: placeholders.map((name) => `${name} = :zero`).join(' AND '),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: { ':zero': 0 },
  });
  await table.db.send(update).catch((error: unknown) => {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  });
}

const keyOf = (workspaceId: string) => workspaceKey(workspaceId, 'WEBHOOK-PERMITS', 'IN-USE');

function toStored({ version, until, leases }: SenderLeases): StoredSender {
  const entries = leases.map(({ webhookId, kind, count }) => [webhookId, kind === 'proven' ? count : [count, kind]]);
  return { v: version, u: until, l: Object.fromEntries(entries) };
}

function toPermits(item: Record<string, unknown> = {}): PermitsInUse {
  const entries = Object.entries(item);
  return {
    counters: Object.fromEntries(entries.filter(([name]) => isCounter(name))) as Counters,
    senders: entries
      .filter(([name]) => name.startsWith(SENDER))
      .map(([name, stored]) => {
        const { v, u, l } = stored as StoredSender;
        const leases = Object.entries(l).map(([webhookId, lease]) => {
          const [count, kind] = Array.isArray(lease) ? lease : [lease, 'proven' as const];
          return { webhookId, kind, count };
        });
        return { sender: name.slice(SENDER.length), version: v, until: u, leases };
      }),
  };
}
