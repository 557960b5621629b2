import type { Static, TProperties } from 'typebox';
import * as Type from 'typebox';
import { CardFilter } from '../../shared/domains/cards/index.ts';
import {
  CONDITIONS,
  MAX_RECIPIENTS,
  RUN_REASONS,
  SKIP_REASONS,
  STOP_REASONS,
} from '../../shared/domains/dashboard-schedules/index.ts';
import { PartId, partStamps } from '../../shared/domains/dashboards/index.ts';
import { MAIL_STATUSES, RUN_STATUSES } from '../../shared/domains/deliveries/index.ts';
import { EXPORT_FORMATS } from '../../shared/domains/exports/index.ts';
import { Id, idParams, Name, Nullable, StringEnum, Timestamp } from '../../shared/platform/http/schemas.ts';

export const ScheduleParams = Type.Object({
  ...idParams('dashboard').properties,
  scheduleId: Type.String({ format: 'uuid', description: 'The id of the schedule.' }),
});

const RECIPIENTS =
  'Email addresses of members, who each get what they may see, or addresses in the delivery domains of the workspace.';

const Address = Type.String({ minLength: 3, maxLength: 254, format: 'email' });

const properties = {
  name: Type.Unsafe<string>({ ...Name, description: 'Unique within the dashboard; case does not matter.' }),
  cronExpression: Type.String({
    minLength: 1,
    maxLength: 500,
    description:
      'When to send the dashboard: five cron fields, such as `0 8 * * 1`, or a keyword such as `@weekly`. At most every 15 minutes.',
  }),
  format: Nullable(StringEnum(EXPORT_FORMATS, { description: 'The format of the attached file; null attaches none.' })),
  recipients: Type.Array(Address, {
    maxItems: MAX_RECIPIENTS,
    uniqueItems: true,
    description: RECIPIENTS,
  }),
  timezone: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'The IANA name of the time zone of `cronExpression` and of the data, such as `Europe/Berlin`.',
  }),
  isActive: Type.Boolean({ description: 'Whether the schedule sends emails. If false, it is paused.' }),
  condition: StringEnum(CONDITIONS, {
    description:
      'When a recipient gets the email: `always`; `hasRows`: only if a card has rows; `changed`: only if the rows have changed since the recipient’s last email.',
  }),
  filters: Type.Array(CardFilter, {
    maxItems: 50,
    description: 'The filters of the cards. Rows must match all of them.',
  }),
  pageId: Nullable(
    Type.Unsafe<string>({ ...PartId, description: 'The page to send; null sends every page that is not hidden.' }),
  ),
  ownerId: Type.Unsafe<string>({
    ...Id,
    description:
      'The member who is responsible for the schedule; by default, its creator. The schedule stops when they leave.',
  }),
};

const runProperties = {
  id: Id,
  status: StringEnum(RUN_STATUSES, {
    description:
      '`sent`: every email has been queued; `skipped`: nothing could be sent, for the reason in `reason`; `failed`: the run was not completed within six hours.',
  }),
  reason: Nullable(StringEnum(RUN_REASONS, { description: 'Why the run was skipped.' })),
  scheduledFor: Nullable(
    Type.Unsafe<string>({ ...Timestamp, description: 'The scheduled time; null if a user started the run.' }),
  ),
  startedBy: Nullable(
    Type.Unsafe<string>({ ...Id, description: 'The user who started the run; null if the schedule did.' }),
  ),
  startedAt: Timestamp,
  finishedAt: Nullable(Timestamp),
  recipientCount: Type.Integer({ minimum: 0 }),
};

export const DeliveryResult = Type.Object(
  {
    recipient: Type.String({ description: 'The email address, or the user id of a member who has left.' }),
    userId: Nullable(Type.Unsafe<string>({ ...Id, description: 'Null for an address outside the workspace.' })),
    status: StringEnum(MAIL_STATUSES),
    reason: Nullable(
      StringEnum(SKIP_REASONS, { description: 'Why the recipient got no email; null if they got one.' }),
    ),
    cardCount: Type.Integer({ minimum: 0, description: 'The number of cards that were read for the email.' }),
    failedCardCount: Type.Integer({ minimum: 0, description: 'The number of cards that could not be read.' }),
    bytes: Type.Integer({ minimum: 0, description: 'The size of the attached file.' }),
    error: Nullable(
      Type.Object(
        { code: Type.String(), message: Type.String() },
        { $id: 'DashboardDeliveryError', description: 'Why the email has no attached file.' },
      ),
    ),
    sentAt: Nullable(Timestamp),
  },
  { $id: 'DashboardDeliveryResult', description: 'The result for one recipient of a run.' },
);

