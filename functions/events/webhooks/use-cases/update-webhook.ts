import {
  changedSecret,
  HEALTHY,
  leavesOrigin,
  NO_PREVIOUS_SECRET,
  originIssues,
  type StoredWebhook,
  sealHeaders,
} from '../../../../shared/domains/events/webhooks/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { UpdateWebhook, WebhookWithSecret } from '../schemas.ts';
import { chosenSecret } from './chosen-secret.ts';
import type { WebhookDeps } from './deps.ts';
import { showWebhook } from './read-webhooks.ts';

interface Command {
  workspaceId: string;
  id: string;
  change: UpdateWebhook;
}

/** Changes the newest version of the webhook. */
export function updateWebhook(deps: WebhookDeps, command: Command): Promise<WebhookWithSecret> {
  return onNewest('STALE_WRITE', () => changeNewest(deps, command));
}

async function changeNewest(deps: WebhookDeps, command: Command): Promise<WebhookWithSecret> {
  const { webhook: current, health } = await deps.webhooks.withHealth(command.workspaceId, command.id);
  if (!current) throw new AppError('WEBHOOK_NOT_FOUND');
  const { kind, url, headers, enabled, name, events } = command.change;
  if (kind !== undefined && kind !== current.kind) {
    throw new AppError('VALIDATION_FAILED', {
      errors: [{ pointer: '/kind', code: 'IMMUTABLE', message: 'cannot change after creation' }],
    });
  }
  const { secret, shown } = chosenSecret(command.change);
  const sealed = headers ? await sealHeaders(deps.secrets, current.workspaceId, headers) : {};
  if (url !== undefined) await deps.checkTarget(url);
  const isElsewhere = leavesOrigin(current, url);
  const issues = isElsewhere ? originIssues(current, command.change) : [];
  if (issues.length > 0) throw new AppError('VALIDATION_FAILED', { errors: issues });
  const now = deps.now();
  const updatedAt = later(current.updatedAt, now);
  const next: StoredWebhook = {
    ...current,
    ...(name === undefined ? {} : { name }),
    ...(events === undefined ? {} : { events }),
    ...(url === undefined ? {} : { url }),
    ...(headers ? { sealedHeaders: undefined, ...sealed } : {}),
    ...(secret === undefined ? {} : await changedSecret(deps.secrets, current, secret, now)),
    ...(isElsewhere ? NO_PREVIOUS_SECRET : {}),
    ...switched(current, enabled, updatedAt),
    updatedAt,
  } as StoredWebhook;

  const mayWorkNow = next.enabled && (!current.enabled || url !== undefined || headers !== undefined);
  const also = mayWorkNow ? [deps.health.reset(current, now)] : [];
  const stored = await deps.webhooks.replace(current, next, 'STALE_WRITE', also);
  if (mayWorkNow) await checkSoon(deps, current);
  const shownHealth = mayWorkNow ? { ...HEALTHY, lastDeliveryAt: health.lastDeliveryAt } : health;
  return { ...showWebhook(withoutUndefined(stored), shownHealth), ...(shown ? { secret: shown } : {}) };
}

/** Releases held deliveries of the webhook; if the message is lost, the next sweep does so. */
export async function checkSoon(
  { queue }: Pick<WebhookDeps, 'queue'>,
  { workspaceId, id }: StoredWebhook,
): Promise<void> {
  const message = { kind: 'check' as const, workspaceId, webhookId: id };
  await queue.send([{ message, delaySeconds: 0 }]).catch(() => undefined);
}

/** Enabling clears the reason why the webhook was disabled; disabling sets it to `manual`. */
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
