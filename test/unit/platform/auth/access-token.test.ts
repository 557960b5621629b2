import { createPrivateKey, hkdfSync } from 'node:crypto';
import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { ACCESS_TOKEN_SECONDS, accessTokens } from '../../../../shared/platform/auth/access-token.ts';
import { MasterSecret } from '../../../../shared/platform/crypto/master-secret.ts';

const master = (byte: number) => new MasterSecret(async () => ({ version: 1, secret: Buffer.alloc(32, byte) }));
const tokens = accessTokens(master(1));
const claims = { userId: 'u', companyId: 'c', workspaceId: 'w', sessionId: 's', membershipId: 'm' };
const START = Date.parse('2026-06-01T12:00:00Z');
const MINUTES = 60_000;
const SKEWS = [-5, 0, 5];

describe('an access token', () => {
  it('holds for a quarter of an hour', async () => {
    const token = await tokens.issue(claims, new Date(START));
    expect(await tokens.read(token, new Date(START + ACCESS_TOKEN_SECONDS * 1000 - 1))).toEqual(claims);
    expect(await tokens.read(token, new Date(START + ACCESS_TOKEN_SECONDS * 1000))).toBeUndefined();
  });

  it.each(SKEWS.flatMap((issuer) => SKEWS.map((reader) => [issuer, reader] as const)))(
    'holds for five minutes at least and twenty-five at most by clocks that are %i and %i minutes off',
    async (issuer, reader) => {
      const token = await tokens.issue(claims, new Date(START + issuer * MINUTES));
      const readAfter = (minutes: number) => tokens.read(token, new Date(START + (minutes + reader) * MINUTES));
      expect(await readAfter(0)).toEqual(claims);
      expect(await readAfter(4.9)).toEqual(claims);
      expect(await readAfter(25)).toBeUndefined();
    },
  );

  it('of another deployment, or changed on its way, is none', async () => {
    const other = await accessTokens(master(2)).issue(claims, new Date(START));
    expect(await tokens.read(other, new Date(START))).toBeUndefined();
    const [header, payload, signature] = (await tokens.issue(claims, new Date(START))).split('.');
    const forged = Buffer.from(payload!, 'base64url').toString().replace('"wid":"w"', '"wid":"x"');
    const token = [header, Buffer.from(forged).toString('base64url'), signature].join('.');
    expect(await tokens.read(token, new Date(START))).toBeUndefined();
  });

  it('with another audience, issuer or algorithm is none, whatever key signed it', async () => {
    const key = createPrivateKey(pemOf(1));
    const claim = { cid: 'c', wid: 'w', sid: 's', mid: 'm' };
    const signed = (change: { alg?: string; issuer?: string; audience?: string }) =>
      new SignJWT(claim)
        .setProtectedHeader({ alg: change.alg ?? 'EdDSA', kid: 'v1' })
        .setSubject('u')
        .setIssuer(change.issuer ?? 'analytics-platform')
        .setAudience(change.audience ?? 'access')
        .setExpirationTime(START / 1000 + 60)
        .sign(key);
    expect(await tokens.read(await signed({}), new Date(START))).toEqual(claims);
    for (const change of [{ issuer: 'another-platform' }, { audience: 'mfa' }, { alg: 'Ed25519' }]) {
      expect(await tokens.read(await signed(change), new Date(START)), JSON.stringify(change)).toBeUndefined();
    }
  });

  it('is accepted until the rotation after the next one', async () => {
    const state = { newest: 1, now: START };
    const rotating = new MasterSecret(
      async (version = state.newest) => {
        if (version > state.newest) throw Object.assign(new Error(), { name: 'ParameterVersionNotFound' });
        return { version, secret: Buffer.alloc(32, version) };
      },
      () => state.now,
    );
    const { issue, read, publicKeys } = accessTokens(rotating);
    const first = await issue(claims, new Date(START));
    const kids = async () => (await publicKeys()).map(({ kid }) => kid);
    expect(await kids()).toEqual(['v1']);
    state.newest = 2;
    state.now += 10_000;
    expect(await kids()).toEqual(['v2', 'v1']);
    expect(await read(first, new Date(START))).toEqual(claims);
    expect(await read(await issue(claims, new Date(START)), new Date(START))).toEqual(claims);
    state.newest = 3;
    state.now += 10_000;
    expect(await kids()).toEqual(['v3', 'v2']);
    expect(await read(first, new Date(START))).toBeUndefined();
  });
});

/** The private key that `accessTokens` derives from a master secret of this byte. */
function pemOf(byte: number) {
  const seed = Buffer.from(hkdfSync('sha256', Buffer.alloc(32, byte), Buffer.alloc(0), 'access-tokens', 32));
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  return { key: der, format: 'der', type: 'pkcs8' } as const;
}
