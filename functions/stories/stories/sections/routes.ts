import { grantOn } from '../../../../shared/domains/tenancy/grants/index.ts';
import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { CursorQuery } from '../../../../shared/platform/http/schemas.ts';
import { StoryParams, StorySection } from '../schemas.ts';
import {
  AddSection,
  EditedSection,
  EndLockQuery,
  OwnLock,
  ReorderSections,
  RevisionParams,
  SectionEditQuery,
  SectionParams,
  SectionRevision,
  SectionRevisions,
  SetEditors,
  SetReadOnly,
  SetVisibility,
  TakeLock,
  TitleRevisions,
  UpdateSection,
  UpdateWork,
} from './schemas.ts';

const contribute = { permission: 'stories:write', grant: grantOn('story', 'contributor') } as const;
const edit = { permission: 'stories:write', grant: grantOn('story', 'editor') } as const;

/** What every change of a text may meet. */
const TEXT_ERRORS = [
  'STORY_NOT_FOUND',
  'STORY_SECTION_NOT_FOUND',
  'STORY_ARCHIVED',
  'SECTION_HIDDEN',
  'SECTION_EDITORS',
  'SECTION_READ_ONLY',
  'SECTION_LOCKED',
] as const;
const MISSING = ['STORY_NOT_FOUND', 'STORY_SECTION_NOT_FOUND', 'STORY_ARCHIVED'] as const;

const CURSOR_ERRORS = ['CURSOR_INVALID', 'CURSOR_MISMATCH', 'CURSOR_EXPIRED'] as const;

export const addStorySection = defineRoute({
  operationId: 'addStorySection',
  method: 'POST',
  path: '/api/stories/{id}/sections',
  summary: 'Add a section',
  ...contribute,
  params: StoryParams,
  body: AddSection,
  success: { status: 201, body: StorySection, versioned: true },
  errors: ['STORY_NOT_FOUND', 'STORY_ARCHIVED', 'STORY_CONTENT_INVALID', 'STORY_TOO_LARGE'],
  idempotent: true,
});

export const getStorySection = defineRoute({
  operationId: 'getStorySection',
  method: 'GET',
  path: '/api/stories/{id}/sections/{sectionId}',
  summary: 'Get a section of the draft',
  ...contribute,
  params: SectionParams,
  success: { status: 200, body: StorySection, versioned: true },
  errors: ['STORY_NOT_FOUND', 'STORY_SECTION_NOT_FOUND'],
});

export const updateStorySection = defineRoute({
  operationId: 'updateStorySection',
  method: 'PATCH',
  path: '/api/stories/{id}/sections/{sectionId}',
  summary: 'Update a section',
  description:
    'Rejected while another person holds the lock. An edit that is based on an older `editSeq` is merged block by block; if both sides changed the same block, the edit is rejected. A rejected text, and a text of another person that the edit replaces, are kept for 30 days; the reply names the revision.',
  ...contribute,
  params: SectionParams,
  query: SectionEditQuery,
  body: UpdateSection,
  success: { status: 200, body: EditedSection, versioned: true },
  errors: [...TEXT_ERRORS, 'STORY_CONTENT_INVALID', 'STORY_TOO_LARGE', 'STALE_EDIT', 'LOCK_LOST'],
});

export const deleteStorySection = defineRoute({
  operationId: 'deleteStorySection',
  method: 'DELETE',
  path: '/api/stories/{id}/sections/{sectionId}',
  summary: 'Delete a section',
  description: 'The text of the section is kept for 30 days as a revision.',
  ...contribute,
  params: SectionParams,
  success: { status: 204, versioned: true },
  errors: [...TEXT_ERRORS, 'LOCK_LOST'],
});

export const reorderStorySections = defineRoute({
  operationId: 'reorderStorySections',
  method: 'POST',
  path: '/api/stories/{id}/sections/reorder',
  summary: 'Reorder the sections',
  ...edit,
  params: StoryParams,
  body: ReorderSections,
  success: { status: 204 },
  errors: ['STORY_NOT_FOUND', 'STORY_ARCHIVED'],
});

export const updateStorySectionWork = defineRoute({
  operationId: 'updateStorySectionWork',
  method: 'PATCH',
  path: '/api/stories/{id}/sections/{sectionId}/work',
  summary: 'Update the work on a section',
  description:
    'Changes the status, assignee and due time of the section. Locks do not block this change, because it does not edit the text.',
  ...contribute,
  params: SectionParams,
  body: UpdateWork,
  success: { status: 200, body: StorySection, versioned: true },
  errors: [...MISSING, 'MEMBER_NOT_FOUND'],
});

