import { WebAuthnEmulator } from 'nid-webauthn-emulator';
import { describe, expect } from 'vitest';
import { readUser } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { type Api, it } from '../../../support/api.ts';
import { exchange, signInAt } from '../../../support/given/identity-provider.ts';
import { mailTo, tokenIn } from '../../../support/given/mails.ts';
import { tokenOf } from '../../../support/given/member.ts';
import { givenOpenId } from '../../../support/given/openid.ts';
import { givenSecondFactor } from '../../../support/given/second-factor.ts';

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
    await expect.poll(async () => (await impostor.get('/api/auth/me')).status, { timeout: 60_000 }).toBe(401);
    const byKey = () => api.as({ token: key.key }).get('/api/auth/me');
    await expect.poll(async () => (await byKey()).status, { timeout: 60_000 }).toBe(401);

    const caller = api.as({ token: owner.body.accessToken });
    expect((await caller.get('/api/auth/me')).body.mfa).toEqual({ enabled: false, recoveryCodesLeft: 0 });
    expect((await caller.get('/api/auth/passkeys')).body).toMatchObject({ total: 0 });
    const stored = await readUser(api.table, account.userId);
    for (const member of ['passwordHash', 'passwordSetBy', 'sealedTotp']) expect(stored).not.toHaveProperty(member);
    expect((await signOn(api, account.slug)).status).toBe(200);
  });

  it('ends a password that was changed by whoever knew it', async ({ api }) => {
    const account = await givenMadeAccount(api);
    const changed = 'known to the admin alone';
    const change = { currentPassword: PASSWORD, newPassword: changed };
    const caller = api.as({ token: await tokenOf(api, account) });
    expect((await caller.post('/api/auth/password', change)).status).toBe(204);
    expect((await signIn(api, { ...account, password: changed })).status).toBe(200);
    expect((await signOn(api, account.slug)).body.user.id).toBe(account.userId);
    expect((await signIn(api, { ...account, password: changed })).status).toBe(401);
    await expect.poll(async () => (await caller.get('/api/auth/me')).status, { timeout: 60_000 }).toBe(401);
  });

  it('keeps a password that the owner of the mailbox has chosen, by a reset or an invitation', async ({ api }) => {
    const account = await givenMadeAccount(api);
    const own = 'known to Grace alone';
    await api.as('anonymous').post('/api/auth/password/forgot', { email: account.email });
    const token = tokenIn(await mailTo(api, account.email));
    const reset = await api.as('anonymous').post('/api/auth/password/reset', { token, newPassword: own });
    expect(reset.status).toBe(204);
    expect((await signOn(api, account.slug)).body.user.id).toBe(account.userId);
    expect((await signIn(api, { ...account, password: own })).status).toBe(200);

    const { slug, domain } = await givenOpenId(api, { s1: { email: 'joan' } });
    const email = `joan@${domain}`;
    const invited = await api.as('owner').post('/api/workspaces/invitations', { email, role: 'viewer' });
    expect(invited.status).toBe(201);
    const invitation = { token: tokenIn(await mailTo(api, email)), password: own };
    expect((await api.as('anonymous').post('/api/auth/invitations/accept', invitation)).status).toBe(200);
    expect((await signOn(api, slug)).body.user.email).toBe(email);
    expect((await signIn(api, { email, password: own })).status).toBe(200);
  });

  it('is not the only proof: a reset by mail ends what an admin with the password has made too', async ({ api }) => {
    const account = await givenMadeAccount(api);
    const impostor = api.as({ token: await tokenOf(api, account) });
    const device = new WebAuthnEmulator();
    const options = (await impostor.post('/api/auth/passkeys/options', { password: PASSWORD })).body;
    const response = device.createJSON('http://localhost:3000', options);
    expect((await impostor.post('/api/auth/passkeys', { name: 'Key', response })).status).toBe(201);
    const key = (await impostor.post('/api/api-keys', { name: 'Key', scopes: ['datasets:read'] })).body;
    await api.as('anonymous').post('/api/auth/password/forgot', { email: account.email });
    const token = tokenIn(await mailTo(api, account.email));
    const own = 'known to Grace alone';
    expect((await api.as('anonymous').post('/api/auth/password/reset', { token, newPassword: own })).status).toBe(204);
    const challenge = (await api.as('anonymous').post('/api/auth/passkeys/sign-in/options')).body;
    const assertion = device.getJSON('http://localhost:3000', challenge);
    const byPasskey = await api.as('anonymous').post('/api/auth/passkeys/sign-in', { response: assertion });
    expect(byPasskey).toMatchObject({ status: 401, body: { code: 'INVALID_PASSKEY' } });
    const byKey = () => api.as({ token: key.key }).get('/api/auth/me');
    await expect.poll(async () => (await byKey()).status, { timeout: 60_000 }).toBe(401);
    expect((await signIn(api, { ...account, password: own })).status).toBe(200);
  });

  it('is not the only proof: an invitation by mail needs a password that the admin does not know', async ({ api }) => {
    const account = await givenMadeAccount(api);
    expect((await api.as('owner').delete(`/api/workspaces/members/${account.userId}`)).status).toBe(204);
    const invitation = { email: account.email, role: 'admin' };
    expect((await api.as('owner').post('/api/workspaces/invitations', invitation)).status).toBe(201);
    const token = tokenIn(await mailTo(api, account.email));
    const accept = (more: object) => api.as('anonymous').post('/api/auth/invitations/accept', { token, ...more });
    const refused = await accept({});
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ pointer: '/password', code: 'REQUIRED' }] } });
    const own = 'known to Grace alone';
    expect((await accept({ password: own })).status).toBe(200);
    expect((await signIn(api, account)).status).toBe(401);
    expect((await signIn(api, { ...account, password: own })).body.user.id).toBe(account.userId);
  });

  it('is not needed for the password to work', async ({ api }) => {
    const account = await givenMadeAccount(api);
    expect((await signIn(api, account)).status).toBe(200);
  });
});
