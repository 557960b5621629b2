import { type ShownNotice, showNotices } from '../../../../shared/domains/alerts/evaluations/index.ts';
import {
  type ListedNotifications,
  MAX_UNREAD,
  type NotificationReader,
  type PersonalNotification,
  type SeeSubject,
  type ShowDeps,
  type ShownNotification,
  showNotifications,
} from '../../../../shared/domains/delivery/notifications/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { Cursors } from '../../../../shared/platform/http/cursor.ts';
import type { Feed, FeedItem, FeedQuery, MarkRead, Unread } from './schemas.ts';

export interface FeedDeps extends ShowDeps {
  reader: NotificationReader;
  listed: ListedNotifications;
  cursors: Cursors;
  now(): Date;
}

const KIND = 'alert';

/** What the caller was notified of. Throws the codes of `Cursors.open`. */
export async function readFeed(
  deps: FeedDeps,
  principal: Principal,
  { limit, cursor, kinds }: FeedQuery,
): Promise<Feed> {
  if (principal.kind !== 'user') return { items: [], unread: 0, nextCursor: null };
  const { workspaceId, userId } = principal;
  const now = deps.now();
  const scope = { workspaceId, list: ['alert-feed', userId, kinds] };
  const place = cursor ? await deps.cursors.open(cursor, scope, now) : { after: undefined, asOf: now.toISOString() };
  const wanted = kinds === 'all' ? undefined : [KIND];
  const { items, last } = await deps.reader.list(principal, { limit, after: place.after, kinds: wanted });
  const shown = await showItems(deps, principal, items);
  await deps.listed.add(principal, { subjectType: kinds === 'all' ? null : KIND, items, at: now });
  return {
    items: shown,
    unread: await countUnread(deps, principal, kinds),
    nextCursor: last ? await deps.cursors.seal({ asOf: place.asOf, after: last }, scope, now) : null,
  };
}

/** Notifications of alerts stay when the alert has ended, without its values; others end with their object. */
async function showItems(
  deps: FeedDeps,
  principal: Principal,
  items: readonly PersonalNotification[],
): Promise<FeedItem[]> {
  const ofAlerts = items.filter(({ kind }) => kind === KIND);
  const others = items.filter(({ kind }) => kind !== KIND);
  const [notices, shown] = await Promise.all([
    showNotices(deps.table, principal, ofAlerts),
    showNotifications(deps, principal, others),
  ]);
  const byId = new Map(shown.map((each) => [each.id, each]));
  return items.flatMap((item) => {
    if (item.kind === KIND) return [alertItem(item, notices.get(item.id))];
    const other = byId.get(item.id);
    return other ? [otherItem(item, other)] : [];
  });
}

/** Without a notice it is about the alert as a whole, such as that it has stopped. */
function alertItem(item: PersonalNotification, shown: ShownNotice | undefined): FeedItem {
  const { id, text, causedAt: at, isUnread, subject } = item;
  const title = item.title ?? 'An alert';
  return {
    ...{ id, kind: KIND, isUnread, at, title, url: null, actor: null },
    text: shown?.text ?? text,
    subject: { ...subject, name: shown?.notice.name ?? title },
    alert: shown ? firedAlert(shown) : null,
  };
}

function firedAlert({ notice, isHidden }: ShownNotice): NonNullable<FeedItem['alert']> {
  const { alertId, name, severity, edge, state, value, group, condition, episodeId } = notice;
  const { operator, threshold } = condition;
  return {
    ...{ alertId, name, severity, edge, state, operator, ...(threshold !== undefined && { threshold }), episodeId },
    value: isHidden ? null : value,
    group: isHidden || group === '' ? null : group,
    isHidden,
  };
}

function otherItem({ isUnread }: PersonalNotification, shown: ShownNotification): FeedItem {
  const { id, kind, actor, subject, title, text, at } = shown;
  const { type, id: subjectId, name, path: url } = subject;
  return {
    ...{ id, kind, isUnread, at, title, text, url, actor, alert: null },
    subject: { type, id: subjectId, name },
  };
}

async function countUnread(
  { reader, see }: { reader: NotificationReader; see: SeeSubject },
  principal: Principal,
  kinds: FeedQuery['kinds'],
): Promise<number> {
  const unread = await reader.unread(principal);
  const others = unread.filter(({ subject }) => subject.type !== KIND);
  const count = unread.length - others.length;
  if (kinds === KIND) return count;
  const names = new Map(others.map(({ subject }) => [`${subject.type} ${subject.id}`, subject]));
  const seen = new Set<string>();
  await Promise.all(
    [...names].map(async ([name, subject]) => {
      if (await see(principal, subject)) seen.add(name);
    }),
  );
  return Math.min(MAX_UNREAD, count + others.filter(({ subject }) => seen.has(`${subject.type} ${subject.id}`)).length);
}

/** Throws `VALIDATION_FAILED` for both members at once. */
export async function markRead(deps: FeedDeps, principal: Principal, { upTo, ids }: MarkRead): Promise<Unread> {
  if (upTo !== undefined && ids !== undefined) {
    const errors = [{ pointer: '/ids', code: 'NOT_ALLOWED', message: 'cannot be combined with upTo' }];
    throw new AppError('VALIDATION_FAILED', { errors });
  }
  if (principal.kind !== 'user') return { unread: 0 };
  if (ids) await deps.reader.markRead(principal, ids);
  else await deps.listed.markRead(principal, upTo);
  return { unread: await countUnread(deps, principal, 'all') };
}
