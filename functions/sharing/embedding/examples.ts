import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import { CHANGED_AT, CREATED_AT, IDS, page } from '../../platform/example-values.ts';
import type * as routes from './routes.ts';

const token = 'em_Kp7RsT2wC9mN4zQj6bVe1dGh8fLx3yAu';
const domain = {
  id: IDS.embedDomain,
  workspaceId: IDS.workspace,
  origin: 'https://app.example.com',
  createdBy: IDS.user,
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
};

export const examples: ExamplesOf<typeof routes> = {
  createEmbedToken: {
    request: {
      contentType: 'dashboard',
      contentId: IDS.dashboard,
      attributes: { region: ['North'] },
      lockedFilters: [{ fieldId: IDS.modelField, op: 'eq', values: ['North'] }],
      expiresIn: 600,
      subject: 'user-1138',
    },
    reply: {
      token,
      jti: IDS.embedToken,
      url: `https://analytics.example.com/api/e/${token}`,
      expiresAt: CHANGED_AT,
    },
  },
  revokeEmbedToken: {},
  listEmbedDomains: { reply: page([domain]) },
  createEmbedDomain: { request: { origin: 'https://app.example.com' }, reply: domain },
  deleteEmbedDomain: {},
};
