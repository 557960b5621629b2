import { secretBox } from '../../shared/crypto/secret-box.ts';
import { AppError } from '../../shared/errors/app-error.ts';
import { emit, type OutboxEvent } from '../../shared/events/outbox.ts';
import { bind } from '../../shared/http/bind.ts';
import { endpointGroup } from '../../shared/http/endpoint-group.ts';
import { openGroup } from '../../shared/http/open-group.ts';
import { AddressBlocked } from '../../shared/net/address-guard.ts';
import { guardFromEnvironment, WEBHOOK_SCHEMES } from '../../shared/net/guard-from-environment.ts';
import { deliveryRepository, webhookRepository } from '../../shared/webhooks/repository.ts';
import * as routes from './routes.ts';
import { createWebhook } from './use-cases/create-webhook.ts';
import { findWebhook } from './use-cases/find-webhook.ts';
import { shownDelivery, shownWebhook } from './use-cases/shown.ts';
import { testWebhook } from './use-cases/test-webhook.ts';
import { updateWebhook } from './use-cases/update-webhook.ts';

const group = openGroup('webhooks');
const guard = guardFromEnvironment();
const deliveries = deliveryRepository(group.table);
const deps = {
  webhooks: webhookRepository(group.table),
  secrets: secretBox(group.master),
  emit: (event: OutboxEvent<'webhook.test'>) => emit(group.table, event),
  now: group.now,
  async checkTarget(url: string) {
    try {
      await guard.checkUrl(url, { schemes: WEBHOOK_SCHEMES });
    } catch (cause) {
      if (!(cause instanceof AddressBlocked)) throw cause;
      throw new AppError('ADDRESS_BLOCKED', {
        cause,
        errors: [{ pointer: '/url', code: cause.reason, message: cause.message }],
      });
    }
  },
};

export const handler = endpointGroup(
  [
    bind(routes.createWebhook, ({ principal: { workspaceId, userId }, body, newId }) =>
      createWebhook(deps, { id: newId, workspaceId, createdBy: userId, webhook: body }),
    ),
    bind(routes.listWebhooks, async ({ principal: { workspaceId }, query }) => {
      const page = await deps.webhooks.list(workspaceId, query);
      return { ...page, items: page.items.map(shownWebhook) };
    }),
    bind(routes.getWebhook, async ({ principal: { workspaceId }, params: { id } }) =>
      shownWebhook(await findWebhook(deps, { workspaceId, id })),
    ),
    bind(routes.updateWebhook, ({ principal: { workspaceId }, params: { id }, body }) =>
      updateWebhook(deps, { workspaceId, id, change: body }),
    ),
    bind(routes.deleteWebhook, async ({ principal: { workspaceId }, params: { id } }) => {
      await deps.webhooks.remove(await findWebhook(deps, { workspaceId, id }), 'WEBHOOK_NOT_FOUND');
    }),
    bind(routes.testWebhook, ({ principal: { workspaceId }, params: { id }, newId }) =>
      testWebhook(deps, { workspaceId, id, eventId: newId }),
    ),
    bind(routes.listDeliveries, async ({ principal: { workspaceId }, params: { id }, query }) => {
      const webhook = await findWebhook(deps, { workspaceId, id });
      const page = await deliveries.list(workspaceId, query, webhook.id);
      return { ...page, items: page.items.map(shownDelivery) };
    }),
  ],
  group,
);
