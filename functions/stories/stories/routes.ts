import { grantOn } from '../../../shared/domains/tenancy/grants/index.ts';
import { defineRoute } from '../../../shared/platform/http/route.ts';
import {
  ArchiveStory,
  BaseEditSeqQuery,
  CreateStory,
  GetStoryQuery,
  Story,
  StoryListQuery,
  StoryParams,
  StorySummaryPage,
  UpdatedStory,
  UpdateStory,
} from './schemas.ts';

const edit = { permission: 'stories:write', grant: grantOn('story', 'editor') } as const;

export const listStories = defineRoute({
  operationId: 'listStories',
  method: 'GET',
  path: '/api/stories',
  summary: 'List stories',
  description:
    'Lists stories, most recently changed first. Editors and admins see all stories; viewers see stories that are published or granted to them.',
  permission: 'stories:read',
  query: StoryListQuery,
  success: { status: 200, body: StorySummaryPage },
  errors: ['OFFSET_TOO_LARGE', 'LIST_TOO_LARGE'],
});

export const createStory = defineRoute({
  operationId: 'createStory',
  method: 'POST',
  path: '/api/stories',
  summary: 'Create a story',
  permission: 'stories:write',
  body: CreateStory,
  maxBodyBytes: 5 * 1024 * 1024,
  success: { status: 201, body: Story, versioned: true },
  errors: ['STORY_CONTENT_INVALID', 'STORY_TOO_LARGE'],
  idempotent: true,
  audit: 'story.created',
});

export const getStory = defineRoute({
  operationId: 'getStory',
  method: 'GET',
  path: '/api/stories/{id}',
  summary: 'Get a story',
  description:
    'Contributors, editors and reviewers get the draft; other readers get the newest published version. The text of a section is null if the section shows data that the caller may not see.',
  permission: 'stories:read',
  object: 'story',
  params: StoryParams,
  query: GetStoryQuery,
  uses: { type: 'story', param: 'id' },
  success: { status: 200, body: Story, versioned: true },
  errors: ['STORY_NOT_FOUND'],
});

export const updateStory = defineRoute({
  operationId: 'updateStory',
  method: 'PATCH',
  path: '/api/stories/{id}',
  summary: 'Update a story',
  description:
    'Changes the fields that are sent; omitted fields keep their values. A rejected title or summary, and one of another person that is replaced, are kept for 30 days; the reply names the revision.',
  ...edit,
  params: StoryParams,
  query: BaseEditSeqQuery,
  body: UpdateStory,
  success: { status: 200, body: UpdatedStory, versioned: true },
  errors: ['STORY_NOT_FOUND', 'STORY_ARCHIVED', 'STALE_EDIT'],
  audit: 'story.updated',
});

export const deleteStory = defineRoute({
  operationId: 'deleteStory',
  method: 'DELETE',
  path: '/api/stories/{id}',
  summary: 'Delete a story',
  description: 'The story can be restored for 30 days.',
  permission: 'stories:write',
  params: StoryParams,
  success: { status: 204, versioned: true },
  errors: ['STORY_NOT_FOUND'],
  audit: 'story.deleted',
});

export const restoreStory = defineRoute({
  operationId: 'restoreStory',
  method: 'POST',
  path: '/api/stories/{id}/restore',
  summary: 'Restore a deleted story',
  description: 'Restoring a story that is not deleted changes nothing.',
  permission: 'stories:write',
  params: StoryParams,
  success: { status: 200, body: Story, versioned: true },
  errors: ['STORY_NOT_FOUND'],
  audit: 'story.restored',
});

export const archiveStory = defineRoute({
  operationId: 'archiveStory',
  method: 'POST',
  path: '/api/stories/{id}/archive',
  summary: 'Set whether a story is archived',
  description:
    'An archived story keeps its readers and links. It is listed only with `tab=archived`, and cannot be changed until it is taken out of the archive.',
  ...edit,
  params: StoryParams,
  body: ArchiveStory,
  success: { status: 200, body: Story, versioned: true },
  errors: ['STORY_NOT_FOUND'],
  audit: 'story.archived',
});
