import type { SignInPolicy } from '../../../../shared/domains/identity/identity-providers/index.ts';
import type { Passkey, Passkeys } from '../../../../shared/domains/identity/passkeys/index.ts';
import {
  beginSession,
  type Client,
  type SignedIn,
  type SignInFailures,
} from '../../../../shared/domains/identity/sessions/index.ts';
import type { UserRecord } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import type { AccessTokens } from '../../../../shared/platform/auth/access-token.ts';
import type { Passwords } from '../../../../shared/platform/auth/password.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';
import type { OneTime } from '../../../../shared/platform/storage/one-time.ts';
import { foldAddress } from '../../../../shared/platform/text/email-address.ts';
import type { SignInAttempts } from '../attempts.ts';
import type { MfaTokens } from '../mfa-token.ts';
import type { AuthRepository } from '../repository.ts';
import { hasSecondFactor, type SecondFactor } from '../second-factor.ts';
import { requireOpenSession } from '../use-cases/sessions.ts';
import type { RelyingParty } from '../webauthn.ts';
import type { Passkey as ShownPasskey } from './schemas.ts';

const CHALLENGE_SECONDS = 5 * 60;

/** What a challenge was made for: it is worth nothing for anything else. */
export interface Challenge {
  purpose: 'add' | 'sign-in' | 'second-factor';
  userId?: string;
}

export interface PasskeyDeps {
  accounts: AuthRepository;
  attempts: SignInAttempts;
  failures: SignInFailures;
  policy: SignInPolicy;
  passwords: Passwords;
  factor: SecondFactor;
  tokens: AccessTokens;
  mfaTokens: MfaTokens;
  passkeys: Passkeys;
  challenges: OneTime<Challenge>;
  now: () => Date;
}

/** Loaded when it is needed: it is larger than the rest of the function. */
const webauthn = () => import('../webauthn.ts');

/** Needs the same proof as turning the second factor off: a stolen access token must not gain a way to sign in. */
export async function passkeyOptions(
  deps: PasskeyDeps,
  principal: Principal,
  proof: { password: string; code?: string; sourceIp: string; rp: RelyingParty },
): Promise<object> {
  const user = await requireOpenSession(deps.accounts, principal);
  if ((await deps.policy.ownSignIn(user)) === 'refused') throw new AppError('SSO_REQUIRED');
  const attempt = await deps.attempts.begin(foldAddress(user.email), proof.sourceIp);
  if (!(await deps.passwords.matches(proof.password, user.passwordHash))) throw new AppError('WRONG_PASSWORD');
  if (hasSecondFactor(user) && !(await deps.factor.redeem(user, proof.code ?? ''))) throw new AppError('WRONG_CODE');
  await attempt.passed();
  const { registrationOptions } = await webauthn();
  const options = await registrationOptions(proof.rp, user, await deps.passkeys.list(user));
  await deps.challenges.put(options.challenge, { purpose: 'add', userId: user.id }, CHALLENGE_SECONDS);
  return options;
}

export async function addPasskey(
  deps: PasskeyDeps,
  principal: Principal,
  { id, name, response, rp }: { id: string; name: string; response: object; rp: RelyingParty },
): Promise<ShownPasskey> {
  const user = await requireOpenSession(deps.accounts, principal);
  const { verifiedRegistration } = await webauthn();
  const isExpected = taken(deps, { purpose: 'add', userId: user.id });
  const credential = await verifiedRegistration(rp, response, isExpected).catch((cause) => {
    throw new AppError('PASSKEY_REJECTED', { cause });
  });
  // After what ended with a removal, also by a clock that is behind.
  const createdAt = later(user.identitiesEndedAt ?? user.createdAt, deps.now());
  const passkey = { id, userId: user.id, name, ...credential, createdAt, lastUsedAt: null };
  await deps.passkeys.add(user, passkey);
  return showPasskey(passkey);
}

export async function listPasskeys({ accounts, passkeys }: PasskeyDeps, { userId }: Principal) {
  const user = await accounts.user(userId);
  const items = user ? (await passkeys.list(user)).map(showPasskey) : [];
  return { items, total: items.length };
}

export async function renamePasskey(deps: PasskeyDeps, principal: Principal, id: string, name: string) {
  const { user, passkey } = await find(deps, principal, id);
  if (!(await deps.passkeys.rename(user, passkey, name))) throw new AppError('PASSKEY_NOT_FOUND');
  return showPasskey({ ...passkey, name });
}

export async function removePasskey(deps: PasskeyDeps, principal: Principal, id: string): Promise<void> {
  const { user, passkey } = await find(deps, principal, id);
  if (!(await deps.passkeys.remove(user, passkey))) throw new AppError('PASSKEY_NOT_FOUND');
}

export async function passkeySignInOptions(deps: PasskeyDeps, rp: RelyingParty): Promise<object> {
  const { authenticationOptions } = await webauthn();
  const options = await authenticationOptions(rp);
  await deps.challenges.put(options.challenge, { purpose: 'sign-in' }, CHALLENGE_SECONDS);
  return options;
}

interface Assertion extends Client {
  response: { id: string };
  rp: RelyingParty;
}

