import type { ExamplesOf } from '../../shared/platform/http/example.ts';
import { CREATED_AT, IDS, page } from '../example-values.ts';
import type * as routes from './routes.ts';

const workspace = {
  id: IDS.workspace,
  companyId: IDS.company,
  name: 'Sales',
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  revision: 1,
};

const member = {
  workspaceId: IDS.workspace,
  userId: IDS.colleague,
  email: 'grace@example.com',
  name: 'Grace Hopper',
  role: 'editor',
  joinedAt: CREATED_AT,
  revision: 1,
};

export const examples: ExamplesOf<typeof routes> = {
  createWorkspace: { request: { name: 'Sales' }, reply: workspace },
  getWorkspace: { reply: workspace },
  listMembers: { reply: page([member]) },
  addMember: {
    request: { email: 'grace@example.com', name: 'Grace Hopper', role: 'editor', password: 'a long first password' },
    reply: member,
  },
  changeMember: { request: { role: 'viewer' }, reply: { ...member, role: 'viewer', revision: 2 } },
  removeMember: {},
  resetMemberMfa: {},
};
