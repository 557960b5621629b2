import { defineRoute } from '../../../shared/platform/http/route.ts';
import {
  CreateWebhook,
  DeliveriesQuery,
  Delivery,
  DeliveryDetail,
  DeliveryPage,
  DeliveryParams,
  Envelope,
  Replay,
  ReplayDeliveries,
  UpdateWebhook,
  Webhook,
  WebhookPage,
  WebhookParams,
  WebhooksQuery,
  WebhookWithSecret,
} from './schemas.ts';

export const createWebhook = defineRoute({
  operationId: 'createWebhook',
  method: 'POST',
  path: '/api/webhooks',
  summary: 'Create a webhook',
  description:
    'Event names are not checked: an unknown name is accepted and never matches. The secret is never returned, except once in this reply if `generateSecret` has created it.',
  permission: 'webhooks:write',
  body: CreateWebhook,
  success: { status: 201, body: WebhookWithSecret, versioned: true },
  errors: ['ADDRESS_BLOCKED', 'TOO_MANY_WEBHOOKS'],
  idempotent: true,
  audit: 'webhook.created',
});

export const listWebhooks = defineRoute({
  operationId: 'listWebhooks',
  method: 'GET',
  path: '/api/webhooks',
  summary: 'List webhooks',
  permission: 'webhooks:read',
  query: WebhooksQuery,
  success: { status: 200, body: WebhookPage },
  errors: ['OFFSET_TOO_LARGE', 'LIST_TOO_LARGE'],
});

export const getWebhook = defineRoute({
  operationId: 'getWebhook',
  method: 'GET',
  path: '/api/webhooks/{id}',
  summary: 'Get a webhook',
  permission: 'webhooks:read',
  params: WebhookParams,
  success: { status: 200, body: Webhook, versioned: true },
  errors: ['WEBHOOK_NOT_FOUND'],
});

export const updateWebhook = defineRoute({
  operationId: 'updateWebhook',
  method: 'PATCH',
  path: '/api/webhooks/{id}',
  summary: 'Update a webhook',
  description:
    'A changed URL, header or secret applies from the next attempt. For a day, deliveries are also signed with the previous secret. While the webhook is disabled, deliveries wait for up to a day. To change the origin of the URL, send the headers and the secret again, or `{}` and null to remove them. The kind cannot change.',
  permission: 'webhooks:write',
  params: WebhookParams,
  body: UpdateWebhook,
  success: { status: 200, body: WebhookWithSecret, versioned: true },
  errors: ['WEBHOOK_NOT_FOUND', 'ADDRESS_BLOCKED'],
  audit: 'webhook.updated',
});

export const deleteWebhook = defineRoute({
  operationId: 'deleteWebhook',
  method: 'DELETE',
  path: '/api/webhooks/{id}',
  summary: 'Delete a webhook',
  description: 'Pending deliveries fail with `WEBHOOK_DELETED`.',
  permission: 'webhooks:write',
  params: WebhookParams,
  success: { status: 204, versioned: true },
  errors: ['WEBHOOK_NOT_FOUND'],
  audit: 'webhook.deleted',
});

export const testWebhook = defineRoute({
  operationId: 'testWebhook',
  method: 'POST',
  path: '/api/webhooks/{id}/test',
  summary: 'Send a test event',
  description:
    'Queues a `webhook.test` delivery and returns its envelope. The list of deliveries shows whether it arrived.',
  permission: 'webhooks:write',
  params: WebhookParams,
  success: { status: 200, body: Envelope },
  errors: ['WEBHOOK_NOT_FOUND'],
  idempotent: true,
});

export const listDeliveries = defineRoute({
  operationId: 'listDeliveries',
  method: 'GET',
  path: '/api/webhooks/{id}/deliveries',
  summary: 'List deliveries',
  description: 'The deliveries of a webhook, newest first.',
  permission: 'webhooks:read',
  params: WebhookParams,
  query: DeliveriesQuery,
  success: { status: 200, body: DeliveryPage },
  errors: ['WEBHOOK_NOT_FOUND', 'OFFSET_TOO_LARGE'],
});

export const getDelivery = defineRoute({
  operationId: 'getDelivery',
  method: 'GET',
  path: '/api/webhooks/{id}/deliveries/{deliveryId}',
  summary: 'Get a delivery',
  description: 'With the body as it is sent, and each attempt with the beginning of its reply. Headers are not shown.',
  permission: 'webhooks:read',
  params: DeliveryParams,
  success: { status: 200, body: DeliveryDetail },
  errors: ['WEBHOOK_NOT_FOUND', 'DELIVERY_NOT_FOUND'],
});

export const redeliver = defineRoute({
  operationId: 'redeliverDelivery',
  method: 'POST',
  path: '/api/webhooks/{id}/deliveries/{deliveryId}/redeliver',
  summary: 'Redeliver a delivery',
  description:
    'Sends a delivery that has succeeded or failed again, with the same id and body and up to five more attempts. A webhook may have 60 redeliveries a minute.',
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
  summary: 'Replay failed deliveries',
  description:
    'Redelivers every failed delivery of events between two times, which may include at most 10,000 deliveries. A webhook may have one replay a minute; the reply does not wait for the deliveries.',
  permission: 'webhooks:write',
  params: WebhookParams,
  body: ReplayDeliveries,
  success: { status: 202, body: Replay },
  errors: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_DISABLED', 'REPLAY_TOO_LARGE', 'TOO_MANY_REDELIVERIES'],
  idempotent: true,
});
