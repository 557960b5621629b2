import type { SignInPolicy } from '../../../../shared/domains/identity/identity-providers/index.ts';
import {
  beginSession,
  type Client,
  PROGRAM_GRANTS,
  type SignedIn,
} from '../../../../shared/domains/identity/sessions/index.ts';
import type { UserRecord } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import type { AccessTokens } from '../../../../shared/platform/auth/access-token.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { networkOf } from '../../../../shared/platform/net/network-of.ts';
import type { SignInAttempts } from '../attempts.ts';
import type { AuthRepository } from '../repository.ts';
import { requireOpenSession } from '../use-cases/sessions.ts';
import {
  type Approval,
  DEVICE_SECONDS,
  type DeviceRequest,
  type DeviceRequests,
  FIRST_INTERVAL_SECONDS,
} from './device-requests.ts';
import type { DeviceCode, DeviceRequestView } from './schemas.ts';
import { canonicalUserCode } from './user-code.ts';

export interface DeviceDeps {
  accounts: AuthRepository;
  attempts: SignInAttempts;
  devices: DeviceRequests;
  policy: SignInPolicy;
  tokens: AccessTokens;
  now: () => Date;
}

export type ApprovalDeps = Pick<DeviceDeps, 'accounts' | 'policy' | 'tokens' | 'now'>;

export const WARNING =
  'Approve only if you have started this sign-in yourself, just now, and your own screen shows the same code. If a person or a message has sent you the code, deny it: approving it would give them access to your account.';

export async function startDeviceSignIn(
  { devices, attempts }: DeviceDeps,
  { clientName, sourceIp, userAgent, apiUrl }: Client & { clientName?: string | undefined; apiUrl: string },
): Promise<DeviceCode> {
  await attempts.beginDevice(sourceIp);
  const request = { clientName: clientName ?? null, sourceIp, userAgent: userAgent?.slice(0, MAX_USER_AGENT) ?? null };
  const codes = await devices.create(request);
  return {
    ...codes,
    verificationUri: `${apiUrl}/d/device`,
    expiresInSeconds: DEVICE_SECONDS,
    intervalSeconds: FIRST_INTERVAL_SECONDS,
  };
}

const MAX_USER_AGENT = 300;

/**
 * The tokens of a device, once. Throws `AUTHORIZATION_PENDING`, `SLOW_DOWN`, `EXPIRED_TOKEN`, and `ACCESS_DENIED`, also
 * if the sign-in that approved it has ended meanwhile.
 */
export async function redeemDeviceCode(
  deps: DeviceDeps,
  { deviceCode, sessionId, ...client }: Client & { deviceCode: string; sessionId: string },
): Promise<SignedIn> {
  const polled = await deps.devices.poll(deviceCode);
  if (!polled) throw new AppError('EXPIRED_TOKEN');
  if ('slowDownTo' in polled) throw new AppError('SLOW_DOWN', { retryAfterSeconds: polled.slowDownTo });
  const { status, approval, intervalSeconds } = polled;
  if (status === 'denied') throw new AppError('ACCESS_DENIED');
  if (!approval) throw new AppError('AUTHORIZATION_PENDING', { retryAfterSeconds: intervalSeconds });
  // Used up before the sign-in begins: a request that dies in between costs another approval, never a second sign-in.
  if (!(await deps.devices.take(polled))) throw new AppError('EXPIRED_TOKEN');
  return beginApproved(deps, approval, { ...client, sessionId });
}

/**
 * The sign-in of a program that a person has approved. Throws `ACCESS_DENIED` if what was approved does not hold any
 * more.
 */
export async function beginApproved(
  deps: ApprovalDeps,
  approval: Approval,
  client: Client & { sessionId: string },
): Promise<SignedIn> {
  const { user, membership } = await approverOf(deps, approval);
  const { method, signedInAt } = approval;
  const begun = await beginSession(deps, user, membership, {
    ...client,
    ...(method && { method }),
    // The identity provider has admitted the person for a day from then on, not from now on.
    ...(method?.kind === 'sso' && { signedInAt }),
  });
  if (!begun) throw new AppError('ACCESS_DENIED');
  return begun;
}

