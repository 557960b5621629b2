import { describe, expect, it } from 'vitest';
import { ACCESS_TOKEN_SECONDS, accessTokens } from '../../../shared/platform/auth/access-token.ts';
import { MasterSecret } from '../../../shared/platform/crypto/master-secret.ts';

const master = (byte: number) => new MasterSecret(async () => ({ version: 1, secret: Buffer.alloc(32, byte) }));
const tokens = accessTokens(master(1));
const claims = { userId: 'u', companyId: 'c', workspaceId: 'w', sessionId: 's' };
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
});
