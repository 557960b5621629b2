import { createHash, randomBytes } from 'node:crypto';
import type { Client, SignedIn } from '../../../../shared/domains/identity/sessions/index.ts';
import { actOf } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import type { AuditedChange } from '../../../../shared/platform/audit/entry.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { OneTime } from '../../../../shared/platform/storage/one-time.ts';
import type { SignInAttempts } from '../attempts.ts';
import type { Approval } from './device-requests.ts';
import type { ApprovedSignIn, BrowserSignIn, RedeemSignInCode } from './schemas.ts';
import { type ApprovalDeps, approvalBy, beginApproved } from './use-cases.ts';

/** The browser hands the code over immediately. */
const CODE_SECONDS = 60;

/** What a code stands for: the approval, and the only program that can use it. */
export interface ApprovedProgram {
  approval: Approval;
  challenge: string;
  redirectUri: string;
}

export interface BrowserDeps extends ApprovalDeps {
  attempts: SignInAttempts;
  programs: OneTime<ApprovedProgram>;
  recordAct(change: AuditedChange): Promise<void>;
}

/**
 * Nothing is stored before a person approves. The code leads to the computer of the browser, and only the program that
 * made the challenge can use it (RFC 8252, 8.1). Hostile programs can make one, too: what the person reads decides.
 */
export async function approveBrowserSignIn(
  deps: BrowserDeps,
  { principal, clientName = null, redirectUri, codeChallenge: challenge, state }: Command,
): Promise<ApprovedSignIn> {
  await deps.attempts.beginApproval(principal.userId);
  const { user, approval } = await approvalBy(deps, principal);
  const code = `sc_${randomBytes(32).toString('base64url')}`;
  await deps.programs.put(code, { approval, challenge, redirectUri }, CODE_SECONDS);
  // Before the code is known to anyone.
  await deps.recordAct({
    ...actOf(user, approval.workspaceId),
    action: 'session.device_approved',
    after: { clientName, redirectUri },
  });
  return { redirectTo: `${redirectUri}?${new URLSearchParams({ code, state })}` };
}

type Command = Omit<BrowserSignIn, 'clientName'> & { principal: Principal; clientName?: string | null | undefined };

/**
 * The tokens of the program, once. Throws `SIGN_IN_CODE_INVALID`; a code that was tried with a wrong verifier is used
 * up. Throws `ACCESS_DENIED` if the sign-in that approved it has ended meanwhile.
 */
export async function redeemSignInCode(
  deps: BrowserDeps,
  { code, codeVerifier, redirectUri, ...client }: RedeemSignInCode & Client & { sessionId: string },
): Promise<SignedIn> {
  const approved = await deps.programs.take(code);
  const challenge = createHash('sha256').update(codeVerifier).digest('base64url');
  if (approved?.challenge !== challenge || approved.redirectUri !== redirectUri) {
    // Only wrong codes count, so that many of them from a network do not lock its people out.
    await deps.attempts.countWrongSignInCode(client.sourceIp);
    throw new AppError('SIGN_IN_CODE_INVALID');
  }
  return beginApproved(deps, approved.approval, client);
}
