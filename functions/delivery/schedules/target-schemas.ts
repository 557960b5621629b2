import * as Type from 'typebox';
import {
  MAX_TARGETS,
  SKIP_REASONS,
  TARGET_FAILURES,
  TARGET_TYPES,
} from '../../../shared/domains/boards/delivery-schedules/index.ts';
import { MAIL_STATUSES } from '../../../shared/domains/delivery/deliveries/index.ts';
import { Id, Name, Nullable, StringEnum, Timestamp } from '../../../shared/platform/http/schemas.ts';

const TargetName = Type.Unsafe<string>({ ...Name, description: 'By default, the host of the address.' });
const TargetKind = StringEnum(TARGET_TYPES, {
  description:
    '`webhook`: JSON, signed if there is a secret; `slack` and `teams`: a message for an incoming webhook of Slack or Microsoft Teams.',
});
const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description:
    'Its host must be one of the `deliveryDomains` of the workspace. It is stored encrypted and never returned.',
});
const Secret = Type.String({
  minLength: 1,
  maxLength: 512,
  description:
    'Signs the requests in the same way as those of other webhooks. Only for the type `webhook`. It is stored encrypted and never returned.',
});
const Headers = Type.Record(Type.String(), Type.String({ maxLength: 4096 }), {
  maxProperties: 20,
  description: 'Headers of the requests. Only for the type `webhook`. They are stored encrypted and never returned.',
});

export const DeliveryTarget = Type.Object(
  {
    id: Id,
    type: TargetKind,
    name: Name,
    origin: Type.String({ description: 'Scheme, host and port of the address. The rest of it is never returned.' }),
    headers: Type.Record(Type.String(), Type.String(), {
      description: 'The names of the headers; every value is shown as `******`.',
    }),
    hasSecret: Type.Boolean(),
  },
  { $id: 'DeliveryTarget', description: 'An address to which a schedule sends requests.' },
);

const NewTarget = Type.Object(
  {
    type: TargetKind,
    name: Type.Optional(TargetName),
    url: Url,
    secret: Type.Optional(Secret),
    headers: Type.Optional(Headers),
  },
  { $id: 'NewDeliveryTarget', description: 'A new target.' },
);

const ChangedTarget = Type.Object(
  {
    id: Type.Optional(
      Type.String({
        format: 'uuid',
        description:
          'The id of an existing target of the schedule. Omitted members keep their values. Leave it out to add a target.',
      }),
    ),
    type: TargetKind,
    name: Type.Optional(TargetName),
    url: Type.Optional(Url),
    secret: Type.Optional(Nullable(Secret)),
    headers: Type.Optional(Headers),
  },
  { $id: 'ChangedDeliveryTarget', description: 'A target to keep or change, or a new one without `id`.' },
);

export const Targets = Type.Array(DeliveryTarget, { description: 'Addresses that get requests instead of emails.' });
export const NewTargets = Type.Array(NewTarget, {
  maxItems: MAX_TARGETS,
  description: 'Addresses that get requests instead of emails. They get what every member may see.',
});
export const ChangedTargets = Type.Array(ChangedTarget, {
  maxItems: MAX_TARGETS,
  description: 'All targets of the schedule: those that are left out are removed.',
});

const FileError = Type.Object(
  { code: Type.String(), message: Type.String() },
  { $id: 'TargetFileError', description: 'Why the target got no file.' },
);

export const TargetResult = Type.Object(
  {
    targetId: Id,
    name: Nullable(Type.String({ description: 'Null for a target that has been removed from the schedule.' })),
    status: StringEnum(MAIL_STATUSES),
    reason: Nullable(
      StringEnum([...SKIP_REASONS, ...TARGET_FAILURES], { description: 'Why the target did not get the delivery.' }),
    ),
    cardCount: Type.Integer({ minimum: 0, description: 'The number of cards or blocks that were read.' }),
    failedCardCount: Type.Integer({ minimum: 0, description: 'The number of cards or blocks that could not be read.' }),
    bytes: Type.Integer({ minimum: 0, description: 'The size of the file.' }),
    error: Nullable(FileError),
    attempts: Type.Integer({ minimum: 0, description: 'The number of requests made so far, at most five.' }),
    lastError: Nullable(Type.String({ description: 'Why the last request failed.' })),
    responseStatus: Nullable(Type.Integer({ description: 'The HTTP status of the last response.' })),
    nextAttemptAt: Nullable(Timestamp),
    sentAt: Nullable(Timestamp),
  },
  { $id: 'TargetResult', description: 'The result for one target of a run.' },
);
