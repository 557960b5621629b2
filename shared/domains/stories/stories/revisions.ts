import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { RichText } from '../../../data/rich-text/index.ts';
import { DAY_MS } from '../../../platform/schedule/durations.ts';
import { idAt, idFrom } from '../../../platform/storage/ids.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { revisionKey, type StoryPlace } from './keys.ts';
import { REVISION_DAYS } from './limits.ts';
import { pack, unpack } from './packed.ts';
import type { Revision } from './records.ts';

export interface KeptText extends Omit<Revision, 'id' | 'at'> {
  content: RichText;
}

/** The id of a text that is kept: the same when the same text is refused again. */
export function revisionIdOf({ sectionId, reason, by, title, editSeq, content }: KeptText, at: Date): string {
  const words = [sectionId, reason, by, title ?? '', editSeq ?? 0, JSON.stringify(content)];
  return reason === 'refused' ? idFrom('story-revision', ...words) : idAt(at, 'story-revision', ...words);
}

/** Keeps a text for 30 days, in the transaction that overwrites it. */
export function revisionItem(table: Table, place: StoryPlace, kept: KeptText, at: Date): TransactItem {
  return { Put: putOf(table, place, kept, at) };
}

/** Keeps a text that was refused, and returns the id of its revision. */
export async function keepRefused(table: Table, place: StoryPlace, kept: KeptText, at: Date): Promise<string> {
  await table.db.send(new PutCommand(putOf(table, place, kept, at)));
  return revisionIdOf(kept, at);
}

function putOf(table: Table, place: StoryPlace, kept: KeptText, at: Date) {
  const { content, ...about } = kept;
  const id = revisionIdOf(kept, at);
  return {
    TableName: table.name,
    Item: {
      ...about,
      id,
      at: at.toISOString(),
      ...revisionKey(place, kept.sectionId, id),
      entity: 'story-revision',
      content: pack(content),
      expiresAt: Math.floor((at.getTime() + REVISION_DAYS * DAY_MS) / 1000),
    },
  };
}

/** The kept texts of a section, most recent first. */
export async function listRevisions(table: Table, place: StoryPlace, sectionId: string): Promise<Revision[]> {
  const items = await Array.fromAsync(itemsBelow(table, revisionKey(place, sectionId, '')));
  return items
    .filter((item) => !isOver(table, item))
    .map((item) => {
      const { content: _content, ...revision } = toRecord<Revision & { content: Uint8Array }>(item);
      return revision;
    })
    .sort((a, b) => (a.at < b.at ? 1 : -1));
}

export async function findRevision(
  table: Table,
  place: StoryPlace,
  { sectionId, revisionId }: { sectionId: string; revisionId: string },
): Promise<(Revision & { content: RichText }) | undefined> {
  const Key = revisionKey(place, sectionId, revisionId);
  const { Item } = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  if (!Item || isOver(table, Item)) return undefined;
  const { content, ...revision } = toRecord<Revision & { content: Uint8Array }>(Item);
  return { ...revision, content: unpack<RichText>(content) };
}

/** The table removes expired items late. */
const isOver = (table: Table, item: Record<string, unknown>): boolean =>
  (item.expiresAt as number) * 1000 <= table.now().getTime();
