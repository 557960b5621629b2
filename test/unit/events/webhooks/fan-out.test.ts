import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DeliverDeps } from '../../../../functions/events/workers/deliver-webhook/deliver.ts';
import { sweep } from '../../../../functions/events/workers/deliver-webhook/sweep.ts';
import { fanOut } from '../../../../functions/events/workers/fan-out-events/fan-out.ts';
import { RecentWebhooks } from '../../../../functions/events/workers/fan-out-events/recent.ts';
import type { OutboxRecord } from '../../../../shared/domains/events/events/outbox.ts';
import { deliveryRepository } from '../../../../shared/domains/events/webhooks/deliveries.ts';
import { healthStore } from '../../../../shared/domains/events/webhooks/health-store.ts';
import {
  DELIVERY_SHARDS,
  dueDelivery,
  healthKey,
  WEBHOOK_WATCH,
} from '../../../../shared/domains/events/webhooks/keys.ts';
import type { DeliveryMessage, Lane } from '../../../../shared/domains/events/webhooks/queue.ts';
import type { StoredDelivery, StoredWebhook } from '../../../../shared/domains/events/webhooks/records.ts';
import { webhookRepository } from '../../../../shared/domains/events/webhooks/repository.ts';
import { dueItems } from '../../../../shared/platform/storage/due-items.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { Crashed } from '../../../support/crash.ts';
import { useLocalTable } from '../../../support/local-table.ts';
import { EVENT, givenWebhook } from './given.ts';

const LATER_MS = 4 * 60_000;

const local = useLocalTable();

let workspaceId: string;
let now: Date;
let table: Table;
let sent: { lane: Lane; message: DeliveryMessage }[];
beforeEach(() => {
  workspaceId = newId();
  now = new Date('2026-11-21T10:00:30.000Z');
  table = local.open();
  sent = [];
});

const queueOf = (lane: Lane) => ({
  async send(messages: readonly { message: DeliveryMessage }[]) {
    sent.push(...messages.map(({ message }) => ({ lane, message })));
  },
});
const fanOutDeps = (recent = new RecentWebhooks()) => ({
  table,
  webhooks: webhookRepository(table),
  deliveries: deliveryRepository(table),
  lanes: { main: queueOf('main'), slow: queueOf('slow') },
  recent,
  now: () => now,
});
/** What the sweep needs of a sender. */
const sweepDeps = () =>
  ({
    ...fanOutDeps(),
    health: healthStore(table),
    queue: queueOf('main'),
  }) as unknown as DeliverDeps;
const sweepLater = async () => {
  now = new Date(now.getTime() + LATER_MS);
  sent = [];
  expect(await sweep(sweepDeps(), (failure) => expect(failure).toBeUndefined())).toEqual([]);
};

const aWebhook = () => givenWebhook(table, { workspaceId, url: 'https://example.com/hook', at: now });

const events = (count: number, timestamp = now.toISOString()): OutboxRecord[] =>
  Array.from({ length: count }, () => ({ id: newId(), workspaceId, event: EVENT, data: { workspaceId }, timestamp }));

async function deliveriesOf(webhook: StoredWebhook): Promise<StoredDelivery[]> {
  return (await deliveryRepository(table).list(workspaceId, webhook.id, { limit: 100, offset: 0 })).items;
}

/** Keys in these partitions of the due index that are of this test's workspace. */
async function due(...partitions: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const partition of partitions) {
    const until = new Date(now.getTime() + 60 * 60_000);
    for await (const item of dueItems(table, partition, until)) if (item.pk.includes(workspaceId)) found.push(item.sk);
  }
  return found;
}
const SHARDS = Array.from({ length: DELIVERY_SHARDS }, (_, shard) => dueDelivery(shard));

const woken = () =>
  sent.flatMap(({ message }) =>
    message.kind === 'deliver' && message.workspaceId === workspaceId ? [message.deliveryId] : [],
  );

async function settle(delivery: StoredDelivery, change: Partial<StoredDelivery>): Promise<void> {
  const updatedAt = new Date(Date.parse(delivery.updatedAt) + 1).toISOString();
  expect(await deliveryRepository(table).move(delivery, { ...delivery, ...change, updatedAt })).toBe(true);
}

