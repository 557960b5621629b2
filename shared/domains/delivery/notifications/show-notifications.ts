import type { Principal } from '../../../platform/auth/principal.ts';
import type { Table } from '../../../platform/storage/table.ts';
import type { Subject } from '../../tenancy/subjects/index.ts';
import { readMembers } from '../../tenancy/workspaces/index.ts';
import type { NotificationReader, PersonalNotification } from './reader.ts';
import type { StoredNotification, SubjectRef } from './records.ts';

/**
 * Kinds whose texts are read anew, because what they say may change, end or be protected. Registered by their domain.
 */
export interface NotificationTexts {
  kinds: readonly string[];
  /** The texts for the reader by the id of the notification; one without a text is about something that has ended. */
  read(table: Table, reader: Principal, notifications: readonly StoredNotification[]): Promise<Map<string, string>>;
  /** The same for an address outside the workspace; absent for kinds that are for members alone. */
  readOutside?(
    table: Table,
    reader: OutsideReader,
    notifications: readonly StoredNotification[],
  ): Promise<Map<string, string>>;
}

/** A reader at an address outside the workspace. */
export interface OutsideReader {
  workspaceId: string;
  companyId: string;
  /** Made from the address. */
  userId: string;
}

/** The subject as the reader sees it; undefined if it does not exist for them. */
export type SeeSubject = (reader: Principal, subject: SubjectRef) => Promise<Subject | undefined>;

export interface ShownNotification {
  id: string;
  kind: string;
  phrase: string;
  /** The name is null for a person who has left. */
  actor: { id: string; name: string | null } | null;
  subject: Pick<Subject, 'type' | 'id' | 'name' | 'path'>;
  partId: string | null;
  /** What happened, with the name of the subject that the reader knows. */
  title: string;
  text: string | null;
  at: string;
}

export interface ShowDeps {
  table: Table;
  see: SeeSubject;
  texts: readonly NotificationTexts[];
}

/** The notifications that the reader may see now, in their order: access that has ended ends them too. */
export async function showNotifications(
  { table, see, texts }: ShowDeps,
  reader: Principal,
  notifications: readonly StoredNotification[],
): Promise<ShownNotification[]> {
  const [subjects, names, current] = await Promise.all([
    seenSubjects(see, reader, notifications),
    readMembers(
      table,
      reader.workspaceId,
      notifications.flatMap(({ actorId }) => actorId ?? []),
    ),
    Promise.all(
      texts.map(async ({ kinds, read }) => {
        const own = notifications.filter(({ kind }) => kinds.includes(kind));
        return own.length > 0 ? read(table, reader, own) : new Map<string, string>();
      }),
    ),
  ]);
  const textOf = new Map(current.flatMap((each) => [...each]));
  return notifications.flatMap((notification) => {
    const { id, kind, phrase, actorId, partId, causedAt: at } = notification;
    const subject = subjects.get(nameOf(notification.subject));
    const isCurrent = texts.some(({ kinds }) => kinds.includes(kind));
    const text = isCurrent ? textOf.get(id) : notification.text;
    if (!subject || text === undefined) return [];
    const { type, id: subjectId, name, path } = subject;
    const actor = actorId === null ? null : { id: actorId, name: names.get(actorId)?.name ?? null };
    const title = actor ? `${sentenceOf({ actor, phrase })}: ${name}` : (notification.title ?? name);
    return { id, kind, phrase, actor, subject: { type, id: subjectId, name, path }, partId, title, text, at };
  });
}

/** The same for an address outside the workspace: what its kinds have a text for. */
export async function showOutside(
  { table, texts }: Pick<ShowDeps, 'table' | 'texts'>,
  reader: OutsideReader,
  notifications: readonly StoredNotification[],
): Promise<ShownNotification[]> {
  const found = await Promise.all(
    texts.map(async ({ kinds, readOutside }) => {
      const own = notifications.filter(({ kind }) => kinds.includes(kind));
      return own.length > 0 && readOutside ? readOutside(table, reader, own) : new Map<string, string>();
    }),
  );
  const textOf = new Map(found.flatMap((each) => [...each]));
  return notifications.flatMap(({ id, kind, phrase, subject, partId, title, causedAt: at }) => {
    const text = textOf.get(id);
    const name = title ?? '';
    if (text === undefined) return [];
    return [
      { id, kind, phrase, actor: null, subject: { ...subject, name, path: null }, partId, title: name, text, at },
    ];
  });
}

/** A person who has left the workspace has no name there. */
export const sentenceOf = ({ actor, phrase }: { actor: { name: string | null }; phrase: string }): string =>
  `${actor.name ?? 'A former member'} ${phrase}`;

const nameOf = ({ type, id }: SubjectRef): string => `${type}#${id}`;

async function seenSubjects(
  see: SeeSubject,
  reader: Principal,
  about: readonly { subject: SubjectRef }[],
): Promise<Map<string, Subject>> {
  const wanted = new Map(about.map(({ subject }) => [nameOf(subject), subject]));
  const seen = await Promise.all(
    [...wanted].map(async ([name, subject]) => [name, await see(reader, subject)] as const),
  );
  return new Map(seen.flatMap(([name, subject]) => (subject ? [[name, subject] as const] : [])));
}

/** A page of what the reader may see, with whether each is unread. */
export async function listShown(
  deps: ShowDeps & { reader: NotificationReader },
  principal: Principal,
  page: Parameters<NotificationReader['list']>[1],
): Promise<{ items: (ShownNotification & Pick<PersonalNotification, 'isUnread'>)[]; last: string | undefined }> {
  const { items, last } = await deps.reader.list(principal, page);
  const unread = new Set(items.filter(({ isUnread }) => isUnread).map(({ id }) => id));
  const shown = await showNotifications(deps, principal, items);
  return { items: shown.map((each) => ({ ...each, isUnread: unread.has(each.id) })), last };
}

/** How many unread notifications the reader may see, up to `MAX_UNREAD`. */
export async function countUnread(
  deps: ShowDeps & { reader: NotificationReader },
  principal: Principal,
): Promise<number> {
  const unread = await deps.reader.unread(principal);
  const stored = await deps.reader.getMany(
    principal,
    unread.map(({ id }) => id),
  );
  return (await showNotifications(deps, principal, stored)).length;
}
