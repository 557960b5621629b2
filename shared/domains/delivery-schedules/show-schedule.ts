import {
  type DeliveryRecipient,
  isStillMember,
  nextDeliveryAt,
  peopleOf,
  type StoredRun,
  stopReason,
} from '../deliveries/index.ts';
import type { StoredMember } from '../workspaces/index.ts';
import type { ScheduleRecord, SkipReason, StopReason, StoredScheduleMail } from './records.ts';
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
}

export interface ShownRun extends ShownRunSummary {
  scheduleId: string;
  perRecipient: {
    recipient: string;
    userId: string | null;
    status: StoredScheduleMail['status'];
    reason: SkipReason | null;
    cardCount: number;
    failedCardCount: number;
    bytes: number;
    error: StoredScheduleMail['error'];
    sentAt: string | null;
  }[];
}

export type ShownSchedule<S extends ScheduleRecord> = Omit<
  S,
  'cron' | 'owner' | 'recipients' | 'unsubscribed' | 'apiUrl'
> & {
  cronExpression: string;
  ownerId: string;
  recipients: string[];
  status: 'active' | 'paused' | 'stopped';
  stopReason: StopReason | null;
  nextRunAt: string | null;
  lastRun: ShownRunSummary | null;
};

/** Why the schedule can send nothing. */
export const stopReasonOf = <S extends ScheduleRecord>(
  { object, schedule }: Found<S>,
  members: ReadonlyMap<string, StoredMember>,
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
  const { owner, recipients, unsubscribed: _unsubscribed, apiUrl: _apiUrl, cron: cronExpression, ...shown } = schedule;
  const stop = stopReasonOf(found, members);
  const status = stop !== null ? 'stopped' : schedule.isActive ? 'active' : 'paused';
  return {
    ...shown,
    cronExpression,
    ownerId: owner.userId,
    recipients: recipients.flatMap((each) => {
      if (each.address !== undefined) return [each.address];
      return isStillMember(members, each) ? [members.get(each.userId)!.email] : [];
    }),
    status,
    stopReason: stop,
    nextRunAt: status === 'active' ? (nextDeliveryAt(schedule, deps.now())?.toISOString() ?? null) : null,
    lastRun: last ? summaryOf(last) : null,
  };
}

function summaryOf({ id, status, reason, trigger, createdAt, finishedAt, recipientCount }: StoredRun): ShownRunSummary {
  return {
    id,
    status,
    reason: reason as RunReason | null,
    scheduledFor: trigger.scheduledAt,
    startedBy: trigger.actor,
    startedAt: createdAt,
    finishedAt,
    recipientCount,
  };
}

export function shownRun(
  { id: scheduleId }: ScheduleRecord,
  run: StoredRun,
  mails: readonly StoredScheduleMail[],
  members: ReadonlyMap<string, StoredMember>,
): ShownRun {
  const perRecipient = mails.map(({ userId, address, status, reason, cardCount, failedCardCount, ...mail }) => ({
    recipient: address ?? members.get(userId)?.email ?? userId,
    userId: address === undefined ? userId : null,
    ...{ status, reason: reason as SkipReason | null, cardCount, failedCardCount },
    ...{ bytes: mail.file?.bytes ?? 0, error: mail.error, sentAt: mail.sentAt },
  }));
  return { ...summaryOf(run), scheduleId, perRecipient };
}

/** The member among recipients. */
export const memberId = ({ userId, address }: DeliveryRecipient): string[] => (address === undefined ? [userId] : []);
