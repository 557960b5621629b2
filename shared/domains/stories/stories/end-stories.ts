import type { CleanUp } from '../../../platform/storage/clean-ups.ts';
import { deleteItems } from '../../../platform/storage/delete-items.ts';
import type { Key } from '../../../platform/storage/keys.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { purgeAt } from '../../boards/dashboards/index.ts';
import { endGrantsOn } from '../../tenancy/grants/index.ts';
import { endSubject } from '../comments/index.ts';
import { allActivity, allPresence, allRevisions, allTexts, allVersions, storyKey } from './keys.ts';
import { storyRepository } from './repository.ts';

/**
 * Removes a story that was deleted 30 days ago, with all that belongs to it. Returns false if anything is left once
 * `isOver` is true.
 */
async function endStory(
  table: Table,
  place: { workspaceId: string; storyId: string },
  isOver: () => boolean,
): Promise<boolean> {
  const { workspaceId, storyId: objectId } = place;
  const stories = storyRepository(table);
  const record = await stories.get(workspaceId, objectId);
  if (record) {
    if (record.deletedAt === null) return true;
    if (purgeAt(record.deletedAt) > table.now()) return false;
    // The record goes first: what is left then belongs to nothing.
    await stories.remove(record, 'STALE_WRITE');
  }
  const areas = [
    storyKey(place, ''),
    ...[allTexts, allRevisions, allActivity, allPresence, allVersions].map((keyOf) => keyOf(place)),
  ];
  for (const area of areas) {
    const keys = await Array.fromAsync(
      itemsBelow(table, area),
      ({ pk, sk }): Key => ({ pk: pk as string, sk: sk as string }),
    );
    if (!(await deleteItems(table, keys, isOver))) return false;
  }
  return endGrantsOn(table, { workspaceId, objectType: 'story', objectId }, isOver);
}

/** A story that was deleted 30 days ago, or whose creation has left sections behind. */
export type EndedStory = { kind: 'story'; workspaceId: string; storyId: string };

export const storyCleanUps: readonly [CleanUp<EndedStory>] = [
  {
    kind: 'story',
    async remove(table, { workspaceId, storyId: id }, isOver) {
      if (!(await endStory(table, { workspaceId, storyId: id }, isOver))) return false;
      // It was restored, or its creation was completed.
      if (await storyRepository(table).get(workspaceId, id)) return true;
      return endSubject(table, { workspaceId, type: 'story', id }, isOver);
    },
  },
];
