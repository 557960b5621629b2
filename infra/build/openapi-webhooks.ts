import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVENT_NAMES, EVENTS, type EventName, envelopeSchema } from '../../shared/domains/events/index.ts';

type Json = Record<string, unknown>;

const SAMPLES = join(import.meta.dirname, '../../events/outbound');

export const EVENTS_TAG = {
  name: 'Events',
  description: 'What webhooks are sent. `docs/webhooks.md` tells how to receive them.',
};

/** The document's `webhooks`: for every event the request that a subscribed receiver of kind `generic` gets. */
export function openApiWebhooks(schema: (value: unknown) => unknown): Json {
  return Object.fromEntries(EVENT_NAMES.map((name) => [name, { post: delivery(name, schema) }]));
}

function delivery(name: EventName, schema: (value: unknown) => unknown): Json {
  return {
    summary: name,
    description: `Sent when ${EVENTS[name].when}. A webhook of kind \`chat\` gets the same as a message with \`text\` and \`blocks\`.`,
    tags: [EVENTS_TAG.name],
    security: [],
    parameters: HEADERS.map(([header, required, description]) => ({
      name: header,
      in: 'header',
      required,
      description,
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schema(envelopeSchema(name)), example: sampleOf(name) } },
    },
    responses: {
      '2XX': { description: 'Taken.' },
      410: { description: 'The receiver is gone for good: the webhook is disabled and nothing is tried again.' },
      default: { description: 'Tried again with the same delivery id and body, five attempts in all.' },
    },
  };
}

const HEADERS: [name: string, required: boolean, description: string][] = [
  ['X-Service-Delivery-Id', true, 'The same on every attempt: drop what you have seen.'],
  ['X-Service-Timestamp', true, 'Seconds since 1970 at this attempt; part of what is signed.'],
  [
    'X-Service-Signature',
    false,
    '`sha256=` and the HMAC-SHA256 in lower-case hexadecimal digits of timestamp, `.`, delivery id, `.` and the raw body, with the secret as the key. Sent when the webhook has a secret.',
  ],
  [
    'X-Service-Signature-Previous',
    false,
    'The same with the secret before. Sent for a day after the secret was changed.',
  ],
  ['webhook-id', true, 'The delivery id, for libraries of Standard Webhooks.'],
  ['webhook-timestamp', true, 'The timestamp, for libraries of Standard Webhooks.'],
  [
    'webhook-signature',
    false,
    'The signature of Standard Webhooks, and one with the secret before for a day after a change. Sent when the webhook has a secret.',
  ],
];

const sampleOf = (name: EventName) => JSON.parse(readFileSync(join(SAMPLES, `${name}.json`), 'utf8')) as unknown;
