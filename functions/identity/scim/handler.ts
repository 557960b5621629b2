import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { mailQueue } from '../../../shared/domains/delivery/mails/index.ts';
import { addressNotices } from '../../../shared/domains/identity/address-changes/index.ts';
import { identityCleanUps, ssoDomains } from '../../../shared/domains/identity/identity-providers/index.ts';
import { readScimAttributes } from '../../../shared/domains/identity/mapped-attributes/index.ts';
import { passkeyCleanUps } from '../../../shared/domains/identity/passkeys/index.ts';
import {
  newScimToken,
  provisionedUsers,
  provisionerOf,
  scimTokens,
  userItems,
} from '../../../shared/domains/identity/provisioning/index.ts';
import { grantCleanUps } from '../../../shared/domains/tenancy/grants/index.ts';
import {
  bulkMemberships,
  groupCleanUps,
  groupMemberships,
  groupRepository,
} from '../../../shared/domains/tenancy/groups/index.ts';
import {
  type EndedMember,
  endMembershipsBefore,
  membershipCleanUps,
  readWorkspace,
  type WorkspaceRecord,
} from '../../../shared/domains/tenancy/workspaces/index.ts';
import { bind } from '../../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../../shared/platform/http/open-group.ts';
import { BriefCache } from '../../../shared/platform/storage/cache.ts';
import { cleanUpItem, cleanUpNow, type Ended } from '../../../shared/platform/storage/clean-ups.ts';
import * as attributeRoutes from './attributes/routes.ts';
import { getScimAttributes, setScimAttributes } from './attributes/use-cases.ts';
import { type ScimCall, scimBaseUrl, scimGroup } from './protocol/chain.ts';
import { resourceTypes, schemas, serviceProviderConfig } from './protocol/discovery.ts';
import { notFound } from './protocol/errors.ts';
import { listReply, readListQuery } from './protocol/list.ts';
import type { Members } from './protocol/values.ts';
import * as routes from './routes.ts';
import * as tokenRoutes from './tokens/routes.ts';
import { createScimToken, deleteScimToken, listScimTokens } from './tokens/use-cases.ts';
import { deleteGroup } from './use-cases/delete-group.ts';
import { getGroup, listGroups } from './use-cases/read-groups.ts';
import { getUser, listUsers } from './use-cases/read-users.ts';
import { removeUser } from './use-cases/remove-user.ts';
import { createGroup, patchGroup, replaceGroup } from './use-cases/save-group.ts';
import { createUser, patchUser, replaceUser } from './use-cases/save-user.ts';
import { searchAll, searchGroups, searchUsers } from './use-cases/search.ts';

const group = openGroup('scim');
const { table, now, log } = group;
/** As old as the token of the request may be, whose check has read the workspace too. */
const workspaces = new BriefCache<WorkspaceRecord>({ ttlMs: 5_000 });

async function existingWorkspace(id: string): Promise<WorkspaceRecord> {
  const workspace = await readWorkspace(table, id);
  if (!workspace) throw new Error(`the workspace ${id} of a SCIM token does not exist`);
  return workspace;
}

const deps = {
  table,
  now,
  domains: ssoDomains(table),
  tokens: scimTokens(table),
  newToken: newScimToken,
  workspace: (id: string) => readWorkspace(table, id),
  usersOf: (companyId: string) => provisionedUsers(table, companyId),
  items: userItems(table),
  mappingsOf: async (companyId: string) => (await readScimAttributes(table, companyId)).mappings,
  notices: addressNotices(table),
  mails: mailQueue(environment('MAIL_QUEUE_URL'), process.env.MAIL_FROM),
  groups: groupRepository(table),
  memberships: groupMemberships(table),
  bulk: bulkMemberships(table),
  workspaceOf: (id: string) => workspaces.get(id, now().getTime(), () => existingWorkspace(id)),
  endMemberships: async ({ id: userId, removedAt: until = '' }: { id: string; removedAt?: string }) => {
    const left = (member: { workspaceId: string; userId: string; membershipId: string }) => {
      const { workspaceId, membershipId } = member;
      return [cleanUpItem<EndedMember>(table, { kind: 'member', workspaceId, userId, membershipId }, now())];
    };
    await endMembershipsBefore(table, { userId, until }, left, () => false);
  },
  cleanUpItem: (ended: Ended) => cleanUpItem(table, ended, now()),
  cleanUpNow: (ended: Ended) =>
    cleanUpNow(
      table,
      [...grantCleanUps, ...groupCleanUps, ...membershipCleanUps, ...passkeyCleanUps, ...identityCleanUps],
      ended,
      (error) => log.warn('what a user or group left behind is still to be removed', error),
    ),
};

