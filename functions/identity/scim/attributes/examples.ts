import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CHANGED_AT, IDS } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

const mappings = [
  {
    path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
    attribute: 'department',
  },
  { path: 'addresses.country', attribute: 'countries' },
];

const reply = { companyId: IDS.company, mappings, updatedBy: IDS.user, updatedAt: CHANGED_AT, revision: 2 };

export const examples: ExamplesOf<typeof routes> = {
  getScimAttributes: { reply },
  setScimAttributes: { request: { mappings }, reply },
};
