import { inParallel } from '../../../platform/concurrency/in-parallel.ts';
import { idAt, idFrom } from '../../../platform/storage/ids.ts';
import type { TransactItem } from '../../../platform/storage/table.ts';
import {
  notificationId,
  notificationReader,
  notify,
  notifyAddresses,
  type OutsideAddress,
} from '../../delivery/notifications/index.ts';
import { outboxItem } from '../../events/events/index.ts';
import type { Edge } from '../conditions/index.ts';
import { type AlertAudience, outsideOf, resolveAudience } from '../recipients/index.ts';
import { type AlertRecord, alertNotices, type PendingEdge, type StoredClass, sharesRows } from '../rules/index.ts';
import { personOf } from './classes.ts';
import type { EvaluationDeps } from './deps.ts';
import { firedEvent } from './fired-event.ts';
import { mailKindOf } from './notification-kinds.ts';
import { isAsleep, keepForSummary, type PersonalSnooze, snoozesOf } from './personal-snoozes.ts';
import { isForOutside, sendToTargets } from './send-to-targets.ts';

const FOR_OWNER: readonly Edge[] = ['error', 'error_over', 'no_data', 'data_back'];
const AT_ONCE = 8;

interface Notified {
  alert: AlertRecord;
  companyId: string;
  state: StoredClass;
}

/** People of the class, and what the owner's membership says. */
interface Audience extends AlertAudience {
  ofClass: readonly string[];
}

/**
 * Notifies people of what was stored with the state. May be repeated, and run beside itself: each person has one
 * notification of an edge, and webhooks get one event, which is stored with the mark that the edge is done.
 */
export async function notifyOfEdges(deps: EvaluationDeps, { alert, companyId, state }: Notified): Promise<void> {
  // A worker that knows the present condition notifies of it.
  if (state.conditionVersion > alert.conditionVersion) return;
  const audience = await resolveAudience(deps.table, alert);
  const found = { ...audience, ofClass: await ofClass(deps, { alert, companyId, audience, classKey: state.classKey }) };
  let left: StoredClass | undefined = state;
  // Who sees what the condition of before has read is not known any more: its edges end in silence.
  while (left && left.pending.length > 0 && left.conditionVersion < alert.conditionVersion)
    left = await deps.states.notified(left, left.notices, []);
  while (left && left.pending.length > 0) {
    const [edge] = left.pending;
    const notices = await notifyOfEdge(deps, { alert, companyId, state: left }, edge!, found);
    if (!notices) return;
    left = await deps.states.notified(left, notices, await eventItems(deps, { alert, companyId }, left, edge!));
  }
}

/** Those who see what this class sees. */
async function ofClass(
  deps: EvaluationDeps,
  {
    alert,
    companyId,
    audience,
    classKey,
  }: { alert: AlertRecord; companyId: string; audience: AlertAudience; classKey: string },
): Promise<string[]> {
  const same: string[] = [];
  await inParallel(AT_ONCE, [...audience.people.keys()], async (userId) => {
    const person = await personOf(deps.reading, { alert, companyId, userId });
    if (person?.key === classKey) same.push(userId);
  });
  return same;
}

const noticeId = ({ id }: AlertRecord, classKey: string, { group, edge, at }: PendingEdge): string =>
  // Errors are the owner's, whichever class they come from.
  idAt(new Date(at), 'alert', id, FOR_OWNER.includes(edge) ? '' : classKey, group, edge);

/** The notices of current episodes afterwards; undefined if the rule was deleted. */
async function notifyOfEdge(
  deps: EvaluationDeps,
  { alert, companyId, state: { classKey, notices } }: Notified,
  pending: PendingEdge,
  audience: Audience,
): Promise<StoredClass['notices'] | undefined> {
  const { table } = deps;
  const { group, edge, at, state, value, error, episodeId, lasting, silenced } = pending;
  const { workspaceId, id: alertId, name, severity, condition, apiUrl } = alert;
  const id = noticeId(alert, classKey, pending);
  const rowsOf = sharesRows(alert) ? (audience.owner?.name ?? null) : null;
  const earlier = Object.hasOwn(notices, group) ? notices[group]! : [];
  const { awake, asleep } = await receiversOf(table, alert, { pending, audience, earlier });
  const isSent = await isForOutside(deps, { alert, companyId, classKey, pending });
  if (isSent || awake.length + asleep.length > 0) {
    const content = { name, severity, condition, group, edge, state, value, error, episodeId, silenced, rowsOf, at };
    const notice = { id, workspaceId, alertId, classKey, lasting, ...content };
    if (!(await alertNotices(table).put(notice))) return undefined;
    if (isSent) await sendToTargets(deps, alert, id);
    const userIds = [...awake, ...(await keepForSummary(table, alert, asleep, { noticeId: id, at }))];
    const notification = {
      workspaceId,
      cause: { id, at: new Date(at) },
      subject: { type: 'alert', id: alertId },
      partId: id,
      actorId: null,
      title: name,
      apiUrl,
    };
    const isMailed = (userId: string) => audience.mailed.has(userId);
    for (const [kind, receivers] of [
      [mailKindOf(alert, true), userIds.filter(isMailed)],
      [mailKindOf(alert, false), userIds.filter((userId) => !isMailed(userId))],
    ] as const)
      await notify(table, { ...notification, kind, userIds: receivers });
    const addresses = isSent ? await outsideReceivers(table, alert, { edge, earlier }) : [];
    await notifyAddresses(table, { ...notification, kind: mailKindOf(alert, true), addresses });
  }
  if (edge === 'recover') return without(notices, group);
  if (edge !== 'fire' && edge !== 'repeat' && edge !== 'woke') return notices;
  const notification = notificationId({ id, at: new Date(at) });
  return { ...notices, [group]: [...new Set([earlier[0] ?? notification, notification])] };
}

