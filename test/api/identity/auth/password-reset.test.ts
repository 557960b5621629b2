import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { TOTP } from 'otpauth';
import { describe, expect } from 'vitest';
import { userRecordKey } from '../../../../shared/domains/tenancy/workspaces/keys.ts';
import { userKey } from '../../../../shared/platform/storage/keys.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { type Api, it } from '../../../support/api.ts';
import { mailsTo, mailTo, tokenIn } from '../../../support/given/mails.ts';
import { type GivenMember, givenMember } from '../../../support/given/member.ts';
import { givenProvisioner, newUserName, patchOf, SCIM } from '../../../support/given/provisioner.ts';

const NEW_PASSWORD = 'a password after the reset';
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

const forgot = (api: Api, email: string, from?: string) =>
  api.as('anonymous').post('/api/auth/password/forgot', { email }, from === undefined ? {} : { from });
const reset = (api: Api, token: string, newPassword = NEW_PASSWORD) =>
  api.as('anonymous').post('/api/auth/password/reset', { token, newPassword });
const signIn = (api: Api, { email }: { email: string }, password: string) =>
  api.as('anonymous').post('/api/auth/login', { email, password });

async function tokenFor(api: Api, { email }: GivenMember, count = 1): Promise<string> {
  expect(await forgot(api, email)).toMatchObject({ status: 202, body: { expiresInSeconds: 1800 } });
  return tokenIn(await mailTo(api, email, count));
}

const keyOf = ({ userId }: GivenMember) => userKey(userId, 'PASSWORD-RESET');
const storedReset = async (api: Api, person: GivenMember) =>
  (await api.table.db.send(new GetCommand({ TableName: api.table.name, Key: keyOf(person) }))).Item!;
const changeReset = (api: Api, person: GivenMember, set: object) =>
  api.table.db.send(new UpdateCommand(updateOf(api.table, keyOf(person), { set: { ...set } })));

/** Waits until the mails of all requests before were sent, or not: one for another person was. */
async function othersAreDone(api: Api): Promise<void> {
  await tokenFor(api, await givenMember(api));
}

const INVALID = { status: 401, body: { code: 'INVALID_RESET_TOKEN' } };

describe('a forgotten password', () => {
  it('is replaced with the token of a mail, which ends every sign-in', async ({ api }) => {
    const person = await givenMember(api);
    const { refreshToken } = (await signIn(api, person, person.password)).body;
    expect((await forgot(api, person.email.toUpperCase())).status).toBe(202);
    const mail = await mailTo(api, person.email);
    expect(mail).toMatchObject({
      from: 'Analytics <no-reply@mail.example.com>',
      to: [person.email],
      subject: 'Reset your password',
    });
    const token = tokenIn(mail);
    expect(mail.text).toContain(`https://app.example.com/reset-password#token=${token}`);
    expect(mail.html).toContain(`href="https://app.example.com/reset-password#token=${token}"`);
    expect(JSON.stringify(await storedReset(api, person))).not.toContain(token.slice(-40));

    expect((await reset(api, token)).status).toBe(204);
    expect((await api.as('anonymous').post('/api/auth/refresh', { refreshToken })).status).toBe(401);
    expect((await signIn(api, person, person.password)).status).toBe(401);
    expect((await signIn(api, person, NEW_PASSWORD)).status).toBe(200);
    expect(await reset(api, token, 'yet another password')).toMatchObject(INVALID);
    expect((await signIn(api, person, NEW_PASSWORD)).status).toBe(200);
  });

  it('is replaced by one of twenty parallel requests', async ({ api }) => {
    const person = await givenMember(api);
    const token = await tokenFor(api, person);
    const passwords = Array.from({ length: 20 }, (_, index) => `the new password ${index}`);
    const replies = await Promise.all(passwords.map((password) => reset(api, token, password)));
    const done = passwords.filter((_, index) => replies[index]!.status === 204);
    expect(done).toHaveLength(1);
    for (const reply of replies.filter(({ status }) => status !== 204)) expect(reply).toMatchObject(INVALID);
    expect((await signIn(api, person, done[0]!)).status).toBe(200);
  });

  it('needs the second factor afterwards as before', async ({ api }) => {
    const person = await givenMember(api);
    const caller = api.as({ token: person.token });
    const { secret } = (await caller.post('/api/auth/mfa/enroll', { password: person.password })).body;
    const code = new TOTP({ secret }).generate();
    expect((await caller.post('/api/auth/mfa/activate', { code })).status).toBe(200);
    expect((await reset(api, await tokenFor(api, person))).status).toBe(204);
    expect((await signIn(api, person, NEW_PASSWORD)).body).toMatchObject({ mfaRequired: true });
  });

  it('must be long enough, and the token stays valid then', async ({ api }) => {
    const token = await tokenFor(api, await givenMember(api));
    expect(await reset(api, token, 'short')).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect((await reset(api, token)).status).toBe(204);
  });
});

