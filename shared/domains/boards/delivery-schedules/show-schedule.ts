import {
  type DeliveryRecipient,
  isPerson,
  isStillMember,
  nextDeliveryAt,
  peopleOf,
  runStateOf,
  type StoredRun,
  stopReason,
} from '../../delivery/deliveries/index.ts';
import type { StoredMember, WorkspacePerson } from '../../tenancy/workspaces/index.ts';
import type {
  DeliveryTarget,
  ScheduleRecord,
  SkipReason,
  StopReason,
  StoredScheduleMail,
  TargetFailure,
  TargetType,
} from './records.ts';
import type { Found, ScheduleDeps } from './scheduled-object.ts';

/** Why a run is skipped. */
export type RunReason = StopReason | 'STILL_RUNNING';

export interface ShownRunSummary {
  id: string;
  status: StoredRun['status'];
  reason: RunReason | null;
  scheduledFor: string | null;
  startedBy: string | null;
  startedAt: string;
  finishedAt: string | null;
  recipientCount: number;
  targetCount: number;
}

type SentReason = SkipReason | TargetFailure;

export interface ShownRun extends ShownRunSummary {
  scheduleId: string;
  perRecipient: {
    recipient: string;
    userId: string | null;
    status: StoredScheduleMail['status'];
    reason: SentReason | null;
    cardCount: number;
    failedCardCount: number;
    bytes: number;
    error: StoredScheduleMail['error'];
    sentAt: string | null;
  }[];
  perTarget: {
    targetId: string;
    /** Null for a target that the schedule no longer has. */
    name: string | null;
    status: StoredScheduleMail['status'];
    reason: SentReason | null;
    cardCount: number;
    failedCardCount: number;
    bytes: number;
    error: StoredScheduleMail['error'];
    attempts: number;
    lastError: string | null;
    responseStatus: number | null;
    nextAttemptAt: string | null;
    sentAt: string | null;
  }[];
}

/** A target without what may be a credential. */
export interface ShownTarget {
  id: string;
  type: TargetType;
  name: string;
  origin: string;
  headers: Record<string, string>;
  hasSecret: boolean;
}

export type ShownSchedule<S extends ScheduleRecord> = Omit<
  S,
  'owner' | 'recipients' | 'targets' | 'unsubscribed' | 'apiUrl'
> & {
  /** The former name of `cron`. */
  cronExpression: string;
  ownerId: string;
  recipients: string[];
  targets: ShownTarget[];
  status: 'active' | 'paused' | 'stopped';
  stopReason: StopReason | null;
  nextRunAt: string | null;
  lastRun: ShownRunSummary | null;
};

/** Why the schedule can send nothing. */
export const stopReasonOf = <S extends ScheduleRecord>(
  { object, schedule }: Found<S>,
  members: ReadonlyMap<string, WorkspacePerson>,
): StopReason | null => stopReason(schedule, members) ?? object.stopReason(schedule);

export async function showSchedule<S extends ScheduleRecord>(
  deps: Pick<ScheduleDeps<S>, 'membersOf' | 'runs' | 'now'>,
  found: Found<S>,
): Promise<ShownSchedule<S>> {
  const { schedule } = found;
  const { workspaceId, id: deliveryId } = schedule;
  const [members, [last]] = await Promise.all([
    deps.membersOf(workspaceId, peopleOf(schedule)),
    deps.runs.list({ workspaceId, deliveryId }, 1),
  ]);
  const { owner, recipients, targets = [], unsubscribed: _unsubscribed, apiUrl: _apiUrl, ...shown } = schedule;
  const stop = stopReasonOf(found, members);
  const status = stop !== null ? 'stopped' : schedule.isActive ? 'active' : 'paused';
  return {
    ...shown,
    cronExpression: schedule.cron,
    ownerId: owner.userId,
    recipients: recipients.flatMap((each) => {
      if (each.address !== undefined) return [each.address];
      return isStillMember(members, each) ? [members.get(each.userId)!.email] : [];
    }),
    targets: targets.map(showTarget),
    status,
    stopReason: stop,
    nextRunAt: status === 'active' ? (nextDeliveryAt(schedule, deps.now())?.toISOString() ?? null) : null,
    lastRun: last
      ? summaryOf(
          last,
          last.status === 'sent' ? await deps.runs.mails({ workspaceId, deliveryId, runId: last.id }) : [],
        )
      : null,
  };
}

/** A target as its editors see it. */
export const showTarget = ({ id, type, name, origin, headerNames, sealedSecret }: DeliveryTarget): ShownTarget => ({
  ...{ id, type, name, origin },
  headers: Object.fromEntries(headerNames.map((header) => [header, '******'])),
  hasSecret: sealedSecret !== undefined,
});

function summaryOf(run: StoredRun, mails: readonly StoredScheduleMail[]): ShownRunSummary {
  const { id, reason, trigger, createdAt, recipients, recipientCount } = run;
  const { status, finishedAt } = runStateOf(run, mails);
  return {
    id,
    status,
    reason: reason as RunReason | null,
    scheduledFor: trigger.scheduledAt,
    startedBy: trigger.actor,
    startedAt: createdAt,
    finishedAt,
    recipientCount,
    targetCount: recipients.length - recipientCount,
  };
}

export function showRun(
  { id: scheduleId, targets = [] }: ScheduleRecord,
  run: StoredRun,
  mails: readonly StoredScheduleMail[],
  members: ReadonlyMap<string, StoredMember>,
): ShownRun {
  const perRecipient = mails
    .filter(({ isTarget }) => !isTarget)
    .map((mail) => ({
      recipient: mail.address ?? members.get(mail.userId)?.email ?? mail.userId,
      userId: mail.address === undefined ? mail.userId : null,
      ...resultOf(mail),
    }));
  const names = new Map(targets.map(({ id, name }) => [id, name]));
  const perTarget = mails
    .filter(({ isTarget }) => isTarget)
    .map((mail) => ({
      targetId: mail.userId,
      name: names.get(mail.userId) ?? null,
      ...resultOf(mail),
      ...{ attempts: mail.attempts ?? 0, lastError: mail.lastError ?? null },
      ...{ responseStatus: mail.responseStatus ?? null, nextAttemptAt: nextAttemptAt(mail) },
    }));
  return { ...summaryOf(run, mails), scheduleId, perRecipient, perTarget };
}

const resultOf = ({ status, reason, cardCount, failedCardCount, file, error, sentAt }: StoredScheduleMail) => ({
  ...{ status, reason: reason as SentReason | null, cardCount, failedCardCount },
  ...{ bytes: file?.bytes ?? 0, error, sentAt },
});

/** Only a failed attempt is followed by another one. */
const nextAttemptAt = ({ status, lastError, claimedUntil }: StoredScheduleMail): string | null =>
  status === 'queued' && lastError != null ? (claimedUntil ?? null) : null;

/** The member among recipients. */
export const memberId = (recipient: DeliveryRecipient): string[] => (isPerson(recipient) ? [recipient.userId] : []);
