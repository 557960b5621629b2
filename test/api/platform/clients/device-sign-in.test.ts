import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, vi } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { builtCommandLine } from '../../../support/built-client.ts';
import { browserTokenOf, givenMember } from '../../../support/given/member.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'analytics-device-'));
afterAll(() => rmSync(FOLDER, { recursive: true }));

interface Running {
  child: ChildProcess;
  text: { out: string; err: string };
  ended: Promise<{ code: number | null; out: string; err: string }>;
}

/** The program of a user of its own, whose output can be read while it runs. */
async function userOf() {
  const program = await builtCommandLine();
  const home = mkdtempSync(join(FOLDER, 'home-'));
  const start = (...args: string[]): Running => {
    const env = { HOME: home, PATH: process.env.PATH ?? '', TZ: 'UTC' };
    const child = spawn(process.execPath, [program, ...args], { cwd: home, env });
    child.stdin.end();
    const text = { out: '', err: '' };
    child.stdout.on('data', (data) => (text.out += data));
    child.stderr.on('data', (data) => (text.err += data));
    return { child, text, ended: once(child, 'close').then(([code]) => ({ code, ...text })) };
  };
  const credentials = join(home, '.local/state/analytics/credentials.json');
  return { start, run: (...args: string[]) => start(...args).ended, credentials };
}

const CODE = /enter the code ([A-Z]{4}-[A-Z]{4})/;

async function shownCode({ text }: Running): Promise<string> {
  await vi.waitFor(() => expect(text.err).toMatch(CODE), { timeout: 60_000, interval: 50 });
  return CODE.exec(text.err)![1]!;
}

const decide = async (api: Api, token: string, decision: 'approve' | 'deny', userCode: string) =>
  expect((await api.as({ token }).post(`/api/auth/device/${decision}`, { userCode })).status).toBe(204);

