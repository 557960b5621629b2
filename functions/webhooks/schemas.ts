import Type, { type Static } from 'typebox';
import { Id, Name, Nullable, Page, Revision, Timestamp, Words } from '../../shared/http/schemas.ts';
import { DELIVERY_ERRORS, DELIVERY_STATUSES, DISABLED_REASONS, WEBHOOK_KINDS } from '../../shared/webhooks/records.ts';

const Url = Type.String({ minLength: 1, maxLength: 2048 });
const Events = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100, uniqueItems: true });
const Headers = Type.Record(Type.String(), Type.String({ maxLength: 4096 }), { maxProperties: 20 });
const Secret = Type.String({ minLength: 1, maxLength: 512 });

export const Webhook = Type.Object(
  {
    id: Id,
    workspaceId: Id,
    name: Name,
    url: Url,
    kind: Words(WEBHOOK_KINDS),
    events: Events,
    headers: Type.Record(Type.String(), Type.String(), {
      description: 'Names as set; every value is shown as `******`.',
    }),
    hasSecret: Type.Boolean(),
    enabled: Type.Boolean(),
    disabledReason: Nullable(Words(DISABLED_REASONS)),
    disabledAt: Nullable(Timestamp),
    createdBy: Id,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    revision: Revision,
  },
  { $id: 'Webhook' },
);
export type Webhook = Static<typeof Webhook>;

export const WebhookPage = Page(Webhook);

export const NewWebhook = Type.Object({
  name: Name,
  url: Url,
  kind: Words(WEBHOOK_KINDS),
  events: Events,
  headers: Type.Optional(Headers),
  secret: Type.Optional(Secret),
  enabled: Type.Boolean({ default: true }),
});
export type NewWebhook = Static<typeof NewWebhook>;

export const WebhookChange = Type.Object({
  name: Type.Optional(Name),
  url: Type.Optional(Url),
  kind: Type.Optional(Words(WEBHOOK_KINDS, { description: 'Cannot change: only the present kind is accepted.' })),
  events: Type.Optional(Events),
  headers: Type.Optional(Headers),
  secret: Type.Optional(Nullable(Secret)),
  enabled: Type.Optional(Type.Boolean()),
});
export type WebhookChange = Static<typeof WebhookChange>;

export const Envelope = Type.Object(
  { event: Type.String(), timestamp: Timestamp, data: Type.Record(Type.String(), Type.Unknown()) },
  { $id: 'EventEnvelope' },
);
export type Envelope = Static<typeof Envelope>;

export const Delivery = Type.Object(
  {
    id: Id,
    webhookId: Id,
    event: Type.String(),
    status: Words(DELIVERY_STATUSES),
    attempts: Type.Integer(),
    maxAttempts: Type.Integer(),
    lastError: Nullable(Type.String()),
    errorCode: Nullable(Words(DELIVERY_ERRORS)),
    responseStatus: Nullable(Type.Integer()),
    nextRetryAt: Nullable(Timestamp),
    deliveredAt: Nullable(Timestamp),
    createdAt: Timestamp,
    isTest: Type.Boolean(),
  },
  { $id: 'WebhookDelivery' },
);
export type Delivery = Static<typeof Delivery>;

export const DeliveryPage = Page(Delivery);
