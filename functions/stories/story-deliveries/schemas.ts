import { STORY_STOP_REASONS } from '../../../shared/domains/boards/delivery-schedules/index.ts';
import { ARTICLE_FORMATS } from '../../../shared/domains/boards/exports/index.ts';
import { Id, idParams } from '../../../shared/platform/http/schemas.ts';
import { scheduleSchemas } from '../../delivery/schedules/schemas.ts';

export const StoryParams = idParams('story');

export const storyScheduleSchemas = scheduleSchemas(
  { noun: 'story', title: 'Story', parts: 'blocks', stopReasons: STORY_STOP_REASONS, formats: ARTICLE_FORMATS },
  { object: { storyId: Id }, own: {}, defaults: {} },
);
