import { mailQueue } from '../../../shared/domains/delivery/mails/index.ts';
import { ssoDomains } from '../../../shared/domains/identity/identity-providers/index.ts';
import { invitationRepository, invitationTokens } from '../../../shared/domains/identity/invitations/index.ts';
import { mappedAttributes } from '../../../shared/domains/identity/mapped-attributes/index.ts';
import { downloadLinks } from '../../../shared/domains/semantics/queries/index.ts';
import { grantCleanUps } from '../../../shared/domains/tenancy/grants/index.ts';
import { groupCleanUps, groupRepository } from '../../../shared/domains/tenancy/groups/index.ts';
import { readMembers } from '../../../shared/domains/tenancy/workspaces/index.ts';
import {
  type StoredSecret,
  secretReferences,
  secretRepository,
} from '../../../shared/domains/warehouse/secrets/index.ts';
import { passwords } from '../../../shared/platform/auth/password.ts';
import { secretBox } from '../../../shared/platform/crypto/secret-box.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import { baseUrl } from '../../../shared/platform/http/base-url.ts';
import { bind } from '../../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../../shared/platform/http/open-group.ts';
import { jobQueue } from '../../../shared/platform/jobs/queue.ts';
import { jobRepository } from '../../../shared/platform/jobs/repository.ts';
import { cleanUpItem, cleanUpNow, type Ended } from '../../../shared/platform/storage/clean-ups.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import { withReferences } from '../../../shared/platform/storage/references.ts';
import { namedReferrers } from '../../../shared/platform/storage/referrers.ts';
import { getMemberAttributes, setMemberAttributes } from './attributes/member-attributes.ts';
import * as attributeRoutes from './attributes/routes.ts';
import * as exportRoutes from './exports/routes.ts';
import {
  cancelWorkspaceExport,
  getWorkspaceExport,
  getWorkspaceExportFile,
  startWorkspaceExport,
} from './exports/workspace-exports.ts';
import * as invitationRoutes from './invitations/routes.ts';
import {
  createInvitation,
  deleteInvitation,
  getInvitation,
  listInvitations,
  resendInvitation,
} from './invitations/use-cases.ts';
import { workspaceRepository } from './repository.ts';
import * as routes from './routes.ts';
import * as secretRoutes from './secrets/routes.ts';
import { deleteSecret, getSecret, listSecrets, putSecret } from './secrets/use-cases.ts';
import { addMember } from './use-cases/add-member.ts';
import { changeMember } from './use-cases/change-member.ts';
import { changeWorkspace, deleteWorkspace, restoreWorkspace } from './use-cases/change-workspace.ts';
import { createWorkspace } from './use-cases/create-workspace.ts';
import { getMember } from './use-cases/get-member.ts';
import { getWorkspace } from './use-cases/get-workspace.ts';
import { removeMember } from './use-cases/remove-member.ts';
import { resetMemberMfa } from './use-cases/reset-member-mfa.ts';

const group = openGroup('workspaces');
const { table, now } = group;
const deps = {
  workspaces: workspaceRepository(table),
  domains: ssoDomains(table),
  mapped: (userId: string, companyId: string) => mappedAttributes(table, { userId, companyId }),
  passwords: passwords(Number(environment('PASSWORD_COST'))),
  cleanUpItem: (ended: Ended) => cleanUpItem(table, ended, now()),
  cleanUpNow: (ended: Ended) =>
    cleanUpNow(table, [...grantCleanUps, ...groupCleanUps], ended, (error) =>
      group.log.warn('what a member left behind is still to be removed', error),
    ),
  groups: groupRepository(table),
  members: (workspaceId: string, userIds: readonly string[]) => readMembers(table, workspaceId, userIds),
  graceDays: Number(environment('DELETION_GRACE_DAYS')),
  newId,
  now,
};
const inviting = {
  ...deps,
  invitations: invitationRepository(table),
  tokens: invitationTokens(group.master),
  mails: mailQueue(environment('MAIL_QUEUE_URL'), process.env.MAIL_FROM),
};
const exporting = {
  table,
  workspaces: deps.workspaces,
  jobs: { jobs: jobRepository(table), queue: jobQueue(environment('JOB_QUEUE_URL')), now },
  links: downloadLinks(environment('DATA_BUCKET'), now),
};
const secrets = secretRepository(table);
const references = secretReferences(table);
const keeping = {
  secrets,
  box: secretBox(group.master),
  referrers: namedReferrers(table, references),
  remove: (secret: StoredSecret) =>
    withReferences(
      [references.removeItem(secret.workspaceId, secret.id)],
      (unreferenced) => secrets.remove(secret, 'STALE_WRITE', unreferenced),
      (cause) => new AppError('STALE_WRITE', { cause }),
    ),
  now,
};

