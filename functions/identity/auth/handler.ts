import { mailQueue } from '../../../shared/domains/delivery/mails/index.ts';
import { addressNotices } from '../../../shared/domains/identity/address-changes/index.ts';
import { signInPolicy, ssoDomains } from '../../../shared/domains/identity/identity-providers/index.ts';
import { invitationRepository, invitationTokens } from '../../../shared/domains/identity/invitations/index.ts';
import { attributesOf } from '../../../shared/domains/identity/mapped-attributes/index.ts';
import { passkeys } from '../../../shared/domains/identity/passkeys/index.ts';
import { passwordResets } from '../../../shared/domains/identity/password-resets/index.ts';
import { provisionedUsers } from '../../../shared/domains/identity/provisioning/index.ts';
import { continueSession, signInFailures } from '../../../shared/domains/identity/sessions/index.ts';
import { groupsOf } from '../../../shared/domains/tenancy/groups/index.ts';
import { readWorkspace } from '../../../shared/domains/tenancy/workspaces/index.ts';
import { type AuditedChange, recordAct } from '../../../shared/platform/audit/entry.ts';
import { passwords } from '../../../shared/platform/auth/password.ts';
import type { Principal } from '../../../shared/platform/auth/principal.ts';
import { secretBox } from '../../../shared/platform/crypto/secret-box.ts';
import { bind, bindPublic } from '../../../shared/platform/http/bind.ts';
import { Content } from '../../../shared/platform/http/content.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../../shared/platform/http/open-group.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import { oneTime } from '../../../shared/platform/storage/one-time.ts';
import { signInAttempts } from './attempts.ts';
import { deviceBindings } from './devices/bindings.ts';
import type { ApprovedProgram } from './devices/browser.ts';
import { deviceRequests } from './devices/device-requests.ts';
import { joinBy } from './join.ts';
import { mfaTokens } from './mfa-token.ts';
import { passkeyBindings } from './passkeys/bindings.ts';
import type { Challenge } from './passkeys/use-cases.ts';
import { authRepository } from './repository.ts';
import * as routes from './routes.ts';
import { secondFactor } from './second-factor.ts';
import { acceptInvitation } from './use-cases/accept-invitation.ts';
import { changePassword } from './use-cases/change-password.ts';
import { changeProfile } from './use-cases/change-profile.ts';
import { confirmEmail, confirmEmailByMail } from './use-cases/confirm-email.ts';
import { describeMe } from './use-cases/describe-me.ts';
import { login } from './use-cases/login.ts';
import { requestPasswordReset, resetPassword } from './use-cases/reset-password.ts';
import {
  activateSecondFactor,
  enrolSecondFactor,
  replaceRecoveryCodes,
  turnOffSecondFactor,
  verifySecondFactor,
} from './use-cases/second-factor.ts';
import { endOtherSessions, endSession, listSessions } from './use-cases/sessions.ts';

const group = openGroup('auth');
const deps = {
  accounts: authRepository(group.table),
  attempts: signInAttempts(group.table),
  policy: signInPolicy(group.table),
  domains: ssoDomains(group.table),
  failures: signInFailures(group.table),
  tokens: group.tokens,
  mfaTokens: mfaTokens(group.master),
  factor: secondFactor(group.table, secretBox(group.master)),
  passwords: passwords(Number(environment('PASSWORD_COST'))),
  attributesOf: (principal: Principal) => attributesOf(group.table, principal),
  workspace: (id: string) => readWorkspace(group.table, id),
  passkeys: passkeys(group.table),
  devices: deviceRequests(group.table, group.master),
  programs: oneTime<ApprovedProgram>(group.table, 'BROWSER-SIGN-IN'),
  recordAct: (change: AuditedChange) => recordAct(group.table, change),
  challenges: oneTime<Challenge>(group.table, 'PASSKEY-CHALLENGE'),
  groupsOf: (principal: Principal) => groupsOf(group.table, principal),
  mails: mailQueue(environment('MAIL_QUEUE_URL'), process.env.MAIL_FROM),
  resets: passwordResets(group.table),
  notices: addressNotices(group.table),
  invitations: invitationRepository(group.table),
  invitationTokens: invitationTokens(group.master),
  removedNamed: (companyId: string, email: string) => provisionedUsers(group.table, companyId).removedNamed(email),
  join: joinBy(group.table),
  newId,
  now: group.now,
};

export const handler = endpointGroup(
  [
    bindPublic(routes.login, ({ body, sourceIp, headers, newId }) =>
      login(deps, { ...body, sourceIp, userAgent: headers['user-agent'], sessionId: newId }),
    ),
    bindPublic(routes.refresh, ({ body }) => continueSession(deps, body)),
    bind(routes.logout, ({ principal: { userId, workspaceId, credentialId: id } }) =>
      deps.accounts.revoke({ userId, workspaceId, id }, 'user.signed_out', deps.now()),
    ),
    bindPublic(
      routes.jwks,
      async () =>
        new Content(JSON.stringify({ keys: await deps.tokens.publicKeys() }), {
          headers: { 'cache-control': 'public, max-age=60' },
        }),
    ),
    bind(routes.me, ({ principal }) => describeMe(deps, principal)),
    bind(routes.changeProfile, ({ principal, body }) => changeProfile(deps, principal, body)),
    bind(routes.changePassword, ({ principal, body, sourceIp }) =>
      changePassword(deps, principal, { ...body, sourceIp }),
    ),
    bindPublic(routes.forgotPassword, ({ body, sourceIp }) =>
      requestPasswordReset(deps, { email: body.email, sourceIp }),
    ),
    bindPublic(routes.resetPassword, ({ body }) => resetPassword(deps, body)),
    bind(routes.confirmEmail, ({ principal, body }) => confirmEmail(deps, principal, body.email)),
    bindPublic(routes.confirmEmailByMail, ({ body }) => confirmEmailByMail(deps, body.token)),
    bindPublic(routes.acceptInvitation, ({ body, newId: newUserId }) => acceptInvitation(deps, { ...body, newUserId })),
    bind(routes.listSessions, ({ principal }) => listSessions(deps, principal)),
    bind(routes.endSession, ({ principal, params }) => endSession(deps, principal, params.id)),
    bind(routes.endOtherSessions, ({ principal }) => endOtherSessions(deps, principal)),
    bindPublic(routes.verifyMfa, ({ body, sourceIp, headers }) =>
      verifySecondFactor(deps, { ...body, sourceIp, userAgent: headers['user-agent'] }),
    ),
    bind(routes.enrolMfa, ({ principal, body, sourceIp }) => enrolSecondFactor(deps, principal, { ...body, sourceIp })),
    bind(routes.activateMfa, ({ principal, body, sourceIp }) =>
      activateSecondFactor(deps, principal, { ...body, sourceIp }),
    ),
    bind(routes.replaceRecoveryCodes, ({ principal, body, sourceIp }) =>
      replaceRecoveryCodes(deps, principal, { ...body, sourceIp }),
    ),
    bind(routes.turnOffMfa, ({ principal, body, sourceIp }) =>
      turnOffSecondFactor(deps, principal, { ...body, sourceIp }),
    ),
    ...passkeyBindings(deps),
    ...deviceBindings(deps),
  ],
  group,
);