function without(notices: StoredClass['notices'], group: string): StoredClass['notices'] {
  const { [group]: _over, ...others } = notices;
  return others;
}

/** Those to notify now, and those who are to get a summary after their snooze. */
interface Receivers {
  awake: string[];
  asleep: PersonalSnooze[];
}

async function receiversOf(
  table: EvaluationDeps['table'],
  alert: AlertRecord,
  { pending, audience, earlier }: { pending: PendingEdge; audience: Audience; earlier: readonly string[] },
): Promise<Receivers> {
  const { edge, at, isOwners } = pending;
  if (FOR_OWNER.includes(edge)) return { awake: isOwners && audience.owner ? [audience.owner.userId] : [], asleep: [] };
  if (edge === 'recover' && !alert.notifyOnRecover) return { awake: [], asleep: [] };
  const snoozes = await snoozesOf(table, alert, audience.ofClass);
  const asleep = [...snoozes.values()].filter((snooze) => isAsleep(snooze, at));
  const awake = audience.ofClass.filter((userId) => !isAsleep(snoozes.get(userId), at));
  if (edge !== 'recover') return { awake, asleep };
  return { awake: await notifiedAmong(table, alert, awake, { audience, earlier, snoozes }), asleep };
}

/**
 * Those who were notified of the firing, or had a summary with it: the others would learn that something is over of
 * which they never heard.
 */
async function notifiedAmong(
  table: EvaluationDeps['table'],
  { workspaceId }: AlertRecord,
  userIds: readonly string[],
  {
    audience,
    earlier,
    snoozes,
  }: { audience: Audience; earlier: readonly string[]; snoozes: ReadonlyMap<string, PersonalSnooze> },
): Promise<string[]> {
  const reader = notificationReader(table);
  const notified: string[] = [];
  await inParallel(AT_ONCE, userIds, async (userId) => {
    if (snoozes.get(userId)?.summed?.some((id) => earlier.includes(id))) {
      notified.push(userId);
      return;
    }
    const { membershipId } = audience.people.get(userId)!;
    const found = await reader.getMany({ workspaceId, userId, membershipId }, earlier);
    if (found.length > 0) notified.push(userId);
  });
  return notified;
}

/** The addresses outside the workspace to notify. */
async function outsideReceivers(
  table: EvaluationDeps['table'],
  alert: AlertRecord,
  { edge, earlier }: { edge: Edge; earlier: readonly string[] },
): Promise<OutsideAddress[]> {
  const all = await outsideOf(table, alert);
  if (edge !== 'recover') return all;
  const { workspaceId } = alert;
  const reader = notificationReader(table);
  const found = await Promise.all(all.map(({ userId }) => reader.getMany({ workspaceId, userId }, earlier)));
  return all.filter((_each, at) => found[at]!.length > 0);
}

/** One event for each edge of what the owner sees. */
async function eventItems(
  deps: EvaluationDeps,
  { alert, companyId }: { alert: AlertRecord; companyId: string },
  { classKey }: StoredClass,
  pending: PendingEdge,
): Promise<TransactItem[]> {
  const { edge, group, at, isOwners } = pending;
  if (!isOwners || !alert.channels.event) return [];
  if (edge !== 'fire' && !(edge === 'recover' && alert.notifyOnRecover)) return [];
  const data = await firedEvent(deps, { alert, companyId, classKey }, pending);
  const event = 'alert.fired' as const;
  const id = idFrom(event, alert.id, alert.conditionVersion, group, edge, at);
  return [outboxItem(deps.table, { id, workspaceId: alert.workspaceId, event, data, at: new Date(at) })];
}
