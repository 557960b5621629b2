import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import { CHANGED_AT, CREATED_AT, IDS, page } from '../../platform/example-values.ts';
import type * as routes from './routes.ts';

const workspace = {
  id: IDS.workspace,
  companyId: IDS.company,
  name: 'Sales',
  deliveryDomains: [],
  timezone: null,
  viewersMayExport: true,
  viewersMayQuery: false,
  editorsMayUpload: true,
  failureRecipients: [],
  comments: 'everyone',
  storyReview: 'off',
  certifierGroupId: null,
  searchByMeaning: false,
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  revision: 1,
  deletesAt: null,
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
  updateWorkspace: {
    request: { name: 'Sales and service' },
    reply: { ...workspace, name: 'Sales and service', updatedAt: CHANGED_AT, revision: 2 },
  },
  deleteWorkspace: {
    reply: { ...workspace, updatedAt: CHANGED_AT, revision: 2, deletesAt: '2026-03-05T16:40:05.250Z' },
  },
  restoreWorkspace: { reply: { ...workspace, updatedAt: CHANGED_AT, revision: 3 } },
  listMembers: { reply: page([member]) },
  addMember: {
    request: { email: 'grace@example.com', name: 'Grace Hopper', role: 'editor', password: 'a long first password' },
    reply: member,
  },
  getMember: { reply: member },
  changeMember: { request: { role: 'viewer' }, reply: { ...member, role: 'viewer', revision: 2 } },
  removeMember: {},
  resetMemberMfa: {},
};
