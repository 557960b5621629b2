import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { errors, exportJWK, type JWK, jwtVerify, SignJWT } from 'jose';
import { type MasterSecret, oldestAccepted, UnknownSecretVersion } from '../crypto/master-secret.ts';

export const ACCESS_TOKEN_SECONDS = 15 * 60;

export interface AccessClaims {
  userId: string;
  companyId: string;
  workspaceId: string;
  /** The sign-in that the token belongs to; ending it ends the token. */
  sessionId: string;
  /** The membership that the token was made under. */
  membershipId: string;
}

/** Issues and reads access tokens: JWTs signed with Ed25519, the key derived from the master secret. */
export interface AccessTokens {
  issue(claims: AccessClaims, now: Date): Promise<string>;
  /** Undefined for a token that is forged, expired or of another kind. */
  read(token: string, now: Date): Promise<AccessClaims | undefined>;
  /** The public keys of all tokens that `read` accepts. */
  publicKeys(): Promise<JWK[]>;
}

export function accessTokens(master: MasterSecret): AccessTokens {
  const keys = new Map<number, { signing: KeyObject; verifying: KeyObject }>();
  async function keyPair(version?: number) {
    const { version: actual, key } = await master.derive('access-tokens', version);
    let pair = keys.get(actual);
    if (!pair) {
      const signing = ed25519FromSeed(key);
      pair = { signing, verifying: createPublicKey(signing) };
      keys.set(actual, pair);
    }
    return { version: actual, ...pair };
  }

  return {
    async issue(claims, now) {
      const { version, signing } = await keyPair();
      const issuedAt = Math.floor(now.getTime() / 1000);
      const { companyId: cid, workspaceId: wid, sessionId: sid, membershipId: mid } = claims;
      return new SignJWT({ cid, wid, sid, ...(mid === undefined ? {} : { mid }) })
        .setProtectedHeader({ alg: 'EdDSA', kid: `v${version}` })
        .setSubject(claims.userId)
        .setIssuer('analytics-platform')
        .setAudience('access')
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + ACCESS_TOKEN_SECONDS)
        .sign(signing);
    },

    async read(token, now) {
      try {
        const { payload } = await jwtVerify(
          token,
          async (header) => {
            const version = Number(/^v([1-9][0-9]{0,5})$/.exec(header.kid ?? '')?.[1] ?? 0);
            if (version === 0) throw new errors.JWKSNoMatchingKey();
            const { verifying } = await keyPair(version);
            if (version < oldestAccepted((await keyPair()).version)) throw new errors.JWKSNoMatchingKey();
            return verifying;
          },
          { algorithms: ['EdDSA'], issuer: 'analytics-platform', audience: 'access', currentDate: now },
        );
        const { sub, cid, wid, sid, mid } = payload;
        if (![sub, cid, wid, sid, mid].every((claim) => typeof claim === 'string')) return undefined;
        return { userId: sub, companyId: cid, workspaceId: wid, sessionId: sid, membershipId: mid } as AccessClaims;
      } catch (error) {
        if (error instanceof errors.JOSEError || error instanceof UnknownSecretVersion) return undefined;
        throw error;
      }
    },

    async publicKeys() {
      const newest = await master.newestVersion();
      const keys: JWK[] = [];
      for (let version = newest; version >= oldestAccepted(newest); version -= 1) {
        try {
          const { kty, crv, x } = await exportJWK((await keyPair(version)).verifying);
          keys.push({ kty: kty!, crv: crv!, x: x!, kid: `v${version}`, alg: 'EdDSA', use: 'sig' });
        } catch (error) {
          // A deleted parameter that was created again, for example, does not have all versions.
          if (!(error instanceof UnknownSecretVersion)) throw error;
        }
      }
      return keys;
    },
  };
}

/** PKCS#8 wrapping of a raw Ed25519 seed (RFC 8410, section 7). */
function ed25519FromSeed(seed: Buffer): KeyObject {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}
