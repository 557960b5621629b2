import type { WebhookRepository } from '../../../../shared/domains/events/webhooks/index.ts';

/**
 * Within one batch of messages, deliveries that start within moments of each other share one read of their webhook. The
 * next attempt belongs to another batch and reads the webhook again.
 */
export function readOnce(webhooks: WebhookRepository): WebhookRepository {
  const known = new Map<string, ReturnType<WebhookRepository['withHealth']>>();
  return {
    ...webhooks,
    withHealth(workspaceId, id) {
      const name = `${workspaceId} ${id}`;
      const reading = known.get(name) ?? webhooks.withHealth(workspaceId, id);
      known.set(name, reading);
      return reading;
    },
  };
}
