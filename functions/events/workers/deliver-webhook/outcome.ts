import { type EventData, outboxItem } from '../../../../shared/domains/events/events/index.ts';
import {
  type AttemptResult,
  type DisabledReason,
  type HealthStore,
  type StoredDelivery,
  type StoredWebhook,
  shouldDisable,
  type WebhookHealth,
  type WebhookQueue,
  type WebhookRepository,
} from '../../../../shared/domains/events/webhooks/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { idFrom, later } from '../../../../shared/platform/storage/ids.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';

export interface OutcomeDeps {
  table: Table;
  webhooks: WebhookRepository;
  health: HealthStore;
  queue: WebhookQueue;
  now: () => Date;
}

/**
 * Updates the webhook's health after an attempt: it works, it fails, or it is disabled. Test deliveries do not count.
 */
export async function recordOutcome(
  deps: OutcomeDeps,
  { webhook, health }: { webhook: StoredWebhook; health: WebhookHealth },
  delivery: StoredDelivery,
  result: Pick<AttemptResult, 'next'> & { error?: string },
): Promise<void> {
  const now = deps.now();
  if (result.error === 'GONE') return disable(deps, webhook, 'gone');
  if (delivery.isTest) {
    if (result.next === 'delivered' && health.answeredAt === null) await deps.health.recordAnswer(webhook, now);
    return;
  }
  if (result.error === 'BLOCKED_TARGET' || result.error === 'INVALID_URL') return disable(deps, webhook, 'blocked');
  if (result.next === 'delivered') {
    const { workspaceId, id } = webhook;
    const hasRecovered = await deps.health.recordSuccess(webhook, health, now);
    if (hasRecovered)
      await deps.queue.send([{ message: { kind: 'check', workspaceId, webhookId: id }, delaySeconds: 0 }]);
    return;
  }
  if (shouldDisable(await deps.health.recordFailure(webhook, now), now)) await disable(deps, webhook, 'failing');
}

/**
 * Disables a webhook and emits an event; not if the webhook was changed in between, because the change may have fixed
 * it.
 */
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
