import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { TOTP } from 'otpauth';
import { describe, expect } from 'vitest';
import { userRecordKey } from '../../../../shared/domains/tenancy/workspaces/keys.ts';
import { uniqueKey } from '../../../../shared/platform/storage/keys.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { type Api, itWithOwnCompany as it } from '../../../support/api.ts';

const STEP_MS = 30_000;
/** A code of the app, by default of the current step, which stays valid for one more. Codes work once. */
const codeOf = (secret: string, step = 0) => new TOTP({ secret }).generate({ timestamp: Date.now() + step * STEP_MS });
const wrongCode = (secret: string) => {
  const near = [-2, -1, 0, 1, 2].map((step) => codeOf(secret, step));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code))!;
};

async function enrolled(api: Api) {
  const { password } = await api.password('editor');
  const { body } = await api.as('editor').post('/api/auth/mfa/enroll', { password });
  return body as { secret: string; otpauthUrl: string };
}

/** The second factor of the editor, activated with the current code. */
async function activated(api: Api) {
  const { secret } = await enrolled(api);
  const usedCode = codeOf(secret);
  const { body } = await api.as('editor').post('/api/auth/mfa/activate', { code: usedCode });
  return { secret, usedCode, recoveryCodes: body.recoveryCodes as string[] };
}

/** The code of the next step, which a clock that is ahead shows. */
const nextCode = (secret: string) => codeOf(secret, 1);

async function firstHalf(api: Api): Promise<string> {
  const credentials = { ...(await api.password('editor')), workspaceId: api.workspaceId };
  const { body } = await api.as('anonymous').post('/api/auth/login', credentials);
  expect(body).toEqual({ mfaRequired: true, mfaToken: expect.any(String), expiresInSeconds: 300 });
  return body.mfaToken;
}

const verify = (api: Api, mfaToken: string, code: string) =>
  api.as('anonymous').post('/api/auth/mfa/verify', { mfaToken, code });

