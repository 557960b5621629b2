import { serviceAccountRepository } from '../../../shared/domains/tenancy/workspaces/index.ts';
import { newApiKey } from '../../../shared/platform/auth/credentials.ts';
import { bind } from '../../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { openGroup } from '../../../shared/platform/http/open-group.ts';
import { apiKeyRepository } from './repository.ts';
import * as routes from './routes.ts';
import * as accountRoutes from './service-accounts/routes.ts';
import {
  createServiceAccount,
  deleteServiceAccount,
  findServiceAccount,
  listServiceAccounts,
  showAccount,
  updateServiceAccount,
} from './service-accounts/use-cases.ts';
import { rotateApiKey, updateApiKey } from './use-cases/change-api-key.ts';
import { createApiKey } from './use-cases/create-api-key.ts';
import { getApiKey, listApiKeys } from './use-cases/read-api-keys.ts';
import { revokeApiKey } from './use-cases/revoke-api-key.ts';

const group = openGroup('api-keys');
const deps = {
  keys: apiKeyRepository(group.table),
  accounts: serviceAccountRepository(group.table),
  now: group.now,
  newKey: newApiKey,
};

export const handler = endpointGroup(
  [
    bind(routes.createApiKey, ({ principal: { workspaceId, userId, membershipId }, body, newId }) =>
      createApiKey(deps, { ...body, id: newId, workspaceId, createdBy: userId, membershipId }),
    ),
    bind(routes.listApiKeys, ({ principal, query }) =>
      listApiKeys(deps, { ...query, workspaceId: principal.workspaceId }),
    ),
    bind(routes.getApiKey, ({ principal: { workspaceId }, params: { id } }) => getApiKey(deps, { workspaceId, id })),
    bind(routes.updateApiKey, ({ principal: { workspaceId }, params: { id }, body }) =>
      updateApiKey(deps, { workspaceId, id, change: body }),
    ),
    bind(routes.rotateApiKey, ({ principal: { workspaceId, userId }, params: { id }, body, newId }) =>
      rotateApiKey(deps, { workspaceId, id, userId, ...body, rotationId: newId }),
    ),
    bind(routes.revokeApiKey, ({ principal, params }) =>
      revokeApiKey(deps, { id: params.id, workspaceId: principal.workspaceId }),
    ),
    bind(accountRoutes.createServiceAccount, ({ principal, body, newId }) =>
      createServiceAccount(deps, principal, { ...body, id: newId }),
    ),
    bind(accountRoutes.listServiceAccounts, ({ principal: { workspaceId }, query }) =>
      listServiceAccounts(deps, { ...query, workspaceId }),
    ),
    bind(accountRoutes.getServiceAccount, async ({ principal: { workspaceId }, params: { id } }) =>
      showAccount(await findServiceAccount(deps, { workspaceId, id })),
    ),
    bind(accountRoutes.updateServiceAccount, ({ principal: { workspaceId }, params: { id }, body }) =>
      updateServiceAccount(deps, { workspaceId, id, change: body }),
    ),
    bind(accountRoutes.deleteServiceAccount, ({ principal: { workspaceId }, params: { id } }) =>
      deleteServiceAccount(deps, { workspaceId, id }),
    ),
  ],
  group,
);
