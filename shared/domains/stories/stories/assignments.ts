import { itemsBelow } from '../../../platform/storage/query-items.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { assignedKey, assignedTo, type StoryPlace } from './keys.ts';

/** The items for the transaction that assigns a section to another person. */
export function assignmentItems(
  table: Table,
  place: StoryPlace,
  { sectionId, before, after }: { sectionId: string; before: string | null; after: string | null },
): TransactItem[] {
  if (before === after) return [];
  const { storyId } = place;
  return [
    ...(before === null ? [] : [{ Delete: { TableName: table.name, Key: assignedKey(place, before, sectionId) } }]),
    ...(after === null
      ? []
      : [
          {
            Put: {
              TableName: table.name,
              Item: { ...assignedKey(place, after, sectionId), entity: 'story-assignment', storyId, sectionId },
            },
          },
        ]),
  ];
}

/** The ids of the stories with a section for the person. Some of them may be gone. */
export async function assignedStories(
  table: Table,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<Set<string>> {
  const items = await Array.fromAsync(itemsBelow(table, assignedTo(workspaceId, userId)));
  return new Set(items.map(({ storyId }) => storyId as string));
}
