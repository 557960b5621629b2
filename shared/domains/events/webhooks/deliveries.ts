import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { AppError } from '../../../platform/errors/app-error.ts';
import type { Key } from '../../../platform/storage/keys.ts';
import { MAX_OFFSET } from '../../../platform/storage/list-request.ts';
import type { PageOf } from '../../../platform/storage/page.ts';
import { queryItems } from '../../../platform/storage/query-items.ts';
import { fromAttributes, type Table } from '../../../platform/storage/table.ts';
import { type Condition, updateOf } from '../../../platform/storage/update.ts';
import { toDelivery, toDeliveryItem } from './delivery-item.ts';
import { type DeliveryName, deliveryBodyKey, deliveryKey } from './keys.ts';
import { type DeliveryStatus, isOpen, OPEN_STATUSES, type StoredDelivery } from './records.ts';

/** With a body up to this size, an item stays below one kilobyte, which one write unit pays for. */
const MAX_INLINE_BYTES = 560;
/** Lists count up to this number, which is also as far as paging goes. */
const MAX_COUNTED = 10_000;

export interface DeliveryQuery {
  limit: number;
  offset: number;
  status?: DeliveryStatus;
  event?: string;
}

export interface DeliveryRepository {
  get(name: DeliveryName): Promise<StoredDelivery | undefined>;
  /** The body that every attempt sends. */
  body(delivery: StoredDelivery): Promise<string>;
  /** The deliveries of a webhook, the newest first; filters and `total` cover the newest 10,000. */
  list(workspaceId: string, webhookId: string, page: DeliveryQuery): Promise<PageOf<StoredDelivery>>;
  /** The deliveries of events between two instants, the oldest first; a page begins after the id `after`. */
  between(
    range: { workspaceId: string; webhookId: string; from: string; to: string },
    page: { limit: number; after?: string | undefined },
  ): Promise<StoredDelivery[]>;
  /** The number of deliveries of events between two instants, up to `atMost`. */
  countBetween(
    range: { workspaceId: string; webhookId: string; from: string; to: string },
    atMost: number,
  ): Promise<number>;
  /** Stores a delivery with its body, unless it exists. */
  create(delivery: StoredDelivery & { body: string }): Promise<void>;
  /** Updates a delivery as it was read; returns false if another sender was faster. */
  move(previous: StoredDelivery, next: StoredDelivery): Promise<boolean>;
  /** Open deliveries between two instants that only a watch covers, the oldest first. */
  uncheckedOpen(range: { workspaceId: string; webhookId: string; from: string; to: string }): AsyncGenerator<Key>;
  /**
   * Schedules the next check of an item, unless its `dueAt` has changed since it was read. An item without `dueAt` must
   * still be open.
   */
  scheduleCheck(item: Key & { dueAt?: string }, check: { due: string; dueAt: string }): Promise<void>;
}

