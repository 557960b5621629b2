import { emit, type OutboxEvent } from '../../../shared/domains/events/events/index.ts';
import {
  checkTarget,
  deliveryRepository,
  healthStore,
  webhookQueue,
  webhookRepository,
} from '../../../shared/domains/events/webhooks/index.ts';
import { secretBox } from '../../../shared/platform/crypto/secret-box.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import { bind } from '../../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../../shared/platform/http/open-group.ts';
import { guardFromEnvironment } from '../../../shared/platform/net/guard-from-environment.ts';
import { showingDefinitions } from '../../catalog/common/showing-definitions.ts';
import * as routes from './routes.ts';
import { createWebhook } from './use-cases/create-webhook.ts';
import { deleteWebhook } from './use-cases/delete-webhook.ts';
import type { WebhookDeps } from './use-cases/deps.ts';
import { getDelivery } from './use-cases/get-delivery.ts';
import { findWebhook, showDelivery, showWebhook } from './use-cases/read-webhooks.ts';
import { redeliver, replay } from './use-cases/redeliver.ts';
import { testWebhook } from './use-cases/test-webhook.ts';
import { updateWebhook } from './use-cases/update-webhook.ts';

const group = openGroup('webhooks');
const guard = guardFromEnvironment();
const deps: WebhookDeps & { emit: (event: OutboxEvent<'webhook.test'>) => Promise<void> } = {
  table: group.table,
  webhooks: webhookRepository(group.table),
  deliveries: deliveryRepository(group.table),
  health: healthStore(group.table),
  queue: webhookQueue(environment('DELIVERY_QUEUE_URL')),
  secrets: secretBox(group.master),
  emit: (event: OutboxEvent<'webhook.test'>) => emit(group.table, event),
  now: group.now,
  checkTarget: (url) => checkTarget(guard, url),
};

export const handler = endpointGroup(
  [
    bind(routes.createWebhook, ({ principal: { workspaceId, userId }, body, newId, headers }) =>
      createWebhook(deps, {
        id: newId,
        workspaceId,
        createdBy: userId,
        webhook: body,
        isRepeatable: headers['idempotency-key'] !== undefined,
      }),
    ),
    bind(routes.listWebhooks, async ({ principal: { workspaceId }, query: { kind, enabled, ...query } }) => {
      const page = await deps.webhooks.list(workspaceId, { ...query, having: { kind, enabled } });
      const health = await deps.health.getMany(
        workspaceId,
        page.items.map(({ id }) => id),
      );
      return { ...page, items: page.items.map((webhook) => showWebhook(webhook, health.get(webhook.id))) };
    }),
    bind(routes.getWebhook, async ({ principal: { workspaceId }, params: { id } }) => {
      const { webhook, health } = await deps.webhooks.withHealth(workspaceId, id);
      if (!webhook) throw new AppError('WEBHOOK_NOT_FOUND');
      return showWebhook(webhook, health);
    }),
    bind(routes.updateWebhook, ({ principal: { workspaceId }, params: { id }, body }) =>
      updateWebhook(deps, { workspaceId, id, change: body }),
    ),
    bind(routes.deleteWebhook, ({ principal: { workspaceId }, params: { id } }) =>
      deleteWebhook(deps, { workspaceId, id }),
    ),
    bind(routes.testWebhook, ({ principal: { workspaceId }, params: { id }, newId }) =>
      testWebhook(deps, { workspaceId, id, eventId: newId }),
    ),
    bind(routes.listDeliveries, async ({ principal: { workspaceId }, params: { id }, query }) => {
      const webhook = await findWebhook(deps, { workspaceId, id });
      const page = await deps.deliveries.list(workspaceId, webhook.id, query);
      return { ...page, items: page.items.map(showDelivery) };
    }),
    bind(routes.getDelivery, ({ principal, params: { id, deliveryId } }) =>
      getDelivery(deps, { principal, webhookId: id, deliveryId }),
    ),
    bind(routes.redeliver, ({ principal: { workspaceId }, params: { id, deliveryId } }) =>
      redeliver(deps, { workspaceId, webhookId: id, deliveryId }),
    ),
    bind(routes.replay, ({ principal: { workspaceId }, params: { id }, body }) =>
      replay(deps, { workspaceId, webhookId: id, ...body }),
    ),
  ],
  showingDefinitions(group, 'webhook'),
);
