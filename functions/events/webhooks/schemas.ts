import type { Static } from 'typebox';
import * as Type from 'typebox';
import {
  DELIVERY_ERRORS,
  DELIVERY_STATUSES,
  DISABLED_REASONS,
  WEBHOOK_KINDS,
} from '../../../shared/domains/events/webhooks/index.ts';
import { shownDefinition } from '../../../shared/platform/http/managed-by.ts';
import {
  Id,
  idParams,
  ListQuery,
  Name,
  NamedListQuery,
  Nullable,
  Page,
  Revision,
  StringEnum,
  Timestamp,
} from '../../../shared/platform/http/schemas.ts';

export const WebhookParams = idParams('webhook');

export const WebhooksQuery = Type.Object({
  ...NamedListQuery.properties,
  kind: Type.Optional(StringEnum(WEBHOOK_KINDS, { description: 'Only webhooks of this kind.' })),
  enabled: Type.Optional(Type.Boolean({ description: 'Only webhooks that are enabled, or only the others.' })),
});

export const DeliveriesQuery = Type.Object({
  ...ListQuery.properties,
  status: Type.Optional(
    StringEnum(DELIVERY_STATUSES, { description: 'Only deliveries with this status, among the newest 10,000.' }),
  ),
  event: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Only deliveries of events with this name, among the newest 10,000.',
    }),
  ),
});

const Url = Type.String({ minLength: 1, maxLength: 2048 });
const Events = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  maxItems: 100,
  uniqueItems: true,
  description: 'Event names such as `pipeline.run_failed`; `*` on its own for all events.',
});
const Headers = Type.Record(Type.String(), Type.String({ maxLength: 4096 }), { maxProperties: 20 });
const Secret = Type.String({ minLength: 1, maxLength: 512 });
const GenerateSecret = Type.Optional(
  Type.Boolean({ description: 'Generate a secret of the form `whsec_…`. Only this reply shows it.' }),
);

export const Webhook = Type.Object(
  {
    id: Id,
    workspaceId: Id,
    name: Name,
    url: Url,
    kind: StringEnum(WEBHOOK_KINDS),
    events: Events,
    headers: Type.Record(Type.String(), Type.String(), {
      description: 'The names of the headers; every value is shown as `******`.',
    }),
    hasSecret: Type.Boolean(),
    enabled: Type.Boolean(),
    disabledReason: Nullable(StringEnum(DISABLED_REASONS)),
    disabledAt: Nullable(Timestamp),
    consecutiveFailures: Type.Integer({ description: 'Failed attempts since the last success; tests do not count.' }),
    lastDeliveryAt: Nullable(
      Type.String({ format: 'date-time', description: 'The latest attempt, to the minute; tests do not count.' }),
    ),
    createdBy: Id,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    revision: Revision,
    ...shownDefinition,
  },
  { $id: 'Webhook', description: 'A receiver of events.' },
);
export type Webhook = Static<typeof Webhook>;

export const WebhookWithSecret = Type.Object(
  {
    ...Webhook.properties,
    secret: Type.Optional(
      Type.String({ description: 'The secret that this request has generated. Store it: no other reply shows it.' }),
    ),
  },
  { $id: 'WebhookWithSecret', description: 'The webhook, and its secret if this request has generated one.' },
);
export type WebhookWithSecret = Static<typeof WebhookWithSecret>;

export const WebhookPage = Page(Webhook);

export const CreateWebhook = Type.Object(
  {
    name: Name,
    url: Url,
    kind: StringEnum(WEBHOOK_KINDS),
    events: Events,
    headers: Type.Optional(Headers),
    secret: Type.Optional(Secret),
    generateSecret: GenerateSecret,
    enabled: Type.Boolean({ default: true }),
  },
  { $id: 'CreateWebhook', description: 'A new receiver of events.' },
);
export type CreateWebhook = Static<typeof CreateWebhook>;

export const UpdateWebhook = Type.Object(
  {
    name: Type.Optional(Name),
    url: Type.Optional(Url),
    kind: Type.Optional(
      StringEnum(WEBHOOK_KINDS, { description: 'Only the current kind is accepted, because it cannot change.' }),
    ),
    events: Type.Optional(Events),
    headers: Type.Optional(Headers),
    secret: Type.Optional(Nullable(Secret)),
    generateSecret: GenerateSecret,
    enabled: Type.Optional(Type.Boolean()),
  },
  { $id: 'UpdateWebhook', description: 'Fields to change; omitted fields keep their values.' },
);
export type UpdateWebhook = Static<typeof UpdateWebhook>;

export const Envelope = Type.Object(
  { event: Type.String(), timestamp: Timestamp, data: Type.Record(Type.String(), Type.Unknown()) },
  { $id: 'EventEnvelope', description: 'An event as a webhook of kind `generic` receives it.' },
);
export type Envelope = Static<typeof Envelope>;

export const Delivery = Type.Object(
  {
    id: Id,
    webhookId: Id,
    event: Type.String(),
    status: StringEnum(DELIVERY_STATUSES),
    attempts: Type.Integer(),
    maxAttempts: Type.Integer(),
    lastError: Nullable(Type.String()),
    errorCode: Nullable(StringEnum(DELIVERY_ERRORS)),
    responseStatus: Nullable(Type.Integer()),
    nextRetryAt: Nullable(Timestamp),
    deliveredAt: Nullable(Timestamp),
    createdAt: Type.String({ format: 'date-time', description: 'When the event happened. Lists are sorted by it.' }),
    isTest: Type.Boolean(),
  },
  { $id: 'WebhookDelivery', description: 'The delivery of one event to one webhook.' },
);
export type Delivery = Static<typeof Delivery>;

const DeliveryAttempt = Type.Object({
  number: Type.Integer({ description: 'From 1, and across redeliveries.' }),
  at: Nullable(Timestamp),
  durationMs: Nullable(Type.Integer()),
  responseStatus: Nullable(Type.Integer()),
  error: Nullable(Type.String({ description: 'Why the attempt failed; null after a success.' })),
  reply: Nullable(
    Type.String({
      description:
        'The first kilobyte of the reply, with `******` in place of values from the headers of the request. Null for viewers, and without a reply.',
    }),
  ),
});

export const DeliveryDetail = Type.Object(
  {
    ...Delivery.properties,
    body: Type.String({ description: 'The body as it is sent, byte for byte.' }),
    attemptDetails: Type.Array(DeliveryAttempt, {
      description:
        'The latest 50 attempts, the first one first. All but `number` is null while an attempt is in progress, and if its details were lost.',
    }),
  },
  { $id: 'WebhookDeliveryDetail', description: 'A delivery with its body and its attempts.' },
);
export type DeliveryDetail = Static<typeof DeliveryDetail>;

export const DeliveryPage = Page(Delivery);

export const DeliveryParams = Type.Object({
  ...WebhookParams.properties,
  deliveryId: Type.String({ format: 'uuid', description: 'The id of the delivery.' }),
});

export const ReplayDeliveries = Type.Object(
  {
    from: Type.String({ format: 'date-time', maxLength: 64, description: 'The time of the first event.' }),
    to: Type.String({ format: 'date-time', maxLength: 64, description: 'The time of the last event.' }),
  },
  { $id: 'ReplayDeliveries', description: 'The period whose failed deliveries are sent again.' },
);

export const Replay = Type.Object(
  {
    from: Timestamp,
    to: Timestamp,
    deliveries: Type.Integer({ description: 'All deliveries of the period; those that failed are sent again.' }),
  },
  { $id: 'WebhookReplay', description: 'A replay that has started.' },
);
export type Replay = Static<typeof Replay>;