export const handler = endpointGroup(
  [
    bind(routes.createWorkspace, ({ principal, body, newId }) =>
      createWorkspace(deps, principal, { id: newId, name: body.name }),
    ),
    bind(routes.getWorkspace, ({ principal }) => getWorkspace(deps, principal.workspaceId)),
    bind(routes.updateWorkspace, ({ principal, body, headers }) =>
      changeWorkspace(deps, principal.workspaceId, { ...body, apiUrl: baseUrl(headers) }),
    ),
    bind(routes.deleteWorkspace, ({ principal, params, query }) =>
      deleteWorkspace(deps, principal, { id: params.id, confirm: query.confirm }),
    ),
    bind(routes.restoreWorkspace, ({ principal, params }) => restoreWorkspace(deps, principal, params.id)),
    bind(routes.listMembers, ({ principal, query }) => deps.workspaces.members(principal.workspaceId, query)),
    bind(routes.addMember, ({ principal, body, newId }) => addMember(deps, principal, { ...body, newUserId: newId })),
    bind(routes.getMember, ({ principal: { workspaceId }, params: { userId } }) =>
      getMember(deps, { workspaceId, userId }),
    ),
    bind(routes.changeMember, ({ principal, params, body }) =>
      changeMember(deps, { workspaceId: principal.workspaceId, userId: params.userId, role: body.role }),
    ),
    bind(routes.removeMember, ({ principal, params }) =>
      removeMember(deps, { workspaceId: principal.workspaceId, userId: params.userId }),
    ),
    bind(routes.resetMemberMfa, ({ principal, params }) => resetMemberMfa(deps, principal, params.userId)),
    bind(invitationRoutes.createInvitation, ({ principal, body, newId: id }) =>
      createInvitation(inviting, principal, { ...body, id }),
    ),
    bind(invitationRoutes.listInvitations, ({ principal: { workspaceId }, query }) =>
      listInvitations(inviting, { workspaceId, ...query }),
    ),
    bind(invitationRoutes.getInvitation, ({ principal: { workspaceId }, params: { id } }) =>
      getInvitation(inviting, { workspaceId, id }),
    ),
    bind(invitationRoutes.resendInvitation, ({ principal: { workspaceId, userId }, params: { id } }) =>
      resendInvitation(inviting, userId, { workspaceId, id }),
    ),
    bind(invitationRoutes.deleteInvitation, ({ principal: { workspaceId }, params: { id } }) =>
      deleteInvitation(inviting, { workspaceId, id }),
    ),
    bind(attributeRoutes.getMemberAttributes, ({ principal: { workspaceId, companyId }, params: { userId } }) =>
      getMemberAttributes(deps, { workspaceId, companyId, userId }),
    ),
    bind(attributeRoutes.setMemberAttributes, ({ principal, params: { userId }, body: { attributes } }) => {
      const { workspaceId, companyId, userId: by } = principal;
      return setMemberAttributes(deps, { workspaceId, companyId, userId, by, attributes });
    }),
    bind(exportRoutes.startWorkspaceExport, ({ principal, body, newId: id }) =>
      startWorkspaceExport(exporting, principal, { ...body, id }),
    ),
    bind(exportRoutes.getWorkspaceExport, ({ principal: { workspaceId }, params: { id } }) =>
      getWorkspaceExport(exporting, { workspaceId, id }),
    ),
    bind(exportRoutes.getWorkspaceExportFile, ({ principal, params: { id } }) =>
      getWorkspaceExportFile(exporting, principal, id),
    ),
    bind(exportRoutes.cancelWorkspaceExport, ({ principal: { workspaceId }, params: { id } }) =>
      cancelWorkspaceExport(exporting, { workspaceId, id }),
    ),
    bind(secretRoutes.listSecrets, ({ principal: { workspaceId }, query }) =>
      listSecrets(keeping, { workspaceId, ...query }),
    ),
    bind(secretRoutes.getSecret, ({ principal: { workspaceId }, params: { name } }) =>
      getSecret(keeping, { workspaceId, name }),
    ),
    bind(secretRoutes.putSecret, ({ principal: { workspaceId, userId }, params: { name }, body }) =>
      putSecret(keeping, { workspaceId, name, userId, secret: body }),
    ),
    bind(secretRoutes.deleteSecret, ({ principal: { workspaceId }, params: { name } }) =>
      deleteSecret(keeping, { workspaceId, name }),
    ),
  ],
  group,
);
