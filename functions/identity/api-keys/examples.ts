import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import { CHANGED_AT, CREATED_AT, IDS, page } from '../../platform/example-values.ts';
import type * as routes from './routes.ts';

const apiKey = {
  id: IDS.apiKey,
  workspaceId: IDS.workspace,
  name: 'Nightly export',
  scope: 'read',
  prefix: 'ak_5f2c91d7',
  expiresAt: '2026-12-31T23:59:59.000Z',
  attributes: { region: 'eu' },
  resources: null,
  serviceAccountId: null,
  lastUsedAt: CHANGED_AT,
  previousUntil: null,
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
    reply: { ...apiKey, lastUsedAt: null, key: 'ak_5f2c91d7_Jx0cQm3rT8vYbN1sKd7fWz5hLp2gXe9uRa4iMo6tCqE' },
  },
  listApiKeys: { reply: page([apiKey]) },
  getApiKey: { reply: apiKey },
  updateApiKey: {
    request: { name: 'Weekly export' },
    reply: { ...apiKey, name: 'Weekly export', updatedAt: CHANGED_AT, revision: 2 },
  },
  rotateApiKey: {
    request: { overlapHours: 24 },
    reply: {
      ...apiKey,
      prefix: 'ak_07b1e4c9',
      previousUntil: '2026-02-04T16:40:05.250Z',
      updatedAt: CHANGED_AT,
      revision: 2,
      key: 'ak_07b1e4c9_Qe8hJ2kL5nB7vC1xZ4mA9sD3fG6tY0uI8oP2wR5eT7y',
    },
  },
  revokeApiKey: {},
};
