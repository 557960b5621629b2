import { defineRoute } from '../../shared/platform/http/route.ts';
import { IdParams, ListQuery } from '../../shared/platform/http/schemas.ts';
import {
  Delivery,
  DeliveryPage,
  DeliveryParams,
  Envelope,
  NewWebhook,
  Replay,
  ReplayRequest,
  Webhook,
  WebhookChange,
  WebhookPage,
  WebhookWithSecret,
} from './schemas.ts';

export const createWebhook = defineRoute({
  operationId: 'createWebhook',
  method: 'POST',
  path: '/api/webhooks',
  summary: 'Create a webhook',
  description:
    'Event names are free: one that nothing emits is accepted and delivers nothing; `*` alone means all. A secret is never returned, except one that `generateSecret` makes: once, here.',
  permission: 'webhooks:write',
  body: NewWebhook,
  success: { status: 201, body: WebhookWithSecret, versioned: true },
  errors: ['ADDRESS_BLOCKED', 'TOO_MANY_WEBHOOKS'],
  idempotent: true,
});

export const listWebhooks = defineRoute({
  operationId: 'listWebhooks',
  method: 'GET',
  path: '/api/webhooks',
  summary: 'List webhooks',
  permission: 'webhooks:read',
  query: ListQuery,
  success: { status: 200, body: WebhookPage },
  errors: ['OFFSET_TOO_LARGE'],
});

export const getWebhook = defineRoute({
  operationId: 'getWebhook',
  method: 'GET',
  path: '/api/webhooks/{id}',
  summary: 'Read a webhook',
  permission: 'webhooks:read',
  params: IdParams,
  success: { status: 200, body: Webhook, versioned: true },
  errors: ['WEBHOOK_NOT_FOUND'],
});

export const updateWebhook = defineRoute({
  operationId: 'updateWebhook',
  method: 'PATCH',
  path: '/api/webhooks/{id}',
  summary: 'Change a webhook',
  description:
    'A changed URL, header or secret applies from the next attempt. For a day, a new secret signs beside the old one. Disabling lets deliveries wait for up to a day. The kind is fixed.',
  permission: 'webhooks:write',
  params: IdParams,
  body: WebhookChange,
  success: { status: 200, body: WebhookWithSecret, versioned: true },
  errors: ['WEBHOOK_NOT_FOUND', 'ADDRESS_BLOCKED'],
});

export const deleteWebhook = defineRoute({
  operationId: 'deleteWebhook',
  method: 'DELETE',
  path: '/api/webhooks/{id}',
  summary: 'Delete a webhook',
  description: 'What was still to be delivered to it fails with `WEBHOOK_DELETED`.',
  permission: 'webhooks:write',
  params: IdParams,
  success: { status: 204, versioned: true },
  errors: ['WEBHOOK_NOT_FOUND'],
});

export const testWebhook = defineRoute({
  operationId: 'testWebhook',
  method: 'POST',
  path: '/api/webhooks/{id}/test',
  summary: 'Send a test event to a webhook',
  description:
    'Queues a `webhook.test` delivery and answers its envelope at once; whether it arrived is told by the deliveries.',
  permission: 'webhooks:write',
  params: IdParams,
  success: { status: 200, body: Envelope },
  errors: ['WEBHOOK_NOT_FOUND'],
  idempotent: true,
});

export const listDeliveries = defineRoute({
  operationId: 'listDeliveries',
  method: 'GET',
  path: '/api/webhooks/{id}/deliveries',
  summary: 'List the deliveries of a webhook, newest first',
  permission: 'webhooks:read',
  params: IdParams,
  query: ListQuery,
  success: { status: 200, body: DeliveryPage },
  errors: ['WEBHOOK_NOT_FOUND', 'OFFSET_TOO_LARGE'],
});

export const redeliver = defineRoute({
  operationId: 'redeliverDelivery',
  method: 'POST',
  path: '/api/webhooks/{id}/deliveries/{deliveryId}/redeliver',
  summary: 'Deliver once more',
  description:
    'A delivery that is over, delivered or failed, goes on under its id and with its bytes: its count of attempts stays, and it has five more. At most 60 a minute for a webhook.',
  permission: 'webhooks:write',
  params: DeliveryParams,
  success: { status: 200, body: Delivery },
  errors: [
    'WEBHOOK_NOT_FOUND',
    'DELIVERY_NOT_FOUND',
    'WEBHOOK_DISABLED',
    'DELIVERY_UNDER_WAY',
    'TOO_MANY_REDELIVERIES',
  ],
  idempotent: true,
});

export const replay = defineRoute({
  operationId: 'replayDeliveries',
  method: 'POST',
  path: '/api/webhooks/{id}/replay',
  summary: 'Deliver what failed of a time',
  description:
    'Every failed delivery of an event between two instants goes on as by a redelivery. At most 10,000 deliveries may lie in between. One replay a minute for a webhook; the reply does not wait for it.',
  permission: 'webhooks:write',
  params: IdParams,
  body: ReplayRequest,
  success: { status: 202, body: Replay },
  errors: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_DISABLED', 'REPLAY_TOO_LARGE', 'TOO_MANY_REDELIVERIES'],
  idempotent: true,
});