/** The person as stored now, if what was approved still holds. Throws `ACCESS_DENIED`. */
async function approverOf({ accounts, policy }: ApprovalDeps, approval: Approval) {
  const { userId, workspaceId, membershipId, sessionId, signInEpoch } = approval;
  const [user, session, membership] = await Promise.all([
    accounts.user(userId),
    accounts.session(userId, sessionId),
    accounts.membership(userId, workspaceId),
  ]);
  // A change of the password keeps the sign-in that approved, but not what it approved before.
  const isOpen = session && !session.revokedAt && user?.active && user.signInEpoch === signInEpoch;
  if (!user || !isOpen || membership?.membershipId !== membershipId) throw new AppError('ACCESS_DENIED');
  if (!(await policy.mayContinue(session, user))) throw new AppError('ACCESS_DENIED');
  return { user, membership };
}

type Decision = { principal: Principal; userCode: string; sourceIp: string };

/** Throws `USER_CODE_NOT_FOUND` and `TOO_MANY_ATTEMPTS`. */
export async function findDeviceSignIn(deps: DeviceDeps, decision: Decision): Promise<DeviceRequestView> {
  const request = await requestOf(deps, decision);
  if (request.status !== 'pending') throw new AppError('USER_CODE_NOT_FOUND');
  const { clientName, sourceIp, userAgent, createdAt, expiresAt } = request;
  return {
    userCode: canonicalUserCode(decision.userCode),
    ...{ clientName, sourceIp, userAgent },
    isSameNetwork: networkOf(sourceIp) === networkOf(decision.sourceIp),
    requestedAt: createdAt,
    expiresAt: new Date(expiresAt * 1000).toISOString(),
    grants: PROGRAM_GRANTS,
    warning: WARNING,
  };
}

export async function approveDeviceSignIn(deps: DeviceDeps, decision: Decision): Promise<void> {
  const { principal } = decision;
  const request = await requestOf(deps, decision);
  const { user, approval } = await approvalBy(deps, principal);
  await decided(request, { by: user.id, as: 'approved' }, () => deps.devices.approve(request, user, approval));
}

/**
 * What a program gets that the caller approves, on a page in a browser: the sign-in of a program lasts for weeks, so an
 * access token alone, which lasts for minutes wherever it gets to, must not give one. Throws `UNAUTHENTICATED`, and
 * `FORBIDDEN` outside of browsers.
 */
export async function approvalBy(
  { accounts }: Pick<DeviceDeps, 'accounts'>,
  principal: Principal,
): Promise<{ user: UserRecord; approval: Approval }> {
  const user = await requireOpenSession(accounts, principal);
  const session = await accounts.session(user.id, principal.credentialId);
  const { workspaceId, membershipId } = principal;
  if (!session || membershipId === undefined) throw new AppError('UNAUTHENTICATED');
  if (!session.isInCookie) throw new AppError('FORBIDDEN', { detail: 'Approve a program in a browser, on its page.' });
  const { id: userId, signInEpoch } = user;
  const { id: sessionId, method, createdAt: signedInAt } = session;
  return { user, approval: { userId, workspaceId, membershipId, sessionId, signInEpoch, method, signedInAt } };
}

export async function denyDeviceSignIn(deps: DeviceDeps, decision: Decision): Promise<void> {
  const { principal } = decision;
  const request = await requestOf(deps, decision);
  const user = await requireOpenSession(deps.accounts, principal);
  await decided(request, { by: user.id, as: 'denied' }, () => deps.devices.deny(request, user, principal.workspaceId));
}

/** Repeating a decision changes nothing. Throws `USER_CODE_NOT_FOUND` if there is another one. */
async function decided(
  { status, decidedBy }: DeviceRequest,
  { by, as }: { by: string; as: DeviceRequest['status'] },
  decide: () => Promise<boolean>,
): Promise<void> {
  if (status === as && decidedBy === by) return;
  if (status !== 'pending' || !(await decide())) throw new AppError('USER_CODE_NOT_FOUND');
}

/** Each code that is typed counts before it is looked up, and not any more once it was right. */
async function requestOf({ devices, attempts }: DeviceDeps, { principal, userCode }: Decision): Promise<DeviceRequest> {
  const attempt = await attempts.beginUserCode(principal.userId);
  const request = await devices.byUserCode(canonicalUserCode(userCode));
  if (!request) throw new AppError('USER_CODE_NOT_FOUND');
  await attempt.passed();
  return request;
}
