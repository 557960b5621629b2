import type { MailMessage } from '../../../../shared/domains/delivery/mails/index.ts';
import {
  INVITATION_DAYS,
  type InvitationRecord,
  type InvitationRepository,
  type InvitationTokens,
  isPending,
} from '../../../../shared/domains/identity/invitations/index.ts';
import {
  isTrustedAddress,
  type UserRecord,
  type WorkspaceRecord,
} from '../../../../shared/domains/tenancy/workspaces/index.ts';
import type { Mail } from '../../../../shared/platform/mail/compose.ts';
import type { Mailer } from '../../../../shared/platform/mail/mailer.ts';
import { linkTo } from './link.ts';

export interface InvitationMailDeps {
  invitations: InvitationRepository;
  tokens: InvitationTokens;
  user(id: string): Promise<UserRecord | undefined>;
  userByEmail(email: string): Promise<UserRecord | undefined>;
  workspace(id: string): Promise<WorkspaceRecord | undefined>;
  mailer: Mailer;
  appUrl: string | undefined;
  now: () => Date;
}

/** A message may come twice, late, or after the invitation was accepted, withdrawn or sent again. */
export async function sendInvitation(
  deps: InvitationMailDeps,
  { workspaceId, invitationId, serial }: Extract<MailMessage, { kind: 'invitation' }>,
): Promise<void> {
  const invitation = await deps.invitations.get(workspaceId, invitationId);
  if (invitation?.serial !== serial || invitation.sentAt !== null || !isPending(invitation, deps.now())) return;
  const [workspace, inviter, invited] = await Promise.all([
    deps.workspace(workspaceId),
    deps.user(invitation.invitedBy),
    deps.userByEmail(invitation.email),
  ]);
  // Who reads the mails of an address that others have set may not be the person of the account.
  if (!workspace || (invited && !isTrustedAddress(invited))) return;
  const token = await deps.tokens.of(invitation);
  await deps.mailer.send(
    invitation.email,
    invitationMail(invitation, { workspace, inviter, token, appUrl: deps.appUrl }),
  );
  await deps.invitations.sent(invitation, deps.now());
}

function invitationMail(
  { role }: InvitationRecord,
  words: { workspace: WorkspaceRecord; inviter: UserRecord | undefined; token: string; appUrl: string | undefined },
): Mail {
  const { workspace, inviter, token, appUrl } = words;
  const who = inviter ? `${shortened(inviter.name)} (${inviter.email})` : 'An admin';
  return {
    subject: 'You are invited to a workspace',
    paragraphs: [
      'Hello,',
      `${who} invites you to the workspace “${shortened(workspace.name)}” as ${role === 'viewer' ? 'a' : 'an'} ${role}.`,
    ],
    action: linkTo({ appUrl, page: 'accept-invitation', label: 'Accept the invitation', token }),
    notes: [
      `The invitation is valid for ${INVITATION_DAYS} days. You choose your own password, unless you already have an account.`,
      'If you do not know the sender, ignore this email.',
    ],
  };
}

/** People choose names; none of them becomes the text of the mail. */
const shortened = (name: string): string => (name.length > 60 ? `${name.slice(0, 60)}…` : name);
