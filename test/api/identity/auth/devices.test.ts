import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, vi } from 'vitest';
import { secretDigest } from '../../../../shared/platform/auth/credentials.ts';
import { uniqueKey } from '../../../../shared/platform/storage/keys.ts';
import { itemsBelow } from '../../../../shared/platform/storage/query-items.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { type Api, it } from '../../../support/api.ts';
import { browserTokenOf, givenMember } from '../../../support/given/member.ts';

/** Devices are limited by address, so each test has one of its own. */
const newAddress = () => `127.79.${Math.floor(Math.random() * 256)}.${1 + Math.floor(Math.random() * 254)}`;

interface Codes {
  deviceCode: string;
  userCode: string;
}

async function started(api: Api, body?: object, from = newAddress()): Promise<Codes> {
  const reply = await api.as('anonymous').post('/api/auth/device', body, { from });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body;
}

const redeem = (api: Api, { deviceCode }: Pick<Codes, 'deviceCode'>) =>
  api.as('anonymous').post('/api/auth/device/token', { deviceCode }, { headers: { 'user-agent': 'a program' } });

const as = (api: Api, token: string) => (operation: 'find' | 'approve' | 'deny', userCode: string) =>
  api.as({ token }).post(`/api/auth/device/${operation}`, { userCode });

const ofBrowser = async (api: Api, role: 'viewer' | 'editor') => browserTokenOf(api, await api.password(role));

const keyOf = ({ deviceCode }: Codes) => uniqueKey('DEVICE-SIGN-IN', secretDigest(deviceCode));
const change = (api: Api, codes: Codes, set: object) =>
  api.table.db.send(new UpdateCommand(updateOf(api.table, keyOf(codes), { set: { ...set } })));

const NOT_FOUND = { status: 404, body: { code: 'USER_CODE_NOT_FOUND' } };
const EXPIRED = { status: 400, body: { code: 'EXPIRED_TOKEN' } };
const DENIED = { status: 403, body: { code: 'ACCESS_DENIED' } };
const PENDING = { status: 400, body: { code: 'AUTHORIZATION_PENDING' } };

