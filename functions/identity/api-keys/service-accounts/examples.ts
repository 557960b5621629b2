import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CHANGED_AT, CREATED_AT, IDS, page } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

const account = {
  id: IDS.serviceAccount,
  workspaceId: IDS.workspace,
  name: 'Nightly import',
  description: 'Loads the orders of the shop',
  role: 'editor',
  attributes: { region: ['eu'] },
  createdBy: IDS.user,
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  revision: 1,
};

export const examples: ExamplesOf<typeof routes> = {
  createServiceAccount: {
    request: {
      name: 'Nightly import',
      description: 'Loads the orders of the shop',
      role: 'editor',
      attributes: { region: ['eu'] },
    },
    reply: account,
  },
  listServiceAccounts: { reply: page([account]) },
  getServiceAccount: { reply: account },
  updateServiceAccount: {
    request: { role: 'viewer' },
    reply: { ...account, role: 'viewer', updatedAt: CHANGED_AT, revision: 2 },
  },
  deleteServiceAccount: {},
};