describe('the token of a mail', () => {
  it('is void after half an hour', async ({ api }) => {
    const person = await givenMember(api);
    const token = await tokenFor(api, person);
    const { requestedAt, validUntil } = await storedReset(api, person);
    const minutes = (Date.parse(validUntil) - Date.parse(requestedAt)) / 60_000;
    expect(minutes).toBeGreaterThanOrEqual(30);
    expect(minutes).toBeLessThan(31);
    await changeReset(api, person, { validUntil: minutesAgo(0) });
    expect(await reset(api, token)).toMatchObject(INVALID);
    expect((await signIn(api, person, person.password)).status).toBe(200);
  });

  it('is void after a newer mail, and after a change of the password', async ({ api }) => {
    const person = await givenMember(api);
    const older = await tokenFor(api, person);
    await changeReset(api, person, { requestedAt: minutesAgo(20) });
    const newer = await tokenFor(api, person, 2);
    expect(await reset(api, older)).toMatchObject(INVALID);
    const change = { currentPassword: person.password, newPassword: NEW_PASSWORD };
    expect((await api.as({ token: person.token }).post('/api/auth/password', change)).status).toBe(204);
    expect(await reset(api, newer)).toMatchObject(INVALID);
    // A void token does not keep its owner waiting.
    expect((await reset(api, await tokenFor(api, person, 3), 'the third password')).status).toBe(204);
  });

  it('is void for an account with another address by now, whose owner gets one at once', async ({ api }) => {
    const person = await givenMember(api);
    const old = await tokenFor(api, person);
    const { caller } = await givenProvisioner(api);
    const email = newUserName();
    const rename = patchOf({ op: 'replace', path: 'userName', value: email });
    expect((await caller.patch(`${SCIM}/Users/${person.userId}`, rename)).status).toBe(200);
    expect(await reset(api, old)).toMatchObject(INVALID);
    expect((await reset(api, await tokenFor(api, { ...person, email }))).status).toBe(204);
  });

  it('is void when it is made up', async ({ api }) => {
    const [person, other] = [await givenMember(api), await givenMember(api)];
    const token = await tokenFor(api, person);
    for (const forged of [
      'x',
      `${token}x`,
      token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A'),
      token.replace(person.userId, other.userId),
      `pr_${crypto.randomUUID()}_${token.slice(-43)}`,
    ]) {
      expect(await reset(api, forged), forged).toMatchObject(INVALID);
    }
    expect((await reset(api, token)).status).toBe(204);
  });
});

describe('a mail for a reset', () => {
  it('goes to accounts only, which the reply does not reveal', async ({ api }) => {
    const [person, inactive] = [await givenMember(api), await givenMember(api)];
    const off = updateOf(api.table, userRecordKey(inactive.userId), { set: { active: false } });
    await api.table.db.send(new UpdateCommand(off));
    const unknown = `unknown-${crypto.randomUUID()}@example.com`;
    const replies = [];
    for (const email of [unknown, inactive.email, person.email]) replies.push(await forgot(api, email));
    for (const { status, body } of replies) expect({ status, body }).toEqual({ status: 202, body: replies[0]!.body });
    await mailTo(api, person.email);
    await othersAreDone(api);
    for (const email of [unknown, inactive.email]) expect(await mailsTo(api, email)).toEqual([]);
  });

  it('says so if the account has no password', async ({ api }) => {
    const person = await givenMember(api);
    const without = updateOf(api.table, userRecordKey(person.userId), { remove: ['passwordHash'] });
    await api.table.db.send(new UpdateCommand(without));
    expect((await forgot(api, person.email)).status).toBe(202);
    const mail = await mailTo(api, person.email);
    expect(mail.subject).toBe('Your account has no password');
    expect(mail.text).not.toContain('token');
  });

  it('is not repeated while its link works', async ({ api }) => {
    const person = await givenMember(api);
    const token = await tokenFor(api, person);
    const flood = Array.from({ length: 10 }, () => forgot(api, person.email));
    expect((await Promise.all(flood)).map(({ status }) => status)).toEqual(flood.map(() => 202));
    await othersAreDone(api);
    expect(await mailsTo(api, person.email)).toHaveLength(1);
    expect((await reset(api, token)).status).toBe(204);
  });

  it('is sent for strangers after a pause of up to three hours, and sooner for an address of the owner', async ({
    api,
  }) => {
    const person = await givenMember(api);
    const from = '127.0.9.17';
    expect((await forgot(api, person.email, from)).status).toBe(202);
    await mailTo(api, person.email);
    expect(await storedReset(api, person)).toMatchObject({ strangers: 1 });
    const day = new Date().toISOString().slice(0, 10);
    await changeReset(api, person, { requestedAt: minutesAgo(170), strangers: 20, day });
    expect((await forgot(api, person.email, from)).status).toBe(202);
    await othersAreDone(api);
    expect(await mailsTo(api, person.email)).toHaveLength(1);
    await changeReset(api, person, { requestedAt: minutesAgo(180) });
    expect((await forgot(api, person.email, from)).status).toBe(202);
    await mailTo(api, person.email, 2);
    await changeReset(api, person, { requestedAt: minutesAgo(6) });
    expect((await reset(api, await tokenFor(api, person, 3))).status).toBe(204);
  });

  it('is asked for twenty times from an address', async ({ api }) => {
    const email = `unknown-${crypto.randomUUID()}@example.com`;
    const from = '127.0.9.18';
    for (let request = 0; request < 20; request += 1) expect((await forgot(api, email, from)).status).toBe(202);
    const refused = await forgot(api, email, from);
    expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY_ATTEMPTS' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await forgot(api, email)).status).toBe(202);
    // Sign-ins from there have a limit of their own.
    const person = await givenMember(api);
    const { email: known, password } = person;
    const reply = await api.as('anonymous').post('/api/auth/login', { email: known, password }, { from });
    expect(reply.status).toBe(200);
  });
});
