import type { Principal } from '../../../platform/auth/principal.ts';
import { inParallel } from '../../../platform/concurrency/in-parallel.ts';
import type { Table } from '../../../platform/storage/table.ts';
import {
  follows,
  type NotificationTexts,
  type OutsideReader,
  type StoredNotification,
} from '../../delivery/notifications/index.ts';
import type { Edge } from '../conditions/index.ts';
import { audienceOf, outsideOf } from '../recipients/index.ts';
import { type AlertNotice, type AlertRecord, alertNotices, alertRepository, sharesRows } from '../rules/index.ts';
import { openedFrom, type PersonalClass, showClass } from '../sources/index.ts';
import { isPublic } from './fired-event.ts';
import { noticeText } from './notice-text.ts';

const AT_ONCE = 8;

/** A notice as its reader may see it now. */
export interface ShownNotice {
  notice: AlertNotice;
  /** Whether values and groups are hidden, because the reader sees other rows now. */
  isHidden: boolean;
  text: string;
}

/** What errors say is about the rule, and no value of rows. */
const WITHOUT_ROWS: readonly Edge[] = ['error', 'error_over'];

/**
 * The notices of the notifications, by the id of the notification. Rights are those of now: a reader who loses the
 * source, or sees other rows than the class that was evaluated, sees that it fired and no value. Of an alert that no
 * longer exists there is none.
 */
export async function showNotices(
  table: Table,
  reader: Principal,
  notifications: readonly StoredNotification[],
): Promise<Map<string, ShownNotice>> {
  const { notices, known } = await noticesOf(table, reader, notifications);
  const classes = await classesOf(table, reader, known, [...notices.values()]);
  return new Map(
    notifications.flatMap(({ id, partId }) => {
      const notice = partId === null ? undefined : notices.get(partId);
      if (!notice || !known.has(notice.alertId)) return [];
      const own = classes.get(askedBy(notice));
      const isSame = own?.classKey === notice.classKey && own.lasting === notice.lasting;
      const isHidden = !isSame && !WITHOUT_ROWS.includes(notice.edge);
      return [[id, { notice, isHidden, text: noticeText(notice, isHidden) }] as const];
    }),
  );
}

/** What the notifications are about; the notices of a deleted alert may not be gone yet. */
async function noticesOf(
  table: Table,
  { workspaceId }: { workspaceId: string },
  notifications: readonly StoredNotification[],
): Promise<{ notices: ReadonlyMap<string, AlertNotice>; known: ReadonlyMap<string, AlertRecord> }> {
  const wanted = notifications.flatMap(({ subject, partId }) =>
    partId === null ? [] : [{ alertId: subject.id, noticeId: partId }],
  );
  const [notices, alerts] = await Promise.all([
    alertNotices(table).read(workspaceId, wanted),
    alertRepository(table).getMany(workspaceId, [...new Set(wanted.map(({ alertId }) => alertId))]),
  ]);
  return { notices, known: new Map(alerts.map((alert) => [alert.id, alert])) };
}

const askedBy = ({ alertId, condition }: AlertNotice): string => `${alertId} ${JSON.stringify(condition)}`;

/** The classes of the reader for what the notices are about: the conditions that were evaluated, not those of now. */
async function classesOf(
  table: Table,
  reader: Principal,
  known: ReadonlyMap<string, AlertRecord>,
  notices: readonly AlertNotice[],
): Promise<ReadonlyMap<string, PersonalClass>> {
  const deps = openedFrom(table);
  const asked = new Map(notices.map((notice) => [askedBy(notice), notice]));
  const classes = new Map<string, PersonalClass>();
  await inParallel(AT_ONCE, [...asked], async ([name, { alertId, condition }]) => {
    const alert = known.get(alertId);
    if (!alert) return;
    const isRecipient = sharesRows(alert) && (await audienceOf(table, reader, alert)).isRecipient;
    const own = await showClass(deps, { principal: reader, isRecipient }, { ...alert, condition });
    if (own) classes.set(name, own);
  });
  return classes;
}

/** What notifications of alerts say, for mails: nothing to those who have left the alert meanwhile. */
export const ALERT_TEXTS: NotificationTexts = {
  kinds: ['alert'],
  async read(table, reader, notifications) {
    const [shown, left] = await Promise.all([
      showNotices(table, reader, notifications),
      alertsLeft(table, reader, new Set(notifications.map(({ subject }) => subject.id))),
    ]);
    return new Map(
      notifications.flatMap(({ id, partId, text, subject }) => {
        const current = partId === null ? text : shown.get(id)?.text;
        return current == null || left.has(subject.id) ? [] : [[id, current] as const];
      }),
    );
  },
  readOutside: outsideTexts,
};

/** What an address that the alert still names gets, if everyone may still see it. */
async function outsideTexts(
  table: Table,
  { workspaceId, companyId, userId }: OutsideReader,
  notifications: readonly StoredNotification[],
): Promise<Map<string, string>> {
  const { notices, known } = await noticesOf(table, { workspaceId }, notifications);
  const texts = new Map<string, string>();
  await inParallel(AT_ONCE, notifications, async ({ id, partId }) => {
    const notice = notices.get(partId ?? '');
    const alert = notice && known.get(notice.alertId);
    if (!alert || !(await outsideOf(table, alert)).some((each) => each.userId === userId)) return;
    const { classKey, condition } = notice;
    const isSeen = await isPublic(openedFrom(table), { alert: { ...alert, condition }, companyId, classKey });
    if (isSeen) texts.set(id, noticeText(notice, false));
  });
  return texts;
}

/** The alerts among these that the person has left. */
async function alertsLeft(table: Table, reader: Principal, ids: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const left = new Set<string>();
  await inParallel(AT_ONCE, [...ids], async (id) => {
    const follow = (await follows(table).read([reader], { type: 'alert', id })).get(reader.userId);
    if (follow && follow.state !== 'following') left.add(id);
  });
  return left;
}
