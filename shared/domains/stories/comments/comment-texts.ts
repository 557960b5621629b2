import type { Principal } from '../../../platform/auth/principal.ts';
import { readItems } from '../../../platform/storage/read-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table } from '../../../platform/storage/table.ts';
import type { NotificationTexts, StoredNotification } from '../../delivery/notifications/index.ts';
import type { SubjectKind } from '../../tenancy/subjects/index.ts';
import { type CommentPlace, commentKey, locatorKey, threadKey } from './keys.ts';
import { COMMENT, MENTION, REPLY } from './kinds.ts';
import { plainText } from './mentions.ts';
import type { StoredComment, StoredThread } from './records.ts';
import { isVisible, type Parts, partsOf } from './visible.ts';

/** What comments say now. A deleted one, or one on a part that the reader does not see, has nothing to say. */
export const commentTexts = (kinds: readonly SubjectKind[]): NotificationTexts => ({
  kinds: [MENTION.name, REPLY.name, COMMENT.name],

  async read(table, reader, notifications) {
    const comments = await readComments(table, reader.workspaceId, notifications);
    const seen = new Map<string, ReturnType<typeof sightOf>>();
    const texts = new Map<string, string>();
    for (const { id, partId, subject } of notifications) {
      const found = comments.get(partId ?? '');
      if (!found?.comment.content) continue;
      const name = `${subject.type}#${subject.id}`;
      const sight = seen.get(name) ?? sightOf(table, kinds, reader, subject);
      seen.set(name, sight);
      const visible = await sight;
      if (visible && isVisible(found.thread, visible)) texts.set(id, plainText(found.comment.content));
    }
    return texts;
  },
});

async function sightOf(
  table: Table,
  kinds: readonly SubjectKind[],
  reader: Principal,
  { type, id }: StoredNotification['subject'],
): Promise<{ subject: { mayEdit: boolean }; parts: Parts; readerId: string } | undefined> {
  const kind = kinds.find((each) => each.type === type);
  const subject = await kind?.find(table, reader, id);
  if (!kind || !subject) return undefined;
  return { subject, parts: await partsOf(table, kind, reader, id), readerId: reader.userId };
}

async function readComments(
  table: Table,
  workspaceId: string,
  notifications: readonly StoredNotification[],
): Promise<Map<string, { comment: StoredComment; thread: StoredThread }>> {
  const ids = [...new Set(notifications.flatMap(({ partId }) => partId ?? []))];
  const locators = (await readItems(
    table,
    ids.map((id) => locatorKey(workspaceId, id)),
  )) as unknown as { sk: string; place: CommentPlace; threadId: string }[];
  const threadKeys = new Map(locators.map(({ place, threadId }) => [threadId, threadKey(place, threadId)] as const));
  const items = await readItems(table, [
    ...locators.map(({ sk, place, threadId }) => commentKey(place, threadId, sk)),
    ...threadKeys.values(),
  ]);
  const threads = new Map(
    items.filter(({ entity }) => entity === 'comment-thread').map((item) => [item.id, toRecord<StoredThread>(item)]),
  );
  return new Map(
    items
      .filter(({ entity }) => entity === 'comment')
      .map((item) => toRecord<StoredComment>(item))
      .flatMap((comment) => {
        const thread = threads.get(comment.threadId);
        return thread ? [[comment.id, { comment, thread }] as const] : [];
      }),
  );
}
