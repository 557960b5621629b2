import { AuthenticatorEmulator, WebAuthnEmulator } from 'nid-webauthn-emulator';
import { describe, expect } from 'vitest';
import { type Api, it } from '../../support/api.ts';
import { type GivenMember, givenMember } from '../../support/given/member.ts';
import { givenSecondFactor } from '../../support/given/second-factor.ts';

const PAGE = 'http://localhost:3000';

/** The options as a browser reads them. */
// biome-ignore lint/suspicious/noExplicitAny: JSON of WebAuthn, which the emulator types more closely than the API does
type Json = any;

async function optionsFor(api: Api, person: GivenMember): Promise<Json> {
  const { token, password } = person;
  const reply = await api.as({ token }).post('/api/auth/passkeys/options', { password });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body;
}

async function given(api: Api, device = new WebAuthnEmulator(), name = 'Laptop') {
  const person = await givenMember(api, 'editor');
  const made = device.createJSON(PAGE, await optionsFor(api, person));
  const added = await api.as({ token: person.token }).post('/api/auth/passkeys', { name, response: made });
  expect(added.status, JSON.stringify(added.body)).toBe(201);
  return { person, device, passkey: added.body, credentialId: made.id };
}

const challenge = async (api: Api): Promise<Json> =>
  (await api.as('anonymous').post('/api/auth/passkeys/sign-in/options')).body;

const signIn = (api: Api, response: Json, more: object = {}) =>
  api.as('anonymous').post('/api/auth/passkeys/sign-in', { response, ...more });

const INVALID = { status: 401, body: { code: 'INVALID_PASSKEY' } };

