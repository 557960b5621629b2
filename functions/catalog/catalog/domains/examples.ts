import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CHANGED_AT, CREATED_AT, IDS, page } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

const domain = {
  id: IDS.catalogDomain,
  name: 'Finance',
  description: 'Revenue, cost and cash.',
  parentId: null,
  createdBy: IDS.user,
  updatedBy: IDS.user,
  createdAt: CREATED_AT,
  updatedAt: CHANGED_AT,
};

export const examples: ExamplesOf<typeof routes> = {
  listCatalogDomains: { reply: page([domain]) },
  createCatalogDomain: {
    request: { name: domain.name, description: domain.description },
    reply: { ...domain, updatedAt: CREATED_AT },
  },
  updateCatalogDomain: { request: { description: domain.description }, reply: domain },
  deleteCatalogDomain: {},
};
