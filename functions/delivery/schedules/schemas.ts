import type { Static, TProperties } from 'typebox';
import * as Type from 'typebox';
import { CardFilter } from '../../../shared/domains/boards/cards/index.ts';
import { partStamps } from '../../../shared/domains/boards/dashboards/index.ts';
import {
  CONDITIONS,
  MAX_RECIPIENTS,
  type RunReason,
  SKIP_REASONS,
  type SkipReason,
  type StopReason,
  type TargetFailure,
} from '../../../shared/domains/boards/delivery-schedules/index.ts';
import type { ExportFormat } from '../../../shared/domains/boards/exports/index.ts';
import { MAIL_FAILURES, MAIL_STATUSES, RUN_STATUSES } from '../../../shared/domains/delivery/deliveries/index.ts';
import { FormerMember, FormerName } from '../../../shared/platform/http/former-names.ts';
import { Id, idParams, Name, Nullable, StringEnum, Timestamp } from '../../../shared/platform/http/schemas.ts';
import { ChangedTargets, NewTargets, TargetResult, Targets } from './target-schemas.ts';

const RECIPIENTS =
  'Email addresses of members, who each get what they may see, or addresses in the delivery domains of the workspace.';

const Address = Type.String({ minLength: 3, maxLength: 254, format: 'email' });

export const ScheduleRunsQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'How many runs to return.' }),
});

interface Words {
  /** What is sent. */
  noun: 'dashboard' | 'report' | 'story';
  /** It at the beginning of names of schemas. */
  title: 'Dashboard' | 'Report' | 'Story';
  /** What it consists of. */
  parts: 'cards' | 'blocks';
  stopReasons: readonly StopReason[];
  formats: readonly ExportFormat[];
}

/** The filters of a kind that has some: of the schedule, and of a new one. */
export function filterProperties(parts: Words['parts']) {
  const filters = Type.Array(CardFilter, {
    maxItems: 50,
    description: `The filters of the ${parts}. Rows must match all of them.`,
  });
  return { own: { filters }, defaults: { filters: Type.Unsafe<CardFilter[]>({ ...filters, default: [] }) } };
}

const commonProperties = ({ noun, parts, formats }: Words) => ({
  name: Type.Unsafe<string>({ ...Name, description: `Unique within the ${noun}; case does not matter.` }),
  cron: Type.String({
    minLength: 1,
    maxLength: 500,
    description: `When to send the ${noun}: five cron fields, such as \`0 8 * * 1\`, or a keyword such as \`@weekly\`. At most every 15 minutes.`,
  }),
  format: Nullable(StringEnum(formats, { description: 'The format of the attached file; null attaches none.' })),
  recipients: Type.Array(Address, { maxItems: MAX_RECIPIENTS, uniqueItems: true, description: RECIPIENTS }),
  timezone: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'The IANA name of the time zone of `cron` and of the data, such as `Europe/Berlin`.',
  }),
  isActive: Type.Boolean({ description: 'Whether the schedule sends anything. If false, it is paused.' }),
  condition: StringEnum(CONDITIONS, {
    description: `When a recipient gets the email: \`always\`; \`hasRows\`: only if one of the ${parts} has rows; \`changed\`: only if the rows have changed since the recipient’s last email. The same holds for each target.`,
  }),
  ownerId: Type.Unsafe<string>({
    ...Id,
    description:
      'The member who is responsible for the schedule; by default, its creator. The schedule stops when they leave.',
  }),
});

function runSchemas({ noun, title, parts, stopReasons }: Words) {
  const runProperties = {
    id: Id,
    status: StringEnum(RUN_STATUSES, {
      description:
        '`queued`: a recipient or target has no result yet; `sent`: all have one; `skipped`: nothing could be sent, for the reason in `reason`; `failed`: every recipient and target refused it, or the run was not completed within six hours.',
    }),
    reason: Nullable(
      Type.Unsafe<RunReason>(
        StringEnum([...stopReasons, 'STILL_RUNNING'], { description: 'Why the run was skipped.' }),
      ),
    ),
    scheduledFor: Nullable(
      Type.Unsafe<string>({ ...Timestamp, description: 'The scheduled time; null if a user started the run.' }),
    ),
    startedBy: Nullable(
      Type.Unsafe<string>({ ...Id, description: 'The user who started the run; null if the schedule did.' }),
    ),
    startedAt: Timestamp,
    finishedAt: Nullable(Timestamp),
    recipientCount: Type.Integer({ minimum: 0 }),
    targetCount: Type.Integer({ minimum: 0 }),
  };
  const DeliveryResult = Type.Object(
    {
      recipient: Type.String({ description: 'The email address, or the user id of a member who has left.' }),
      userId: Nullable(Type.Unsafe<string>({ ...Id, description: 'Null for an address outside the workspace.' })),
      status: StringEnum(MAIL_STATUSES),
      reason: Nullable(
        Type.Unsafe<SkipReason | TargetFailure>(
          StringEnum([...SKIP_REASONS, ...MAIL_FAILURES], {
            description: 'Why the recipient got no email; null if they got one.',
          }),
        ),
      ),
      cardCount: Type.Integer({ minimum: 0, description: `The number of ${parts} that were read for the email.` }),
      failedCardCount: Type.Integer({ minimum: 0, description: `The number of ${parts} that could not be read.` }),
      bytes: Type.Integer({ minimum: 0, description: 'The size of the attached file.' }),
      error: Nullable(
        Type.Object(
          { code: Type.String(), message: Type.String() },
          { $id: `${title}DeliveryError`, description: 'Why the email has no attached file.' },
        ),
      ),
      sentAt: Nullable(Timestamp),
    },
    { $id: `${title}DeliveryResult`, description: 'The result for one recipient of a run.' },
  );
  const description = `A run of a delivery schedule, which sends the ${noun} once. Runs are kept for 90 days.`;
  const ScheduleRunSummary = Type.Object(runProperties, { $id: `${title}ScheduleRunSummary`, description });
  const ScheduleRun = Type.Object(
    {
      ...runProperties,
      scheduleId: Id,
      perRecipient: Type.Array(DeliveryResult, { description: 'The results so far.' }),
      perTarget: Type.Array(TargetResult, { description: 'The results for targets so far.' }),
    },
    { $id: `${title}ScheduleRun`, description },
  );
  const ScheduleRunList = Type.Object(
    { items: Type.Array(ScheduleRun, { description: 'Newest first.' }) },
    { $id: `${title}ScheduleRunList`, description: 'The newest runs of a schedule.' },
  );
  return { ScheduleRunSummary, ScheduleRun, ScheduleRunList };
}

