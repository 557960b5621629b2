import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { AppError } from '../errors/app-error.ts';
import { type Collection, collection } from '../storage/collection.ts';
import { BY_DUE, type Table } from '../storage/table.ts';
import { isOpen, type StoredDelivery, type StoredWebhook } from './records.ts';

export type WebhookRepository = Collection<StoredWebhook>;

export function webhookRepository(table: Table): WebhookRepository {
  return collection<StoredWebhook>(table, { entity: 'webhook', versioned: true });
}

/** How long after its time an open delivery counts as forgotten by the queue. */
const FORGOTTEN_AFTER_MS = 60_000;

export interface DeliveryRepository {
  get: Collection<StoredDelivery>['get'];
  /** The deliveries of one webhook, newest first. */
  list: Collection<StoredDelivery>['list'];
  create: Collection<StoredDelivery>['create'];
  /** Moves the delivery on from what was read; answers false when another sender was faster. */
  move(previous: StoredDelivery, next: StoredDelivery): Promise<boolean>;
  /** Open deliveries that nothing has moved for a minute after their time, at most `limit`. */
  forgotten(now: Date, limit: number): Promise<{ workspaceId: string; id: string }[]>;
}

export function deliveryRepository(table: Table): DeliveryRepository {
  const deliveries = collection<StoredDelivery>(table, {
    entity: 'delivery',
    parent: (delivery) => delivery.webhookId,
    attributes: (delivery) => (isOpen(delivery) ? { due: 'delivery', dueAt: forgottenAt(delivery) } : {}),
  });
  return {
    get: deliveries.get,
    list: deliveries.list,
    create: deliveries.create,

    async move(previous, next) {
      try {
        await deliveries.replace(previous, next, 'STALE_WRITE');
        return true;
      } catch (error) {
        if (error instanceof AppError && error.code === 'STALE_WRITE') return false;
        throw error;
      }
    },

    async forgotten(now, limit) {
      const reply = await table.db.send(
        new QueryCommand({
          TableName: table.name,
          IndexName: BY_DUE,
          KeyConditionExpression: 'due = :due AND dueAt <= :now',
          ExpressionAttributeValues: { ':due': 'delivery', ':now': now.toISOString() },
          Limit: limit,
        }),
      );
      return (reply.Items ?? []).map((item) => ({
        workspaceId: (item.pk as string).split('#')[1]!,
        id: item.sk as string,
      }));
    },
  };
}

function forgottenAt(delivery: StoredDelivery): string {
  const due = delivery.leaseUntil ?? delivery.nextRetryAt ?? delivery.updatedAt;
  return new Date(Date.parse(due) + FORGOTTEN_AFTER_MS).toISOString();
}
