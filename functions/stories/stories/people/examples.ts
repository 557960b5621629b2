import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CHANGED_AT, CREATED_AT, IDS } from '../../../platform/example-values.ts';
import { lock } from '../example-parts.ts';
import type * as routes from './routes.ts';

export const examples: ExamplesOf<typeof routes> = {
  listStoryActivity: {
    reply: {
      items: [
        {
          id: 1768469400000123,
          action: 'section_edited',
          by: IDS.user,
          at: CHANGED_AT,
          sectionId: IDS.storySection,
          version: null,
        },
      ],
    },
  },
  followStory: { reply: { following: true } },
  unfollowStory: { reply: { following: false } },
  reportStoryPresence: {
    request: { sectionId: IDS.storySection, readSeconds: 15 },
    reply: {
      viewers: [{ userId: IDS.colleague, name: 'Grace Hopper', sectionId: IDS.storySection, lastSeenAt: CHANGED_AT }],
      more: 0,
      sections: [{ id: IDS.storySection, editSeq: 1, status: 'draft', lock }],
    },
  },
  listStoryReaders: {
    reply: {
      items: [
        {
          userId: IDS.colleague,
          name: 'Grace Hopper',
          firstReadAt: CREATED_AT,
          lastReadAt: CHANGED_AT,
          secondsRead: 75,
          version: 1,
        },
      ],
      total: 1,
    },
  },
};