const optional = <P extends TProperties>(given: P) =>
  Object.fromEntries(Object.entries(given).map(([key, schema]) => [key, Type.Optional(schema)])) as {
    [K in keyof P]: import('typebox').TOptional<P[K]>;
  };

/**
 * The shapes of the delivery schedules of dashboards, reports or stories. `object` is the member with the id of what is
 * sent; `own` are members of the schedule that other kinds do not have, and `defaults` the same for a new schedule.
 */
export function scheduleSchemas<O extends TProperties, W extends TProperties, D extends TProperties>(
  words: Words,
  { object, own, defaults }: { object: O; own: W; defaults: D },
) {
  const { noun, title, stopReasons } = words;
  const common = commonProperties(words);
  const { ScheduleRunSummary, ScheduleRun, ScheduleRunList } = runSchemas(words);

  const ScheduleParams = Type.Object({
    ...idParams(noun).properties,
    scheduleId: Type.String({ format: 'uuid', description: 'The id of the schedule.' }),
  });
  const Schedule = Type.Object(
    {
      id: Id,
      workspaceId: Id,
      ...object,
      ...common,
      cronExpression: FormerMember('cron', common.cron),
      ...own,
      recipients: Type.Array(Type.String(), {
        description: 'The email addresses of the recipients, except members who have left the workspace.',
      }),
      targets: Targets,
      status: StringEnum(['active', 'paused', 'stopped'], {
        description: '`paused`: `isActive` is false; `stopped`: nothing can be sent, for the reason in `stopReason`.',
      }),
      stopReason: Nullable(Type.Unsafe<StopReason>(StringEnum(stopReasons))),
      nextRunAt: Nullable(Timestamp),
      lastRun: Nullable(ScheduleRunSummary),
      ...partStamps,
    },
    { $id: `${title}Schedule`, description: `A delivery schedule: when a ${noun} is sent by email, and to whom.` },
  );
  const ScheduleList = Type.Object(
    { items: Type.Array(Schedule), total: Type.Integer({ minimum: 0 }) },
    { $id: `${title}ScheduleList`, description: `All delivery schedules of the ${noun}, newest first.` },
  );
  const { name, cron, recipients, ownerId, format, timezone, isActive, condition } = common;
  const CreateSchedule = Type.Object(
    {
      name,
      cron,
      cronExpression: FormerName('cron', cron),
      format: Type.Unsafe<Static<typeof format>>({ ...format, default: null }),
      recipients: Type.Optional(
        Type.Unsafe<string[]>({
          ...recipients,
          description: `${RECIPIENTS} By default, the owner, or no one if there are targets.`,
        }),
      ),
      targets: Type.Optional(NewTargets),
      timezone: Type.Unsafe<string>({ ...timezone, default: 'UTC' }),
      isActive: Type.Unsafe<boolean>({ ...isActive, default: true }),
      condition: Type.Unsafe<Static<typeof condition>>({ ...condition, default: 'always' }),
      ...defaults,
      ownerId: Type.Optional(ownerId),
    },
    { $id: `Create${title}Schedule`, description: `When to send the ${noun}, to whom, and with which file.` },
  );
  const UpdateSchedule = Type.Object(
    { ...optional({ ...common, targets: ChangedTargets, ...own }), cronExpression: FormerName('cron', cron) },
    {
      $id: `Update${title}Schedule`,
      description: 'The members to change. Omitted members keep their values.',
    },
  );
  return { ScheduleParams, Schedule, ScheduleList, CreateSchedule, UpdateSchedule, ScheduleRun, ScheduleRunList };
}
