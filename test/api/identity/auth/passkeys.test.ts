import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { AuthenticatorEmulator, WebAuthnEmulator } from 'nid-webauthn-emulator';
import { describe, expect } from 'vitest';
import { cleanUpEnded } from '../../../../functions/platform/workers/minute-tick/clean-up-ended.ts';
import { provisionedUsers, userItems } from '../../../../shared/domains/identity/provisioning/index.ts';
import { type Session, sessionStore } from '../../../../shared/domains/identity/sessions/index.ts';
import { type UserRecord, userRecordKey } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { secretDigest } from '../../../../shared/platform/auth/credentials.ts';
import { cleanUpItem } from '../../../../shared/platform/storage/clean-ups.ts';
import { uniqueKey, userKey } from '../../../../shared/platform/storage/keys.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { type Api, it } from '../../../support/api.ts';
import { newAddress } from '../../../support/given/address.ts';
import { type GivenMember, givenMember } from '../../../support/given/member.ts';
import { givenProvisioner, patchOf, SCIM } from '../../../support/given/provisioner.ts';
import { givenSecondFactor } from '../../../support/given/second-factor.ts';

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

describe('the passkey of a user of an identity provider', () => {
  const storedKeys = ({ person, passkey, credentialId }: Awaited<ReturnType<typeof given>>) => [
    userKey(person.userId, `PASSKEY#${passkey.id}`),
    uniqueKey('PASSKEY', secretDigest(credentialId)),
  ];

  it('outlasts a deactivation', async ({ api }) => {
    const { person, device } = await given(api);
    const { caller } = await givenProvisioner(api);
    for (const active of [false, true]) {
      const change = patchOf({ op: 'replace', path: 'active', value: active });
      expect((await caller.patch(`${SCIM}/Users/${person.userId}`, change)).status).toBe(200);
      expect((await signIn(api, device.getJSON(PAGE, await challenge(api)))).status).toBe(active ? 200 : 401);
    }
    const filter = `action=user.sign_in_failed&objectType=user&objectId=${person.userId}`;
    expect((await api.as('owner').get(`/api/audit-log?${filter}`)).body.items).toMatchObject([
      { actor: { id: person.userId }, after: { proof: 'passkey', failuresThisHour: 1 } },
    ]);
  });

  it('is deleted with the user, and does not sign in the person who comes back', async ({ api }) => {
    const made = await given(api);
    const { caller } = await givenProvisioner(api);
    for (const key of storedKeys(made)) expect(await api.stored(key)).toBeDefined();
    expect((await caller.delete(`${SCIM}/Users/${made.person.userId}`)).status).toBe(204);
    await cleanUp(api);
    for (const key of storedKeys(made)) expect(await api.stored(key)).toBeUndefined();
    const back = await caller.post(`${SCIM}/Users`, { userName: made.person.email });
    expect(back).toMatchObject({ status: 201, body: { id: made.person.userId } });
    expect(await signIn(api, made.device.getJSON(PAGE, await challenge(api)))).toMatchObject(INVALID);
  });

  it('has ended on every path before the clean-up', async ({ api }) => {
    const made = await given(api);
    const { person, device } = made;
    const before = await api.stored(userRecordKey(person.userId));
    const { caller } = await givenProvisioner(api);
    // The function dies after it has removed the user.
    const users = provisionedUsers(api.table, api.companyId);
    const { parts, until } = userItems(api.table).remove((await users.get(person.userId))!, new Date());
    const ended = { kind: 'user', workspaceId: api.workspaceId, userId: person.userId, until } as const;
    const change = { action: 'user.removed', object: { type: 'user', id: person.userId, name: null } } as const;
    await users.write([...parts, { item: cleanUpItem(api.table, ended, new Date()) }], change);
    expect((await caller.post(`${SCIM}/Users`, { userName: person.email })).body.id).toBe(person.userId);
    expect(await api.stored(storedKeys(made)[0]!)).toBeDefined();
    expect(await signIn(api, device.getJSON(PAGE, await challenge(api)))).toMatchObject(INVALID);

    // Another person has the account now, with a password and a passkey of their own.
    const { passwordHash } = before as unknown as UserRecord;
    const changed = updateOf(api.table, userRecordKey(person.userId), { set: { passwordHash } });
    await api.table.db.send(new UpdateCommand(changed));
    const login = { email: person.email, password: person.password, workspaceId: api.workspaceId };
    const token = (await api.as('anonymous').post('/api/auth/login', login)).body.accessToken;
    const successor = { ...person, token };
    expect((await api.as({ token }).get('/api/auth/passkeys')).body).toEqual({ items: [], total: 0 });
    const path = `/api/auth/passkeys/${made.passkey.id}`;
    expect(await api.as({ token }).patch(path, { name: 'Mine' })).toMatchObject({ status: 404 });
    const own = new WebAuthnEmulator();
    const response = own.createJSON(PAGE, await optionsFor(api, successor));
    expect((await api.as({ token }).post('/api/auth/passkeys', { name: 'Mine', response })).status).toBe(201);
    await givenSecondFactor(api, successor);
    const { mfaToken } = (await api.as('anonymous').post('/api/auth/login', login)).body;
    const options = (await api.as('anonymous').post('/api/auth/mfa/passkey/options', { mfaToken })).body;
    expect(options.allowCredentials).toMatchObject([{ id: response.id }]);

    await cleanUp(api);
    for (const key of storedKeys(made)) expect(await api.stored(key)).toBeUndefined();
    expect((await api.as({ token }).get('/api/auth/passkeys')).body.total).toBe(1);
    expect((await signIn(api, own.getJSON(PAGE, await challenge(api)))).status).toBe(200);
  });

  async function cleanUp(api: Api): Promise<void> {
    const deadline = new Date(Date.now() + 30_000);
    expect(await cleanUpEnded({ table: api.table, now: () => new Date() }, deadline, () => {})).toEqual([]);
  }
});

