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
  permission: 'viewer',
  grantedBy: IDS.user,
  grantedAt: CREATED_AT,
};

export const examples: ExamplesOf<typeof routes> = {
  listDashboardAccess: { reply: { items: [access], total: 1, nextCursor: null } },
  grantDashboardAccess: { request: { email: 'grace@example.com', permission: 'viewer' }, reply: access },
  setDashboardAccess: { request: { permission: 'editor' }, reply: { ...access, permission: 'editor' } },
  revokeDashboardAccess: {},
  findAccessCandidates: {
    reply: {
      items: [{ userId: IDS.colleague, name: 'Grace Hopper', email: 'grace@example.com', hasAccess: true }],
    },
  },
};