/** A passkey asks its user, so that it counts as both factors. */
export async function signInWithPasskey(
  deps: PasskeyDeps,
  command: Assertion & { workspaceId?: string; sessionId: string },
): Promise<SignedIn> {
  const { user, passkey } = await usedPasskey(deps, command, { purpose: 'sign-in' });
  const isAdmitted = user.active && (await deps.policy.ownSignIn(user)) !== 'refused';
  const membership = isAdmitted ? await deps.accounts.membership(user.id, command.workspaceId) : undefined;
  if (!membership) throw await refused(deps, user);
  const method = { kind: 'passkey', passkeyId: passkey.id } as const;
  const begun = await beginSession(deps, user, membership, { ...command, method });
  // The passkey was removed in between.
  if (!begun) throw new AppError('INVALID_PASSKEY');
  await deps.attempts.recordSuccess(foldAddress(user.email), command.sourceIp);
  return begun;
}

/** For the second half of a sign-in by password. */
export async function passkeyFactorOptions(
  deps: PasskeyDeps,
  { mfaToken, rp }: { mfaToken: string; rp: RelyingParty },
): Promise<object> {
  const { user } = await pendingSignIn(deps, mfaToken);
  const { authenticationOptions } = await webauthn();
  const options = await authenticationOptions(rp, await deps.passkeys.list(user));
  await deps.challenges.put(options.challenge, { purpose: 'second-factor', userId: user.id }, CHALLENGE_SECONDS);
  return options;
}

export async function verifyPasskeyFactor(
  deps: PasskeyDeps,
  command: Assertion & { mfaToken: string },
): Promise<SignedIn> {
  const { user, membership, sessionId } = await pendingSignIn(deps, command.mfaToken);
  const { user: owner, passkey } = await usedPasskey(deps, command, { purpose: 'second-factor', userId: user.id });
  if (owner.id !== user.id) throw new AppError('INVALID_PASSKEY');
  const method = { kind: 'passkey', passkeyId: passkey.id } as const;
  const begun = await beginSession(deps, user, membership, {
    ...{ ...command, sessionId, method, secondFactor: 'passkey' },
  });
  if (!begun) throw new AppError('INVALID_MFA_TOKEN');
  await deps.attempts.recordSuccess(foldAddress(user.email), command.sourceIp);
  return begun;
}

async function pendingSignIn({ mfaTokens, accounts, policy, now }: PasskeyDeps, mfaToken: string) {
  const pending = await mfaTokens.read(mfaToken, now());
  const user = pending && (await accounts.user(pending.userId));
  const isOpen = user?.active && user.signInEpoch === pending?.signInEpoch;
  if (!pending || !user || !isOpen || (await policy.ownSignIn(user)) === 'refused') {
    throw new AppError('INVALID_MFA_TOKEN');
  }
  const membership = await accounts.membership(user.id, pending.workspaceId);
  if (!membership || (await accounts.session(user.id, pending.sessionId))) throw new AppError('INVALID_MFA_TOKEN');
  return { user, membership, sessionId: pending.sessionId };
}

/** The passkey that has signed a challenge of ours, which it uses up, with its user. Throws `INVALID_PASSKEY`. */
async function usedPasskey(
  deps: PasskeyDeps,
  { response, rp }: Assertion,
  made: Challenge,
): Promise<{ user: UserRecord; passkey: Passkey }> {
  const found = await deps.passkeys.byCredential(response.id);
  if (!found) throw new AppError('INVALID_PASSKEY');
  const { verifiedAuthentication } = await webauthn();
  const counter = await verifiedAuthentication(rp, response, found.passkey, taken(deps, made)).catch(async (cause) => {
    throw await refused(deps, found.user, cause);
  });
  if (!(await deps.passkeys.used(found.passkey, counter))) throw await refused(deps, found.user);
  return found;
}

/** The error for a passkey that does not admit the user, after an entry in the audit log. */
async function refused({ failures }: PasskeyDeps, user: UserRecord, cause?: unknown): Promise<AppError> {
  await failures.record(user, { email: foldAddress(user.email), proof: 'passkey' });
  return new AppError('INVALID_PASSKEY', { cause });
}

/** Whether a challenge was made for this. It is gone afterwards, whatever the answer. */
const taken =
  ({ challenges }: PasskeyDeps, { purpose, userId }: Challenge) =>
  async (challenge: string): Promise<boolean> => {
    const made = await challenges.take(challenge);
    return made?.purpose === purpose && made.userId === userId;
  };

async function find(
  deps: PasskeyDeps,
  principal: Principal,
  id: string,
): Promise<{ user: UserRecord; passkey: Passkey }> {
  const user = await requireOpenSession(deps.accounts, principal);
  const passkey = await deps.passkeys.get(user, id);
  if (!passkey) throw new AppError('PASSKEY_NOT_FOUND');
  return { user, passkey };
}

/** Without its key. */
function showPasskey({ id, name, isSynced, createdAt, lastUsedAt }: Passkey): ShownPasskey {
  return { id, name, isSynced, createdAt, lastUsedAt };
}
