import type { GroupState } from '../../../../shared/domains/alerts/conditions/index.ts';
import {
  audienceOf,
  type GroupsOnce,
  groupsOnce,
  isNamed,
} from '../../../../shared/domains/alerts/recipients/index.ts';
import { type AlertRecord, nextEvaluationAt, type StoredClass } from '../../../../shared/domains/alerts/rules/index.ts';
import { showClass } from '../../../../shared/domains/alerts/sources/index.ts';
import { showTarget } from '../../../../shared/domains/boards/delivery-schedules/index.ts';
import { readerOnce } from '../../../../shared/domains/semantics/row-rights/index.ts';
import { isPermitted } from '../../../../shared/platform/auth/permissions.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { inParallel } from '../../../../shared/platform/concurrency/in-parallel.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { PageOf } from '../../../../shared/platform/storage/page.ts';
import type { Alert, AlertListQuery } from '../schemas.ts';
import type { AlertDeps } from './context.ts';

const AT_ONCE = 8;

export interface Named {
  principal: Principal;
  id: string;
}

/** Whether the caller's role lets them see and change the alerts of others. */
export const managesAlerts = (principal: Principal): boolean => isPermitted('alerts:manage', principal);

/** Throws `ALERT_NOT_FOUND`, also if the caller may not see it. */
export async function findAlert({ alerts, table }: AlertDeps, { principal, id }: Named): Promise<AlertRecord> {
  const alert = await alerts.get(principal.workspaceId, id);
  if (!alert || !(await isSeen(table, principal, alert))) throw new AppError('ALERT_NOT_FOUND');
  return alert;
}

const isSeen = async (
  table: AlertDeps['table'],
  principal: Principal,
  alert: AlertRecord,
  groups?: GroupsOnce,
): Promise<boolean> =>
  isPermitted('alerts:manage', { ...principal, scope: null }) || isNamed(table, principal, alert, groups);

export const mayEditAlert = (principal: Principal, { owner }: AlertRecord): boolean =>
  managesAlerts(principal) ||
  (principal.kind === 'user' && owner.userId === principal.userId && owner.membershipId === principal.membershipId);

/** The same for an alert that the caller wants to change: also `FORBIDDEN`. */
export async function findToChange(deps: AlertDeps, named: Named): Promise<AlertRecord> {
  const alert = await findAlert(deps, named);
  if (!mayEditAlert(named.principal, alert))
    throw new AppError('FORBIDDEN', { detail: 'Only editors and the owner of an alert can change it.' });
  return alert;
}

/** Filtered by reading the records: a workspace has few alerts. */
export async function listAlerts(
  deps: AlertDeps,
  principal: Principal,
  { limit, offset, name, dashboardId }: AlertListQuery,
): Promise<PageOf<Alert>> {
  const all = await deps.alerts.readAll(principal.workspaceId);
  const wanted = all.filter(
    (alert) =>
      (name === undefined || alert.name === name) && (dashboardId === undefined || dashboardOf(alert) === dashboardId),
  );
  const known = knownOf(deps, principal);
  const isShown = new Map<AlertRecord, boolean>();
  await inParallel(AT_ONCE, wanted, async (alert) => {
    isShown.set(alert, await isSeen(deps.table, principal, alert, known.groups));
  });
  const seen = wanted.filter((alert) => isShown.get(alert));
  const page = seen.slice(offset, offset + limit);
  const shown = new Map<AlertRecord, Alert>();
  await inParallel(AT_ONCE, page, async (alert) => {
    shown.set(alert, await showAlert(deps, principal, alert, known));
  });
  return { items: page.map((alert) => shown.get(alert)!), total: seen.length, limit, offset };
}

const dashboardOf = ({ condition }: AlertRecord): string | undefined =>
  condition.kind === 'field' ? condition.source.dashboardId : undefined;

export async function getAlert(deps: AlertDeps, named: Named): Promise<Alert> {
  return showAlert(deps, named.principal, await findAlert(deps, named));
}

/** What is read of the caller once for all alerts. */
const knownOf = ({ table }: AlertDeps, principal: Principal) => ({
  groups: groupsOnce(table, principal),
  reader: readerOnce(table, principal),
});

/** The alert with the state for what the caller may see. */
export async function showAlert(
  deps: AlertDeps,
  principal: Principal,
  alert: AlertRecord,
  { groups, reader } = knownOf(deps, principal),
): Promise<Alert> {
  const { workspaceId, id } = alert;
  const { isRecipient } = await audienceOf(deps.table, principal, alert, groups);
  const own = await showClass(deps, { principal, isRecipient }, alert, reader);
  const stored = own && (await deps.states.read({ workspaceId, alertId: id }, own.classKey));
  return describeAlert(alert, {
    principal,
    isRecipient,
    stored: stored?.conditionVersion === alert.conditionVersion ? stored : undefined,
    isHidden: stored?.lasting !== own?.lasting,
    now: deps.now(),
  });
}

function describeAlert(
  alert: AlertRecord,
  {
    principal,
    isRecipient,
    stored,
    isHidden,
    now,
  }: {
    principal: Principal;
    isRecipient: boolean;
    stored: StoredClass | undefined;
    isHidden: boolean;
    now: Date;
  },
): Alert {
  const {
    owner,
    targets = [],
    channels,
    memberships: _m,
    conditionVersion: _v,
    apiUrl: _u,
    sharedSource: _s,
    snoozedUntil,
    stopReason,
    ...shown
  } = alert;
  const status = stopReason !== null ? 'stopped' : alert.isActive ? 'active' : 'paused';
  const next = nextEvaluationAt(alert, now);
  const mayEdit = mayEditAlert(principal, alert);
  return {
    ...shown,
    channels: mayEdit ? { ...channels, targets: targets.map(showTarget) } : withoutAddresses(channels),
    ownerId: owner.userId,
    // A snooze that has passed is over.
    snoozedUntil: snoozedUntil !== null && snoozedUntil > now.toISOString() ? snoozedUntil : null,
    status,
    stopReason,
    nextAt: next?.toISOString() ?? null,
    isRecipient,
    mayEdit,
    evaluatedAt: stored?.evaluatedAt ?? null,
    ...(stored && { ...showStates(alert, stored, isHidden), isHidden }),
  };
}

function withoutAddresses({ email, ...channels }: AlertRecord['channels']): AlertRecord['channels'] {
  if (!email) return channels;
  const { addresses: _addresses, ...members } = email;
  return { ...channels, email: members };
}

const isGrouped = ({ condition }: AlertRecord): boolean => condition.by !== undefined;

const WORST = ['triggered', 'recovering', 'pending', 'ok', 'unknown'] as const;

/** Of several groups the worst state, with its value. Without values, no groups are named either. */
function showStates(alert: AlertRecord, { groups }: StoredClass, isHidden: boolean): Partial<Alert> {
  const all = Object.entries(groups).map(([group, state]) => ({ group, ...showState(state, isHidden) }));
  const worst = WORST.map((state) => all.find((each) => each.state === state)).find((each) => each !== undefined);
  if (!worst) return {};
  const { group: _group, ...whole } = worst;
  if (!isGrouped(alert)) return whole;
  return { ...whole, groups: isHidden ? [] : all.filter(({ group }) => group !== '') };
}

const showState = ({ state, health, healthSince, error, value, episode }: GroupState, isHidden: boolean) => ({
  ...{ state, health, healthSince, error, lastValue: isHidden ? null : value, firedAt: episode?.firedAt ?? null },
});
