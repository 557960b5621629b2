import type { StopReason } from '../../boards/delivery-schedules/index.ts';
import type { StoryRecord } from '../stories/index.ts';

/** Why a story is not sent: readers get what was published. */
export function storyStopReason(record: StoryRecord | undefined): StopReason | null {
  if (record?.deletedAt !== null) return 'STORY_DELETED';
  if (record.archivedAt !== null) return 'STORY_ARCHIVED';
  return record.published === null ? 'STORY_NOT_PUBLISHED' : null;
}
