import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CREATED_AT, IDS } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

const token = {
  id: IDS.scimToken,
  workspaceId: IDS.workspace,
  name: 'Entra',
  prefix: 'scim_5f2c91d7',
  createdBy: IDS.user,
  createdAt: CREATED_AT,
  lastUsedAt: null,
};

const baseUrl = 'https://analytics.example.com/api/scim/v2';

export const examples: ExamplesOf<typeof routes> = {
  createScimToken: {
    request: { name: 'Entra', workspaceId: IDS.workspace },
    reply: { ...token, token: 'scim_5f2c91d7_Jx0cQm3rT8vYbN1sKd7fWz5hLp2gXe9uRa4iMo6tCqE', baseUrl },
  },
  listScimTokens: { reply: { items: [token], total: 1, baseUrl } },
  deleteScimToken: { reply: token },
};
