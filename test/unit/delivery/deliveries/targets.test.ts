import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type SendTargetDeps,
  sendToTarget,
  type TargetDeliveries,
} from '../../../../functions/delivery/workers/send-to-targets/send-target.ts';
import { slackBody } from '../../../../functions/delivery/workers/send-to-targets/slack-body.ts';
import type { TargetContent } from '../../../../functions/delivery/workers/send-to-targets/target-content.ts';
import { targetResult } from '../../../../functions/delivery/workers/send-to-targets/target-result.ts';
import { teamsBody } from '../../../../functions/delivery/workers/send-to-targets/teams-body.ts';
import {
  DASHBOARDS,
  type DashboardSchedule,
  type DeliveryTarget,
  type StoredScheduleMail,
} from '../../../../shared/domains/boards/delivery-schedules/index.ts';
import { deliveryRuns, type StoredRun } from '../../../../shared/domains/delivery/deliveries/index.ts';
import { createAddressGuard } from '../../../../shared/platform/net/address-guard.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { asProcess, type Crash, Crashed } from '../../../support/crash.ts';
import { useLocalTable } from '../../../support/local-table.ts';
import { openReceiver, type Receiver } from '../../../support/receiver.ts';

const local = useLocalTable();
const START = Date.parse('2026-03-02T08:00:00.000Z');
/** After this time, the queue delivers the message of a crashed worker again. */
const VISIBLE_AGAIN_MS = 180_000;

/** A mail that waits for a target, and a worker that may crash at the writes for which `crash` says so. */
class World {
  readonly place = { workspaceId: newId(), deliveryId: newId(), runId: newId() };
  readonly targetId = newId();
  deleted = false;
  domains = ['127.0.0.1'];
  targets: DeliveryTarget[];
  #now = START;
  #writes = 0;
  readonly #runs;
  readonly #crashing;

