import { describe, expect, it } from 'vitest';
import { nextAction } from '../../../../functions/events/workers/deliver-webhook/next-action.ts';
import { check } from '../../../../shared/domains/events/webhooks/attempt-result.ts';
import { toDelivery, toDeliveryItem } from '../../../../shared/domains/events/webhooks/delivery-item.ts';
import {
  HEALTHY,
  isSlow,
  shouldDisable,
  slowUntilAfter,
  type WebhookHealth,
} from '../../../../shared/domains/events/webhooks/health.ts';
import { nextCheckAt } from '../../../../shared/domains/events/webhooks/next-check.ts';
import type { StoredDelivery, StoredWebhook } from '../../../../shared/domains/events/webhooks/records.ts';
import { idAt } from '../../../../shared/platform/storage/ids.ts';

const NOW = new Date('2026-06-10T12:00:00.000Z');
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const ago = (milliseconds: number) => new Date(NOW.getTime() - milliseconds).toISOString();

const webhook: StoredWebhook = {
  id: '01a1fe1f-31d2-76f7-b2c0-3bef22c872d4',
  workspaceId: '01a1fe1f-0000-7000-8000-000000000000',
  name: 'hook',
  url: 'https://example.com/hook',
  kind: 'generic',
  events: ['*'],
  headerNames: [],
  enabled: true,
  disabledReason: null,
  disabledAt: null,
  createdBy: '01a1fe1f-0000-7000-8000-000000000001',
  createdAt: ago(30 * DAY),
  updatedAt: ago(30 * DAY),
  revision: 1,
};

const delivery: StoredDelivery = {
  id: idAt(NOW, 'delivery', 'event', webhook.id),
  workspaceId: webhook.workspaceId,
  webhookId: webhook.id,
  event: 'pipeline.run_failed',
  status: 'pending',
  attempts: 0,
  maxAttempts: 5,
  lastError: null,
  errorCode: null,
  responseStatus: null,
  nextRetryAt: null,
  deliveredAt: null,
  isTest: false,
  body: '{"event":"pipeline.run_failed"}',
  leaseUntil: null,
  claim: null,
  heldUntil: null,
  due: 'delivery#0',
  dueAt: ago(-60_000),
  createdAt: NOW.toISOString(),
  updatedAt: NOW.toISOString(),
};

describe('what may be done with a delivery that is due', () => {
  const off = (disabledReason: 'manual' | 'failing', disabledAt: string) => ({
    webhook: { ...webhook, enabled: false, disabledReason, disabledAt },
  });
  const failing = (probeAt: string | null) => ({ health: { ...HEALTHY, consecutiveFailures: 10, probeAt } });
  const cases: [string, Partial<StoredDelivery>, { webhook?: StoredWebhook; health?: WebhookHealth }, object][] = [
    ['an attempt', {}, {}, { kind: 'attempt' }],
    ['an attempt after nine failures', {}, { health: { ...HEALTHY, consecutiveFailures: 9 } }, { kind: 'attempt' }],
    ['no sixth attempt', { attempts: 5 }, {}, { kind: 'fail', error: 'ATTEMPTS_EXHAUSTED' }],
    ['a wait while disabled by hand', {}, off('manual', ago(HOUR)), { kind: 'hold', until: ago(HOUR - DAY) }],
    ['the end a day later', {}, off('manual', ago(DAY)), { kind: 'fail', error: 'WEBHOOK_DISABLED' }],
    ['the end when we disabled it', {}, off('failing', ago(0)), { kind: 'fail', error: 'WEBHOOK_DISABLED' }],
    ['a test even then', { isTest: true }, off('failing', ago(DAY)), { kind: 'attempt' }],
    ['a test with the breaker open', { isTest: true }, failing(ago(-1)), { kind: 'attempt' }],
    ['a wait until the next probe', {}, failing(ago(-1)), { kind: 'hold', until: ago(-DAY) }],
    ['a probe when it is time', {}, failing(ago(0)), { kind: 'probe', until: ago(-DAY) }],
    ['a wait that does not begin again', { heldUntil: ago(-HOUR) }, failing(ago(-1)), { until: ago(-HOUR) }],
    ['the end of a wait', { heldUntil: ago(0) }, failing(ago(0)), { kind: 'fail', error: 'ATTEMPTS_EXHAUSTED' }],
    ['an attempt after a wait, with the breaker closed', { heldUntil: ago(0) }, {}, { kind: 'attempt' }],
  ];
  it.each(cases)('%s', (_title, change, known, passage) => {
    expect(nextAction({ ...delivery, ...change }, { webhook, health: HEALTHY, ...known }, NOW)).toMatchObject(passage);
  });

  it('the end when the webhook was deleted', () => {
    expect(nextAction(delivery, { health: HEALTHY }, NOW)).toMatchObject({ error: 'WEBHOOK_DELETED' });
  });
});

