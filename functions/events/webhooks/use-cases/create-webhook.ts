import { type StoredWebhook, sealHeaders } from '../../../../shared/domains/events/webhooks/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { CreateWebhook, WebhookWithSecret } from '../schemas.ts';
import { chosenSecret } from './chosen-secret.ts';
import type { WebhookDeps } from './deps.ts';
import { showWebhook } from './read-webhooks.ts';

/** Each event creates a delivery for each webhook that subscribes to it. */
const MAX_WEBHOOKS = 200;

export async function createWebhook(
  deps: Pick<WebhookDeps, 'webhooks' | 'secrets' | 'checkTarget' | 'now'>,
  command: { id: string; workspaceId: string; createdBy: string; webhook: CreateWebhook; isRepeatable: boolean },
): Promise<WebhookWithSecret> {
  const { id, workspaceId, createdBy } = command;
  const { name, url, kind, events, headers = {}, enabled } = command.webhook;
  const { secret, shown } = chosenSecret(command.webhook);
  const { total } = await deps.webhooks.list(workspaceId, { limit: 1, offset: 0 });
  if (total >= MAX_WEBHOOKS) throw new AppError('TOO_MANY_WEBHOOKS');
  if (shown !== undefined && command.isRepeatable) {
    const message =
      'cannot be combined with an Idempotency-Key: replies under a key are stored, but a generated secret is shown only once';
    throw new AppError('VALIDATION_FAILED', {
      errors: [{ pointer: '/generateSecret', code: 'CONFLICT', message }],
    });
  }
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
  return { ...showWebhook(await deps.webhooks.create(webhook)), ...(shown ? { secret: shown } : {}) };
}
