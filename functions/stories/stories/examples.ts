import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import { CHANGED_AT, page } from '../../platform/example-values.ts';
import { content, story, summary } from './example-parts.ts';
import type * as routes from './routes.ts';

const changed = { ...story, updatedAt: CHANGED_AT, revision: 2 };

export const examples: ExamplesOf<typeof routes> = {
  listStories: { reply: page([summary]) },
  createStory: {
    request: {
      title: 'Revenue of the week',
      summary: 'For the meeting on Monday',
      sections: [{ title: 'What happened', content }],
    },
    reply: story,
  },
  getStory: { reply: story },
  updateStory: {
    request: { title: 'Revenue of week 3' },
    reply: { ...changed, title: 'Revenue of week 3', editSeq: 2 },
  },
  deleteStory: {},
  restoreStory: { reply: changed },
  archiveStory: { request: { archived: true }, reply: { ...changed, archivedAt: CHANGED_AT } },
};
