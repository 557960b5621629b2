import type { ChartSpec } from '../../../shared/domains/charts/index.ts';
import {
  DASHBOARDS,
  hasFilters,
  type RunReason,
  type ScheduleRecord,
  type ScheduleRepository,
  type SkipReason,
  type StopReason,
  type StoredScheduleMail,
} from '../../../shared/domains/dashboard-schedules/index.ts';
import type { DashboardState } from '../../../shared/domains/dashboards/index.ts';
import { editedDashboard, type NamedDashboard } from '../../../shared/domains/dashboards/index.ts';
import {
  type DeliveryRecipient,
  type DeliveryRuns,
  isStillMember,
  nextDeliveryAt,
  peopleOf,
  type ReportQueue,
  runByHand,
  type StoredRun,
  stopReason,
  type UnsubscribeTokens,
} from '../../../shared/domains/deliveries/index.ts';
import type { StoredMember, WorkspaceRecord } from '../../../shared/domains/workspaces/index.ts';
import { inParallel } from '../../../shared/platform/concurrency/in-parallel.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import type { TransactItem } from '../../../shared/platform/storage/table.ts';
import type { Schedule, ScheduleRun, ScheduleRunSummary } from '../schedule-schemas.ts';
import type { DashboardDeps } from './context.ts';

const READS_AT_ONCE = 8;

export interface ScheduleDeps extends Pick<DashboardDeps, 'table' | 'store' | 'dashboards' | 'now'> {
  schedules: ScheduleRepository;
  runs: DeliveryRuns<StoredScheduleMail>;
  /** All members of the workspace, to find them by address. */
  members(workspaceId: string): Promise<StoredMember[]>;
  membersOf(workspaceId: string, userIds: readonly string[]): Promise<ReadonlyMap<string, StoredMember>>;
  workspace(id: string): Promise<WorkspaceRecord | undefined>;
  /** Whether row-level security or sensitivity labels restrict what charts of the source read. */
  isProtectedSource(workspaceId: string, source: ChartSource): Promise<boolean>;
  /** Whether the deployment sends mail. */
  sendsMail: boolean;
  queue: ReportQueue;
  unsubscribe: UnsubscribeTokens;
  /** The entry of the audit log for a schedule that is sent by hand. */
  logSending(schedule: ScheduleRecord): Promise<TransactItem[]>;
}

type ChartSource = ChartSpec['query']['source'];

export type ScheduleNamed = NamedDashboard & { scheduleId: string };

interface Found {
  state: DashboardState;
  schedule: ScheduleRecord;
}

/** Throws `DASHBOARD_NOT_FOUND` and `DASHBOARD_SCHEDULE_NOT_FOUND`. */
export async function findSchedule(deps: ScheduleDeps, { scheduleId, ...named }: ScheduleNamed): Promise<Found> {
  const [state, schedule] = await Promise.all([
    editedDashboard(deps, named),
    deps.schedules.get(named.principal.workspaceId, scheduleId),
  ]);
  if (schedule?.dashboardId !== named.id) throw new AppError('DASHBOARD_SCHEDULE_NOT_FOUND');
  return { state, schedule };
}

export async function listSchedules(
  deps: ScheduleDeps,
  named: NamedDashboard,
): Promise<{ items: Schedule[]; total: number }> {
  const state = await editedDashboard(deps, named);
  const found = await deps.schedules.ofDashboard(named.principal.workspaceId, named.id);
  const items = new Map<string, Schedule>();
  await inParallel(READS_AT_ONCE, found, async (schedule) => {
    items.set(schedule.id, await showSchedule(deps, { state, schedule }));
  });
  return { items: found.map(({ id }) => items.get(id)!), total: found.length };
}

export async function listScheduleRuns(
  deps: ScheduleDeps,
  { limit, ...named }: ScheduleNamed & { limit: number },
): Promise<{ items: ScheduleRun[] }> {
  const { schedule } = await findSchedule(deps, named);
  const place = { workspaceId: schedule.workspaceId, deliveryId: schedule.id };
  const runs = await deps.runs.list(place, limit);
  const mails = new Map<string, StoredScheduleMail[]>();
  await inParallel(READS_AT_ONCE, runs, async ({ id: runId }) => {
    mails.set(runId, await deps.runs.mails({ ...place, runId }));
  });
  const userIds = [...mails.values()].flat().flatMap(memberId);
  const members = await deps.membersOf(schedule.workspaceId, [...new Set(userIds)]);
  return { items: runs.map((run) => shownRun(schedule, run, mails.get(run.id)!, members)) };
}

/** Starts a run. Throws `DASHBOARD_SCHEDULE_STOPPED`, `MAIL_NOT_CONFIGURED` or `RATE_LIMITED`. */
export async function runSchedule(
  deps: ScheduleDeps,
  { runId, ...named }: ScheduleNamed & { runId: string },
): Promise<ScheduleRun> {
  if (!deps.sendsMail) throw new AppError('MAIL_NOT_CONFIGURED');
  const { state, schedule } = await findSchedule(deps, named);
  const members = await deps.membersOf(schedule.workspaceId, peopleOf(schedule));
  if (reasonOf({ state, schedule }, members) !== null) throw new AppError('DASHBOARD_SCHEDULE_STOPPED');
  const { userId } = named.principal;
  const logged = await deps.logSending(schedule);
  const run = await runByHand({ ...deps, kind: DASHBOARDS }, schedule, { runId, userId, logged });
  return shownRun(schedule, run, [], members);
}

const memberId = ({ userId, address }: DeliveryRecipient): string[] => (address === undefined ? [userId] : []);

function reasonOf({ state, schedule }: Found, members: ReadonlyMap<string, StoredMember>): StopReason | null {
  const { pageId } = schedule;
  const isThere = pageId === null || state.pages.some(({ id }) => id === pageId);
  return (
    stopReason(schedule, members) ??
    (isThere ? (hasFilters(state, schedule) ? null : 'FILTER_DELETED') : 'PAGE_DELETED')
  );
}

export async function showSchedule(deps: ScheduleDeps, { state, schedule }: Found): Promise<Schedule> {
  const { workspaceId, id: deliveryId } = schedule;
  const [members, [last]] = await Promise.all([
    deps.membersOf(workspaceId, peopleOf(schedule)),
    deps.runs.list({ workspaceId, deliveryId }, 1),
  ]);
  const { owner, recipients, apiUrl: _apiUrl, cron: cronExpression, filters, ...shown } = schedule;
  const stop = reasonOf({ state, schedule }, members);
  const status = stop !== null ? 'stopped' : schedule.isActive ? 'active' : 'paused';
  return {
    ...shown,
    cronExpression,
    filters: [...filters],
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

function summaryOf({
  id,
  status,
  reason,
  trigger,
  createdAt,
  finishedAt,
  recipientCount,
}: StoredRun): ScheduleRunSummary {
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

function shownRun(
  { id: scheduleId }: ScheduleRecord,
  run: StoredRun,
  mails: readonly StoredScheduleMail[],
  members: ReadonlyMap<string, StoredMember>,
): ScheduleRun {
  const perRecipient = mails.map(({ userId, address, status, reason, cardCount, failedCardCount, ...mail }) => ({
    recipient: address ?? members.get(userId)?.email ?? userId,
    userId: address === undefined ? userId : null,
    ...{ status, reason: reason as SkipReason | null, cardCount, failedCardCount },
    ...{ bytes: mail.file?.bytes ?? 0, error: mail.error, sentAt: mail.sentAt },
  }));
  return { ...summaryOf(run), scheduleId, perRecipient };
}