  constructor(receiver: Receiver, crash: (index: number) => ReturnType<Crash> = () => undefined) {
    const { origin } = new URL(receiver.url);
    const target = {
      id: this.targetId,
      type: 'webhook',
      name: 'Hook',
      origin,
      headerNames: [],
      sealedUrl: receiver.url,
    };
    this.targets = [target as DeliveryTarget];
    this.#runs = deliveryRuns<StoredScheduleMail>(local.open(), DASHBOARDS);
    this.#crashing = deliveryRuns<StoredScheduleMail>(
      local.open(() => crash(this.#writes++)),
      DASHBOARDS,
    );
  }

  async open(): Promise<this> {
    const at = new Date(START);
    const { workspaceId, runId } = this.place;
    const trigger = { kind: 'schedule', scheduledAt: at.toISOString(), actor: null } as const;
    const run = { id: runId, workspaceId, status: 'queued', reason: null, trigger, createdAt: at.toISOString() };
    await this.#runs.create(this.place, run as unknown as StoredRun, at);
    const mail = {
      ...{ userId: this.targetId, isTarget: true, status: 'queued', reason: null, sentAt: null },
      ...{ cardCount: 1, failedCardCount: 0, file: null, error: null },
      content: { objectId: 'd', objectName: 'Sales', scheduleName: 'Daily', pageName: null, asOf: 'now', blocks: [] },
    };
    await this.#runs.createMail(this.place, mail as unknown as StoredScheduleMail, at);
    return this;
  }

  /** Handles the message once; undefined if nothing is left to do, and otherwise the seconds until it comes again. */
  async handle(): Promise<number | undefined> {
    const { workspaceId, deliveryId, runId } = this.place;
    const message = { workspaceId, deliveryId, runId, delivery: DASHBOARDS.name, targetId: this.targetId };
    try {
      return await asProcess(() => sendToTarget(this.#deps(), this.#deliveries(), message));
    } catch (error) {
      if (!(error instanceof Crashed)) throw error;
      return VISIBLE_AGAIN_MS / 1000;
    }
  }

  pass(seconds: number): void {
    this.#now += seconds * 1000;
  }

  async finish(): Promise<void> {
    for (let rounds = 0; rounds < 20; rounds++) {
      const seconds = await this.handle();
      if (seconds === undefined) return;
      this.pass(seconds);
    }
    throw new Error('the delivery does not end');
  }

  result = () => this.#runs.mail({ ...this.place, userId: this.targetId });

  #deps(): SendTargetDeps {
    return {
      secrets: { open: async (_owner, sealed) => sealed },
      guard: createAddressGuard({ allowedPrivateCidrs: ['127.0.0.0/8'] }),
      links: { sign: expect.unreachable },
      deliveryDomains: async () => this.domains,
      now: () => new Date(this.#now),
      random: () => 0,
      timeoutMs: 5_000,
      backoffSeconds: [5, 300, 1800, 7200],
    };
  }

  #deliveries(): TargetDeliveries<DashboardSchedule> {
    const { workspaceId, deliveryId: id } = this.place;
    return {
      kind: DASHBOARDS,
      deliveries: { get: async () => ({ id, workspaceId, targets: this.targets }) as unknown as DashboardSchedule },
      runs: this.#crashing,
      isObjectDeleted: async () => this.deleted,
    };
  }
}

async function givenReceiver(...statuses: number[]): Promise<Receiver> {
  const receiver = await openReceiver();
  receiver.answer(...statuses);
  onTestFinished(() => receiver.close());
  return receiver;
}

const idsOf = ({ received }: Receiver) => [...new Set(received.map(({ headers }) => headers['webhook-id']))];

describe('a delivery to a target whose worker crashes', () => {
  it.each([
    { at: 'never', crash: () => undefined, requests: 1, attempts: 1 },
    {
      at: 'before the claim',
      crash: (index: number) => (index === 0 ? 'before' : undefined),
      requests: 1,
      attempts: 1,
    },
    { at: 'after the claim', crash: (index: number) => (index === 0 ? 'after' : undefined), requests: 1, attempts: 2 },
    {
      at: 'before the record',
      crash: (index: number) => (index === 1 ? 'before' : undefined),
      requests: 2,
      attempts: 2,
    },
    { at: 'after the record', crash: (index: number) => (index === 1 ? 'after' : undefined), requests: 1, attempts: 1 },
  ] as const)('$at: it is sent under one id, and not again once that is recorded', async (given) => {
    const receiver = await givenReceiver(200);
    const world = await new World(receiver, given.crash).open();
    await world.finish();
    expect(receiver.received).toHaveLength(given.requests);
    expect(idsOf(receiver)).toHaveLength(1);
    expect(await world.result()).toMatchObject({ status: 'sent', attempts: given.attempts, lastError: null });
    for (const _again of [1, 2]) expect(await world.handle()).toBeUndefined();
    expect(receiver.received).toHaveLength(given.requests);
  });

  it('is five requests at most, even if no answer is ever recorded', async () => {
    const receiver = await givenReceiver(200);
    const world = await new World(receiver, (index) => (index % 2 === 1 && index < 10 ? 'before' : undefined)).open();
    await world.finish();
    expect(receiver.received).toHaveLength(5);
    expect(idsOf(receiver)).toHaveLength(1);
    expect(await world.result()).toMatchObject({ status: 'failed', reason: 'ATTEMPTS_EXHAUSTED', attempts: 5 });
  });
});

describe('a delivery to a target between two attempts', () => {
  it('waits for the next one, whichever message comes early', async () => {
    const receiver = await givenReceiver(503, 200);
    const world = await new World(receiver).open();
    expect(await world.handle()).toBe(5);
    expect(await world.handle()).toBe(5);
    expect(receiver.received).toHaveLength(1);
    expect(await world.result()).toMatchObject({ status: 'queued', attempts: 1, responseStatus: 503 });
    world.pass(5);
    await Promise.all([world.handle(), world.handle()]);
    expect(receiver.received).toHaveLength(2);
    expect(await world.result()).toMatchObject({ status: 'sent', attempts: 2, responseStatus: 200 });
  });

  it.each([
    ['OBJECT_DELETED', (world: World) => Object.assign(world, { deleted: true })],
    ['TARGET_REMOVED', (world: World) => Object.assign(world, { targets: [] })],
    ['DOMAIN_NOT_ALLOWED', (world: World) => Object.assign(world, { domains: ['example.com'] })],
  ] as const)('ends for the reason %s', async (reason, change) => {
    const receiver = await givenReceiver(503);
    const world = await new World(receiver).open();
    world.pass((await world.handle())!);
    change(world);
    expect(await world.handle()).toBeUndefined();
    expect(receiver.received).toHaveLength(1);
    const result = await world.result();
    expect(result).toMatchObject({ status: 'skipped', reason, attempts: 1 });
    expect(result).not.toHaveProperty('content');
  });

  it('fails without a request if the address leads to a closed network', async () => {
    const receiver = await givenReceiver(200);
    const world = await new World(receiver).open();
    world.targets = world.targets.map((target) => ({ ...target, sealedUrl: 'http://169.254.169.254/latest' }));
    await world.finish();
    expect(await world.result()).toMatchObject({ status: 'failed', reason: 'ADDRESS_BLOCKED', attempts: 0 });
    expect(receiver.received).toEqual([]);
  });
});

describe('the answer of a target', () => {
  const resultOf = (status: number, attempt = 1) =>
    targetResult(
      { kind: 'answer', status, retryAfter: undefined },
      { attempt, backoffSeconds: [5], now: new Date(START), random: () => 0 },
    );

  it.each([408, 425, 429, 500, 503])('%i is followed by another attempt, up to five', (status) => {
    expect(resultOf(status)).toMatchObject({ next: 'retry', delayMs: 5_000, seen: { responseStatus: status } });
    expect(resultOf(status, 5)).toMatchObject({ next: 'end', status: 'failed', reason: 'ATTEMPTS_EXHAUSTED' });
  });

  it.each([302, 400, 401, 404])('%i is final', (status) => {
    expect(resultOf(status)).toMatchObject({ next: 'end', status: 'failed', reason: 'REFUSED' });
  });

  it('410 is final, and 204 a success', () => {
    expect(resultOf(410)).toMatchObject({ status: 'failed', reason: 'GONE' });
    expect(resultOf(204)).toMatchObject({ status: 'sent', reason: null });
  });
});

describe('the messages for chats', () => {
  const HOSTILE =
    '<!channel> *bold* [link](https://evil.example) <at>all</at> {{DATE(2026-01-01T00:00:00Z)}} \u202e@here';
  const content = (lines: string[]): TargetContent => ({
    ...{ id: 'id', workspaceId: 'w', kind: DASHBOARDS, workspaceName: HOSTILE },
    ...{ schedule: { id: 's', name: HOSTILE }, object: { id: 'd', name: HOSTILE, page: HOSTILE } },
    ...{ url: 'https://app.example.com/d/1?a=1&b=|<x>', scheduledFor: null, startedAt: 'now', asOf: 'today' },
    filters: [`${HOSTILE}: ${HOSTILE}`],
    ...{ cards: [{ title: HOSTILE, lines }], leftOutCount: 1, failedCardCount: 2, file: null, fileError: null },
  });

  it('contain nothing of people that a chat takes for markup', () => {
    const slack = JSON.stringify(slackBody(content([HOSTILE])));
    for (const mark of ['<!', '*bold*', '[link]', '://evil', '<at>', '\u202e', '@here'])
      expect(slack).not.toContain(mark);
    expect(slack.match(/<[^>]*>/g)).toEqual(['<https://app.example.com/d/1?a=1&amp;b=%7C%3Cx%3E|Open the dashboard>']);
    const teams = JSON.stringify(teamsBody(content([HOSTILE])));
    for (const mark of ['{{', '\u202e', '"TextBlock"']) expect(teams).not.toContain(mark);
    for (const message of [slack, teams]) {
      expect(message).toContain('1 card is left out of this message.');
      expect(message).toContain('2 cards are shown without data');
    }
  });

  it('stay within the limits of the services', () => {
    const large = content(Array.from({ length: 2_000 }, (_, row) => `region: ${'x'.repeat(100)} ${row}`));
    expect(slackBody(large).blocks.length).toBeLessThanOrEqual(50);
    const teams = JSON.stringify(teamsBody(large));
    expect(Buffer.byteLength(teams)).toBeLessThan(28_000);
    expect(teams).toMatch(/… and \d+ more lines/);
  });
});
