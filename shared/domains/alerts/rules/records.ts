import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Id, Name, StrictObject, StringEnum } from '../../../platform/http/schemas.ts';
import type { Use } from '../../../platform/storage/uses.ts';
import type { DeliveryTarget } from '../../boards/delivery-schedules/index.ts';
import type { DeliveryPerson } from '../../delivery/deliveries/index.ts';
import type { AlertCondition } from '../conditions/index.ts';

export const MAX_ALERTS = 500;
export const MAX_PEOPLE = 200;
export const MAX_GROUPS = 20;
export const MAX_ADDRESSES = 50;
/** The classes of row rights among the recipients: each is asked for on its own. */
export const MAX_CLASSES = 50;

export const SEVERITIES = ['info', 'warning', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Whose rows a rule reads. */
export const RUN_AS = ['recipients', 'owner'] as const;
export type RunAs = (typeof RUN_AS)[number];

/** Why a rule is not evaluated although it is active. */
export const STOP_REASONS = ['OWNER_INACTIVE'] as const;
export type StopReason = (typeof STOP_REASONS)[number];

const ids = (maxItems: number, description: string) =>
  Type.Optional(Type.Array(Id, { maxItems, uniqueItems: true, description }));
const userIds = ids(MAX_PEOPLE, 'Members of the workspace.');
const groupIds = ids(MAX_GROUPS, 'Groups of the workspace; those who are members when it fires are notified.');

export const alertChannels = {
  inApp: Type.Optional(
    StrictObject(
      {
        userIds,
        groupIds,
        followers: Type.Optional(
          Type.Boolean({ description: 'Whether members who see the alert may follow it; true by default.' }),
        ),
      },
      { $id: 'AlertFeedChannel', description: 'Who sees it in their feed.' },
    ),
  ),
  email: Type.Optional(
    StrictObject(
      {
        userIds,
        groupIds,
        addresses: Type.Optional(
          Type.Array(Type.String({ minLength: 3, maxLength: 254, format: 'email' }), {
            maxItems: MAX_ADDRESSES,
            uniqueItems: true,
            description:
              'Addresses outside the workspace, in its `deliveryDomains`. They get what everyone may see; only editors see them.',
          }),
        ),
      },
      {
        $id: 'AlertMailChannel',
        description: 'Who also gets an email. Notifications within a minute share one email.',
      },
    ),
  ),
  event: Type.Optional(
    Type.Boolean({
      description:
        'Whether webhooks get the event `alert.fired`, about the rows of the owner; true by default for editors. The event has no value if the data is protected.',
    }),
  ),
};

/** As stored: targets are apart. */
const AlertChannels = StrictObject(alertChannels);
export type AlertChannels = Static<typeof AlertChannels>;

export const AlertRepeat = Type.Union(
  [
    Type.Literal('never'),
    StrictObject({
      every: Type.String({
        pattern:
          '^(P([1-9]|[12]\\d|30)D|PT([1-9]|[1-9]\\d|[1-6]\\d\\d|7[01]\\d|720)H|PT(1[5-9]|[2-9]\\d|[1-9]\\d\\d|[1-9]\\d\\d\\d)M)$',
        description: 'An ISO 8601 duration from 15 minutes to 30 days in one unit, such as `PT4H`.',
      }),
    }),
  ],
  {
    $id: 'AlertRepeat',
    description: 'Whether people are notified again while the condition is met; `never` by default.',
  },
);
export type AlertRepeat = Static<typeof AlertRepeat>;

const UNIT_MS = { M: 60_000, H: 3_600_000, D: 86_400_000 } as const;

/** Null for never. */
export function repeatMsOf(repeat: AlertRepeat): number | null {
  if (repeat === 'never') return null;
  const [, count, unit] = /(\d+)([MHD])$/.exec(repeat.every)!;
  return Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
}

export const alertProperties = {
  name: Type.Unsafe<string>({ ...Name, description: 'Unique within the workspace; case does not matter.' }),
  description: Type.String({ maxLength: 2000 }),
  isActive: Type.Boolean({ description: 'Whether it is evaluated.' }),
  scheduleCron: Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'When to evaluate it: five fields, such as `0 8 * * 1-5`, at least 15 minutes apart.',
  }),
  timezone: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'The IANA name of the zone of `scheduleCron`, such as `Europe/Berlin`.',
  }),
  onRefresh: Type.Boolean({
    description:
      'Whether to evaluate it after new versions of a dataset that it reads, at most every five minutes; true by default if there is no schedule.',
  }),
  repeat: AlertRepeat,
  runAs: StringEnum(RUN_AS, {
    description:
      'Whose rows it reads: of each recipient, or of the owner for all whom it names. Only admins choose `owner`, for alerts that they own; then it has no followers.',
  }),
  shareRows: Type.Boolean({
    description:
      'With `runAs` `owner`: whether recipients are notified of rows that they may not see. Required if the data is protected; false by default.',
  }),
  holdOnQuality: Type.Boolean({
    description:
      'Whether it does not fire while a table that it reads has an open critical issue, or an open issue of late rows; then its `health` is `error`, and the owner is notified. False by default.',
  }),
  notifyOnRecover: Type.Boolean({
    description: 'Whether people who were notified that it fired are notified that it is over; true by default.',
  }),
  severity: StringEnum(SEVERITIES),
  ownerId: Type.Unsafe<string>({
    ...Id,
    description: 'The member who is responsible for it and is notified of its errors. The alert stops when they leave.',
  }),
};