describe('a passkey that was removed', () => {
  it('begins no session, also for a sign-in that has used it just before', async ({ api }) => {
    const { person, passkey } = await given(api);
    const user = (await api.stored(userRecordKey(person.userId))) as unknown as UserRecord;
    const membershipId = crypto.randomUUID();
    const create = (id: string) => {
      const method = { kind: 'passkey', passkeyId: passkey.id } as const;
      const session = { id, userId: person.userId, workspaceId: api.workspaceId, refreshDigest: 'x', method };
      const expiresAt = Math.floor(Date.now() / 1000) + 60;
      const createdAt = new Date().toISOString();
      const times = { createdAt, lastUsedAt: createdAt, expiresAt };
      const stored = { ...session, membershipId, familyDigest: 'x', ...times } satisfies Session;
      return sessionStore(api.table).createSession(stored, user);
    };
    expect(await create(crypto.randomUUID())).toBe(true);
    expect((await api.as({ token: person.token }).delete(`/api/auth/passkeys/${passkey.id}`)).status).toBe(204);
    const late = crypto.randomUUID();
    expect(await create(late)).toBe(false);
    expect(await api.stored(userKey(person.userId, `SESSION#${late}`))).toBeUndefined();
  });

  it('refreshes no session, also if the removal died before it ended them', async ({ api }) => {
    const { person, device, passkey } = await given(api);
    const { body } = await signIn(api, device.getJSON(PAGE, await challenge(api)));
    const refresh = (refreshToken: string) => api.as('anonymous').post('/api/auth/refresh', { refreshToken });
    const refreshed = await refresh(body.refreshToken);
    expect(refreshed.status).toBe(200);
    const Key = userKey(person.userId, `PASSKEY#${passkey.id}`);
    await api.table.db.send(new DeleteCommand({ TableName: api.table.name, Key }));
    expect(await refresh(refreshed.body.refreshToken)).toMatchObject({
      status: 401,
      body: { code: 'INVALID_REFRESH_TOKEN' },
    });
  });
});

describe('a person who signs in by a passkey', () => {
  /** Strangers use up the attempts of the account; the owner has the right password, and signs in from `home`. */
  async function statusAfterGuesses(api: Api, { email, password }: GivenMember, home: string): Promise<number> {
    const login = (from: string, given: string) =>
      api.as('anonymous').post('/api/auth/login', { email, password: given }, { from });
    const guesses = await Promise.all(Array.from({ length: 60 }, () => login(newAddress(), 'a guess')));
    expect(guesses.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
    return (await login(home, password)).status;
  }

  it('is not locked out by the guesses of strangers', async ({ api }) => {
    const { person, device } = await given(api);
    const home = newAddress();
    const response = device.getJSON(PAGE, await challenge(api));
    expect((await api.as('anonymous').post('/api/auth/passkeys/sign-in', { response }, { from: home })).status).toBe(
      200,
    );
    expect(await statusAfterGuesses(api, person, home)).toBe(200);
  });

  it('as a second factor is not locked out either', async ({ api }) => {
    const { person, device } = await given(api);
    await givenSecondFactor(api, person);
    const home = newAddress();
    const { email, password } = person;
    const { mfaToken } = (await api.as('anonymous').post('/api/auth/login', { email, password }, { from: home })).body;
    const options = (await api.as('anonymous').post('/api/auth/mfa/passkey/options', { mfaToken })).body;
    const proof = { mfaToken, response: device.getJSON(PAGE, options) };
    expect((await api.as('anonymous').post('/api/auth/mfa/passkey', proof, { from: home })).status).toBe(200);
    expect(await statusAfterGuesses(api, person, home)).toBe(200);
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
