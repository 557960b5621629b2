import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CHANGED_AT, IDS } from '../../../platform/example-values.ts';
import { content, lock, storySection } from '../example-parts.ts';
import type * as routes from './routes.ts';

const changed = { ...storySection, updatedAt: CHANGED_AT, revision: 2 };
const edited = { ...changed, title: 'What has happened', editSeq: 2, editedAt: CHANGED_AT };
const revision = {
  id: IDS.storyRevision,
  sectionId: IDS.storySection,
  reason: 'overwritten',
  title: 'What happened',
  by: IDS.colleague,
  at: CHANGED_AT,
  editSeq: 1,
};

export const examples: ExamplesOf<typeof routes> = {
  addStorySection: { request: { title: 'What happened', content }, reply: storySection },
  getStorySection: { reply: storySection },
  updateStorySection: { request: { title: 'What has happened' }, reply: edited },
  deleteStorySection: {},
  reorderStorySections: { request: { order: [IDS.storySection] } },
  updateStorySectionWork: {
    request: { status: 'in_review', assigneeId: IDS.colleague },
    reply: { ...changed, status: 'in_review', assigneeId: IDS.colleague },
  },
  setStorySectionEditors: {
    request: { userIds: [IDS.colleague] },
    reply: { ...changed, editorIds: [IDS.colleague] },
  },
  setStorySectionReadOnly: { request: { locked: true }, reply: { ...changed, readOnly: true } },
  setStorySectionVisibility: {
    request: { visibility: 'data_access' },
    reply: { ...changed, visibility: 'data_access' },
  },
  lockStorySection: { request: {}, reply: { ...lock, lockId: IDS.storyLock, editSeq: 1 } },
  unlockStorySection: {},
  listStorySectionRevisions: { reply: { items: [revision], nextCursor: null } },
  listStoryRevisions: {
    reply: {
      items: [
        {
          ...{ id: IDS.storyRevision, reason: 'overwritten', title: 'Revenue of the week', summary: null },
          ...{ by: IDS.colleague, at: CHANGED_AT, editSeq: 1 },
        },
      ],
      nextCursor: null,
    },
  },
  getStorySectionRevision: { reply: { ...revision, content } },
};
