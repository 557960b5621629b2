import { createHash } from 'node:crypto';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { blockIdsKey, type StoryPlace } from './keys.ts';
import type { SectionRecord, StoryState } from './records.ts';

/** With more, people who add blocks to different sections keep each other waiting less. */
const BUCKETS = 16;

const bucketOf = (blockId: string): number => createHash('sha256').update(blockId).digest()[0]! % BUCKETS;

/** The ids of the blocks in other sections. */
export const blockIdsBeside = ({ sections }: Pick<StoryState, 'sections'>, sectionId: string): ReadonlySet<string> =>
  new Set(sections.filter(({ id }) => id !== sectionId).flatMap(({ blockIds }) => blockIds));

/**
 * The items for the transaction that adds blocks to a section. Fails it if another section may have got a block with
 * one of their ids since the state was read, so that the ids stay unique in the story.
 */
export function blockIdItems(
  table: Table,
  place: StoryPlace,
  { blockAdditions }: Pick<StoryState, 'blockAdditions'>,
  { before, after }: { before: Pick<SectionRecord, 'blockIds'> | undefined; after: readonly string[] },
): TransactItem[] {
  const known = new Set(before?.blockIds);
  const buckets = new Set(after.filter((id) => !known.has(id)).map(bucketOf));
  return [...buckets].map((bucket) => {
    const seen = blockAdditions.get(bucket);
    return {
      Update: {
        TableName: table.name,
        Key: blockIdsKey(place, bucket),
        UpdateExpression: 'SET entity = :entity, #bucket = :bucket ADD additions :one',
        ExpressionAttributeNames: { '#bucket': 'bucket' },
        ...(seen === undefined
          ? { ConditionExpression: 'attribute_not_exists(pk)' }
          : { ConditionExpression: 'additions = :seen' }),
        ExpressionAttributeValues: {
          ':entity': 'story-block-ids',
          ':bucket': bucket,
          ':one': 1,
          ...(seen !== undefined && { ':seen': seen }),
        },
      },
    };
  });
}