describe('a sign-in by device', () => {
  it('begins once a person has approved it, as that person, and ends among their sign-ins', async ({ api }) => {
    const person = await givenMember(api, 'editor');
    const decide = as(api, await browserTokenOf(api, person));
    const codes = await started(api, { clientName: 'analytics on ada-laptop' });
    expect(codes).toMatchObject({
      deviceCode: expect.stringMatching(/^dc_[\w-]{43}$/),
      userCode: expect.stringMatching(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/),
      verificationUri: `${api.endpoint}/api/d/device`,
      expiresInSeconds: 600,
      intervalSeconds: 5,
    });
    const { userCode } = codes;
    expect(await decide('find', userCode)).toMatchObject({
      status: 200,
      body: {
        userCode,
        clientName: 'analytics on ada-laptop',
        isSameNetwork: false,
        sourceIp: expect.stringMatching(/^127\.79\./),
        grants: expect.stringContaining('everything that you can'),
        warning: expect.stringContaining('yourself'),
      },
    });
    expect(await decide('approve', ` ${userCode.toLowerCase().replace('-', ' ')} `)).toMatchObject({ status: 204 });
    const reply = await redeem(api, codes);
    expect(reply).toMatchObject({
      status: 200,
      body: { tokenType: 'Bearer', workspaceId: api.workspaceId, user: { id: person.userId, email: person.email } },
    });
    const { accessToken, refreshToken } = reply.body;
    const program = api.as({ token: accessToken });
    expect((await program.get('/api/auth/me')).body).toMatchObject({ role: 'editor', user: { id: person.userId } });
    expect((await program.get('/api/datasets')).status).toBe(200);
    expect(await redeem(api, codes)).toMatchObject(EXPIRED);
    expect(await decide('find', userCode)).toMatchObject(NOT_FOUND);

    const sessions = (await api.as({ token: person.token }).get('/api/auth/sessions')).body.items;
    const made = sessions.find(({ userAgent }: { userAgent: string }) => userAgent === 'a program');
    expect(made).toMatchObject({ isCurrent: false, workspaceId: api.workspaceId });
    expect((await api.as({ token: person.token }).delete(`/api/auth/sessions/${made.id}`)).status).toBe(204);
    expect((await api.as('anonymous').post('/api/auth/refresh', { refreshToken })).status).toBe(401);
    // Functions cache a sign-in for some seconds.
    await vi.waitFor(async () => expect((await program.get('/api/auth/me')).status).toBe(401), {
      timeout: 60_000,
      interval: 500,
    });

    const { items } = (await api.as('owner').get('/api/audit-log')).body;
    const ofPerson = items.filter(({ actor }: { actor: { id: string } }) => actor.id === person.userId);
    const actions = ofPerson.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(expect.arrayContaining(['session.device_approved', 'user.signed_in', 'session.ended']));
    const approved = ofPerson.find(({ action }: { action: string }) => action === 'session.device_approved');
    expect(approved.after).toMatchObject({ clientName: 'analytics on ada-laptop' });
  });

  it('is pending until then, and has to slow down if it asks too often', async ({ api }) => {
    const codes = await started(api);
    const first = await redeem(api, codes);
    expect(first).toMatchObject(PENDING);
    expect(first.headers.get('retry-after')).toBe('5');
    for (const seconds of ['10', '15']) {
      await change(api, codes, { nextPollAt: Date.now() + 600_000 });
      const tooFast = await redeem(api, codes);
      expect(tooFast).toMatchObject({ status: 400, body: { code: 'SLOW_DOWN' } });
      expect(tooFast.headers.get('retry-after')).toBe(seconds);
    }
    await change(api, codes, { nextPollAt: Date.now() - 1 });
    const later = await redeem(api, codes);
    expect(later).toMatchObject(PENDING);
    // The longer interval stays.
    expect(later.headers.get('retry-after')).toBe('15');
  });

  it('gives its tokens once, however many programs ask at the same time', async ({ api }) => {
    const codes = await started(api);
    expect(await as(api, await ofBrowser(api, 'viewer'))('approve', codes.userCode)).toMatchObject({ status: 204 });
    const replies = await Promise.all(Array.from({ length: 8 }, () => redeem(api, codes)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of replies)
      if (status !== 200) expect(['SLOW_DOWN', 'EXPIRED_TOKEN']).toContain(body.code);
  });

  it('is denied for good, and a decision can be repeated, but not changed', async ({ api }) => {
    const decide = as(api, await ofBrowser(api, 'viewer'));
    const other = as(api, await ofBrowser(api, 'editor'));
    const denied = await started(api);
    expect((await decide('deny', denied.userCode)).status).toBe(204);
    expect((await decide('deny', denied.userCode)).status).toBe(204);
    for (const attempt of [decide, other]) expect(await attempt('approve', denied.userCode)).toMatchObject(NOT_FOUND);
    expect(await other('deny', denied.userCode)).toMatchObject(NOT_FOUND);
    expect(await redeem(api, denied)).toMatchObject(DENIED);

    const approved = await started(api);
    expect((await decide('approve', approved.userCode)).status).toBe(204);
    expect((await decide('approve', approved.userCode)).status).toBe(204);
    for (const attempt of [decide, other]) expect(await attempt('deny', approved.userCode)).toMatchObject(NOT_FOUND);
    expect(await other('approve', approved.userCode)).toMatchObject(NOT_FOUND);
    const { body } = await redeem(api, approved);
    const me = (await api.as('viewer').get('/api/auth/me')).body.user.id;
    expect(body.user.id).toBe(me);
    const { items } = (await api.as('owner').get('/api/audit-log?action=session.device_denied')).body;
    expect(items).toMatchObject([{ actor: { id: me } }]);
  });

  it('expires, and codes that are unknown lead to nothing', async ({ api }) => {
    const decide = as(api, await ofBrowser(api, 'viewer'));
    const codes = await started(api);
    await change(api, codes, { expiresAt: Math.floor(Date.now() / 1000) - 1 });
    expect(await redeem(api, codes)).toMatchObject(EXPIRED);
    for (const operation of ['find', 'approve', 'deny'] as const)
      expect(await decide(operation, codes.userCode)).toMatchObject(NOT_FOUND);
    expect(await redeem(api, { deviceCode: `dc_${'x'.repeat(43)}` })).toMatchObject(EXPIRED);
  });

  it('is approved by people who are signed in in a browser, not by keys, tokens and others', async ({ api }) => {
    const codes = await started(api);
    const { key } = (await api.as('owner').post('/api/api-keys', { name: 'all', scope: 'admin' })).body;
    for (const operation of ['find', 'approve', 'deny'] as const) {
      expect(await as(api, key)(operation, codes.userCode)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
      const path = `/api/auth/device/${operation}`;
      expect((await api.as('anonymous').post(path, { userCode: codes.userCode })).status).toBe(401);
    }
    // An access token lasts for minutes wherever it gets to; what it approved would last for weeks.
    const stolen = as(api, await api.token('viewer'));
    expect(await stolen('approve', codes.userCode)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(await redeem(api, codes)).toMatchObject(PENDING);
  });

  it.for([
    'signs out',
    'changes the password',
    'changes the password in the same sign-in',
    'ends all other sign-ins',
    'leaves the workspace',
  ] as const)('does not begin if the person who approved it %s before', async (event, { api }) => {
    const person = await givenMember(api);
    const token = await browserTokenOf(api, person);
    const own = api.as({ token });
    const codes = await started(api);
    expect((await as(api, token)('approve', codes.userCode)).status).toBe(204);
    const ended = {
      'signs out': () => own.post('/api/auth/logout'),
      'changes the password': async () => {
        const { email, password } = person;
        const elsewhere = await api.as('anonymous').post('/api/auth/login', { email, password });
        return api
          .as({ token: elsewhere.body.accessToken })
          .post('/api/auth/password', { currentPassword: password, newPassword: 'another long password' });
      },
      'changes the password in the same sign-in': () =>
        own.post('/api/auth/password', {
          currentPassword: person.password,
          newPassword: 'another long password',
        }),
      'ends all other sign-ins': () => own.delete('/api/auth/sessions'),
      'leaves the workspace': () => api.as('owner').delete(`/api/workspaces/members/${person.userId}`),
    };
    expect((await ended[event]()).status).toBe(204);
    expect(await redeem(api, codes)).toMatchObject(DENIED);
    expect(await redeem(api, codes)).toMatchObject(EXPIRED);
  });

  it('leaves neither of its codes in the table', async ({ api }) => {
    const codes = await started(api);
    const stored = JSON.stringify([
      await api.stored(keyOf(codes)),
      ...(await Array.fromAsync(itemsBelow(api.table, { ...uniqueKey('DEVICE-CODE', ''), sk: '' }))),
    ]);
    expect(stored).toContain('device-sign-in');
    expect(stored).toContain('device-code');
    for (const secret of [codes.deviceCode.slice(3), codes.userCode, codes.userCode.replace('-', '')])
      expect(stored).not.toContain(secret);
  });

  it('is found by few guesses only: ten wrong codes of a person, right ones do not count', async ({ api }) => {
    const { token } = await givenMember(api);
    const decide = as(api, token);
    const codes = await started(api);
    for (let guess = 0; guess < 12; guess += 1) expect((await decide('find', codes.userCode)).status).toBe(200);
    for (let guess = 0; guess < 10; guess += 1) expect(await decide('find', 'BBBB-BBBB')).toMatchObject(NOT_FOUND);
    for (const operation of ['find', 'approve', 'deny'] as const) {
      const refused = await decide(operation, codes.userCode);
      expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY_ATTEMPTS' } });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    // Others are not kept from it.
    expect((await as(api, await ofBrowser(api, 'viewer'))('find', codes.userCode)).status).toBe(200);
  });

  it('is started sixty times from an address', async ({ api }) => {
    const from = newAddress();
    const start = () => api.as('anonymous').post('/api/auth/device', {}, { from });
    const replies = await Promise.all(Array.from({ length: 60 }, start));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await start()).toMatchObject({ status: 429, body: { code: 'TOO_MANY_ATTEMPTS' } });
  });

  it('names every issue of its requests', async ({ api }) => {
    const issues = async (path: string, body: object) => {
      const reply = await api.as('viewer').post(`/api/auth/device${path}`, body);
      expect(reply.status).toBe(400);
      return reply.body.errors.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`);
    };
    expect(await issues('', { clientName: 'a\u202eb' })).toEqual(['/clientName PATTERN']);
    expect(await issues('', { clientName: 'x'.repeat(101) })).toEqual(['/clientName MAX_LENGTH']);
    expect(await issues('/token', {})).toEqual(['/deviceCode REQUIRED']);
    expect(await issues('/approve', { userCode: 'short' })).toEqual(['/userCode MIN_LENGTH']);
  });
});