const tokens = endpointGroup(
  [
    bind(tokenRoutes.createScimToken, ({ principal, body, newId, headers }) =>
      createScimToken(deps, principal, { ...body, id: newId, baseUrl: scimBaseUrl(headers) }),
    ),
    bind(attributeRoutes.getScimAttributes, ({ principal }) => getScimAttributes(deps, principal)),
    bind(attributeRoutes.setScimAttributes, ({ principal, body }) => setScimAttributes(deps, principal, body)),
    bind(tokenRoutes.listScimTokens, ({ principal: { companyId }, headers }) =>
      listScimTokens(deps, companyId, scimBaseUrl(headers)),
    ),
    bind(tokenRoutes.deleteScimToken, ({ principal: { companyId }, params: { id } }) =>
      deleteScimToken(deps, companyId, id),
    ),
  ],
  group,
);

const all = (list: (baseUrl: string) => Members[]) => async (call: ScimCall) => {
  const resources = list(call.baseUrl);
  return listReply(resources, resources.length, 1);
};

const one = (what: string, list: (baseUrl: string) => Members[]) => async (call: ScimCall) => {
  const id = call.params.id!;
  const found = list(call.baseUrl).find((each) => String(each.id).toLowerCase() === id.toLowerCase());
  if (!found) throw notFound(what, id);
  return found;
};

const scim = scimGroup(
  [
    { route: routes.scimListUsers, run: (call) => listUsers(deps, call, readListQuery(call.query)) },
    { route: routes.scimCreateUser, run: (call) => createUser(deps, call) },
    { route: routes.scimGetUser, run: (call) => getUser(deps, call) },
    { route: routes.scimReplaceUser, run: (call) => replaceUser(deps, call) },
    { route: routes.scimPatchUser, run: (call) => patchUser(deps, call) },
    { route: routes.scimDeleteUser, run: (call) => removeUser(deps, call).then(() => undefined) },
    { route: routes.scimSearchUsers, run: (call) => searchUsers(deps, call) },
    { route: routes.scimListGroups, run: (call) => listGroups(deps, call, readListQuery(call.query)) },
    { route: routes.scimCreateGroup, run: (call) => createGroup(deps, call) },
    { route: routes.scimGetGroup, run: (call) => getGroup(deps, call) },
    { route: routes.scimReplaceGroup, run: (call) => replaceGroup(deps, call) },
    { route: routes.scimPatchGroup, run: (call) => patchGroup(deps, call) },
    { route: routes.scimDeleteGroup, run: (call) => deleteGroup(deps, call).then(() => undefined) },
    { route: routes.scimSearchGroups, run: (call) => searchGroups(deps, call) },
    { route: routes.scimSearch, run: (call) => searchAll(deps, call) },
    { route: routes.scimGetConfig, run: async ({ baseUrl }) => serviceProviderConfig(baseUrl) },
    { route: routes.scimListResourceTypes, run: all(resourceTypes) },
    { route: routes.scimGetResourceType, run: one('resource type', resourceTypes) },
    { route: routes.scimListSchemas, run: all(schemas) },
    { route: routes.scimGetSchema, run: one('schema', schemas) },
  ],
  { authenticate: provisionerOf(table), now, log },
);

/** Everything below this path belongs to SCIM, also what does not exist: its errors have the form of SCIM. */
const SCIM_PATH = /^(?:\/api)?\/scim\/v2(?:\/|$)/;

export const handler = (event: APIGatewayProxyEvent, context: Context) =>
  SCIM_PATH.test(event.path) ? scim(event, context) : tokens(event, context);
