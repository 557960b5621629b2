import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import { CHANGED_AT, CREATED_AT, IDS, page } from '../../platform/example-values.ts';
import type * as routes from './routes.ts';

const group = {
  id: IDS.group,
  workspaceId: IDS.workspace,
  name: 'Finance',
  description: 'Everyone who closes the books',
  externalId: null,
  createdBy: IDS.user,
  updatedBy: IDS.user,
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  revision: 1,
};

const member = {
  groupId: IDS.group,
  userId: IDS.colleague,
  email: 'grace@example.com',
  name: 'Grace Hopper',
  role: 'editor',
  addedBy: IDS.user,
  addedAt: CREATED_AT,
};

export const examples: ExamplesOf<typeof routes> = {
  createGroup: { request: { name: 'Finance', description: 'Everyone who closes the books' }, reply: group },
  listGroups: { reply: page([group]) },
  getGroup: { reply: group },
  updateGroup: {
    request: { name: 'Accounting' },
    reply: { ...group, name: 'Accounting', updatedAt: CHANGED_AT, revision: 2 },
  },
  deleteGroup: {},
  listGroupMembers: { reply: { items: [member], total: 1, nextCursor: null } },
  addGroupMember: { reply: member },
  removeGroupMember: {},
};
