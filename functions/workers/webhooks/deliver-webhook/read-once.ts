import type { WebhookRepository } from '../../../../shared/domains/webhooks/index.ts';

/**
 * For one batch of messages: what is begun within moments of each other shares one reading of its webhook. The next
 * attempt of a delivery comes with another batch, and so with the webhook as it is then.
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
