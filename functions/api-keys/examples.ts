import type { ExamplesOf } from '../../shared/platform/http/example.ts';
import { CREATED_AT, IDS, page } from '../example-values.ts';
import type * as routes from './routes.ts';

const apiKey = {
  id: IDS.apiKey,
  workspaceId: IDS.workspace,
  name: 'Nightly export',
  scope: 'read',
  prefix: 'ak_5f2c91d7',
  expiresAt: '2026-12-31T23:59:59.000Z',
  attributes: { region: 'eu' },
  createdBy: IDS.user,
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  revision: 1,
};

export const examples: ExamplesOf<typeof routes> = {
  createApiKey: {
    request: {
      name: 'Nightly export',
      scope: 'read',
      expiresAt: '2026-12-31T23:59:59.000Z',
      attributes: { region: 'eu' },
    },
    reply: { ...apiKey, key: 'ak_5f2c91d7_Jx0cQm3rT8vYbN1sKd7fWz5hLp2gXe9uRa4iMo6tCqE' },
  },
  listApiKeys: { reply: page([apiKey]) },
  revokeApiKey: {},
};