export const setStorySectionEditors = defineRoute({
  operationId: 'setStorySectionEditors',
  method: 'PUT',
  path: '/api/stories/{id}/sections/{sectionId}/editors',
  summary: 'Set the editors of a section',
  ...edit,
  params: SectionParams,
  body: SetEditors,
  success: { status: 200, body: StorySection, versioned: true },
  errors: [...MISSING, 'MEMBER_NOT_FOUND'],
});

export const setStorySectionReadOnly = defineRoute({
  operationId: 'setStorySectionReadOnly',
  method: 'POST',
  path: '/api/stories/{id}/sections/{sectionId}/read-only',
  summary: 'Set whether a section is read-only',
  description: 'The text of a read-only section cannot be edited until the section is reopened.',
  ...edit,
  params: SectionParams,
  body: SetReadOnly,
  success: { status: 200, body: StorySection, versioned: true },
  errors: [...MISSING],
});

export const setStorySectionVisibility = defineRoute({
  operationId: 'setStorySectionVisibility',
  method: 'PUT',
  path: '/api/stories/{id}/sections/{sectionId}/visibility',
  summary: 'Set who sees a section',
  ...edit,
  params: SectionParams,
  body: SetVisibility,
  success: { status: 200, body: StorySection, versioned: true },
  errors: [...MISSING, 'SECTION_HIDDEN', 'SECTION_NEEDS_DATA_ACCESS'],
  audit: 'story.visibility_opened',
});

export const lockStorySection = defineRoute({
  operationId: 'lockStorySection',
  method: 'POST',
  path: '/api/stories/{id}/sections/{sectionId}/lock',
  summary: 'Start or renew the lock of a section',
  description:
    'Takes or renews the lock for 120 seconds. Another tab of the holder takes the lock over; the first tab finds out when it renews the lock.',
  ...contribute,
  params: SectionParams,
  body: TakeLock,
  optionalBody: true,
  success: { status: 200, body: OwnLock },
  errors: [...TEXT_ERRORS],
});

export const unlockStorySection = defineRoute({
  operationId: 'unlockStorySection',
  method: 'DELETE',
  path: '/api/stories/{id}/sections/{sectionId}/lock',
  summary: 'End a lock',
  description:
    'Ends the lock of the caller: with `lockId` only if this tab has it. Ending a lock that does not exist changes nothing.',
  ...contribute,
  params: SectionParams,
  query: EndLockQuery,
  success: { status: 204 },
  errors: ['STORY_NOT_FOUND', 'STORY_SECTION_NOT_FOUND', 'SECTION_LOCKED'],
  audit: 'story.lock_ended',
});

export const listStorySectionRevisions = defineRoute({
  operationId: 'listStorySectionRevisions',
  method: 'GET',
  path: '/api/stories/{id}/sections/{sectionId}/revisions',
  summary: 'List kept texts of a section',
  description:
    'Lists the texts of the last 30 days that were rejected, replaced or removed. Texts of deleted sections are included. A rejected text is listed only for its author, until a later text of the author that is based on the same `editSeq` is rejected.',
  ...contribute,
  params: SectionParams,
  query: CursorQuery,
  success: { status: 200, body: SectionRevisions },
  errors: ['STORY_NOT_FOUND', ...CURSOR_ERRORS],
});

export const getStorySectionRevision = defineRoute({
  operationId: 'getStorySectionRevision',
  method: 'GET',
  path: '/api/stories/{id}/sections/{sectionId}/revisions/{revisionId}',
  summary: 'Get a kept text',
  ...contribute,
  params: RevisionParams,
  success: { status: 200, body: SectionRevision },
  errors: ['STORY_NOT_FOUND', 'STORY_REVISION_NOT_FOUND'],
});

export const listStoryRevisions = defineRoute({
  operationId: 'listStoryRevisions',
  method: 'GET',
  path: '/api/stories/{id}/revisions',
  summary: 'List kept titles of a story',
  description:
    'Lists the titles and summaries of the last 30 days that were rejected or replaced. Those that were rejected are listed only for their author.',
  ...edit,
  params: StoryParams,
  query: CursorQuery,
  success: { status: 200, body: TitleRevisions },
  errors: ['STORY_NOT_FOUND', ...CURSOR_ERRORS],
});
