import {
  countRedelivery,
  isOpen,
  reopenDelivery,
  type StoredWebhook,
} from '../../../../shared/domains/events/webhooks/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { Delivery, Replay } from '../schemas.ts';
import type { WebhookDeps } from './deps.ts';
import { findWebhook, showDelivery } from './read-webhooks.ts';

/** Maximum number of deliveries in the period of one replay. */
const MAX_REPLAYED = 10_000;

/** Gives a finished delivery up to five more attempts, with the same id and body. */
export async function redeliver(
  deps: WebhookDeps,
  named: { workspaceId: string; webhookId: string; deliveryId: string },
): Promise<Delivery> {
  const webhook = await findEnabled(deps, { workspaceId: named.workspaceId, id: named.webhookId });
  const delivery = await deps.deliveries.get(named);
  if (!delivery) throw new AppError('DELIVERY_NOT_FOUND');
  if (isOpen(delivery)) throw new AppError('DELIVERY_UNDER_WAY');
  await countRedelivery(deps.table, webhook, 'redeliver', deps.now());
  const next = reopenDelivery(delivery, deps.now());
  if (!(await deps.deliveries.move(delivery, next))) throw new AppError('DELIVERY_UNDER_WAY');
  // If the message is lost, the sweep resumes the delivery.
  await deps.queue.send([{ message: { kind: 'deliver', ...named }, delaySeconds: 0 }]).catch(() => undefined);
  return showDelivery(next);
}

/** Redelivers the failed deliveries of a period. A worker does so page by page. */
export async function replay(
  deps: WebhookDeps,
  command: { workspaceId: string; webhookId: string; from: string; to: string },
): Promise<Replay> {
  const { workspaceId, webhookId } = command;
  const [from, to] = [new Date(command.from).toISOString(), new Date(command.to).toISOString()];
  if (from > to) {
    throw new AppError('VALIDATION_FAILED', {
      errors: [{ pointer: '/to', code: 'RANGE', message: 'must not be before from' }],
    });
  }
  const webhook = await findEnabled(deps, { workspaceId, id: webhookId });
  const range = { workspaceId, webhookId, from, to };
  const deliveries = await deps.deliveries.countBetween(range, MAX_REPLAYED + 1);
  if (deliveries > MAX_REPLAYED) throw new AppError('REPLAY_TOO_LARGE');
  await countRedelivery(deps.table, webhook, 'replay', deps.now());
  const requestedAt = deps.now().toISOString();
  await deps.queue.send([{ message: { kind: 'replay', ...range, requestedAt }, delaySeconds: 0 }]);
  return { from, to, deliveries };
}

async function findEnabled(deps: WebhookDeps, named: { workspaceId: string; id: string }): Promise<StoredWebhook> {
  const webhook = await findWebhook(deps, named);
  if (!webhook.enabled) throw new AppError('WEBHOOK_DISABLED');
  return webhook;
}
