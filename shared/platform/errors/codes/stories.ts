import type { ErrorTable } from '../error-kind.ts';

export const STORY_ERRORS = {
  // Stories
  STORY_NOT_FOUND: ['notFound', 'The workspace has no such story. List stories with GET /api/stories.'],
  STORY_ARCHIVED: [
    'conflict',
    'The story is archived, so it cannot be changed. Take it out of the archive with POST /api/stories/{id}/archive.',
  ],
  STORY_TOO_LARGE: [
    'conflict',
    'A story has at most 100 sections, with 4 MiB of text in total. Remove sections or text, or create another story.',
  ],
  STORY_SECTION_NOT_FOUND: ['notFound', 'The story has no such section. List its sections with GET /api/stories/{id}.'],
  STORY_BLOCK_NOT_FOUND: [
    'notFound',
    'The story has no such live block, or its section is hidden from you. Find the ids of live blocks in the texts of GET /api/stories/{id}.',
  ],
  STORY_BLOCK_WITHOUT_ROWS: [
    'conflict',
    'The block is a slot of a template without a source yet. Replace it with a card or a chart.',
  ],
  SNAPSHOT_OTHER_RIGHTS: [
    'forbidden',
    'The story keeps the rows that its publisher saw, and you may see others. Ask an editor of the story to publish it with the mode `live`.',
  ],
  STORY_BLOCK_NOT_KEPT: [
    'conflict',
    'The story keeps no rows of the block, because they could not be read or were too many when it was published. Publish the story again.',
  ],
  STORY_CONTENT_INVALID: [
    'invalid',
    'The text has nodes, marks or attributes that are not allowed. Correct every place listed in `errors`.',
  ],
  STORY_REVISION_NOT_FOUND: [
    'notFound',
    'The section has no such revision, or the revision is older than 30 days. List revisions with GET /api/stories/{id}/sections/{sectionId}/revisions.',
  ],
  STORY_ACCESS_NOT_FOUND: ['notFound', 'The story has no such grant. List grants with GET /api/stories/{id}/access.'],
  STORY_VERSION_NOT_FOUND: [
    'notFound',
    'The story has no such version. List versions with GET /api/stories/{id}/versions.',
  ],
  STORY_REVIEW_NOT_FOUND: [
    'notFound',
    'The story has no open review. Request a review with POST /api/stories/{id}/review.',
  ],
  NOT_A_REVIEWER: [
    'forbidden',
    'Only the reviewers of the current review may decide. Ask a contributor to request a review from you.',
  ],
  REVIEWER_NO_ACCESS: [
    'invalid',
    'Some reviewers cannot see the story. Grant access to the reviewers listed in `errors`, or set `grant` to true.',
  ],
  REVIEW_REQUIRED: [
    'conflict',
    'The workspace requires a review that all of its reviewers have approved. Request one with POST /api/stories/{id}/review; admins may set `override`.',
  ],
  STALE_EDIT: [
    'conflict',
    'The text has changed since `baseEditSeq`, and both edits change the same blocks. Apply your edit to the text in `current`.',
  ],
  SECTION_EDITORS: [
    'forbidden',
    'Only the editors of the section may change it. Ask one of the members in `editorIds`.',
  ],
  SECTION_READ_ONLY: [
    'locked',
    'The section is read-only. Ask an editor of the story to reopen it with POST /api/stories/{id}/sections/{sectionId}/read-only.',
  ],
  SECTION_LOCKED: ['locked', 'Another person is editing the section. Try again after the lock has ended.'],
  SECTION_HIDDEN: [
    'forbidden',
    'The section shows data that you may not see in full. Ask an editor of the story who may see all of the data to change the section.',
  ],
  SECTION_NEEDS_DATA_ACCESS: [
    'conflict',
    'The text was written next to rows that not everyone may see, and may quote them. Set `confirm` to true to show the text to everyone.',
  ],
  QUOTE_GONE: [
    'conflict',
    'The text has no longer the words that the suggestion is about. Edit the section, or reject the suggestion.',
  ],
  SUGGESTION_STALE: [
    'conflict',
    'The words that the suggestion is about were changed since. Compare them with `current`, and edit the section.',
  ],
  SUGGESTION_ACCEPTED: [
    'conflict',
    'The suggestion was accepted, so it cannot be rejected. Edit the section to change the text.',
  ],
  LOCK_LOST: [
    'conflict',
    'The owner of the story or an admin has ended your lock. Lock the section again, and compare your text with the current one.',
  ],
  STORY_NOT_PUBLISHED: [
    'forbidden',
    'The story has no published version, so it cannot be shared. Publish it with POST /api/stories/{id}/publish.',
  ],
  TOO_MANY_STORY_SHARES: [
    'tooMany',
    'The story was shared five times in this hour. Share it again after the time in Retry-After.',
  ],
  STORY_SCHEDULE_NOT_FOUND: [
    'notFound',
    'The story has no such delivery schedule. List them with GET /api/stories/{id}/schedules.',
  ],
  STORY_SCHEDULE_NAME_TAKEN: [
    'conflict',
    'Another delivery schedule of the story has this name; case does not matter. Choose a different one.',
  ],
  STORY_SCHEDULE_STOPPED: [
    'conflict',
    'The schedule is stopped: its owner has left the workspace, it has no recipients, or the story is archived or not published. Change it with PUT /api/stories/{id}/schedules/{scheduleId}, or publish the story.',
  ],
  TOO_MANY_STORY_SCHEDULES: ['conflict', 'A story has at most 50 delivery schedules. Delete one first.'],
  STORY_TEMPLATE_NOT_FOUND: [
    'notFound',
    'The workspace has no such template of stories. List templates with GET /api/stories/templates.',
  ],
  STORY_TEMPLATE_NAME_TAKEN: ['conflict', 'Another template of stories has this name. Choose a different name.'],
  TOO_MANY_STORY_TEMPLATES: ['conflict', 'The workspace already has 200 templates of stories. Delete one first.'],
} as const satisfies ErrorTable;
