import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { WebhookDeps } from './deps.ts';
import { findWebhook } from './read-webhooks.ts';
import { checkSoon } from './update-webhook.ts';

/** Open deliveries fail: held ones now, the others at their next attempt. */
export async function deleteWebhook(deps: WebhookDeps, named: { workspaceId: string; id: string }): Promise<void> {
  const webhook = await onNewest('STALE_WRITE', async () => {
    const newest = await findWebhook(deps, named);
    await deps.webhooks.remove(newest, 'STALE_WRITE', [deps.health.reset(newest, deps.now())]);
    return newest;
  });
  await checkSoon(deps, webhook);
}
