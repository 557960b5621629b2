import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import { CHANGED_AT, CREATED_AT, IDS, page } from '../../platform/example-values.ts';
import type * as routes from './routes.ts';

export const model = {
  id: IDS.model,
  workspaceId: IDS.workspace,
  name: 'Sales',
  description: 'Orders, customers and what they bought',
  sourceId: 'datasets',
  calendar: null,
  isCertified: false,
  certifiedBy: null,
  certifiedAt: null,
  deprecation: null,
  permission: 'editor',
  status: 'draft',
  latestVersion: null,
  publishedAt: null,
  hasUnpublishedChanges: true,
  tableCount: 2,
  parameters: [],
  createdBy: IDS.user,
  updatedBy: IDS.user,
  createdAt: CREATED_AT,
  updatedAt: CHANGED_AT,
  revision: 1,
};

export const examples: ExamplesOf<typeof routes> = {
  listModels: { reply: page([model]) },
  createModel: {
    request: { name: 'Sales', description: 'Orders, customers and what they bought', sourceId: 'datasets' },
    reply: { ...model, tableCount: 0, updatedAt: CREATED_AT },
  },
  getModel: {
    reply: {
      ...model,
      staleMeasures: 0,
      health: { errors: 0, warnings: 0 },
      whereUsed: `/api/catalog/lineage/model/${IDS.model}?direction=down`,
    },
  },
  updateModel: {
    request: { isCertified: true, certifiedBy: 'Finance' },
    reply: { ...model, isCertified: true, certifiedBy: 'Finance', certifiedAt: CHANGED_AT, revision: 2 },
  },
  deleteModel: {},
};
