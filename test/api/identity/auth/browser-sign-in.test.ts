import { createHash, randomBytes } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { uniqueKey } from '../../../../shared/platform/storage/keys.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { type Api, it } from '../../../support/api.ts';
import { browserTokenOf, givenMember } from '../../../support/given/member.ts';

/** Programs are limited by address, so each test has one of its own. */
const newAddress = () => `127.78.${Math.floor(Math.random() * 256)}.${1 + Math.floor(Math.random() * 254)}`;

const redirectUri = 'http://127.0.0.1:49152/callback';

/** A program with a verifier of its own. */
function program(more: object = {}) {
  const codeVerifier = randomBytes(32).toString('base64url');
  const state = randomBytes(16).toString('base64url');
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
  return { codeVerifier, state, asks: { redirectUri, codeChallenge, state, ...more } };
}

const ofBrowser = async (api: Api, role: 'viewer') => browserTokenOf(api, await api.password(role));

const approve = (api: Api, token: string, asks: object) => api.as({ token }).post('/api/auth/browser/approve', asks);

async function approved(api: Api, token: string, { asks, state }: ReturnType<typeof program>): Promise<string> {
  const reply = await approve(api, token, asks);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  const { origin, pathname, searchParams } = new URL(reply.body.redirectTo);
  expect([origin + pathname, searchParams.get('state')]).toEqual([redirectUri, state]);
  return searchParams.get('code')!;
}

const redeem = (api: Api, body: object, from = newAddress()) =>
  api
    .as('anonymous')
    .post('/api/auth/browser/token', { redirectUri, ...body }, { from, headers: { 'user-agent': 'a program' } });

const INVALID = { status: 400, body: { code: 'SIGN_IN_CODE_INVALID' } };
const DENIED = { status: 403, body: { code: 'ACCESS_DENIED' } };

