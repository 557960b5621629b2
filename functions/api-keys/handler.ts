import { newApiKey } from '../../shared/platform/auth/credentials.ts';
import { bind } from '../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../shared/platform/http/endpoint-group.ts';
import { openGroup } from '../../shared/platform/http/open-group.ts';
import { apiKeyRepository } from './repository.ts';
import * as routes from './routes.ts';
import { createApiKey } from './use-cases/create-api-key.ts';
import { listApiKeys } from './use-cases/read-api-keys.ts';
import { revokeApiKey } from './use-cases/revoke-api-key.ts';

const group = openGroup('api-keys');
const deps = { keys: apiKeyRepository(group.table), now: group.now, newKey: newApiKey };

export const handler = endpointGroup(
  [
    bind(routes.createApiKey, ({ principal: { workspaceId, userId, membershipId }, body, newId }) =>
      createApiKey(deps, { ...body, id: newId, workspaceId, createdBy: userId, membershipId }),
    ),
    bind(routes.listApiKeys, ({ principal, query }) =>
      listApiKeys(deps, { ...query, workspaceId: principal.workspaceId }),
    ),
    bind(routes.revokeApiKey, ({ principal, params }) =>
      revokeApiKey(deps, { id: params.id, workspaceId: principal.workspaceId }),
    ),
  ],
  group,
);