/** A rule as stored. */
export interface AlertRecord {
  id: string;
  workspaceId: string;
  name: string;
  description: string;
  condition: AlertCondition;
  /** Increases with each change of what is evaluated; states of earlier ones do not count. */
  conditionVersion: number;
  channels: AlertChannels;
  /** The memberships of the people in `channels`, by user id. */
  memberships: Readonly<Record<string, string | null>>;
  /** Addresses that get requests; absent without any. */
  targets?: DeliveryTarget[];
  isActive: boolean;
  scheduleCron: string | null;
  timezone: string;
  onRefresh: boolean;
  repeat: AlertRepeat;
  runAs: RunAs;
  shareRows: boolean;
  /** A digest of what the owner has shared of their rows: of the condition and what defines its source. */
  sharedSource?: string | undefined;
  holdOnQuality: boolean;
  notifyOnRecover: boolean;
  severity: Severity;
  snoozedUntil: string | null;
  owner: DeliveryPerson;
  stopReason: StopReason | null;
  /** The address of the API, for links in emails. */
  apiUrl: string;
  createdBy: string;
  updatedBy: string;
  createdAt: string;
  updatedAt: string;
  revision: number;
}

/** Whether those whom the rule names are notified of the rows of its owner. */
export const sharesRows = ({ runAs, shareRows }: Pick<AlertRecord, 'runAs' | 'shareRows'>): boolean =>
  runAs === 'owner' && shareRows;

/** Whether members may follow the rule. Of the rows of its owner, only those hear whom the owner has named. */
export const takesFollowers = (alert: Pick<AlertRecord, 'channels' | 'runAs' | 'shareRows'>): boolean =>
  alert.channels.inApp?.followers !== false && !sharesRows(alert);

/** Every person whom the channels name. */
export const peopleIn = ({ inApp, email }: AlertChannels): string[] => [
  ...new Set([...(inApp?.userIds ?? []), ...(email?.userIds ?? [])]),
];

export const groupsIn = ({ inApp, email }: AlertChannels): string[] => [
  ...new Set([...(inApp?.groupIds ?? []), ...(email?.groupIds ?? [])]),
];

/** The addresses outside the workspace that get emails. */
export const addressesIn = ({ email }: AlertChannels): readonly string[] => email?.addresses ?? [];

/** What a rule reads. A card is not among it: an alert on a card that is deleted reports so. */
export function usesOfAlert({ condition }: Pick<AlertRecord, 'condition'>): Use[] {
  if (condition.kind === 'metric') return [{ kind: 'metric', id: condition.metricId }];
  const { kind, id } = condition.source;
  return kind === 'card' ? [] : [{ kind, id }];
}