describe('a sign-in by browser', () => {
  it('begins once, as the person who has approved it, and is listed and logged', async ({ api }) => {
    const person = await givenMember(api, 'editor');
    const made = program({ clientName: 'analytics on ada-laptop' });
    const { codeVerifier } = made;
    const code = await approved(api, await browserTokenOf(api, person), made);
    const reply = await redeem(api, { code, codeVerifier });
    expect(reply).toMatchObject({
      status: 200,
      body: { tokenType: 'Bearer', workspaceId: api.workspaceId, user: { id: person.userId, email: person.email } },
    });
    const me = await api.as({ token: reply.body.accessToken }).get('/api/auth/me');
    expect(me.body).toMatchObject({ role: 'editor', user: { id: person.userId } });
    expect(await redeem(api, { code, codeVerifier })).toMatchObject(INVALID);

    const sessions = (await api.as({ token: person.token }).get('/api/auth/sessions')).body.items;
    expect(sessions.map(({ userAgent }: { userAgent: string }) => userAgent)).toContain('a program');
    const { items } = (await api.as('owner').get('/api/audit-log')).body;
    const ofPerson = items.filter(({ actor }: { actor: { id: string } }) => actor.id === person.userId);
    expect(ofPerson).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          action: 'session.device_approved',
          after: { clientName: 'analytics on ada-laptop', redirectUri },
        }),
        expect.objectContaining({ action: 'user.signed_in' }),
      ]),
    );
    // The log shows nothing that could be redeemed.
    expect(JSON.stringify(items)).not.toContain(code);
  });

  it('gives its tokens once, however many programs ask at the same time', async ({ api }) => {
    const made = program();
    const code = await approved(api, await ofBrowser(api, 'viewer'), made);
    const asked = { code, codeVerifier: made.codeVerifier };
    const replies = await Promise.all(Array.from({ length: 8 }, () => redeem(api, asked)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)]);
  });

  it('is of the program alone that has asked: a wrong verifier or address uses up the code', async ({ api }) => {
    const viewer = await ofBrowser(api, 'viewer');
    for (const wrong of [
      { codeVerifier: program().codeVerifier },
      { redirectUri: 'http://127.0.0.1:49153/callback' },
      { redirectUri: 'http://127.0.0.1:49152/other' },
    ]) {
      const made = program();
      const code = await approved(api, viewer, made);
      const { codeVerifier } = made;
      expect(await redeem(api, { code, codeVerifier, ...wrong }), JSON.stringify(wrong)).toMatchObject(INVALID);
      expect(await redeem(api, { code, codeVerifier }), JSON.stringify(wrong)).toMatchObject(INVALID);
    }
    const { codeVerifier } = program();
    expect(await redeem(api, { code: `sc_${'x'.repeat(43)}`, codeVerifier })).toMatchObject(INVALID);
  });

  it('does not begin with a code that is older than a minute, and the code is not in the table', async ({ api }) => {
    const made = program();
    const code = await approved(api, await ofBrowser(api, 'viewer'), made);
    const key = uniqueKey('ONE-TIME#BROWSER-SIGN-IN', createHash('sha256').update(code).digest('hex'));
    const stored = JSON.stringify(await api.stored(key));
    const left = JSON.parse(stored).expiresAt - Date.now() / 1000;
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(60);
    for (const secret of [code.slice(3), made.codeVerifier]) expect(stored).not.toContain(secret);
    const set = { expiresAt: Math.floor(Date.now() / 1000) - 1 };
    await api.table.db.send(new UpdateCommand(updateOf(api.table, key, { set })));
    expect(await redeem(api, { code, codeVerifier: made.codeVerifier })).toMatchObject(INVALID);
  });

  it('leads to no address but a port of the computer of the browser', async ({ api }) => {
    const viewer = await ofBrowser(api, 'viewer');
    for (const foreign of [
      'https://127.0.0.1:49152/callback',
      'http://localhost:49152/callback',
      'http://127.0.0.1/callback',
      'http://127.0.0.1:80/callback',
      'http://127.0.0.1:65536/callback',
      'http://127.0.0.1.evil.example.com:49152/callback',
      'http://127.0.0.1:49152@evil.example.com/callback',
      'http://evil.example.com:49152/callback?http://127.0.0.1:49152/callback',
      'http://127.0.0.1:49152/callback#x',
      'http://127.0.0.1:49152/../x',
      'http://[::1]:49152/callback',
      'javascript:alert(1)//http://127.0.0.1:49152/callback',
      '\nhttp://127.0.0.1:49152/callback',
      'http://127.0.0.1:49152/callback\n',
    ])
      expect(await approve(api, viewer, program({ redirectUri: foreign }).asks), foreign).toMatchObject({
        status: 400,
        body: { errors: [{ pointer: '/redirectUri', code: 'PATTERN' }] },
      });
    const plain = await approve(api, viewer, program({ codeChallenge: 'plain', state: 'short' }).asks);
    expect(plain.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(['/codeChallenge', '/state']);
  });

  it('is approved by people who are signed in in a browser, not by keys, tokens and others', async ({ api }) => {
    const { asks } = program();
    const { key } = (await api.as('owner').post('/api/api-keys', { name: 'all', scope: 'admin' })).body;
    expect(await approve(api, key, asks)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect((await api.as('anonymous').post('/api/auth/browser/approve', asks)).status).toBe(401);
    // Nor by an access token alone, and a stranger's is of the stranger's own workspace anyway.
    for (const token of [await api.token('viewer'), await api.token('stranger')])
      expect(await approve(api, token, asks)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  });

  it.for(['signs out', 'changes the password', 'leaves the workspace'] as const)(
    'does not begin if the person who approved it %s before',
    async (event, { api }) => {
      const person = await givenMember(api);
      const token = await browserTokenOf(api, person);
      const own = api.as({ token });
      const made = program();
      const code = await approved(api, token, made);
      const ended = {
        'signs out': () => own.post('/api/auth/logout'),
        'changes the password': () =>
          own.post('/api/auth/password', {
            currentPassword: person.password,
            newPassword: 'another long password',
          }),
        'leaves the workspace': () => api.as('owner').delete(`/api/workspaces/members/${person.userId}`),
      };
      expect((await ended[event]()).status).toBe(204);
      expect(await redeem(api, { code, codeVerifier: made.codeVerifier })).toMatchObject(DENIED);
      expect(await redeem(api, { code, codeVerifier: made.codeVerifier })).toMatchObject(INVALID);
    },
  );

  it('is approved thirty times by a person, and sixty wrong codes may come from an address', async ({ api }) => {
    const token = await browserTokenOf(api, await givenMember(api));
    const { asks, codeVerifier } = program();
    const approvals = await Promise.all(Array.from({ length: 30 }, () => approve(api, token, asks)));
    expect(new Set(approvals.map(({ status }) => status))).toEqual(new Set([200]));
    const refused = await approve(api, token, asks);
    expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY_ATTEMPTS' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await approve(api, await ofBrowser(api, 'viewer'), asks)).status).toBe(200);

    const from = newAddress();
    const guess = () => redeem(api, { code: 'sc_guess', codeVerifier }, from);
    for (const reply of await Promise.all(Array.from({ length: 60 }, guess))) expect(reply).toMatchObject(INVALID);
    expect(await guess()).toMatchObject({ status: 429, body: { code: 'TOO_MANY_ATTEMPTS' } });
    // They do not lock out a program that has a right one.
    const made = program();
    const code = await approved(api, await ofBrowser(api, 'viewer'), made);
    expect((await redeem(api, { code, codeVerifier: made.codeVerifier }, from)).status).toBe(200);
  });
});