describe('a webhook counts as dead', () => {
  const dead: WebhookHealth = {
    ...HEALTHY,
    consecutiveFailures: 20,
    failingSince: ago(13 * HOUR),
    lastFailureAt: ago(0),
    lastSuccessAt: ago(5 * DAY),
  };
  it.each([
    ['after five days and twenty failures over half a day', {}, true],
    ['also when nothing ever arrived', { lastSuccessAt: null, failingSince: ago(5 * DAY) }, true],
    ['not after nineteen failures', { consecutiveFailures: 19 }, false],
    ['not when they all came within half a day', { failingSince: ago(11 * HOUR) }, false],
    ['not within five days of a success', { lastSuccessAt: ago(5 * DAY - 1) }, false],
    ['not within five days of the first failure', { lastSuccessAt: null, failingSince: ago(4 * DAY) }, false],
  ])('%s', (_title, change, expected) => {
    expect(shouldDisable({ ...dead, ...change }, NOW)).toBe(expected);
  });
});

describe('a webhook counts as slow', () => {
  it('for five minutes after a late attempt, which is written down once a minute', () => {
    const since = (health: Partial<WebhookHealth>) => slowUntilAfter({ ...HEALTHY, ...health }, NOW);
    expect(since({})).toBe(ago(-5 * 60_000));
    expect(since({ slowUntil: ago(-4 * 60_000 - 1) })).toBeNull();
    expect(since({ slowUntil: ago(-4 * 60_000) })).toBe(ago(-5 * 60_000));
    expect(isSlow({ ...HEALTHY, slowUntil: ago(-1) }, NOW)).toBe(true);
    expect(isSlow({ ...HEALTHY, slowUntil: ago(0) }, NOW)).toBe(false);
  });

  it('for longer while it fails, if it was slow before', () => {
    expect(isSlow({ ...HEALTHY, slowUntil: ago(DAY), consecutiveFailures: 1 }, NOW)).toBe(true);
    expect(isSlow({ ...HEALTHY, consecutiveFailures: 1 }, NOW)).toBe(false);
  });
});

describe('what follows from an answer', () => {
  const context = { attempt: 1, maxAttempts: 5, backoffSeconds: [5, 300, 1800, 7200], now: NOW, random: () => 0 };
  const answer = (status: number, retryAfter?: string) =>
    check({ kind: 'answer', status, retryAfter }, context) as { next: string; delayMs?: number; error?: string };

  it.each([200, 201, 202, 204, 299])('%i is a success', (status) => {
    expect(answer(status)).toEqual({ next: 'delivered', status });
  });

  it.each([300, 301, 302, 307, 308, 400, 401, 403, 404, 408, 425, 429, 500, 502, 503, 504, 599])(
    '%i is tried again, and at the fifth time not any more',
    (status) => {
      expect(answer(status)).toMatchObject({ next: 'retry', delayMs: 5000 });
      expect(check({ kind: 'answer', status, retryAfter: undefined }, { ...context, attempt: 5 })).toMatchObject({
        next: 'failed',
        error: 'ATTEMPTS_EXHAUSTED',
      });
    },
  );

  it('410 ends it', () => expect(answer(410)).toMatchObject({ next: 'failed', error: 'GONE' }));

  it.each([
    ['60', 60_000],
    ['1', 5000],
    ['Wed, 10 Jun 2026 12:10:00 GMT', 600_000],
    ['Wed, 10 Jun 2026 11:00:00 GMT', 5000],
    ['999999', 2 * HOUR],
    ['-5', 5000],
    ['soon', 5000],
    ['1e9', 5000],
  ])('Retry-After: %s puts the next attempt off by %i ms', (value, delayMs) => {
    expect(answer(503, value).delayMs).toBe(delayMs);
  });

  it('waits as long as the setting says, and up to a tenth longer', () => {
    const delays = [1, 2, 3, 4].map((attempt) =>
      [0, 1].map((random) => {
        const failure = { kind: 'failure' as const, reason: 'connection failed: ECONNREFUSED' };
        const verdict = check(failure, { ...context, attempt, random: () => random });
        return Math.round((verdict as { delayMs: number }).delayMs) / 1000;
      }),
    );
    expect(delays).toEqual([
      [5, 5.5],
      [300, 330],
      [1800, 1980],
      [7200, 7920],
    ]);
  });
});

describe('the record of a delivery', () => {
  it('survives being stored in few bytes', () => {
    for (const each of [delivery, { ...delivery, isTest: true, maxAttempts: 10, status: 'failed' as const }]) {
      expect(toDelivery(toDeliveryItem(each))).toEqual(each);
    }
    expect(JSON.stringify(toDeliveryItem(delivery)).length).toBeLessThan(600);
  });

  it('has an id that begins with the time of the event', () => {
    const ids = [0, 1, 2].map((later) => idAt(new Date(NOW.getTime() + later), 'delivery', later));
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids.map((id) => id.replaceAll('-', '').slice(0, 11))).size).toBe(1);
  });

  it('is looked at a minute after its time, or before it when the queue cannot wait so long', () => {
    const at = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);
    expect(nextCheckAt(delivery, at(5000), NOW).dueAt).toBe(at(65_000).toISOString());
    expect(nextCheckAt(delivery, at(2 * HOUR), NOW).dueAt).toBe(at(2 * HOUR - 60_000).toISOString());
  });
});
