import type { ExamplesOf } from '../../shared/platform/http/example.ts';
import { CREATED_AT, IDS } from '../example-values.ts';
import type * as routes from './access-routes.ts';

const access = {
  granteeType: 'group',
  granteeId: IDS.group,
  name: 'Finance',
  email: null,
  level: 'editor',
  grantedBy: IDS.user,
  grantedAt: CREATED_AT,
};

export const examples: ExamplesOf<typeof routes> = {
  listModelAccess: { reply: { items: [access], total: 1, nextCursor: null } },
  setModelAccess: { request: { level: 'editor' }, reply: access },
  revokeModelAccess: {},
};
