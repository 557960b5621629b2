import { hasRows, queryOf, wantedCards } from '../../../shared/domains/cards/index.ts';
import { MAX_SCHEDULES, type ScheduleRecord } from '../../../shared/domains/dashboard-schedules/index.ts';
import type { DashboardState } from '../../../shared/domains/dashboards/index.ts';
import { editedDashboard, type NamedDashboard } from '../../../shared/domains/dashboards/index.ts';
import {
  type DeliveryPerson,
  type DeliveryRecipient,
  deliveryTimeIssues,
  isStillMember,
} from '../../../shared/domains/deliveries/index.ts';
import type { StoredMember, WorkspaceRecord } from '../../../shared/domains/workspaces/index.ts';
import { AppError, type Issue } from '../../../shared/platform/errors/app-error.ts';
import { failedConditions } from '../../../shared/platform/storage/collection.ts';
import { idFrom, later } from '../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../shared/platform/storage/on-newest.ts';
import { jsonBytes } from '../../../shared/platform/storage/page.ts';
import type { CreateSchedule, Schedule, UpdateSchedule } from '../schedule-schemas.ts';
import { findSchedule, type ScheduleDeps, type ScheduleNamed, showSchedule } from './find-schedule.ts';

/** Ensures that all schedules of a dashboard fit in one reply. */
const MAX_FILTER_BYTES = 16 * 1024;

/** Throws `DASHBOARD_SCHEDULE_NAME_TAKEN`, `TOO_MANY_SCHEDULES`, `MAIL_NOT_CONFIGURED`, or `VALIDATION_FAILED`. */
export async function createSchedule(
  deps: ScheduleDeps,
  command: NamedDashboard & { newId: string; schedule: CreateSchedule; apiUrl: string },
): Promise<Schedule> {
  if (!deps.sendsMail) throw new AppError('MAIL_NOT_CONFIGURED');
  const { principal, id: dashboardId, newId: id, schedule: given, apiUrl } = command;
  const { workspaceId, userId } = principal;
  const state = await editedDashboard(deps, command);
  const earlier = await deps.schedules.ofDashboard(workspaceId, dashboardId);
  if (earlier.filter((each) => each.id !== id).length >= MAX_SCHEDULES) throw new AppError('TOO_MANY_SCHEDULES');
  const { cronExpression: cron, ownerId = userId, recipients, ...members } = given;
  const people = await peopleOf(deps, workspaceId);
  const at = deps.now().toISOString();
  const owner = people.member(ownerId);
  const record: ScheduleRecord = {
    id,
    workspaceId,
    dashboardId,
    ...members,
    cron,
    owner: owner ?? { userId: ownerId },
    recipients: recipients ? people.recipients(recipients) : owner ? [owner] : [],
    apiUrl,
    createdBy: userId,
    updatedBy: userId,
    createdAt: at,
    updatedAt: at,
    revision: 1,
  };
  const issues = [...people.issues(recipients ?? []), ...ownerIssues(owner)];
  await assertValid(deps, { record, state, issues });
  const schedule = await stored(deps, record);
  return showSchedule(deps, { state, schedule });
}

/** Creates no schedule if the dashboard has been deleted in the meantime. */
async function stored(deps: ScheduleDeps, record: ScheduleRecord): Promise<ScheduleRecord> {
  try {
    return await deps.schedules.create(record, [deps.store.presentItem(record)]);
  } catch (cause) {
    throw failedConditions(cause).size > 0 ? new AppError('DASHBOARD_NOT_FOUND', { cause }) : cause;
  }
}

/** Throws the same codes, and `DASHBOARD_SCHEDULE_NOT_FOUND`. */
export function updateSchedule(
  deps: ScheduleDeps,
  { change, apiUrl, ...named }: ScheduleNamed & { change: UpdateSchedule; apiUrl: string },
): Promise<Schedule> {
  const { workspaceId, userId } = named.principal;
  return onNewest('STALE_WRITE', async () => {
    const { state, schedule: before } = await findSchedule(deps, named);
    const { cronExpression: cron = before.cron, ownerId, recipients, ...members } = change;
    const people = await peopleOf(deps, workspaceId);
    const owner = ownerId === undefined ? before.owner : people.member(ownerId);
    const next: ScheduleRecord = {
      ...before,
      ...members,
      cron,
      owner: owner ?? before.owner,
      // Drops members who have left the workspace since the last change.
      recipients: recipients ? people.recipients(recipients) : before.recipients.filter(people.isLeft),
      apiUrl,
      updatedBy: userId,
      updatedAt: later(before.updatedAt, deps.now()),
    };
    const isOtherPage = members.pageId !== undefined && members.pageId !== before.pageId;
    const issues = [...people.issues(recipients ?? []), ...ownerIssues(owner)];
    await assertValid(deps, {
      record: next,
      state,
      issues,
      keepsPage: !isOtherPage,
    });
    return showSchedule(deps, { state, schedule: await deps.schedules.replace(before, next) });
  });
}

