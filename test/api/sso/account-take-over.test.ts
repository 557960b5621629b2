import { WebAuthnEmulator } from 'nid-webauthn-emulator';
import { describe, expect } from 'vitest';
import { readUser } from '../../../shared/domains/workspaces/index.ts';
import { type Api, it } from '../../support/api.ts';
import { exchange, signInAt } from '../../support/given/identity-provider.ts';
import { tokenOf } from '../../support/given/member.ts';
import { givenOpenId } from '../../support/given/openid.ts';
import { givenSecondFactor } from '../../support/given/second-factor.ts';

const PASSWORD = 'known to the admin too';

/** An account that an admin has made for a person of the provider, with the admin's password. */
async function givenMadeAccount(api: Api) {
  const { slug, domain } = await givenOpenId(api, { s1: { email: 'grace' } });
  const email = `grace@${domain}`;
  const added = await api.as('owner').post('/api/workspaces/members', { email, role: 'editor', password: PASSWORD });
  expect(added.status).toBe(201);
  return { slug, userId: added.body.userId as string, email, password: PASSWORD };
}

const signIn = (api: Api, { email, password }: { email: string; password: string }) =>
  api.as('anonymous').post('/api/auth/login', { email, password });
const signOn = async (api: Api, slug: string) => exchange(api, await signInAt(api, slug, 's1'));

describe('the first sign-on to an account whose password an admin has typed', () => {
  it('ends the password, the second factor, passkeys, sign-ins and API keys of before', async ({ api }) => {
    const account = await givenMadeAccount(api);
    const token = await tokenOf(api, account);
    const impostor = api.as({ token });
    const { refreshToken } = (await signIn(api, account)).body;
    const device = new WebAuthnEmulator();
    const options = (await impostor.post('/api/auth/passkeys/options', { password: PASSWORD })).body;
    const response = device.createJSON('http://localhost:3000', options);
    expect((await impostor.post('/api/auth/passkeys', { name: 'Key', response })).status).toBe(201);
    const key = (await impostor.post('/api/api-keys', { name: 'Key', scopes: ['datasets:read'] })).body;
    await givenSecondFactor(api, { token, password: PASSWORD });

    const owner = await signOn(api, account.slug);
    expect(owner).toMatchObject({ status: 200, body: { user: { id: account.userId } } });

    expect(await signIn(api, account)).toMatchObject({ status: 401, body: { code: 'INVALID_CREDENTIALS' } });
    expect((await api.as('anonymous').post('/api/auth/refresh', { refreshToken })).status).toBe(401);
    const challenge = (await api.as('anonymous').post('/api/auth/passkeys/sign-in/options')).body;
    const assertion = device.getJSON('http://localhost:3000', challenge);
    const byPasskey = await api.as('anonymous').post('/api/auth/passkeys/sign-in', { response: assertion });
    expect(byPasskey).toMatchObject({ status: 401, body: { code: 'INVALID_PASSKEY' } });
    await expect.poll(async () => (await impostor.get('/api/auth/me')).status, { timeout: 10_000 }).toBe(401);
    const byKey = () => api.as({ token: key.key }).get('/api/auth/me');
    await expect.poll(async () => (await byKey()).status, { timeout: 10_000 }).toBe(401);

    const caller = api.as({ token: owner.body.accessToken });
    expect((await caller.get('/api/auth/me')).body.mfa).toEqual({ enabled: false, recoveryCodesLeft: 0 });
    expect((await caller.get('/api/auth/passkeys')).body).toMatchObject({ total: 0 });
    const stored = await readUser(api.table, account.userId);
    for (const member of ['passwordHash', 'passwordSetBy', 'sealedTotp']) expect(stored).not.toHaveProperty(member);
    expect((await signOn(api, account.slug)).status).toBe(200);
  });

  it('keeps a password that its user has changed', async ({ api }) => {
    const account = await givenMadeAccount(api);
    const own = 'known to Grace alone';
    const change = { currentPassword: PASSWORD, newPassword: own };
    const caller = api.as({ token: await tokenOf(api, account) });
    expect((await caller.post('/api/auth/password', change)).status).toBe(204);
    expect((await signOn(api, account.slug)).body.user.id).toBe(account.userId);
    expect((await caller.get('/api/auth/me')).status).toBe(200);
    expect((await signIn(api, { ...account, password: own })).status).toBe(200);
  });

  it('is not needed for the password to work', async ({ api }) => {
    const account = await givenMadeAccount(api);
    expect((await signIn(api, account)).status).toBe(200);
  });
});