const runDescription = 'A run of a delivery schedule, which sends the dashboard once. Runs are kept for 90 days.';

export const ScheduleRunSummary = Type.Object(runProperties, {
  $id: 'DashboardScheduleRunSummary',
  description: runDescription,
});
export type ScheduleRunSummary = Static<typeof ScheduleRunSummary>;

export const ScheduleRun = Type.Object(
  {
    ...runProperties,
    scheduleId: Id,
    perRecipient: Type.Array(DeliveryResult, { description: 'The results so far.' }),
  },
  { $id: 'DashboardScheduleRun', description: runDescription },
);
export type ScheduleRun = Static<typeof ScheduleRun>;

export const Schedule = Type.Object(
  {
    id: Id,
    workspaceId: Id,
    dashboardId: Id,
    ...properties,
    recipients: Type.Array(Type.String(), {
      description: 'The email addresses of the recipients, except members who have left the workspace.',
    }),
    status: StringEnum(['active', 'paused', 'stopped'], {
      description: '`paused`: `isActive` is false; `stopped`: nothing can be sent, for the reason in `stopReason`.',
    }),
    stopReason: Nullable(StringEnum(STOP_REASONS)),
    nextRunAt: Nullable(Timestamp),
    lastRun: Nullable(ScheduleRunSummary),
    ...partStamps,
  },
  { $id: 'DashboardSchedule', description: 'A delivery schedule: when a dashboard is sent by email, and to whom.' },
);
export type Schedule = Static<typeof Schedule>;

export const ScheduleList = Type.Object(
  { items: Type.Array(Schedule), total: Type.Integer({ minimum: 0 }) },
  { $id: 'DashboardScheduleList', description: 'All delivery schedules of the dashboard, newest first.' },
);

const { name, cronExpression, recipients, ownerId } = properties;

export const CreateSchedule = Type.Object(
  {
    name,
    cronExpression,
    format: Type.Unsafe<Static<typeof properties.format>>({ ...properties.format, default: null }),
    recipients: Type.Optional(
      Type.Unsafe<string[]>({ ...recipients, description: `${RECIPIENTS} By default, the owner.` }),
    ),
    timezone: Type.Unsafe<string>({ ...properties.timezone, default: 'UTC' }),
    isActive: Type.Unsafe<boolean>({ ...properties.isActive, default: true }),
    condition: Type.Unsafe<Static<typeof properties.condition>>({ ...properties.condition, default: 'always' }),
    filters: Type.Unsafe<CardFilter[]>({ ...properties.filters, default: [] }),
    pageId: Type.Unsafe<string | null>({ ...properties.pageId, default: null }),
    ownerId: Type.Optional(ownerId),
  },
  { $id: 'CreateDashboardSchedule', description: 'When to send the dashboard, to whom, and with which file.' },
);
export type CreateSchedule = Static<typeof CreateSchedule>;

const optional = <P extends TProperties>(given: P) =>
  Object.fromEntries(Object.entries(given).map(([key, schema]) => [key, Type.Optional(schema)])) as {
    [K in keyof P]: import('typebox').TOptional<P[K]>;
  };

export const UpdateSchedule = Type.Object(optional(properties), {
  $id: 'UpdateDashboardSchedule',
  description: 'The members to change. Omitted members keep their values.',
});
export type UpdateSchedule = Static<typeof UpdateSchedule>;

export const ScheduleRunsQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'How many runs to return.' }),
});

export const ScheduleRunList = Type.Object(
  { items: Type.Array(ScheduleRun, { description: 'Newest first.' }) },
  { $id: 'DashboardScheduleRunList', description: 'The newest runs of a schedule.' },
);