/** Returns the schedule as it was. */
export async function deleteSchedule(deps: ScheduleDeps, named: ScheduleNamed): Promise<Schedule> {
  return onNewest('STALE_WRITE', async () => {
    const found = await findSchedule(deps, named);
    const shown = await showSchedule(deps, found);
    await deps.schedules.remove(found.schedule);
    return shown;
  });
}

/** The people who can own or receive schedules of the workspace. */
async function peopleOf(deps: ScheduleDeps, workspaceId: string) {
  const [members, workspace] = await Promise.all([deps.members(workspaceId), deps.workspace(workspaceId)]);
  const byEmail = new Map(members.map((member) => [member.email.toLowerCase(), member]));
  const byId = new Map(members.map((member) => [member.userId, member]));
  const find = (address: string) => recipientOf({ workspaceId, byEmail, workspace }, address.trim().toLowerCase());
  return {
    member: (userId: string): DeliveryPerson | undefined => personOf(byId.get(userId)),
    isLeft: (recipient: DeliveryRecipient) => recipient.address !== undefined || isStillMember(byId, recipient),
    /** Contains each recipient once, even if an address is given in two spellings. */
    recipients: (addresses: readonly string[]): DeliveryRecipient[] => [
      ...new Map(addresses.flatMap((each) => find(each) ?? []).map((each) => [each.userId, each])).values(),
    ],
    issues: (addresses: readonly string[]): Issue[] =>
      addresses.flatMap((address, index) => {
        if (find(address)) return [];
        const message = 'is neither a member of the workspace nor in one of its delivery domains (`deliveryDomains`)';
        return [{ pointer: `/recipients/${index}`, code: 'NOT_A_MEMBER', message }];
      }),
  };
}

const personOf = (member: StoredMember | undefined): DeliveryPerson | undefined =>
  member && { userId: member.userId, membershipId: member.membershipId };

function recipientOf(
  {
    workspaceId,
    byEmail,
    workspace,
  }: { workspaceId: string; byEmail: ReadonlyMap<string, StoredMember>; workspace: WorkspaceRecord | undefined },
  address: string,
): DeliveryRecipient | undefined {
  const member = byEmail.get(address);
  if (member) return personOf(member);
  const domain = address.slice(address.lastIndexOf('@') + 1);
  const isAllowed = workspace?.deliveryDomains?.includes(domain) ?? false;
  return isAllowed ? { userId: idFrom('delivery-address', workspaceId, address), address } : undefined;
}

const ownerIssues = (owner: DeliveryPerson | undefined): Issue[] =>
  owner ? [] : [{ pointer: '/ownerId', code: 'NOT_A_MEMBER', message: 'is not a member of the workspace' }];

interface Saved {
  record: ScheduleRecord;
  state: DashboardState;
  issues: readonly Issue[];
  /** An unchanged page may have been deleted since the last change. */
  keepsPage?: boolean;
}

async function assertValid(deps: ScheduleDeps, saved: Saved): Promise<void> {
  const { record, state, issues, keepsPage = false } = saved;
  const { pageId, recipients } = record;
  const isPage = keepsPage || pageId === null || state.pages.some(({ id }) => id === pageId);
  const errors: Issue[] = [
    ...deliveryTimeIssues(record, deps.now(), 'cronExpression'),
    ...issues,
    ...filterIssues(record, state),
    ...(isPage ? [] : [{ pointer: '/pageId', code: 'UNKNOWN', message: 'is not a page of the dashboard' }]),
  ];
  const outside = recipients.findIndex(({ address }) => address !== undefined);
  if (errors.length === 0 && outside >= 0 && (await isProtected(deps, saved))) {
    const message = 'is not a member: only members can receive tables with row-level security or sensitivity labels';
    errors.push({ pointer: `/recipients/${outside}`, code: 'ROW_RIGHTS', message });
  }
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
}

/** Whether row-level security or sensitivity labels restrict what the schedule sends. */
async function isProtected(deps: ScheduleDeps, { record, state }: Saved): Promise<boolean> {
  const { workspaceId, pageId } = record;
  const cards = state.pages.some(({ id }) => id === pageId) ? wantedCards(state, { pageId: pageId! }) : state.cards;
  for (const card of cards.filter(hasRows)) {
    if (await deps.isProtectedSource(workspaceId, queryOf(card).source)) return true;
  }
  return false;
}

function filterIssues({ filters: given }: ScheduleRecord, { filters }: DashboardState): Issue[] {
  if (jsonBytes(given) > MAX_FILTER_BYTES)
    return [{ pointer: '/filters', code: 'TOO_LARGE', message: 'must not exceed 16 KiB as JSON' }];
  const known = new Set(filters.map(({ id }) => id));
  return given.flatMap(({ filterId, fieldId }, index): Issue[] => {
    const pointer = `/filters/${index}`;
    if ((filterId === undefined) === (fieldId === undefined))
      return [{ pointer, code: 'REQUIRED', message: 'needs either `filterId` or `fieldId`' }];
    if (filterId === undefined || known.has(filterId)) return [];
    return [{ pointer: `${pointer}/filterId`, code: 'UNKNOWN', message: 'is not a filter of the dashboard' }];
  });
}
