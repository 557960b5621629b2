import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import { CHANGED_AT, CREATED_AT, IDS, page } from '../../platform/example-values.ts';
import type * as routes from './routes.ts';

const company = {
  id: IDS.company,
  name: 'Acme',
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  revision: 1,
  deletesAt: null,
};

const workspace = {
  ...company,
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
};

const member = {
  userId: IDS.colleague,
  email: 'grace@example.com',
  name: 'Grace Hopper',
  companyRole: 'member',
  active: true,
  createdAt: CREATED_AT,
};
const admin = { ...member, companyRole: 'company_admin' };

export const examples: ExamplesOf<typeof routes> = {
  getCompany: { reply: company },
  updateCompany: {
    request: { name: 'Acme Europe' },
    reply: { ...company, name: 'Acme Europe', updatedAt: CHANGED_AT, revision: 2 },
  },
  deleteCompany: {
    reply: { ...company, updatedAt: CHANGED_AT, revision: 2, deletesAt: '2026-03-05T16:40:05.250Z' },
  },
  restoreCompany: { reply: { ...company, updatedAt: CHANGED_AT, revision: 3 } },
  listCompanyWorkspaces: { reply: page([workspace]) },
  listCompanyMembers: { reply: page([member]) },
  changeCompanyMember: { request: { companyRole: 'company_admin' }, reply: admin },
  transferCompany: { request: { userId: IDS.colleague }, reply: admin },
};
