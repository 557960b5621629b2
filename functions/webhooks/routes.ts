import { defineRoute } from '../../shared/http/route.ts';
import { IdParams, ListQuery } from '../../shared/http/schemas.ts';
import { DeliveryPage, Envelope, NewWebhook, Webhook, WebhookChange, WebhookPage } from './schemas.ts';

export const createWebhook = defineRoute({
  operationId: 'createWebhook',
  method: 'POST',
  path: '/api/webhooks',
  summary: 'Create a webhook',
  description:
    'Event names are free: one that nothing emits is accepted and delivers nothing; `*` alone means all. The secret is never returned.',
  permission: 'webhooks:write',
  body: NewWebhook,
  success: { status: 201, body: Webhook, versioned: true },
  errors: ['ADDRESS_BLOCKED'],
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
  description: 'A changed URL, header or secret applies from the next attempt. The kind is fixed.',
  permission: 'webhooks:write',
  params: IdParams,
  body: WebhookChange,
  success: { status: 200, body: Webhook, versioned: true },
  errors: ['WEBHOOK_NOT_FOUND', 'ADDRESS_BLOCKED', 'STALE_WRITE'],
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
