import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Id, Name, Nullable, StringEnum, Timestamp } from '../../../platform/http/schemas.ts';
import type { Figure } from '../../../platform/mail/compose.ts';
import type { Use } from '../../../platform/storage/uses.ts';
import {
  type Delivery,
  type DeliveryKind,
  type DeliveryRecipient,
  MAIL_FAILURES,
  MAIL_STATUSES,
  PEOPLE_REASONS,
  RUN_STATUSES,
  type StoredMail,
} from '../../delivery/deliveries/index.ts';

/** Digests as deliveries. */
export const DIGESTS: DeliveryKind = {
  name: 'digest',
  title: 'digest',
  area: 'METRIC-DIGEST',
  unsubscribe: { path: 'metrics/digests/unsubscribe', prefix: 'du', purpose: 'unsubscribe' },
};

export const MAX_METRICS = 20;
export const MAX_RECIPIENTS = 50;

export const digestProperties = {
  name: Type.Unsafe<string>({ ...Name, description: 'Unique within the workspace; case does not matter.' }),
  metricIds: Type.Array(Id, {
    minItems: 1,
    maxItems: MAX_METRICS,
    uniqueItems: true,
    description: 'The metrics in the order of the email. Deleted metrics are left out.',
  }),
  cron: Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'When to send it: five fields, such as `0 8 * * 1`, or a keyword such as `@weekly`.',
  }),
  timezone: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'The IANA name of the zone of `cron`, such as `Europe/Berlin`.',
  }),
  isActive: Type.Boolean({ description: 'Whether the schedule sends it.' }),
};

export interface DigestRecord extends Delivery {
  name: string;
  metricIds: string[];
  recipients: DeliveryRecipient[];
  createdBy: string;
  updatedBy: string;
  createdAt: string;
  updatedAt: string;
  revision: number;
}

export const usesOfDigest = ({ metricIds }: Pick<DigestRecord, 'metricIds'>): Use[] =>
  metricIds.map((id) => ({ kind: 'metric', id }));

/** Why a digest cannot be sent. */
export const STOP_REASONS = [...PEOPLE_REASONS, 'NO_METRICS'] as const;
export type StopReason = (typeof STOP_REASONS)[number];

export const DigestTrigger = Type.Object(
  {
    kind: StringEnum(['manual', 'schedule']),
    scheduledAt: Nullable(Timestamp),
    actor: Nullable(Type.Unsafe<string>({ ...Id, description: 'The user who sent it.' })),
  },
  { $id: 'DigestTrigger', description: 'What started the run.' },
);

export const DigestRun = Type.Object(
  {
    id: Id,
    digestId: Id,
    status: StringEnum(RUN_STATUSES, {
      description:
        '`queued`: a recipient has no result yet; `sent`: all have one; `skipped`: there was nothing to send; `failed`: every recipient refused the email, or the run was not completed within six hours.',
    }),
    reason: Nullable(StringEnum([...STOP_REASONS, 'STILL_RUNNING'], { description: 'Why the run was skipped.' })),
    trigger: DigestTrigger,
    recipientCount: Type.Integer(),
    createdAt: Timestamp,
    finishedAt: Nullable(Timestamp),
  },
  { $id: 'DigestRun', description: 'One sending of a digest. It is kept for 90 days.' },
);
export type DigestRun = Static<typeof DigestRun>;

export const SKIP_REASONS = ['NOT_A_MEMBER', 'UNSUBSCRIBED', 'NO_METRICS_VISIBLE'] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

export const DigestMail = Type.Object(
  {
    userId: Id,
    status: StringEnum(MAIL_STATUSES),
    reason: Nullable(StringEnum([...SKIP_REASONS, ...MAIL_FAILURES], { description: 'Why the person gets no email.' })),
    leftOutCount: Type.Integer({ description: 'The number of metrics that the person may not see.' }),
    sentAt: Nullable(Timestamp),
  },
  { $id: 'DigestMail', description: 'What became of the email to one recipient.' },
);
export type DigestMail = Static<typeof DigestMail>;

/** What an email says. */
export interface DigestContent {
  digestName: string;
  workspaceName: string;
  /** The person who answers for the digest. */
  ownerName: string;
  figures: readonly Figure[];
}

export interface StoredDigestMail extends StoredMail<DigestContent> {
  /** The number of metrics that the person may not see. */
  leftOutCount: number;
}
