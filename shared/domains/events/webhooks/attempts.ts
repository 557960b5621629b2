import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { workspaceKey } from '../../../platform/storage/keys.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import type { Table } from '../../../platform/storage/table.ts';
import type { DeliveryName } from './keys.ts';
import { DELIVERY_RETENTION_SECONDS, type StoredDelivery } from './records.ts';

/** One request of a delivery and its outcome. */
export interface StoredAttempt {
  /** From 1, and across redeliveries. */
  number: number;
  at: string;
  durationMs: number;
  responseStatus: number | null;
  /** Why there was no reply, or why it counts as a failure. */
  error: string | null;
  /** The beginning of the reply, without what the request had in its headers. */
  reply: string | null;
}

/** How many attempts are read: the latest ones. */
const MAX_READ = 50;
const MAX_REPLY_BYTES = 1024;
/** Headers that the service sets itself. None of them is a secret. */
const OWN_HEADERS = /^(content-type|user-agent|webhook-|x-service-)/;
/** Shorter values are no credentials, and would be found everywhere. */
const MIN_MASKED = 4;

const attemptKey = ({ workspaceId, webhookId, deliveryId }: DeliveryName, number?: number) =>
  workspaceKey(
    workspaceId,
    `DELIVERY-ATTEMPT#${webhookId}`,
    `${deliveryId}#${number === undefined ? '' : String(number).padStart(6, '0')}`,
  );

/** Stores an attempt; repeating it replaces it. It leaves the table together with its delivery. */
export async function recordAttempt(table: Table, delivery: StoredDelivery, attempt: StoredAttempt): Promise<void> {
  const { workspaceId, webhookId, id: deliveryId } = delivery;
  const known = Object.fromEntries(Object.entries(attempt).filter(([, value]) => value !== null));
  const Item = {
    ...attemptKey({ workspaceId, webhookId, deliveryId }, attempt.number),
    entity: 'delivery-attempt',
    ...known,
    expiresAt: Math.floor(Date.parse(delivery.createdAt) / 1000) + DELIVERY_RETENTION_SECONDS,
  };
  await table.db.send(new PutCommand({ TableName: table.name, Item }));
}

/** The latest attempts of a delivery, the first one first. */
export async function readAttempts(table: Table, name: DeliveryName): Promise<StoredAttempt[]> {
  const items = itemsBelow(table, attemptKey(name), { newestFirst: true, atMost: MAX_READ });
  const attempts = await Array.fromAsync(
    items,
    ({ number, at, durationMs, responseStatus = null, error = null, reply = null }) =>
      ({ number, at, durationMs, responseStatus, error, reply }) as StoredAttempt,
  );
  return attempts.reverse();
}

/**
 * The first kilobyte of a reply. Receivers may echo the request, so the values of its headers, which may be
 * credentials, are replaced, and so are the words of a value, such as the token after `Bearer`.
 */
export function shownReply(reply: string, headers: Record<string, string>): string {
  const values = Object.entries(headers)
    .filter(([name]) => !OWN_HEADERS.test(name))
    .flatMap(([, value]) => [value, ...value.split(/[\s,;=]+/)]);
  const masked = [...new Set(values)]
    .filter((value) => value.length >= MIN_MASKED)
    .sort((a, b) => b.length - a.length)
    .flatMap((value) => [...new Set([value, JSON.stringify(value).slice(1, -1)])])
    .reduce((text, value) => text.replaceAll(value, '******'), reply);
  // A character that is cut in two is left out.
  return new TextDecoder().decode(Buffer.from(masked).subarray(0, MAX_REPLY_BYTES), { stream: true });
}
