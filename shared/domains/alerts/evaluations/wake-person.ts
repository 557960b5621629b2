import { idAt } from '../../../platform/storage/ids.ts';
import { notificationId, notify } from '../../delivery/notifications/index.ts';
import { groupOf, type Silenced, silencedWith } from '../conditions/index.ts';
import { resolveAudience } from '../recipients/index.ts';
import { type AlertNotice, type AlertRecord, alertNotices, type StoredClass } from '../rules/index.ts';
import { personOf } from './classes.ts';
import type { EvaluationDeps } from './deps.ts';
import { mailKindOf } from './notification-kinds.ts';
import { beginSummary, summaryWritten } from './personal-snoozes.ts';

interface Woken {
  alert: AlertRecord;
  companyId: string;
  userId: string;
}

/**
 * Notifies a person whose snooze is over of what happened meanwhile. May be repeated: what it sums up is stored first,
 * and the person has one notification of it. What the person would not see any more is left out.
 */
export async function wakePerson(deps: EvaluationDeps, { alert, companyId, userId }: Woken): Promise<void> {
  const { table } = deps;
  const summing = await beginSummary(table, alert, userId);
  if (!summing) return;
  const seen = summing.length > 0 ? await seenNotices(deps, { alert, companyId, userId }, summing) : undefined;
  if (seen && seen.notices.length > 0) await notifyOfSummary(deps, { alert, userId }, seen);
  const summed = seen?.notices.map(({ id, at }) => notificationId({ id, at: new Date(at) })) ?? [];
  await summaryWritten(table, alert, { userId, summing, summed });
}

interface Seen {
  /** Oldest first. */
  notices: AlertNotice[];
  isMailed: boolean;
  state: StoredClass | undefined;
}

/** Of these notices the ones about rows that the person sees now; undefined if they are not notified any more. */
async function seenNotices(
  { table, reading, states }: EvaluationDeps,
  { alert, companyId, userId }: Woken,
  noticeIds: readonly string[],
): Promise<Seen | undefined> {
  const { workspaceId, id: alertId } = alert;
  const { people, mailed } = await resolveAudience(table, alert);
  const person = people.has(userId) ? await personOf(reading, { alert, companyId, userId }) : undefined;
  if (!person) return undefined;
  const wanted = noticeIds.map((noticeId) => ({ alertId, noticeId }));
  const [found, state] = await Promise.all([
    alertNotices(table).read(workspaceId, wanted),
    states.read({ workspaceId, alertId }, person.key),
  ]);
  const condition = JSON.stringify(alert.condition);
  const notices = [...found.values()]
    .filter(({ classKey, lasting }) => classKey === person.key && lasting === person.lasting)
    .filter((notice) => JSON.stringify(notice.condition) === condition)
    .sort((one, other) => (one.at < other.at ? -1 : 1));
  return { notices, isMailed: mailed.has(userId), state };
}

async function notifyOfSummary(
  { table }: EvaluationDeps,
  { alert, userId }: { alert: AlertRecord; userId: string },
  { notices, isMailed, state }: Seen,
): Promise<void> {
  const { workspaceId, id: alertId, name, severity, apiUrl } = alert;
  const last = notices.at(-1)!;
  const at = new Date(last.at);
  const id = idAt(at, 'alert-woke', alertId, userId, last.id);
  const groups = new Set(notices.map(({ group }) => group));
  const group = groups.size === 1 ? last.group : '';
  // What was read as another class since is not shown as what the last notice is about.
  const isSame = state?.lasting === last.lasting && groups.size === 1;
  const now = state && isSame ? groupOf(state, group) : undefined;
  const notice: AlertNotice = {
    ...{ ...last, id, name, severity, group, edge: 'woke', error: null },
    ...{ state: now?.state ?? last.state, value: groups.size === 1 ? (now?.value ?? last.value) : null },
    silenced: silencedIn(notices),
  };
  if (!(await alertNotices(table).put(notice))) return;
  await notify(table, {
    ...{ workspaceId, subject: { type: 'alert', id: alertId }, partId: id, actorId: null, title: name, apiUrl },
    cause: { id, at },
    kind: mailKindOf(alert, isMailed),
    userIds: [userId],
  });
}

const silencedIn = (notices: readonly AlertNotice[]): Silenced =>
  notices.reduce<Silenced>(
    (before, { edge, silenced }) => {
      const { fires, recovers } = silencedWith(before, [edge]);
      return { fires: fires + (silenced?.fires ?? 0), recovers: recovers + (silenced?.recovers ?? 0) };
    },
    silencedWith(null, []),
  );