describe('deliveries that are made', () => {
  it('each have a place in the due index when their webhook has few', async () => {
    const webhook = await aWebhook();
    await fanOut(fanOutDeps(), events(2));
    const made = await deliveriesOf(webhook);
    expect((await due(...SHARDS)).sort()).toEqual(made.map(({ id }) => id).sort());
    expect(await due(WEBHOOK_WATCH)).toEqual([]);
  });

  it('are watched together when their webhook has many, now or a moment ago', async () => {
    const webhook = await aWebhook();
    await fanOut(fanOutDeps(), events(20));
    expect(await due(...SHARDS)).toEqual([]);
    expect(await due(WEBHOOK_WATCH)).toEqual([`${webhook.id}#WATCH#2026-11-21T10:00:00.000Z`]);

    workspaceId = newId();
    const recent = new RecentWebhooks();
    const other = await aWebhook();
    for (const _ of [1, 2, 3]) await fanOut(fanOutDeps(recent), events(1));
    expect(await due(...SHARDS)).toHaveLength(1);
    expect(await due(WEBHOOK_WATCH)).toContain(`${other.id}#WATCH#2026-11-21T10:00:00.000Z`);
  });

  it('that the queue lost are found by their watch, and then checked one by one', async () => {
    const webhook = await aWebhook();
    await fanOut(fanOutDeps(), events(4));
    const [delivered, underWay, lost, slower] = await deliveriesOf(webhook);
    await settle(delivered!, { status: 'delivered' });
    await settle(underWay!, { status: 'delivering', leaseUntil: now.toISOString() });
    await settle(slower!, { status: 'retrying', due: dueDelivery(0), dueAt: '2026-11-21T11:00:00.000Z' });

    await sweepLater();
    expect(woken().sort()).toEqual([underWay!.id, lost!.id].sort());
    expect(await due(WEBHOOK_WATCH)).toEqual([]);
    expect((await due(...SHARDS)).sort()).toEqual([underWay!.id, lost!.id, slower!.id].sort());

    await settle((await deliveryRepository(table).get({ workspaceId, webhookId: webhook.id, deliveryId: lost!.id }))!, {
      status: 'delivered',
      due: null,
      dueAt: null,
    });
    expect(await due(...SHARDS)).not.toContain(lost!.id);
  });

  it('leave the index when they end, also if the sweep put them there in between', async () => {
    const webhook = await aWebhook();
    await fanOut(fanOutDeps(), events(3));
    const [delivery] = await deliveriesOf(webhook);
    await sweepLater();
    expect(await due(...SHARDS)).toContain(delivery!.id);
    await settle(delivery!, { status: 'delivered' });
    expect(await due(...SHARDS)).not.toContain(delivery!.id);
  });

  it('are watched from the oldest event on, in whatever order events come', async () => {
    const webhook = await aWebhook();
    const deps = fanOutDeps();
    await fanOut(deps, events(3));
    const hourAgo = new Date(now.getTime() - 60 * 60_000).toISOString();
    await fanOut(deps, events(3, hourAgo));
    await sweepLater();
    expect(woken().sort()).toEqual((await deliveriesOf(webhook)).map(({ id }) => id).sort());
  });

  it('are made once by a fan-out that dies at any write and is repeated', async () => {
    for (const writes of [1, 2, 3, 4]) {
      const webhook = await aWebhook();
      const batch = events(3);
      let count = 0;
      const dying = local.open(() => (++count === writes ? 'after' : undefined));
      const deps = { ...fanOutDeps(), table: dying, deliveries: deliveryRepository(dying) };
      await expect(fanOut(deps, batch)).rejects.toThrow(Crashed);
      await fanOut(fanOutDeps(), batch);
      expect(await deliveriesOf(webhook)).toHaveLength(3);
      expect(await due(WEBHOOK_WATCH)).toContain(`${webhook.id}#WATCH#2026-11-21T10:00:00.000Z`);
    }
  });

  it('wait in the slow lane after their webhook has answered late, and before it has answered at all', async () => {
    const [unknown, quick, slow] = [await aWebhook(), await aWebhook(), await aWebhook()];
    const answeredAt = now.toISOString();
    const slowUntil = new Date(now.getTime() + 1000).toISOString();
    for (const [{ id }, set] of [
      [quick, { answeredAt }],
      [slow, { answeredAt, slowUntil }],
    ] as const) {
      const key = healthKey(workspaceId, id);
      await table.db.send(new UpdateCommand(updateOf(table, key, { set })));
    }
    const laneOf = (webhook: StoredWebhook) =>
      sent.filter(({ message }) => message.webhookId === webhook.id).map(({ lane }) => lane);

    await fanOut(fanOutDeps(), events(1));
    expect(laneOf(unknown)).toEqual(['slow']);
    expect(laneOf(quick)).toEqual(['main']);
    expect(laneOf(slow)).toEqual(['slow']);

    now = new Date(now.getTime() + 1000);
    await fanOut(fanOutDeps(), events(1));
    expect(laneOf(slow)).toEqual(['slow', 'main']);
  });

  it('are written a few at a time, however many webhooks a hundred events have', async () => {
    await Promise.all(Array.from({ length: 20 }, aWebhook));
    let [underWay, most] = [0, 0];
    const deps = fanOutDeps();
    const create: typeof deps.deliveries.create = async (delivery) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await deps.deliveries.create(delivery);
      underWay -= 1;
    };
    await fanOut({ ...deps, deliveries: { ...deps.deliveries, create } }, events(10));
    expect(sent).toHaveLength(200);
    expect(most).toBeLessThanOrEqual(32);
  });
});