describe('the second factor', () => {
  it('is set up with an app, and then asked for at every sign-in', async ({ api }) => {
    const { secret, otpauthUrl } = await enrolled(api);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(new URL(otpauthUrl).searchParams.get('secret')).toBe(secret);
    const me = async () => (await api.as('editor').get('/api/auth/me')).body.mfa;
    expect(await me()).toEqual({ enabled: false, recoveryCodesLeft: 0 });
    expect(await api.as('editor').post('/api/auth/mfa/activate', { code: wrongCode(secret) })).toMatchObject({
      status: 403,
      body: { code: 'WRONG_CODE' },
    });
    const on = await api.as('editor').post('/api/auth/mfa/activate', { code: codeOf(secret) });
    expect(new Set(on.body.recoveryCodes).size).toBe(10);
    expect(await me()).toEqual({ enabled: true, recoveryCodesLeft: 10 });

    const { body } = await verify(api, await firstHalf(api), nextCode(secret));
    const caller = api.as({ token: body.accessToken });
    expect((await caller.get('/api/auth/me')).body.user.id).toBe(body.user.id);
    const stored = JSON.stringify(await api.stored(userRecordKey(body.user.id)));
    expect(stored).not.toContain(secret);
    expect(stored).not.toContain(on.body.recoveryCodes[0]);
  });

  it('takes each code of the app once, and only in its time', async ({ api }) => {
    const { secret, usedCode, recoveryCodes } = await activated(api);
    const [first, second] = [await firstHalf(api), await firstHalf(api)];
    for (const code of [wrongCode(secret), usedCode, codeOf(secret, -4), codeOf(secret, 4)]) {
      expect(await verify(api, first, code)).toMatchObject({ status: 401, body: { code: 'INVALID_MFA_CODE' } });
    }
    const code = nextCode(secret);
    expect((await verify(api, first, code)).status).toBe(200);
    expect((await verify(api, second, code)).status).toBe(401);
    expect((await verify(api, second, recoveryCodes[0]!)).status).toBe(200);
  });

  it('takes each recovery code once, also of a hundred simultaneous uses', async ({ api }) => {
    const { recoveryCodes } = await activated(api);
    const tokens = await Promise.all(Array.from({ length: 5 }, () => firstHalf(api)));
    const typed = recoveryCodes[0]!.toUpperCase().replaceAll('-', ' ');
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, use) =>
        api
          .as('anonymous')
          .post(
            '/api/auth/mfa/verify',
            { mfaToken: tokens[use % tokens.length], code: typed },
            { from: `127.0.77.${1 + use}` },
          ),
      ),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await api.as('editor').get('/api/auth/me')).body.mfa.recoveryCodesLeft).toBe(9);
  });

  it('ends with the first half: its token works once, and not after a change of the password', async ({ api }) => {
    const { secret, recoveryCodes } = await activated(api);
    const token = await firstHalf(api);
    expect((await verify(api, token, nextCode(secret))).status).toBe(200);
    expect(await verify(api, token, recoveryCodes[0]!)).toMatchObject({
      status: 401,
      body: { code: 'INVALID_MFA_TOKEN' },
    });
    const stolen = await firstHalf(api);
    const { password } = await api.password('editor');
    const change = { currentPassword: password, newPassword: 'another long password' };
    expect((await api.as('editor').post('/api/auth/password', change)).status).toBe(204);
    expect((await verify(api, stolen, recoveryCodes[1]!)).status).toBe(401);
    expect((await api.as('editor').get('/api/auth/me')).body.mfa.recoveryCodesLeft).toBe(10);
  });

  it('does not take tokens of other kinds', async ({ api }) => {
    const { recoveryCodes } = await activated(api);
    const token = await firstHalf(api);
    const [head, body, signature] = token.split('.') as [string, string, string];
    const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
    const forged = [
      await api.token('editor'),
      `${head}.${body}.${signature.slice(0, -2)}xx`,
      `${none}.${body}.`,
      `${none}.${body}.${signature}`,
      'x',
    ];
    for (const mfaToken of forged) {
      expect(await verify(api, mfaToken, recoveryCodes[0]!)).toMatchObject({
        status: 401,
        body: { code: 'INVALID_MFA_TOKEN' },
      });
    }
    expect((await api.as({ token }).get('/api/auth/me')).status).toBe(401);
    expect((await api.as('editor').get('/api/auth/me')).body.mfa.recoveryCodesLeft).toBe(10);
  });

  it('limits guesses of a code that is being set up, and gives up the set-up after 15 minutes', async ({ api }) => {
    const { secret } = await enrolled(api);
    const guess = () =>
      api.as('editor').post('/api/auth/mfa/activate', { code: wrongCode(secret) }, { from: '127.0.78.2' });
    for (let tries = 0; tries < 10; tries += 1) expect((await guess()).status).toBe(403);
    expect(await guess()).toMatchObject({ status: 429, body: { code: 'TOO_MANY_ATTEMPTS' } });
    const { id } = (await api.as('editor').get('/api/auth/me')).body.user;
    const expired = { set: { pendingTotpUntil: new Date(Date.now() - 1000).toISOString() } };
    await api.table.db.send(new UpdateCommand(updateOf(api.table, userRecordKey(id), expired)));
    const late = await api.as('editor').post('/api/auth/mfa/activate', { code: codeOf(secret) });
    expect(late).toMatchObject({ status: 403, body: { code: 'WRONG_CODE' } });
  });

  it('limits wrong codes like wrong passwords', async ({ api }) => {
    const { secret } = await activated(api);
    const mfaToken = await firstHalf(api);
    const guess = () =>
      api.as('anonymous').post('/api/auth/mfa/verify', { mfaToken, code: wrongCode(secret) }, { from: '127.0.78.1' });
    for (let tries = 0; tries < 10; tries += 1) expect((await guess()).status).toBe(401);
    expect(await guess()).toMatchObject({ status: 429, body: { code: 'TOO_MANY_ATTEMPTS' } });
    const { password } = await api.password('editor');
    const code = wrongCode(secret);
    for (const [path, body] of [
      ['enroll', { password }],
      ['recovery-codes', { code }],
      ['disable', { password, code }],
    ] as const) {
      expect(await api.as('editor').post(`/api/auth/mfa/${path}`, body, { from: '127.0.78.1' })).toMatchObject({
        status: 429,
        body: { code: 'TOO_MANY_ATTEMPTS' },
      });
    }
  });

  it('takes thirty wrong codes in a day, from whatever addresses', async ({ api }) => {
    const { secret, recoveryCodes } = await activated(api);
    const mfaToken = await firstHalf(api);
    const codeFrom = (code: string, from: string) =>
      api.as('anonymous').post('/api/auth/mfa/verify', { mfaToken, code }, { from });
    for (let tries = 0; tries < 30; tries += 1) {
      const reply = await codeFrom(wrongCode(secret), `127.0.78.${11 + Math.floor(tries / 10)}`);
      expect(reply).toMatchObject({ status: 401, body: { code: 'INVALID_MFA_CODE' } });
    }
    const refused = await codeFrom(recoveryCodes[0]!, '127.0.78.14');
    expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY_ATTEMPTS' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(23 * 60 * 60);
    expect((await api.as('editor').get('/api/auth/me')).body.mfa.recoveryCodesLeft).toBe(10);
    const { id } = (await api.as('editor').get('/api/auth/me')).body.user;
    const dayLater = updateOf(api.table, uniqueKey('WRONG-CODES', id), { set: { expiresAt: 1 } });
    await api.table.db.send(new UpdateCommand(dayLater));
    expect((await codeFrom(recoveryCodes[0]!, '127.0.78.14')).status).toBe(200);
  });

  it('does not count right codes against the thirty of a day', async ({ api }) => {
    const { recoveryCodes } = await activated(api);
    const { id } = (await api.as('editor').get('/api/auth/me')).body.user;
    for (const code of recoveryCodes.slice(0, 3)) {
      expect((await verify(api, await firstHalf(api), code)).status).toBe(200);
    }
    expect(await api.stored(uniqueKey('WRONG-CODES', id))).toMatchObject({ codes: 0 });
  });

  it('is set up, renewed and turned off only with proofs', async ({ api }) => {
    const { password } = await api.password('editor');
    const post = (path: string, body: object) => api.as('editor').post(`/api/auth/mfa/${path}`, body);
    const rejects = async (path: string, body: object, status: number, code: string) =>
      expect(await post(path, body)).toMatchObject({ status, body: { code } });
    await rejects('enroll', { password: 'wrong' }, 403, 'WRONG_PASSWORD');
    await rejects('activate', { code: '123456' }, 403, 'WRONG_CODE');
    await rejects('recovery-codes', { code: '123456' }, 409, 'MFA_NOT_ON');
    await rejects('disable', { password, code: '123456' }, 409, 'MFA_NOT_ON');
    const { secret, recoveryCodes } = await activated(api);
    await rejects('enroll', { password }, 409, 'MFA_ALREADY_ON');
    await rejects('activate', { code: '123456' }, 409, 'MFA_ALREADY_ON');
    await rejects('recovery-codes', { code: wrongCode(secret) }, 403, 'WRONG_CODE');
    const renewed = (await post('recovery-codes', { code: recoveryCodes[0]! })).body.recoveryCodes as string[];
    await rejects('disable', { password, code: recoveryCodes[1]! }, 403, 'WRONG_CODE');
    await rejects('disable', { password: 'wrong', code: renewed[0]! }, 403, 'WRONG_PASSWORD');
    expect((await post('disable', { password, code: renewed[0]! })).status).toBe(204);
    const login = await api.as('anonymous').post('/api/auth/login', await api.password('editor'));
    expect(login.body.accessToken).toEqual(expect.any(String));
  });
});
