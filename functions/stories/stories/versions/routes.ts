import { grantOn } from '../../../../shared/domains/tenancy/grants/index.ts';
import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { ListQuery } from '../../../../shared/platform/http/schemas.ts';
import { ReviewRound, Story, StoryParams } from '../schemas.ts';
import {
  DecideReview,
  PublishedStory,
  PublishStory,
  RequestReview,
  StoryVersionDetails,
  StoryVersionPage,
  StoryVersionParams,
} from './schemas.ts';

const contribute = { permission: 'stories:write', grant: grantOn('story', 'contributor') } as const;
const edit = { permission: 'stories:write', grant: grantOn('story', 'editor') } as const;

export const publishStory = defineRoute({
  operationId: 'publishStory',
  method: 'POST',
  path: '/api/stories/{id}/publish',
  summary: 'Publish a story',
  description:
    'Saves the draft as a version, which all members of the workspace can read from then on. The setting `storyReview` of the workspace may require a review.',
  ...edit,
  params: StoryParams,
  body: PublishStory,
  optionalBody: true,
  success: { status: 200, body: PublishedStory },
  errors: ['STORY_NOT_FOUND', 'STORY_ARCHIVED', 'REVIEW_REQUIRED'],
  idempotent: true,
  audit: 'story.published',
});

export const listStoryVersions = defineRoute({
  operationId: 'listStoryVersions',
  method: 'GET',
  path: '/api/stories/{id}/versions',
  summary: 'List versions of a story',
  description: 'Lists the published versions, newest first.',
  ...contribute,
  params: StoryParams,
  query: ListQuery,
  success: { status: 200, body: StoryVersionPage },
  errors: ['STORY_NOT_FOUND'],
});

export const getStoryVersion = defineRoute({
  operationId: 'getStoryVersion',
  method: 'GET',
  path: '/api/stories/{id}/versions/{version}',
  summary: 'Get a version of a story',
  ...contribute,
  params: StoryVersionParams,
  success: { status: 200, body: StoryVersionDetails },
  errors: ['STORY_NOT_FOUND', 'STORY_VERSION_NOT_FOUND'],
});

export const restoreStoryVersion = defineRoute({
  operationId: 'restoreStoryVersion',
  method: 'POST',
  path: '/api/stories/{id}/versions/{version}/restore',
  summary: 'Restore a version of a story',
  description:
    'Makes the texts of the version the draft, and publishes them as a new version. Replaced texts are kept for 30 days. Rejected if the caller cannot currently edit a section that would change. The setting `storyReview` of the workspace may require a review, as it does to publish.',
  ...edit,
  params: StoryVersionParams,
  body: PublishStory,
  optionalBody: true,
  success: { status: 200, body: Story, versioned: true },
  errors: [
    'STORY_NOT_FOUND',
    'STORY_VERSION_NOT_FOUND',
    'STORY_ARCHIVED',
    'REVIEW_REQUIRED',
    'SECTION_HIDDEN',
    'SECTION_EDITORS',
    'SECTION_READ_ONLY',
    'SECTION_LOCKED',
    'LOCK_LOST',
  ],
  audit: 'story.published',
});

export const requestStoryReview = defineRoute({
  operationId: 'requestStoryReview',
  method: 'POST',
  path: '/api/stories/{id}/review',
  summary: 'Start a review',
  description: 'Starts a round of review, and ends the previous round.',
  ...contribute,
  params: StoryParams,
  body: RequestReview,
  success: { status: 201, body: ReviewRound },
  errors: ['STORY_NOT_FOUND', 'STORY_ARCHIVED', 'MEMBER_NOT_FOUND', 'REVIEWER_NO_ACCESS'],
  idempotent: true,
  audit: ['story.updated', 'access.granted'],
});

export const endStoryReview = defineRoute({
  operationId: 'endStoryReview',
  method: 'DELETE',
  path: '/api/stories/{id}/review',
  summary: 'End a review',
  description: 'Only the person who requested the review and the owner of the story can end it.',
  permission: 'stories:follow',
  params: StoryParams,
  success: { status: 204 },
  errors: ['STORY_NOT_FOUND', 'STORY_REVIEW_NOT_FOUND'],
  audit: 'story.updated',
});

export const decideStoryReview = defineRoute({
  operationId: 'decideStoryReview',
  method: 'POST',
  path: '/api/stories/{id}/review/decision',
  summary: 'Save the decision of a reviewer',
  description: 'Records the decision of the caller on the current draft. Later edits make the decision outdated.',
  permission: 'stories:follow',
  params: StoryParams,
  body: DecideReview,
  success: { status: 200, body: ReviewRound },
  errors: ['STORY_NOT_FOUND', 'STORY_REVIEW_NOT_FOUND', 'NOT_A_REVIEWER'],
  audit: 'story.updated',
});
