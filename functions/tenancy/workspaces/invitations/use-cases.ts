import type { MailQueue } from '../../../../shared/domains/delivery/mails/index.ts';
import {
  type InvitationRecord,
  type InvitationRepository,
  type InvitationTokens,
  validUntil,
} from '../../../../shared/domains/identity/invitations/index.ts';
import type { GroupRepository } from '../../../../shared/domains/tenancy/groups/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';
import { selectPage } from '../../../../shared/platform/storage/list-request.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { PageOf } from '../../../../shared/platform/storage/page.ts';
import type { WorkspaceRepository } from '../repository.ts';
import type { CreateInvitation, Invitation, InvitationsQuery } from './schemas.ts';

export interface InvitationDeps {
  invitations: InvitationRepository;
  tokens: InvitationTokens;
  workspaces: WorkspaceRepository;
  groups: GroupRepository;
  mails: MailQueue;
  now: () => Date;
}

interface Named {
  workspaceId: string;
  id: string;
}

/** Does not reveal whether the address has an account in another company: only the invited person learns of it. */
export async function createInvitation(
  deps: InvitationDeps,
  { workspaceId, companyId, userId: invitedBy }: Principal,
  { id, email, role, groupIds = [] }: CreateInvitation & { id: string },
): Promise<Invitation> {
  const { invitations, workspaces, now } = deps;
  const known = await workspaces.userByEmail(email);
  if (known && (await workspaces.member(workspaceId, known.id))) throw new AppError('MEMBER_EXISTS');
  const groups = await deps.groups.getMany(workspaceId, groupIds);
  if (groups.length < groupIds.length) throw new AppError('GROUP_NOT_FOUND');
  await invitations.count(workspaceId, email);
  const at = now();
  const createdAt = at.toISOString();
  const invitation = await invitations.create({
    ...{ id, workspaceId, companyId, email, role, groupIds, invitedBy },
    ...(await newTerm(deps, { serial: 1, at })),
    ...{ createdAt, updatedAt: createdAt, revision: 1 },
  });
  return deliver(deps, invitation);
}

/** Who sends it again answers for it from then on: an invitation ends with the rights of its admin. */
export async function resendInvitation(deps: InvitationDeps, invitedBy: string, named: Named): Promise<Invitation> {
  const { email } = await findInvitation(deps, named);
  await deps.invitations.count(named.workspaceId, email);
  const invitation = await onNewest('STALE_WRITE', async () => {
    const seen = await findInvitation(deps, named);
    const at = deps.now();
    const term = await newTerm(deps, { serial: seen.serial + 1, at });
    return deps.invitations.replace(seen, { ...seen, ...term, invitedBy, updatedAt: later(seen.updatedAt, at) });
  });
  return deliver(deps, invitation);
}

export async function listInvitations(
  { invitations }: InvitationDeps,
  { workspaceId, email, role, ...query }: InvitationsQuery & { workspaceId: string },
): Promise<PageOf<Invitation>> {
  const request = { ...query, having: { role } };
  if (email !== undefined) {
    const found = await invitations.find(workspaceId, email);
    const page = selectPage(found ? [found] : [], request);
    return { ...page, items: page.items.map((invitation) => showInvitation(invitation)) };
  }
  const page = await invitations.list(workspaceId, request);
  return { ...page, items: page.items.map((invitation) => showInvitation(invitation)) };
}

export const getInvitation = async (deps: InvitationDeps, named: Named): Promise<Invitation> =>
  showInvitation(await findInvitation(deps, named));

export const deleteInvitation = (deps: InvitationDeps, named: Named): Promise<void> =>
  onNewest('STALE_WRITE', async () => deps.invitations.remove(await findInvitation(deps, named)));

async function findInvitation({ invitations }: InvitationDeps, { workspaceId, id }: Named): Promise<InvitationRecord> {
  const invitation = await invitations.get(workspaceId, id);
  if (!invitation) throw new AppError('INVITATION_NOT_FOUND');
  return invitation;
}

/** Another serial voids the token before. */
const newTerm = async ({ tokens, mails }: InvitationDeps, { serial, at }: { serial: number; at: Date }) => ({
  serial,
  secretVersion: await tokens.version(),
  isTokenShown: mails === undefined,
  validUntil: validUntil(at),
  sentAt: null,
});

/** A mail, or the token itself where the deployment sends none. A repeated call sends the same mail at most twice. */
async function deliver({ mails, tokens }: InvitationDeps, invitation: InvitationRecord): Promise<Invitation> {
  const { workspaceId, id: invitationId, serial } = invitation;
  if (!mails) return showInvitation(invitation, await tokens.of(invitation));
  await mails.send({ kind: 'invitation', workspaceId, invitationId, serial });
  return showInvitation(invitation);
}

function showInvitation(
  {
    companyId: _,
    serial: __,
    secretVersion: ___,
    isTokenShown: ____,
    validUntil: expiresAt,
    ...invitation
  }: InvitationRecord,
  token: string | null = null,
): Invitation {
  return { ...invitation, expiresAt, token };
}
