import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { AppError } from '../../../platform/errors/app-error.ts';
import { ifHolds } from '../../../platform/storage/if-holds.ts';
import { onNewest } from '../../../platform/storage/on-newest.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { mailCountKey } from './keys.ts';
import type { MailBatch } from './records.ts';

/** How many urgent mails about subjects of one type a person gets within an hour. */
export const MAX_MAILS_AN_HOUR = 20;
const HOUR_MS = 3_600_000;

/** The times of the newest mails, oldest first. */
interface SentMails {
  sentAt: string[];
  /** The batch of the newest one. */
  lastId: string;
}

type Batch = Pick<MailBatch, 'workspaceId' | 'userId' | 'membershipId' | 'subject' | 'timing' | 'isAlways'>;

const isLimited = ({ timing, isAlways }: Batch): boolean => timing === 'urgent' && !isAlways;

async function readSent(table: Table, batch: Batch): Promise<SentMails | undefined> {
  const Key = mailCountKey(batch, batch.subject.type);
  const found = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  return found.Item && toRecord<SentMails>(found.Item);
}

/**
 * Until when the person has had enough mails: an hour after the last one, so that one mail has the rest. Undefined if
 * the next one may be sent.
 */
export async function heldUntil(table: Table, batch: Batch): Promise<Date | undefined> {
  if (!isLimited(batch)) return undefined;
  const { sentAt = [] } = (await readSent(table, batch)) ?? {};
  const hourAgo = new Date(table.now().getTime() - HOUR_MS).toISOString();
  if (sentAt.length < MAX_MAILS_AN_HOUR || sentAt[0]! <= hourAgo) return undefined;
  return new Date(Date.parse(sentAt.at(-1)!) + HOUR_MS);
}

/** Counts the mail about the batch. May be repeated. */
export async function countMail(table: Table, batch: Batch & { sendingId: string }): Promise<void> {
  if (!isLimited(batch)) return;
  await onNewest('STALE_WRITE', async () => {
    const before = await readSent(table, batch);
    if (before?.lastId === batch.sendingId) return;
    const now = table.now();
    const sentAt = [...(before?.sentAt ?? []), now.toISOString()].slice(-MAX_MAILS_AN_HOUR);
    const expiresAt = Math.ceil((now.getTime() + 2 * HOUR_MS) / 1000);
    const key = mailCountKey(batch, batch.subject.type);
    const Item = { ...key, entity: 'mail-count', sentAt, lastId: batch.sendingId, expiresAt };
    const condition = before
      ? { ConditionExpression: 'lastId = :before', ExpressionAttributeValues: { ':before': before.lastId } }
      : { ConditionExpression: 'attribute_not_exists(pk)' };
    const isCounted = await ifHolds(table.db.send(new PutCommand({ TableName: table.name, Item, ...condition })));
    if (!isCounted) throw new AppError('STALE_WRITE');
  });
}
