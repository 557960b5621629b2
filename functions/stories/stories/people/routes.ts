import { grantOn } from '../../../../shared/domains/tenancy/grants/index.ts';
import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { StoryParams } from '../schemas.ts';
import { ActivityQuery, Heartbeat, StoryActivities, StoryFollow, StoryPresence, StoryReaders } from './schemas.ts';

const contribute = { permission: 'stories:write', grant: grantOn('story', 'contributor') } as const;
const edit = { permission: 'stories:write', grant: grantOn('story', 'editor') } as const;

export const listStoryActivity = defineRoute({
  operationId: 'listStoryActivity',
  method: 'GET',
  path: '/api/stories/{id}/activity',
  summary: 'List the activity of a story',
  description: 'Returns the activity of the story, newest first, without the texts.',
  ...contribute,
  params: StoryParams,
  query: ActivityQuery,
  success: { status: 200, body: StoryActivities },
  errors: ['STORY_NOT_FOUND'],
});

export const followStory = defineRoute({
  operationId: 'followStory',
  method: 'PUT',
  path: '/api/stories/{id}/follow',
  summary: 'Follow a story',
  permission: 'stories:follow',
  params: StoryParams,
  success: { status: 200, body: StoryFollow },
  errors: ['STORY_NOT_FOUND'],
});

export const unfollowStory = defineRoute({
  operationId: 'unfollowStory',
  method: 'DELETE',
  path: '/api/stories/{id}/follow',
  summary: 'Unfollow a story',
  description: 'The caller is still notified of mentions and review requests.',
  permission: 'stories:follow',
  params: StoryParams,
  success: { status: 200, body: StoryFollow },
  errors: ['STORY_NOT_FOUND'],
});

export const reportStoryPresence = defineRoute({
  operationId: 'reportStoryPresence',
  method: 'POST',
  path: '/api/stories/{id}/presence',
  summary: 'Send a heartbeat of an open story',
  description:
    'Renews the lock that `lockId` names, and returns the other people who have the draft open. For readers of the published version, only counts the reading time.',
  permission: 'stories:follow',
  params: StoryParams,
  body: Heartbeat,
  optionalBody: true,
  success: { status: 200, body: StoryPresence },
  errors: ['STORY_NOT_FOUND'],
});

export const listStoryReaders = defineRoute({
  operationId: 'listStoryReaders',
  method: 'GET',
  path: '/api/stories/{id}/readers',
  summary: 'List the readers of a story',
  ...edit,
  params: StoryParams,
  success: { status: 200, body: StoryReaders },
  errors: ['STORY_NOT_FOUND'],
});
