import { createPublicKey, createSecretKey } from 'node:crypto';
import { createLocalJWKSet, createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';

const PATH = '/api/auth/jwks';
const EXPECTED = { issuer: 'analytics-platform', audience: 'access' };

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const statusOf = async (api: Api, token: string) => (await api.as({ token }).get('/api/auth/me')).status;

describe('the public keys of access tokens', () => {
  it('let another service verify tokens', async ({ api }) => {
    const signIn = { ...(await api.password('viewer')), workspaceId: api.workspaceId };
    const token = (await api.as('anonymous').post('/api/auth/login', signIn)).body.accessToken;
    const url = new URL(api.endpoint + PATH);
    const { payload, protectedHeader } = await jwtVerify(token, createRemoteJWKSet(url), EXPECTED);
    expect(payload).toMatchObject({ wid: api.workspaceId, cid: api.companyId });
    expect(protectedHeader.alg).toBe('EdDSA');

    const { body } = await api.as('anonymous').get(PATH);
    const keys = createLocalJWKSet(body);
    await expect(jwtVerify(token, keys, EXPECTED)).resolves.toMatchObject({ payload: { sub: payload.sub } });
    await expect(jwtVerify(token, keys, { ...EXPECTED, audience: 'mfa' })).rejects.toThrow('"aud"');
  });

  it('are public, may be cached, and contain no private part', async ({ api }) => {
    const { status, headers, body } = await api.as('anonymous').get(PATH);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/jwk-set+json');
    expect(headers.get('cache-control')).toBe('public, max-age=60');
    expect(body.keys.length).toBeGreaterThan(0);
    for (const key of body.keys) expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x']);
    const signedIn = await api.as('anonymous').post('/api/auth/login', await api.password('viewer'));
    expect(body.keys[0].kid).toBe(decodeProtectedHeader(signedIn.body.accessToken).kid);
    expect((await api.as('anonymous').get(`${PATH}?x=1`)).body.code).toBe('VALIDATION_FAILED');
  });
});

describe('a forged access token is rejected', () => {
  it('without a signature', async ({ api }) => {
    const token = await api.token('viewer');
    const { kid } = decodeProtectedHeader(token);
    for (const alg of ['none', 'None', '']) {
      expect(await statusOf(api, `${encoded({ alg, kid })}.${encoded(decodeJwt(token))}.`)).toBe(401);
    }
    expect(await statusOf(api, token)).toBe(200);
  });

  it('with the public key as the secret of an HMAC', async ({ api }) => {
    const token = await api.token('viewer');
    const [jwk] = (await api.as('anonymous').get(PATH)).body.keys;
    const pem = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
    for (const secret of [pem, jwk.x, Buffer.from(jwk.x, 'base64url')]) {
      const forged = await new SignJWT(decodeJwt(token))
        .setProtectedHeader({ alg: 'HS256', kid: jwk.kid })
        .sign(createSecretKey(Buffer.from(secret)));
      expect(await statusOf(api, forged)).toBe(401);
    }
  });

  it('with a key of its own in the header', async ({ api }) => {
    const token = await api.token('viewer');
    const { privateKey, publicKey } = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']);
    const jwk = await crypto.subtle.exportKey('jwk', publicKey as CryptoKey);
    for (const header of [
      { alg: 'EdDSA', kid: 'v1', jwk: { kty: jwk.kty!, crv: jwk.crv!, x: jwk.x! } },
      { alg: 'EdDSA', kid: '../../v1' },
      { alg: 'EdDSA', kid: 'v999999' },
      { alg: 'EdDSA' },
    ]) {
      const forged = await new SignJWT(decodeJwt(token)).setProtectedHeader(header).sign(privateKey as CryptoKey);
      expect(await statusOf(api, forged)).toBe(401);
    }
  });
});
