import { AppError } from '../../../shared/errors/app-error.ts';
import type { StoredWebhook } from '../../../shared/webhooks/records.ts';
import type { WebhookRepository } from '../../../shared/webhooks/repository.ts';

export async function findWebhook(
  deps: { webhooks: WebhookRepository },
  named: { workspaceId: string; id: string },
): Promise<StoredWebhook> {
  const webhook = await deps.webhooks.get(named.workspaceId, named.id);
  if (!webhook) throw new AppError('WEBHOOK_NOT_FOUND');
  return webhook;
}
