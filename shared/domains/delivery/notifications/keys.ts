import { type Key, workspaceKey } from '../../../platform/storage/keys.ts';
import type { MailTiming, NotifiedPerson, SubjectRef } from './records.ts';

/** A person who left and came back is another owner, and so has none of the notifications of before. */
const ownerOf = ({ userId, membershipId = '' }: NotifiedPerson): string => `${userId}#${membershipId}`;

/** Ids begin with the instant of the cause, so that they sort by time. */
export const notificationKey = (person: NotifiedPerson, id: string): Key =>
  workspaceKey(person.workspaceId, `NOTIFICATION#${ownerOf(person)}`, id);

/** Exists while the notification is unread. */
export const unreadKey = (person: NotifiedPerson, mark: string): Key =>
  workspaceKey(person.workspaceId, `UNREAD#${ownerOf(person)}`, mark);

/** The urgent mails that the person got of late, by the type of their subjects. */
export const mailCountKey = (person: NotifiedPerson, type: string): Key =>
  workspaceKey(person.workspaceId, `MAIL-COUNT#${ownerOf(person)}`, type);

/** What lists have shown to the person, by the type of subjects. */
export const listedKey = (person: NotifiedPerson, of: string): Key =>
  workspaceKey(person.workspaceId, `LISTED#${ownerOf(person)}`, of);

/** Marks of one batch stand together, so that a mail lists the batch with one query. */
export const markOf = (of: { subject: SubjectRef; timing: MailTiming; batchId: string; id: string }): string =>
  `${batchMark(of)}${of.id}`;

export const batchMark = ({
  subject: { type, id },
  timing,
  batchId,
}: {
  subject: SubjectRef;
  timing: MailTiming;
  batchId: string;
}): string => `${type}#${id}#${timing}#${batchId}#`;

/** The subject and the id of the notification that a mark names. */
export function readMark(mark: string): { subject: SubjectRef; id: string } {
  const [type, subjectId, , , id] = mark.split('#') as [string, string, string, string, string];
  return { subject: { type, id: subjectId }, id };
}

export const batchKey = (person: NotifiedPerson, { type, id }: SubjectRef, timing: MailTiming | ''): Key =>
  workspaceKey(person.workspaceId, `MAIL-BATCH#${ownerOf(person)}`, `${type}#${id}#${timing}`);

export const batchPartition = (person: NotifiedPerson): Key =>
  workspaceKey(person.workspaceId, `MAIL-BATCH#${ownerOf(person)}`, '');

export const followKey = (workspaceId: string, { type, id }: SubjectRef, userId: string): Key =>
  workspaceKey(workspaceId, `FOLLOW#${type}#${id}`, userId);

export const announcementKey = (workspaceId: string, causeId: string): Key =>
  workspaceKey(workspaceId, 'ANNOUNCEMENT', causeId);
