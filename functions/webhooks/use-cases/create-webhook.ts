import type { SecretBox } from '../../../shared/crypto/secret-box.ts';
import type { StoredWebhook } from '../../../shared/webhooks/records.ts';
import type { WebhookRepository } from '../../../shared/webhooks/repository.ts';
import type { NewWebhook, Webhook } from '../schemas.ts';
import { shownWebhook } from './shown.ts';
import { sealHeaders } from './webhook-secrets.ts';

export interface WebhookDeps {
  webhooks: WebhookRepository;
  secrets: SecretBox;
  /** Throws `ADDRESS_BLOCKED` for a target that may not be reached, `VALIDATION_FAILED` for none at all. */
  checkTarget: (url: string) => Promise<void>;
  now: () => Date;
}

export async function createWebhook(
  deps: WebhookDeps,
  command: { id: string; workspaceId: string; createdBy: string; webhook: NewWebhook },
): Promise<Webhook> {
  const { id, workspaceId, createdBy } = command;
  const { name, url, kind, events, headers = {}, secret, enabled } = command.webhook;
  const sealed = await sealHeaders(deps.secrets, workspaceId, headers);
  await deps.checkTarget(url);
  const at = deps.now().toISOString();
  const webhook: StoredWebhook = {
    id,
    workspaceId,
    name,
    url,
    kind,
    events,
    ...sealed,
    ...(secret ? { sealedSecret: await deps.secrets.seal(workspaceId, secret) } : {}),
    enabled,
    disabledReason: enabled ? null : 'manual',
    disabledAt: enabled ? null : at,
    createdBy,
    createdAt: at,
    updatedAt: at,
    revision: 1,
  };
  return shownWebhook(await deps.webhooks.create(webhook));
}
