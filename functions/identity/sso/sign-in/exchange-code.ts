import { createHash } from 'node:crypto';
import type { IdentityProviderRepository } from '../../../../shared/domains/identity/identity-providers/index.ts';
import {
  beginSession,
  type Client,
  type SessionStore,
  type SignedIn,
} from '../../../../shared/domains/identity/sessions/index.ts';
import type { UserRecord } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import type { AccessTokens } from '../../../../shared/platform/auth/access-token.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { OneTime } from '../../../../shared/platform/storage/one-time.ts';
import type { PendingSession } from '../person.ts';

interface Deps {
  codes: OneTime<PendingSession>;
  providers: IdentityProviderRepository;
  accounts: SessionStore & { user(id: string): Promise<UserRecord | undefined> };
  tokens: AccessTokens;
  now: () => Date;
}

interface Command extends Client {
  code: string;
  codeVerifier: string;
  workspaceId?: string;
  sessionId: string;
}

/** Begins the session of a completed sign-on. A code that was tried with a wrong verifier is used up. */
export async function exchangeCode(deps: Deps, command: Command): Promise<SignedIn> {
  const pending = await deps.codes.take(command.code);
  const challenge = createHash('sha256').update(command.codeVerifier).digest('base64url');
  if (!pending || pending.challenge !== challenge) throw new AppError('SSO_CODE_INVALID');
  const { userId, companyId, providerId } = pending;
  const [user, provider, membership] = await Promise.all([
    deps.accounts.user(userId),
    deps.providers.get(companyId, providerId),
    deps.accounts.membership(userId, command.workspaceId),
  ]);
  const isCurrent = user?.active && user.signInEpoch === pending.signInEpoch && provider?.enabled;
  if (!user || !isCurrent || !membership) throw new AppError('SSO_CODE_INVALID');
  const begun = await beginSession(deps, user, membership, { ...command, method: { kind: 'sso', providerId } });
  if (!begun) throw new AppError('INTERNAL');
  return begun;
}
