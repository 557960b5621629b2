import { CHANGED_AT, CREATED_AT, IDS } from '../../platform/example-values.ts';

export const content = {
  type: 'doc',
  content: [
    {
      type: 'paragraph',
      attrs: { id: 'p1' },
      content: [{ type: 'text', text: 'Revenue grew in all regions but the north.' }],
    },
    {
      type: 'liveBlock',
      attrs: { id: 'regions', source: { kind: 'card', dashboardId: IDS.dashboard, cardId: 'by-region' } },
    },
  ],
};

const stamps = { createdBy: IDS.user, updatedBy: IDS.user, createdAt: CREATED_AT, updatedAt: CREATED_AT };

export const lock = {
  sectionId: IDS.storySection,
  holder: { id: IDS.user, name: 'Ada Lovelace' },
  acquiredAt: CHANGED_AT,
  expiresAt: '2026-01-15T09:32:00.000Z',
};

export const storySection = {
  id: IDS.storySection,
  storyId: IDS.story,
  ordinal: 0,
  title: 'What happened',
  source: 'manual',
  ai: null,
  content,
  status: 'draft',
  assigneeId: null,
  dueAt: null,
  editSeq: 1,
  editedBy: IDS.user,
  editedAt: CREATED_AT,
  lock: null,
  readOnly: false,
  editorIds: [],
  visibility: 'everyone',
  ...stamps,
  revision: 1,
};

export const summary = {
  id: IDS.story,
  workspaceId: IDS.workspace,
  title: 'Revenue of the week',
  summary: 'For the meeting on Monday',
  mode: 'live',
  status: 'draft',
  ownerId: IDS.user,
  permission: 'editor',
  publishedVersion: null,
  publishedAt: null,
  publishedBy: null,
  sectionCount: 1,
  archivedAt: null,
  deletedAt: null,
  deletedBy: null,
  ...stamps,
  revision: 1,
};

export const review = {
  round: 1,
  requestedBy: IDS.user,
  requestedAt: CHANGED_AT,
  note: 'Please check the numbers.',
  reviewers: [{ userId: IDS.colleague, decision: null, note: null, at: null, outdated: false }],
};

export const story = {
  ...summary,
  view: 'draft',
  editSeq: 1,
  hasUnpublishedChanges: true,
  review: null,
  following: true,
  followerCount: 1,
  sections: [storySection],
};

export const version = {
  version: 1,
  title: 'Revenue of the week',
  summary: 'For the meeting on Monday',
  mode: 'live',
  publishedBy: IDS.user,
  publishedAt: CHANGED_AT,
  sectionCount: 1,
  restoredFrom: null,
  overrideReason: null,
};
