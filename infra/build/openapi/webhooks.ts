import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TSchema } from 'typebox';
import { EVENT_NAMES, EVENTS, type EventName, envelopeSchema } from '../../../shared/domains/events/events/index.ts';
import type { Json } from './json-schema.ts';
import type { SchemaComponents } from './schema-components.ts';

const SAMPLES = join(import.meta.dirname, '../../../events/outbound');

export const EVENTS_TAG = {
  name: 'Events',
  description:
    'Requests that the platform sends to your webhooks, one for each event. The webhooks guide explains how to receive and verify them.',
};

const header = (name: string, description: string, required = true) => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
});

/** Headers of every delivery, by the name of their component. */
export const WEBHOOK_PARAMETERS: Json = {
  DeliveryId: header(
    'X-Service-Delivery-Id',
    'Identifies the delivery, the same on every attempt: ignore a delivery you have already processed.',
  ),
  DeliveryTimestamp: header('X-Service-Timestamp', 'Seconds since 1970 at this attempt; part of what is signed.'),
  DeliverySignature: header(
    'X-Service-Signature',
    '`sha256=` and the lower-case hexadecimal HMAC-SHA256 of timestamp, `.`, delivery id, `.` and the raw body, with the secret as the key. Sent when the webhook has a secret.',
    false,
  ),
  DeliveryPreviousSignature: header(
    'X-Service-Signature-Previous',
    'The same with the previous secret. Sent for a day after the secret has changed.',
    false,
  ),
  StandardWebhookId: header('webhook-id', 'The delivery id, for libraries of Standard Webhooks.'),
  StandardWebhookTimestamp: header('webhook-timestamp', 'The timestamp, for libraries of Standard Webhooks.'),
  StandardWebhookSignature: header(
    'webhook-signature',
    'The signature of Standard Webhooks, and for a day after a change also one with the previous secret. Sent when the webhook has a secret.',
    false,
  ),
};

/** The responses of a receiver, by the name of the component. */
export const WEBHOOK_RESPONSES: Json = {
  EventReceived: { description: 'The event was received.' },
  ReceiverGone: { description: 'The receiver no longer exists: the webhook is disabled and nothing is retried.' },
  EventNotReceived: { description: 'The delivery is retried with the same id and body, five attempts in all.' },
};

/** The `webhooks` section of the document: the request that a receiver of kind `generic` gets for each event. */
export function openApiWebhooks(components: SchemaComponents): Json {
  return Object.fromEntries(EVENT_NAMES.map((name) => [name, { post: delivery(name, components) }]));
}

function delivery(name: EventName, components: SchemaComponents): Json {
  const envelope: TSchema & { $id?: string } = envelopeSchema(name);
  return {
    operationId: `on${envelope.$id}`,
    summary: `Receive ${name}`,
    description: `Sent when ${EVENTS[name].when}. A webhook of kind \`chat\` receives it as a message with \`text\` and \`blocks\`.`,
    tags: [EVENTS_TAG.name],
    security: [],
    parameters: Object.keys(WEBHOOK_PARAMETERS).map((parameter) => ({ $ref: `#/components/parameters/${parameter}` })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: components.show(envelope, 'reply'), example: sampleOf(name) } },
    },
    responses: {
      '2XX': { $ref: '#/components/responses/EventReceived' },
      410: { $ref: '#/components/responses/ReceiverGone' },
      default: { $ref: '#/components/responses/EventNotReceived' },
    },
  };
}

const sampleOf = (name: EventName) => JSON.parse(readFileSync(join(SAMPLES, `${name}.json`), 'utf8')) as unknown;
