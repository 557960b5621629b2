import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { RichText } from '../../../data/rich-text/index.ts';
import { DAY_MS } from '../../../platform/schedule/durations.ts';
import { idAt, idFrom, newId } from '../../../platform/storage/ids.ts';
import type { Key } from '../../../platform/storage/keys.ts';
import { itemsBelow, queryItems } from '../../../platform/storage/query-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { refusedKey, revisionKey, type StoryPlace } from './keys.ts';
import { REVISION_DAYS } from './limits.ts';
import { pack, unpack } from './packed.ts';
import type { Revision, TitleRevision } from './records.ts';

/** A text of a section, or the title and the summary of the story. */
export type KeptText = (Omit<Revision, 'id' | 'at'> & { content: RichText }) | Omit<TitleRevision, 'id' | 'at'>;

/** The texts of a section by its id, or the titles of the story. */
type Area = string;
export const TITLES: Area = 'STORY';

const areaOf = (kept: KeptText): Area => ('sectionId' in kept ? kept.sectionId : TITLES);

/** Keeps a text for 30 days, in the transaction that overwrites it. */
export function revisionItem(table: Table, place: StoryPlace, kept: KeptText, at: Date): TransactItem {
  const id = revisionIdOf(kept, at);
  return { Put: putOf(table, revisionKey(place, areaOf(kept), id), { ...kept, id }, at) };
}

/** The id of a text that is kept when it is overwritten or removed. */
export const revisionIdOf = (kept: KeptText, at: Date): string =>
  idAt(at, 'story-revision', areaOf(kept), kept.reason, kept.by, kept.editSeq ?? 0, JSON.stringify(kept));

/**
 * Keeps a text that was refused, and returns the id of its revision. The next refused text of the person that is based
 * on the same `baseSeq` replaces it: autosaves repeat a text that grows, and there are no more bases than edits.
 */
export async function keepRefused(
  table: Table,
  place: StoryPlace,
  kept: KeptText,
  { baseSeq, at }: { baseSeq: number; at: Date },
): Promise<string> {
  const id = idFrom('story-revision', place.storyId, areaOf(kept), kept.by, baseSeq);
  await table.db.send(new PutCommand(putOf(table, refusedKey(place, areaOf(kept), kept.by, id), { ...kept, id }, at)));
  return id;
}

function putOf(table: Table, key: Key, kept: KeptText & { id: string }, at: Date) {
  return {
    TableName: table.name,
    Item: {
      ...kept,
      at: at.toISOString(),
      ...key,
      entity: 'story-revision',
      ...('content' in kept && { content: pack(kept.content) }),
      expiresAt: Math.floor((at.getTime() + REVISION_DAYS * DAY_MS) / 1000),
    },
  };
}

/** Where a page of kept texts ends: the time and the id of its last one. */
export interface RevisionPlace {
  at: string;
  id: string;
}

/**
 * A page of the kept texts of an area, most recent first: those that were overwritten or removed, and the refused ones
 * of the person.
 */
export async function listRevisions<Kept extends RevisionPlace = Revision>(
  table: Table,
  place: StoryPlace,
  { area, userId, limit, after }: { area: Area; userId: string; limit: number; after?: RevisionPlace | undefined },
): Promise<{ items: Kept[]; last: RevisionPlace | undefined }> {
  // No more than there are edits to be refused; see `keepRefused`.
  const refused = await Array.fromAsync(itemsBelow(table, refusedKey(place, area, userId, '')));
  const { pk } = revisionKey(place, area, '');
  // Ids begin with their instant; those of the instant where the page begins are looked at again.
  const newest = after ? `${newId(new Date(after.at)).slice(0, 'xxxxxxxx-xxxx'.length)}g` : 'g';
  const query = {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :oldest AND :newest',
    ExpressionAttributeValues: { ':pk': pk, ':oldest': `${area}#`, ':newest': `${area}#${newest}` },
    ScanIndexForward: false,
    ConsistentRead: true,
  };
  const isNext = (item: Record<string, unknown>) =>
    !isOver(table, item) && (!after || isBefore(item as unknown as RevisionPlace, after));
  const found = refused.filter(isNext);
  const most = found.length + limit + 1;
  for await (const item of queryItems(table, query)) {
    if (isNext(item)) found.push(item);
    if (found.length === most) break;
  }
  const items = found
    .map((item) => {
      const { content: _content, ...revision } = toRecord<Kept & { content?: Uint8Array }>(item);
      return revision as unknown as Kept;
    })
    .sort((a, b) => (isBefore(a, b) ? 1 : -1))
    .slice(0, limit);
  const end = items.at(-1);
  return { items, last: found.length > limit && end ? { at: end.at, id: end.id } : undefined };
}

/** Whether a kept text is older than another one; ids decide within an instant. */
const isBefore = (one: RevisionPlace, other: RevisionPlace): boolean =>
  one.at < other.at || (one.at === other.at && one.id < other.id);

/** A kept text; a refused one only for the person who wrote it. */
export async function findRevision(
  table: Table,
  place: StoryPlace,
  { sectionId, userId, revisionId }: { sectionId: string; userId: string; revisionId: string },
): Promise<(Revision & { content: RichText }) | undefined> {
  const keys = [revisionKey(place, sectionId, revisionId), refusedKey(place, sectionId, userId, revisionId)];
  const found = await Promise.all(
    keys.map((Key) => table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }))),
  );
  const item = found.find(({ Item }) => Item)?.Item;
  if (!item || isOver(table, item)) return undefined;
  const { content, ...revision } = toRecord<Revision & { content: Uint8Array }>(item);
  return { ...revision, content: unpack<RichText>(content) };
}

/** Whether the section was removed within the time that its texts are kept. */
export async function wasRemoved(table: Table, place: StoryPlace, sectionId: string): Promise<boolean> {
  for await (const item of itemsBelow(table, revisionKey(place, sectionId, ''), { newestFirst: true })) {
    if (item.reason === 'removed') return true;
  }
  return false;
}

/** The table removes expired items late. */
const isOver = (table: Table, item: Record<string, unknown>): boolean =>
  (item.expiresAt as number) * 1000 <= table.now().getTime();
