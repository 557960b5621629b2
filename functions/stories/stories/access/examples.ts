import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CREATED_AT, IDS } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

const access = {
  id: IDS.colleague,
  granteeType: 'user',
  userId: IDS.colleague,
  groupId: null,
  name: 'Grace Hopper',
  email: 'grace@example.com',
  permission: 'contributor',
  grantedBy: IDS.user,
  grantedAt: CREATED_AT,
};

export const examples: ExamplesOf<typeof routes> = {
  listStoryAccess: { reply: { items: [access], total: 1, nextCursor: null } },
  grantStoryAccess: { request: { email: 'grace@example.com', permission: 'contributor' }, reply: access },
  setStoryAccess: { request: { permission: 'editor' }, reply: { ...access, permission: 'editor' } },
  revokeStoryAccess: {},
  findStoryCandidates: {
    reply: {
      items: [{ userId: IDS.colleague, name: 'Grace Hopper', email: 'grace@example.com', hasAccess: true }],
    },
  },
  checkStoryAccess: {
    reply: {
      userId: IDS.colleague,
      name: 'Grace Hopper',
      hasAccess: true,
      permission: 'viewer',
      view: 'published',
      sections: [{ sectionId: IDS.storySection, isHidden: false }],
      blocks: [{ sectionId: IDS.storySection, blockId: 'regions', state: 'restricted', reason: 'ROW_RIGHTS' }],
    },
  },
};
