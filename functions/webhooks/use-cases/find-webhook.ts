import type { StoredWebhook } from '../../../shared/domains/webhooks/records.ts';
import type { WebhookRepository } from '../../../shared/domains/webhooks/repository.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';

export async function findWebhook(
  deps: { webhooks: WebhookRepository },
  named: { workspaceId: string; id: string },
): Promise<StoredWebhook> {
  const webhook = await deps.webhooks.get(named.workspaceId, named.id);
  if (!webhook) throw new AppError('WEBHOOK_NOT_FOUND');
  return webhook;
}
