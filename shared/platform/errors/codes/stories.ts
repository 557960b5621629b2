import type { ErrorTable } from '../error-kind.ts';

export const STORY_ERRORS = {
  // Stories
  STORY_NOT_FOUND: ['notFound', 'The workspace has no such story. List them with GET /api/stories.'],
  STORY_ARCHIVED: [
    'conflict',
    'The story is archived, so it cannot be changed. Take it out of the archive with POST /api/stories/{id}/archive.',
  ],
  STORY_TOO_LARGE: [
    'conflict',
    'A story has at most 100 sections with 4 MiB of text together. Remove some, or create another story.',
  ],
  STORY_SECTION_NOT_FOUND: ['notFound', 'The story has no such section. Read it with GET /api/stories/{id}.'],
  STORY_CONTENT_INVALID: [
    'invalid',
    'The text has nodes, marks or attributes that are not allowed. Correct every place listed in `errors`.',
  ],
  STORY_REVISION_NOT_FOUND: [
    'notFound',
    'The section has no such revision, or it is older than 30 days. List them with GET /api/stories/{id}/sections/{sectionId}/revisions.',
  ],
  STORY_ACCESS_NOT_FOUND: ['notFound', 'The story has no such grant. List them with GET /api/stories/{id}/access.'],
  STORY_VERSION_NOT_FOUND: [
    'notFound',
    'The story has no such version. List them with GET /api/stories/{id}/versions.',
  ],
  STORY_REVIEW_NOT_FOUND: [
    'notFound',
    'The story has no open round of review. Request one with POST /api/stories/{id}/review.',
  ],
  NOT_A_REVIEWER: ['forbidden', 'Only the reviewers of the round decide. Request a round with other reviewers.'],
  REVIEWER_NO_ACCESS: [
    'invalid',
    'A reviewer does not see the story. Grant access to those in `errors`, or send `grant`.',
  ],
  STALE_EDIT: [
    'conflict',
    'The text has changed since `baseEditSeq`, and both changes concern the same blocks. Apply yours to the text in `current`.',
  ],
  SECTION_EDITORS: ['forbidden', 'Only the editors of the section may change it. Ask one of `editorIds`.'],
  SECTION_READ_ONLY: [
    'locked',
    'The section is read-only. An editor of the story opens it with POST /api/stories/{id}/sections/{sectionId}/read-only.',
  ],
  SECTION_LOCKED: ['locked', 'Another person is editing the section. Try again when the lock has ended.'],
  SECTION_HIDDEN: [
    'forbidden',
    'The section shows data that you may not see in full. Ask an editor of the story who may see it to change the section.',
  ],
  SECTION_NEEDS_DATA_ACCESS: [
    'conflict',
    'A language model wrote the text beside rows that not everyone may see. Send `confirm` to show it to everyone.',
  ],
  LOCK_LOST: [
    'conflict',
    'The owner of the story or an admin has ended your lock. Lock the section again, and compare your text with the current one.',
  ],
} as const satisfies ErrorTable;
