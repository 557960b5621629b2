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
  'Email addresses of members of the workspace, who each get what they may see, or of the delivery domains of the workspace.';

const Address = Type.String({ minLength: 3, maxLength: 254, format: 'email' });

const properties = {
  name: Type.Unsafe<string>({ ...Name, description: 'Unique within the dashboard; case does not matter.' }),
  cronExpression: Type.String({
    minLength: 1,
    maxLength: 500,
    description:
      'When to send it: five fields, such as `0 8 * * 1`, or a keyword such as `@weekly`; at most every 15 minutes.',
  }),
  format: Nullable(StringEnum(EXPORT_FORMATS, { description: 'The file that is attached; none if null.' })),
  recipients: Type.Array(Address, {
    maxItems: MAX_RECIPIENTS,
    uniqueItems: true,
    description: RECIPIENTS,
  }),
  timezone: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'The IANA name of the zone of `cronExpression` and of the data, such as `Europe/Berlin`.',
  }),
  isActive: Type.Boolean({ description: 'Whether the schedule sends emails.' }),
  condition: StringEnum(CONDITIONS, {
    description:
      'Whether a recipient gets the email: `always`, only if a card has rows (`hasRows`), or only if the rows have changed since the recipient’s last email (`changed`).',
  }),
  filters: Type.Array(CardFilter, { maxItems: 50, description: 'Applied to the cards; all of them must hold.' }),
  pageId: Nullable(
    Type.Unsafe<string>({ ...PartId, description: 'The page that is sent; every page that is not hidden if null.' }),
  ),
  ownerId: Type.Unsafe<string>({
    ...Id,
    description: 'The member who answers for the schedule; the creator by default. It stops when they leave.',
  }),
};

const runProperties = {
  id: Id,
  status: StringEnum(RUN_STATUSES, {
    description:
      '`sent` once every email is written and on its way; `skipped` if there was nothing to send; `failed` if it was given up after six hours.',
  }),
  reason: Nullable(StringEnum(RUN_REASONS, { description: 'Why the run was skipped.' })),
  scheduledFor: Nullable(
    Type.Unsafe<string>({ ...Timestamp, description: 'The instant of the schedule; null if it was sent by hand.' }),
  ),
  startedBy: Nullable(Type.Unsafe<string>({ ...Id, description: 'The user who sent it by hand.' })),
  startedAt: Timestamp,
  finishedAt: Nullable(Timestamp),
  recipientCount: Type.Integer({ minimum: 0 }),
};

export const DeliveryResult = Type.Object(
  {
    recipient: Type.String({ description: 'The email address; the user id of a member who has left.' }),
    userId: Nullable(Type.Unsafe<string>({ ...Id, description: 'Null for an address outside the workspace.' })),
    status: StringEnum(MAIL_STATUSES),
    reason: Nullable(StringEnum(SKIP_REASONS, { description: 'Why the recipient gets no email.' })),
    cardCount: Type.Integer({ minimum: 0, description: 'The number of cards that were read for the email.' }),
    failedCardCount: Type.Integer({ minimum: 0, description: 'The number of cards that could not be read.' }),
    bytes: Type.Integer({ minimum: 0, description: 'The size of the attached file.' }),
    error: Nullable(
      Type.Object(
        { code: Type.String(), message: Type.String() },
        { $id: 'DashboardDeliveryError', description: 'Why the email has no file.' },
      ),
    ),
    sentAt: Nullable(Timestamp),
  },
  { $id: 'DashboardDeliveryResult', description: 'What became of the email to one recipient.' },
);

const runDescription = 'One sending of a schedule. It is kept for 90 days.';

export const ScheduleRunSummary = Type.Object(runProperties, {
  $id: 'DashboardScheduleRunSummary',
  description: runDescription,
});
export type ScheduleRunSummary = Static<typeof ScheduleRunSummary>;

export const ScheduleRun = Type.Object(
  {
    ...runProperties,
    scheduleId: Id,
    perRecipient: Type.Array(DeliveryResult, { description: 'The emails that are written so far.' }),
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
      description: 'The addresses of recipients, without members who have left the workspace.',
    }),
    status: StringEnum(['active', 'paused', 'stopped'], {
      description: '`paused` while `isActive` is false; `stopped` for the reason in `stopReason`.',
    }),
    stopReason: Nullable(StringEnum(STOP_REASONS)),
    nextRunAt: Nullable(Timestamp),
    lastRun: Nullable(ScheduleRunSummary),
    ...partStamps,
  },
  { $id: 'DashboardSchedule', description: 'When a dashboard is sent by email, and to whom.' },
);
export type Schedule = Static<typeof Schedule>;

export const ScheduleList = Type.Object(
  { items: Type.Array(Schedule), total: Type.Integer({ minimum: 0 }) },
  { $id: 'DashboardScheduleList', description: 'All schedules of the dashboard, the newest first.' },
);

const { name, cronExpression, recipients, ownerId } = properties;

export const CreateSchedule = Type.Object(
  {
    name,
    cronExpression,
    format: Type.Unsafe<Static<typeof properties.format>>({ ...properties.format, default: null }),
    recipients: Type.Optional(
      Type.Unsafe<string[]>({ ...recipients, description: `${RECIPIENTS} The owner by default.` }),
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
  description: 'The members to change; the others stay.',
});
export type UpdateSchedule = Static<typeof UpdateSchedule>;

export const ScheduleRunsQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'How many runs to return.' }),
});

export const ScheduleRunList = Type.Object(
  { items: Type.Array(ScheduleRun, { description: 'The newest first.' }) },
  { $id: 'DashboardScheduleRunList', description: 'The newest runs of a schedule.' },
);
