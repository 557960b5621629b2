import { readAttempts, type StoredAttempt } from '../../../../shared/domains/events/webhooks/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { DeliveryDetail } from '../schemas.ts';
import type { WebhookDeps } from './deps.ts';
import { findWebhook, showDelivery } from './read-webhooks.ts';

const MAX_SHOWN = 50;

/**
 * A delivery as it is sent, with its attempts. Viewers may direct webhooks at any address that the operator allows, but
 * not read replies from there.
 */
export async function getDelivery(
  deps: WebhookDeps,
  { principal, ...named }: { principal: Principal; webhookId: string; deliveryId: string },
): Promise<DeliveryDetail> {
  const { workspaceId, role } = principal;
  await findWebhook(deps, { workspaceId, id: named.webhookId });
  const name = { workspaceId, ...named };
  const delivery = await deps.deliveries.get(name);
  if (!delivery) throw new AppError('DELIVERY_NOT_FOUND');
  const [body, stored] = await Promise.all([deps.deliveries.body(delivery), readAttempts(deps.table, name)]);
  const known = new Map(stored.map((attempt) => [attempt.number, attempt]));
  const first = Math.max(1, delivery.attempts - MAX_SHOWN + 1);
  const numbers = Array.from({ length: delivery.attempts - first + 1 }, (_, index) => first + index);
  const attemptDetails = numbers.map((number) => showAttempt(number, known.get(number), role !== 'viewer'));
  return { ...showDelivery(delivery), body, attemptDetails };
}

function showAttempt(number: number, attempt: StoredAttempt | undefined, showsReply: boolean) {
  if (!attempt) return { number, at: null, durationMs: null, responseStatus: null, error: null, reply: null };
  return { ...attempt, reply: showsReply ? attempt.reply : null };
}