export function deliveryRepository(table: Table): DeliveryRepository {
  const partition = (workspaceId: string, webhookId: string) =>
    deliveryKey({ workspaceId, webhookId, deliveryId: '' }).pk;

  async function putNew(item: Record<string, unknown>): Promise<void> {
    const put = new PutCommand({ TableName: table.name, Item: item, ConditionExpression: 'attribute_not_exists(pk)' });
    await table.db.send(put).catch(unlessConditionFailed);
  }

  async function count(pk: string, [from, to]: [string, string], atMost: number): Promise<number> {
    let found = 0;
    let start: Record<string, unknown> | undefined;
    do {
      const page = await table.db.send(
        new QueryCommand({
          TableName: table.name,
          KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
          ExpressionAttributeValues: { ':pk': pk, ':from': from, ':to': to },
          Select: 'COUNT',
          Limit: atMost - found,
          ExclusiveStartKey: start,
        }),
      );
      found += page.Count ?? 0;
      start = page.LastEvaluatedKey;
    } while (start && found < atMost);
    return found;
  }

  async function newest(pk: string, atMost: number): Promise<StoredDelivery[]> {
    const query = {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
      ScanIndexForward: false,
    };
    return Array.fromAsync(queryItems(table, query, atMost), toDelivery);
  }

  return {
    async get(name) {
      const found = await table.db.send(
        new GetCommand({ TableName: table.name, Key: deliveryKey(name), ConsistentRead: true }),
      );
      return found.Item && toDelivery(found.Item);
    },

    async body(delivery) {
      if (delivery.body !== null) return delivery.body;
      const { workspaceId, webhookId, id } = delivery;
      const Key = deliveryBodyKey({ workspaceId, webhookId, deliveryId: id });
      const found = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
      if (!found.Item) throw new Error(`the delivery ${id} has no body`);
      return found.Item.body as string;
    },

    async list(workspaceId, webhookId, { limit, offset, ...filters }) {
      if (offset > MAX_OFFSET) throw new AppError('OFFSET_TOO_LARGE');
      const pk = partition(workspaceId, webhookId);
      const wanted = Object.entries(filters) as [keyof StoredDelivery, string][];
      if (wanted.length > 0) {
        const all = await newest(pk, MAX_COUNTED);
        const found = all.filter((delivery) => wanted.every(([member, value]) => delivery[member] === value));
        return { items: found.slice(offset, offset + limit), total: found.length, limit, offset };
      }
      const found = await newest(pk, offset + limit);
      const total = found.length < offset + limit ? found.length : await count(pk, ALL_IDS, MAX_COUNTED);
      return { items: found.slice(offset), total, limit, offset };
    },

    async between({ workspaceId, webhookId, from, to }, { limit, after }) {
      const page = await table.db.send(
        new QueryCommand({
          TableName: table.name,
          KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
          ExpressionAttributeValues: {
            ':pk': partition(workspaceId, webhookId),
            ':from': after === undefined ? idsFrom(from) : `${after}~`,
            ':to': `${idsFrom(to)}~`,
          },
          Limit: limit,
          ConsistentRead: true,
        }),
      );
      return (page.Items ?? []).map(toDelivery);
    },

    countBetween: ({ workspaceId, webhookId, from, to }, atMost) =>
      count(partition(workspaceId, webhookId), [idsFrom(from), `${idsFrom(to)}~`], atMost),

    async create(delivery) {
      const { workspaceId, webhookId, id, body } = delivery;
      const isLarge = Buffer.byteLength(body) > MAX_INLINE_BYTES;
      const { expiresAt, ...item } = toDeliveryItem({ ...delivery, body: isLarge ? null : body });
      // The body is stored first, so that a delivery never lacks it.
      if (isLarge) await putNew({ ...deliveryBodyKey({ workspaceId, webhookId, deliveryId: id }), body, expiresAt });
      await putNew({ ...item, expiresAt });
    },

    async move(previous, next) {
      const [before, after] = [toDeliveryItem(previous), toDeliveryItem(next)];
      const changed = Object.entries(after).filter(([name, value]) => before[name] !== value);
      const { workspaceId, webhookId, id } = previous;
      const removed = new Set(Object.keys(before).filter((name) => !(name in after)));
      // The sweep may have indexed the delivery since it was read; an ended delivery needs no more checks.
      if (!isOpen(next)) for (const name of ['due', 'dueAt']) removed.add(name);
      const update = updateOf(
        table,
        deliveryKey({ workspaceId, webhookId, deliveryId: id }),
        { set: Object.fromEntries(changed), remove: [...removed] },
        { equals: { updatedAt: previous.updatedAt } },
      );
      try {
        await table.db.send(new UpdateCommand({ ...update, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }));
        return true;
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        // After a lost response the client repeats the write and finds its own result.
        const stored = error.Item && toDelivery(fromAttributes(error.Item));
        return stored?.updatedAt === next.updatedAt && stored.claim === next.claim && stored.status === next.status;
      }
    },

    uncheckedOpen({ workspaceId, webhookId, from, to }) {
      const values = Object.fromEntries(OPEN_STATUSES.map((status, index) => [`:s${index}`, status]));
      return queryItems(table, {
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        FilterExpression: `attribute_not_exists(due) AND #status IN (${Object.keys(values).join(', ')})`,
        ProjectionExpression: 'pk, sk',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':pk': partition(workspaceId, webhookId),
          ':from': idsFrom(from),
          ':to': `${idsFrom(to)}~`,
          ...values,
        },
      }) as AsyncGenerator<unknown> as AsyncGenerator<Key>;
    },

    async scheduleCheck({ pk, sk, dueAt }, check) {
      const condition: Condition =
        dueAt === undefined ? { absent: ['due'], oneOf: { status: OPEN_STATUSES } } : { equals: { dueAt } };
      const update = updateOf(table, { pk, sk }, { set: { ...check } }, condition);
      await table.db.send(new UpdateCommand(update)).catch(unlessConditionFailed);
    },
  };
}

const ALL_IDS: [string, string] = ['0', '~'];

/** The first 48 bits of an id are the milliseconds of its instant. */
function idsFrom(at: string): string {
  return Date.parse(at)
    .toString(16)
    .padStart(12, '0')
    .replace(/^(.{8})/, '$1-');
}

function unlessConditionFailed(error: unknown): void {
  if (!(error instanceof ConditionalCheckFailedException)) throw error;
}
