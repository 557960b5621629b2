import { grantOn } from '../../../shared/domains/tenancy/grants/index.ts';
import { defineRoute } from '../../../shared/platform/http/route.ts';
import {
  ActivityQuery,
  Heartbeat,
  StoryActivities,
  StoryFollow,
  StoryPresence,
  StoryReaders,
} from './people-schemas.ts';
import { StoryParams } from './story-schemas.ts';

const contribute = { permission: 'stories:write', grant: grantOn('story', 'contributor') } as const;
const edit = { permission: 'stories:write', grant: grantOn('story', 'editor') } as const;

export const listStoryActivity = defineRoute({
  operationId: 'listStoryActivity',
  method: 'GET',
  path: '/api/stories/{id}/activity',
  summary: 'List the activity of a story',
  description: 'Newest first, without texts.',
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
  summary: 'End following a story',
  description: 'Mentions and requests for a review still notify the caller.',
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
    'Renews the lock that `lockId` names, and returns who else has the draft open. For readers of the published version it only counts the time of reading.',
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
