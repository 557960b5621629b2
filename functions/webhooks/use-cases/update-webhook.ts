import { AppError } from '../../../shared/errors/app-error.ts';
import { later } from '../../../shared/storage/ids.ts';
import type { StoredWebhook } from '../../../shared/webhooks/records.ts';
import type { Webhook, WebhookChange } from '../schemas.ts';
import type { WebhookDeps } from './create-webhook.ts';
import { findWebhook } from './find-webhook.ts';
import { shownWebhook } from './shown.ts';
import { sealHeaders } from './webhook-secrets.ts';

export async function updateWebhook(
  deps: WebhookDeps,
  command: { workspaceId: string; id: string; change: WebhookChange },
): Promise<Webhook> {
  const current = await findWebhook(deps, command);
  const { kind, url, headers, secret, enabled, name, events } = command.change;
  if (kind !== undefined && kind !== current.kind) {
    throw new AppError('VALIDATION_FAILED', {
      errors: [{ pointer: '/kind', code: 'IMMUTABLE', message: 'cannot change after creation' }],
    });
  }
  const sealed = headers ? await sealHeaders(deps.secrets, current.workspaceId, headers) : {};
  if (url !== undefined) await deps.checkTarget(url);
  const updatedAt = later(current.updatedAt, deps.now());
  const next: StoredWebhook = {
    ...current,
    ...(name === undefined ? {} : { name }),
    ...(events === undefined ? {} : { events }),
    ...(url === undefined ? {} : { url }),
    ...(headers ? { sealedHeaders: undefined, ...sealed } : {}),
    ...(secret === undefined
      ? {}
      : { sealedSecret: secret ? await deps.secrets.seal(current.workspaceId, secret) : undefined }),
    ...switched(current, enabled, updatedAt),
    updatedAt,
  } as StoredWebhook;
  return shownWebhook(withoutUndefined(await deps.webhooks.replace(current, next, 'STALE_WRITE')));
}

/** Enabling clears why it was off; disabling by hand says so. */
function switched(current: StoredWebhook, enabled: boolean | undefined, at: string): Partial<StoredWebhook> {
  if (enabled === undefined || enabled === current.enabled) return {};
  return enabled
    ? { enabled, disabledReason: null, disabledAt: null }
    : { enabled, disabledReason: 'manual', disabledAt: at };
}

function withoutUndefined(webhook: StoredWebhook): StoredWebhook {
  return Object.fromEntries(
    Object.entries(webhook).filter(([, value]) => value !== undefined),
  ) as unknown as StoredWebhook;
}