describe('the command line', () => {
  it('signs in by a code, renews its tokens also from two programs at once, and ends the sign-in', async ({ api }) => {
    const person = await givenMember(api, 'editor');
    const { start, run, credentials } = await userOf();
    const login = start('login', '--url', api.endpoint, '--device', '--name', 'mine');
    const userCode = await shownCode(login);
    expect(login.text.err).toContain(`Open ${api.endpoint}/api/d/device`);
    await decide(api, await browserTokenOf(api, person), 'approve', userCode);
    const signedIn = await login.ended;
    expect(signedIn).toMatchObject({ code: 0, out: '' });
    expect(signedIn.err).toContain(`Signed in to ${api.endpoint} as ${person.email}. Saved as context mine.`);
    expect(statSync(credentials).mode & 0o777).toBe(0o600);
    const stored = () => JSON.parse(readFileSync(credentials, 'utf8')).mine;
    const first = stored();
    expect(first).toMatchObject({ refreshToken: expect.stringMatching(/^rt_/), accessToken: expect.any(String) });

    writeFileSync(credentials, JSON.stringify({ mine: { ...first, expiresAt: 0 } }));
    const both = await Promise.all([run('whoami'), run('whoami')]);
    for (const each of both) expect(each).toMatchObject({ code: 0, out: expect.stringContaining(person.email) });
    const { refreshToken } = stored();
    expect(refreshToken).not.toBe(first.refreshToken);

    expect(await run('logout')).toMatchObject({ code: 0, err: 'Signed out of mine.\n' });
    expect((await api.as('anonymous').post('/api/auth/refresh', { refreshToken })).status).toBe(401);
    expect(await run('whoami')).toMatchObject({ code: 4 });
  });

  it('signs in by the browser of its machine, without a code to type', async ({ api }) => {
    const person = await givenMember(api, 'editor');
    const { start, run } = await userOf();
    const opened = async ({ text }: Running) => {
      await vi.waitFor(() => expect(text.err).toMatch(/^Open \S+\n/), { timeout: 60_000, interval: 50 });
      return new URL(/^Open (\S+)\n/.exec(text.err)![1]!);
    };
    const login = start('login', '--url', api.endpoint, '--browser', '--name', 'mine');
    const page = await opened(login);
    expect(page.origin + page.pathname).toBe(`${api.endpoint}/api/d/connect`);
    const asks = Object.fromEntries(page.searchParams) as Record<'redirectUri' | 'state', string>;
    expect(asks).toMatchObject({ clientName: expect.stringMatching(/^analytics on /) });
    expect(asks.redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    const { body } = await api.as({ token: await browserTokenOf(api, person) }).post('/api/auth/browser/approve', asks);
    const back = new URL(body.redirectTo);

    // Any page can lead a browser to the port. What is not of this sign-in does not end it.
    const other = new URL(back);
    other.searchParams.set('state', 'x'.repeat(32));
    const denied = `${asks.redirectUri}?error=access_denied&state=${'x'.repeat(32)}`;
    for (const wrong of [other, new URL('/', back), `${asks.redirectUri}`, denied])
      expect((await fetch(wrong)).status, `${wrong}`).toBe(400);
    expect((await fetch(back, { method: 'POST' })).status).toBe(400);
    await new Promise<void>((resolve) => {
      get(back, { headers: { host: `evil.example.com:${back.port}` } }, (reply) => {
        expect(reply.statusCode).toBe(400);
        reply.resume().on('end', resolve);
      });
    });

    const shown = await fetch(back);
    expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining('return to your terminal')]);
    const signedIn = await login.ended;
    expect(signedIn, signedIn.err).toMatchObject({ code: 0, out: '' });
    expect(signedIn.err).toContain(`Signed in to ${api.endpoint} as ${person.email}. Saved as context mine.`);
    expect(await run('whoami')).toMatchObject({ code: 0, out: expect.stringContaining(person.email) });
    // It listens no longer.
    await expect(fetch(back)).rejects.toThrow();

    const linkOf = async ({ text }: Running) => {
      await vi.waitFor(() => expect(text.out).toContain('\n'), { timeout: 60_000, interval: 50 });
      const { type, authorizationUri } = JSON.parse(text.out);
      expect(type).toBe('link');
      return Object.fromEntries(new URL(authorizationUri).searchParams) as Record<'redirectUri' | 'state', string>;
    };
    // Another user of the computer may answer in place of the browser, with a sign-in of their own.
    const answered = start('login', '--url', api.endpoint, '--browser', '--name', 'mine', '--json');
    const token = await browserTokenOf(api, await givenMember(api));
    const theirs = await api.as({ token }).post('/api/auth/browser/approve', await linkOf(answered));
    expect((await fetch(theirs.body.redirectTo)).status).toBe(200);
    expect(await answered.ended).toMatchObject({ code: 6, out: expect.stringContaining('ANOTHER_PERSON') });
    expect(await run('whoami')).toMatchObject({ code: 0, out: expect.stringContaining(person.email) });

    const refused = start('login', '--url', api.endpoint, '--browser', '--json');
    const { redirectUri, state } = await linkOf(refused);
    expect((await fetch(`${redirectUri}?error=access_denied&state=${state}`)).status).toBe(200);
    expect(await refused.ended).toMatchObject({ code: 5, out: expect.stringContaining('The sign-in was denied.') });

    const interrupted = start('login', '--url', api.endpoint, '--browser');
    await opened(interrupted);
    interrupted.child.kill('SIGINT');
    expect((await interrupted.ended).code).toBe(130);
    expect(await run('login', '--url', api.endpoint, '--browser', '--device')).toMatchObject({ code: 2 });
  });

  it('says that a sign-in was denied, or has ended on the platform', async ({ api }) => {
    const person = await givenMember(api);
    const { start, run, credentials } = await userOf();
    const login = start('login', '--url', api.endpoint, '--device');
    await decide(api, person.token, 'deny', await shownCode(login));
    expect(await login.ended).toMatchObject({ code: 5, err: expect.stringContaining('The sign-in was denied.') });

    const again = start('login', '--url', api.endpoint, '--device', '--name', 'mine', '--json');
    await vi.waitFor(() => expect(again.text.out).toContain('\n'), { timeout: 60_000, interval: 50 });
    const shown = JSON.parse(again.text.out);
    expect(shown).toMatchObject({
      type: 'code',
      verificationUri: `${api.endpoint}/api/d/device`,
      expiresInSeconds: 600,
    });
    expect(shown).not.toHaveProperty('deviceCode');
    await decide(api, await browserTokenOf(api, person), 'approve', shown.userCode);
    const { code, out } = await again.ended;
    expect(code).toBe(0);
    expect(JSON.parse(out.trim().split('\n')[1]!)).toMatchObject({ type: 'signedIn', context: 'mine' });
    const stored = JSON.parse(readFileSync(credentials, 'utf8')).mine;
    writeFileSync(credentials, JSON.stringify({ mine: { ...stored, expiresAt: 0 } }));
    expect((await api.as({ token: stored.accessToken }).post('/api/auth/logout')).status).toBe(204);
    const ended = await run('whoami');
    expect(ended).toMatchObject({ code: 4, out: '' });
    expect(ended.err).toContain('Sign in again: analytics login');
  });

  it('ends when it is interrupted, and asks nothing without a terminal', async ({ api }) => {
    const { start, run } = await userOf();
    const login = start('login', '--url', api.endpoint, '--device');
    await shownCode(login);
    login.child.kill('SIGINT');
    expect(await login.ended).toMatchObject({ code: 130 });
    const refused = await run('login', '--url', api.endpoint);
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toContain('--token-stdin');
  });
});
