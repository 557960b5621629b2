import { errors, jwtVerify, SignJWT } from 'jose';
import {
  type MasterSecret,
  oldestAccepted,
  UnknownSecretVersion,
} from '../../../shared/platform/crypto/master-secret.ts';

export const MFA_TOKEN_SECONDS = 5 * 60;

/** A sign-in whose password was right, and whose second factor is missing. */
export interface PendingSignIn {
  userId: string;
  sessionId: string;
  workspaceId: string;
  /** The user's `signInEpoch` when the password was checked. */
  signInEpoch: string | undefined;
}

/** Tokens that prove the first factor: JWTs with a key that signs nothing else. */
export interface MfaTokens {
  issue(pending: PendingSignIn, now: Date): Promise<string>;
  /** Undefined for a token that is forged, expired or of another kind. */
  read(token: string, now: Date): Promise<PendingSignIn | undefined>;
}

export function mfaTokens(master: MasterSecret): MfaTokens {
  return {
    async issue({ userId, sessionId: sid, workspaceId: wid, signInEpoch: epoch }, now) {
      const { version, key } = await master.derive('mfa-tokens');
      const issuedAt = Math.floor(now.getTime() / 1000);
      return new SignJWT({ sid, wid, ...(epoch === undefined ? {} : { epoch }) })
        .setProtectedHeader({ alg: 'HS256', kid: `v${version}` })
        .setSubject(userId)
        .setAudience('mfa')
        .setExpirationTime(issuedAt + MFA_TOKEN_SECONDS)
        .sign(key);
    },
    async read(token, now) {
      try {
        const { payload } = await jwtVerify(
          token,
          async ({ kid = '' }) => {
            const version = Number(/^v([1-9][0-9]{0,5})$/.exec(kid)?.[1] ?? 0);
            if (version === 0) throw new errors.JWKSNoMatchingKey();
            const { key } = await master.derive('mfa-tokens', version);
            if (version < oldestAccepted(await master.newestVersion())) throw new errors.JWKSNoMatchingKey();
            return key;
          },
          { algorithms: ['HS256'], audience: 'mfa', currentDate: now, requiredClaims: ['sub', 'sid', 'wid', 'exp'] },
        );
        const { sub, sid, wid, epoch } = payload as Record<string, string>;
        return { userId: sub!, sessionId: sid!, workspaceId: wid!, signInEpoch: epoch };
      } catch (error) {
        if (error instanceof errors.JOSEError || error instanceof UnknownSecretVersion) return undefined;
        throw error;
      }
    },
  };
}
