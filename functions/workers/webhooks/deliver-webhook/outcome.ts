import { type EventData, outboxItem } from '../../../../shared/domains/events/index.ts';
import {
  type DisabledReason,
  type HealthStore,
  type StoredDelivery,
  type StoredWebhook,
  shouldDisable,
  type WebhookHealth,
  type WebhookQueue,
  type WebhookRepository,
} from '../../../../shared/domains/webhooks/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { idFrom, later } from '../../../../shared/platform/storage/ids.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import type { Verdict } from './attempt-result.ts';

export interface OutcomeDeps {
  table: Table;
  webhooks: WebhookRepository;
  health: HealthStore;
  queue: WebhookQueue;
  now: () => Date;
}

/**
 * What an attempt says about its webhook: it works, it fails, or it is to be disabled. A test says nothing of that.
 */
export async function noteOutcome(
  deps: OutcomeDeps,
  { webhook, health }: { webhook: StoredWebhook; health: WebhookHealth },
  delivery: StoredDelivery,
  verdict: Pick<Verdict, 'next'> & { error?: string },
): Promise<void> {
  const now = deps.now();
  if (verdict.error === 'GONE') return disable(deps, webhook, 'gone');
  if (delivery.isTest) {
    if (verdict.next === 'delivered' && health.answeredAt === null) await deps.health.recordAnswer(webhook, now);
    return;
  }
  if (verdict.error === 'BLOCKED_TARGET' || verdict.error === 'INVALID_URL') return disable(deps, webhook, 'blocked');
  if (verdict.next === 'delivered') {
    const { workspaceId, id } = webhook;
    const isBack = await deps.health.recordSuccess(webhook, health, now);
    if (isBack) await deps.queue.send([{ message: { kind: 'care', workspaceId, webhookId: id }, delaySeconds: 0 }]);
    return;
  }
  if (shouldDisable(await deps.health.recordFailure(webhook, now), now)) await disable(deps, webhook, 'failing');
}

/** Switches a webhook off and tells the workspace; not when it was changed meanwhile, since that may have mended it. */
async function disable(
  { table, webhooks, now }: OutcomeDeps,
  webhook: StoredWebhook,
  reason: Exclude<DisabledReason, 'manual'>,
): Promise<void> {
  if (!webhook.enabled) return;
  const disabledAt = later(webhook.updatedAt, now());
  const data: EventData<'webhook.disabled'> = {
    workspaceId: webhook.workspaceId,
    webhookId: webhook.id,
    webhookName: webhook.name,
    reason,
    disabledAt,
    url: `/api/webhooks/${webhook.id}`,
  };
  const event = outboxItem(table, {
    id: idFrom('webhook.disabled', webhook.id, disabledAt),
    workspaceId: webhook.workspaceId,
    event: 'webhook.disabled',
    data,
    at: new Date(disabledAt),
  });
  const next: StoredWebhook = { ...webhook, enabled: false, disabledReason: reason, disabledAt, updatedAt: disabledAt };
  try {
    await webhooks.replace(webhook, next, 'STALE_WRITE', [event]);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'STALE_WRITE')) throw error;
  }
}