describe('a passkey', () => {
  it('is added with the password, and signs in without mail address, password or code', async ({ api }) => {
    const { person, device, passkey } = await given(api);
    expect(passkey).toMatchObject({ name: 'Laptop', lastUsedAt: null });
    const options = await challenge(api);
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    const reply = await signIn(api, device.getJSON(PAGE, options), { workspaceId: api.workspaceId });
    expect(reply).toMatchObject({ status: 200, body: { user: { id: person.userId }, workspaceId: api.workspaceId } });
    const list = await api.as({ token: reply.body.accessToken }).get('/api/auth/passkeys');
    expect(list.body).toMatchObject({ total: 1, items: [{ id: passkey.id, lastUsedAt: expect.any(String) }] });
    expect(JSON.stringify(list.body)).not.toMatch(/publicKey|credentialId|counter/);
  });

  it('is not added without the password, or from what was made for another page, person or challenge', async ({
    api,
  }) => {
    const person = await givenMember(api);
    const { token } = person;
    const caller = api.as({ token });
    const wrong = await caller.post('/api/auth/passkeys/options', { password: 'wrong password' });
    expect(wrong).toMatchObject({ status: 403, body: { code: 'WRONG_PASSWORD' } });
    const rejected = { status: 400, body: { code: 'PASSKEY_REJECTED' } };
    const add = (response: Json, by = caller) => by.post('/api/auth/passkeys', { name: 'x', response });
    const device = () => new WebAuthnEmulator();
    const options = await optionsFor(api, person);
    const foreign = device().createJSON('http://localhost:4000', options);
    expect(await add(foreign)).toMatchObject(rejected);
    // The challenge is used up by the first try.
    expect(await add(device().createJSON(PAGE, options))).toMatchObject(rejected);
    const other = await givenMember(api);
    const others = device().createJSON(PAGE, await optionsFor(api, other));
    expect(await add(others)).toMatchObject(rejected);
    const forSignIn = { ...(await optionsFor(api, person)), challenge: (await challenge(api)).challenge };
    expect(await add(device().createJSON(PAGE, forSignIn))).toMatchObject(rejected);
    const twice = device().createJSON(PAGE, await optionsFor(api, person));
    expect((await add(twice)).status).toBe(201);
    expect(await add(twice)).toMatchObject(rejected);
  });

  it('signs in once per challenge, on a page of the application, and only if it asked its user', async ({ api }) => {
    const { device } = await given(api);
    const answered = device.getJSON(PAGE, await challenge(api));
    const replies = await Promise.all([1, 2, 3, 4].map(() => signIn(api, answered)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
    expect(await signIn(api, device.getJSON('http://localhost:4000', await challenge(api)))).toMatchObject(INVALID);
    const changed = device.getJSON(PAGE, await challenge(api));
    const signature = `${changed.response.signature.slice(0, -4)}AAAA`;
    expect(await signIn(api, { ...changed, response: { ...changed.response, signature } })).toMatchObject(INVALID);
    const unknown = { ...device.getJSON(PAGE, await challenge(api)), id: 'AAAA', rawId: 'AAAA' };
    expect(await signIn(api, unknown)).toMatchObject(INVALID);
    const own = { ...(await challenge(api)), challenge: 'bm90IG91cnM' };
    expect(await signIn(api, device.getJSON(PAGE, own))).toMatchObject(INVALID);
    expect((await signIn(api, device.getJSON(PAGE, await challenge(api)))).status).toBe(200);
    expect(
      await signIn(api, device.getJSON(PAGE, await challenge(api)), { workspaceId: crypto.randomUUID() }),
    ).toMatchObject(INVALID);
  });

  it('whose counter goes back was copied, and is rejected', async ({ api }) => {
    const authenticator = new AuthenticatorEmulator();
    const { device } = await given(api, new WebAuthnEmulator(authenticator));
    expect((await signIn(api, device.getJSON(PAGE, await challenge(api)))).status).toBe(200);
    const early = device.getJSON(PAGE, await challenge(api));
    const late = device.getJSON(PAGE, await challenge(api));
    expect((await signIn(api, late)).status).toBe(200);
    expect(await signIn(api, early)).toMatchObject(INVALID);
  });

  it('is renamed, and when it is removed its sign-ins end', async ({ api }) => {
    const { person, device, passkey } = await given(api);
    const caller = api.as({ token: person.token });
    const path = `/api/auth/passkeys/${passkey.id}`;
    expect(await caller.patch(path, { name: 'Phone' })).toMatchObject({ status: 200, body: { name: 'Phone' } });
    const { body } = await signIn(api, device.getJSON(PAGE, await challenge(api)));
    const stranger = api.as('stranger');
    for (const by of [stranger, api.as('viewer')]) {
      const missing = { status: 404, body: { code: 'PASSKEY_NOT_FOUND' } };
      expect(await by.patch(path, { name: 'Mine' })).toMatchObject(missing);
      expect(await by.delete(path)).toMatchObject(missing);
    }
    expect((await caller.delete(path)).status).toBe(204);
    expect((await caller.delete(path)).status).toBe(404);
    expect((await caller.get('/api/auth/passkeys')).body).toEqual({ items: [], total: 0 });
    const { refreshToken } = body;
    expect((await api.as('anonymous').post('/api/auth/refresh', { refreshToken })).status).toBe(401);
    expect(await signIn(api, device.getJSON(PAGE, await challenge(api)))).toMatchObject(INVALID);
    // Other sign-ins of the user go on.
    expect((await caller.get('/api/auth/me')).status).toBe(200);
  });

  it('is one of ten at most', async ({ api }) => {
    const { person } = await given(api);
    const add = async (options: Json) => {
      const response = new WebAuthnEmulator().createJSON(PAGE, { ...options, excludeCredentials: [] });
      return (await api.as({ token: person.token }).post('/api/auth/passkeys', { name: 'x', response })).status;
    };
    for (let count = 1; count < 9; count += 1) expect(await add(await optionsFor(api, person))).toBe(201);
    const last = [await optionsFor(api, person), await optionsFor(api, person), await optionsFor(api, person)];
    expect((await Promise.all(last.map(add))).sort()).toEqual([201, 409, 409]);
  });

  it('outlasts a change of the password, which ends the sign-ins with it', async ({ api }) => {
    const { person, device } = await given(api);
    const { body } = await signIn(api, device.getJSON(PAGE, await challenge(api)));
    const change = { currentPassword: person.password, newPassword: 'another long password' };
    expect((await api.as({ token: person.token }).post('/api/auth/password', change)).status).toBe(204);
    const { refreshToken } = body;
    expect((await api.as('anonymous').post('/api/auth/refresh', { refreshToken })).status).toBe(401);
    expect((await signIn(api, device.getJSON(PAGE, await challenge(api)))).status).toBe(200);
  });
});

describe('a passkey as second factor', () => {
  it('takes the place of a code of the app, for its own user and sign-in only', async ({ api }) => {
    const { person, device } = await given(api);
    await givenSecondFactor(api, person);
    const login = { email: person.email, password: person.password, workspaceId: api.workspaceId };
    const first = (await api.as('anonymous').post('/api/auth/login', login)).body;
    expect(first).toMatchObject({ mfaRequired: true });
    const { mfaToken } = first;
    const options = async () => (await api.as('anonymous').post('/api/auth/mfa/passkey/options', { mfaToken })).body;
    const verify = (response: Json, token = mfaToken) =>
      api.as('anonymous').post('/api/auth/mfa/passkey', { mfaToken: token, response });
    const stranger = await given(api);
    const foreign = stranger.device.getJSON(PAGE, { ...(await options()), allowCredentials: [] });
    expect(await verify(foreign)).toMatchObject(INVALID);
    const forSignIn = device.getJSON(PAGE, await challenge(api));
    expect(await verify(forSignIn)).toMatchObject(INVALID);
    const answered = device.getJSON(PAGE, await options());
    const forged = { status: 401, body: { code: 'INVALID_MFA_TOKEN' } };
    expect(await verify(answered, 'forged')).toMatchObject(forged);
    expect(await verify(answered)).toMatchObject({ status: 200, body: { user: { id: person.userId } } });
    expect(await verify(answered)).toMatchObject(forged);
    expect(await api.as('anonymous').post('/api/auth/mfa/passkey/options', { mfaToken })).toMatchObject(forged);
    // Another passkey now needs a code as well.
    const more = await api
      .as({ token: person.token })
      .post('/api/auth/passkeys/options', { password: person.password });
    expect(more).toMatchObject({ status: 403, body: { code: 'WRONG_CODE' } });
  });
});
