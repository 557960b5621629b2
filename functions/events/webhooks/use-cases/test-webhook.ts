import type { OutboxEvent } from '../../../../shared/domains/events/events/index.ts';
import type { WebhookRepository } from '../../../../shared/domains/events/webhooks/index.ts';
import type { Envelope } from '../schemas.ts';
import { findWebhook } from './read-webhooks.ts';

/** Emits a test event through the outbox like any event, but for this webhook only, even if it is disabled. */
export async function testWebhook(
  deps: { webhooks: WebhookRepository; emit: (event: OutboxEvent<'webhook.test'>) => Promise<void>; now: () => Date },
  command: { workspaceId: string; id: string; eventId: string },
): Promise<Envelope> {
  const webhook = await findWebhook(deps, command);
  const at = deps.now();
  const event = 'webhook.test' as const;
  const data = { workspaceId: webhook.workspaceId, webhookId: webhook.id, webhookName: webhook.name };
  await deps.emit({ id: command.eventId, workspaceId: webhook.workspaceId, event, data, at, webhookId: webhook.id });
  return { event, timestamp: at.toISOString(), data };
}
