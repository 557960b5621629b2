import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { builtCommandLine } from '../../../support/built-client.ts';
import { browserTokenOf } from '../../../support/given/member.ts';
import { posted } from '../../../support/given/model.ts';
import { HAS_TERMINAL, inTerminal, type TerminalRun } from '../../../support/pseudo-terminal.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'analytics-terminal-'));
afterAll(() => rmSync(FOLDER, { recursive: true }));

const COLOR = '\u001b[';

/** The program at the keyboard of a user of its own. */
async function userOf() {
  const program = await builtCommandLine();
  const home = mkdtempSync(join(FOLDER, 'home-'));
  const start = (args: string[], { columns = 80, env = {} } = {}): TerminalRun =>
    inTerminal(process.execPath, [program, ...args], {
      columns,
      cwd: home,
      env: { HOME: home, PATH: process.env.PATH ?? '', TZ: 'UTC', ...env },
    });
  return { home, start };
}

async function keyOf(api: Api): Promise<string> {
  const made = await api.as('owner').post('/api/api-keys', { name: 'terminal', scope: 'admin' });
  expect(made.status).toBe(201);
  return made.body.key;
}

async function signIn(api: Api, start: Awaited<ReturnType<typeof userOf>>['start']): Promise<void> {
  const login = start(['login', '--url', api.endpoint, '--key', '--name', 'mine']);
  await login.until(/An API key for /);
  login.type(`${await keyOf(api)}\r`);
  expect((await login.ended).code).toBe(0);
}

describe.runIf(HAS_TERMINAL)('the command line in a terminal', () => {
  it('asks for a key without showing it', async ({ api }) => {
    const { start } = await userOf();
    const key = await keyOf(api);
    const login = start(['login', '--url', api.endpoint, '--key', '--name', 'mine']);
    await login.until(/An API key for /);
    login.type(`${key}\r`);
    const { code, shown } = await login.ended;
    expect([code, shown]).toEqual([0, expect.stringContaining('Saved as context mine.')]);
    expect(shown).not.toContain(key.slice(3, 12));
  });

  it('shows a code and waits for its approval if nothing else is said, until it is interrupted', async ({ api }) => {
    const { start } = await userOf();
    const login = start(['login', '--url', api.endpoint]);
    const [, userCode] = await login.until(/([A-Z]{4}-[A-Z]{4})/);
    const path = '/api/auth/device/approve';
    const viewer = await api.password('viewer');
    const token = await browserTokenOf(api, viewer);
    expect((await api.as({ token }).post(path, { userCode })).status).toBe(204);
    const { email } = viewer;
    expect(await login.ended).toMatchObject({ code: 0, shown: expect.stringContaining(email) });

    const interrupted = start(['login', '--url', api.endpoint]);
    await interrupted.until(/Waiting for your approval/);
    interrupted.type('\u0003');
    expect((await interrupted.ended).code).toBe(130);
  });

  it('asks nothing and waits for nothing where CI is set', async ({ api }) => {
    const { start } = await userOf();
    const { code, shown } = await start(['login', '--url', api.endpoint], { env: { CI: 'true' } }).ended;
    expect([code, shown]).toEqual([2, expect.stringContaining('--token-stdin')]);
  });

  it('asks before the first change of a deployment, and changes nothing without a yes', async ({ api }) => {
    const { home, start } = await userOf();
    await signIn(api, start);
    mkdirSync(join(home, 'queries'));
    writeFileSync(join(home, 'analytics.yaml'), 'project: shop\n');
    writeFileSync(join(home, 'queries/orders.yaml'), 'name: Orders\nsql: SELECT 1\n');
    const count = async () => (await api.as('owner').get('/api/saved-queries')).body.total;
    const refused = start(['deploy']);
    await refused.until(/Apply 1 change to mine\? \[y\/N\] /);
    // The plan has been shown by then, in color.
    expect(refused.shown()).toContain(`${COLOR}32m+${COLOR}39m query/orders`);
    refused.type('\r');
    expect(await refused.ended).toMatchObject({ code: 1, shown: expect.stringContaining('Nothing was changed.') });
    expect(await count()).toBe(0);
    const interrupted = start(['deploy']);
    await interrupted.until(/\[y\/N\] /);
    interrupted.type('\u0003');
    expect((await interrupted.ended).code).toBe(130);
    const deployed = start(['deploy']);
    await deployed.until(/\[y\/N\] /);
    deployed.type('y\r');
    expect(await deployed.ended).toMatchObject({ code: 0, shown: expect.stringContaining('1 applied') });
    expect(await count()).toBe(1);
  });

  it('fits tables into the width, in color unless that is not wanted', async ({ api }) => {
    for (const name of ['A short name', `A name ${'that goes on '.repeat(6)}and on`])
      await posted(api, '/api/saved-queries', { name, sql: 'SELECT 1 AS n' });
    const { start } = await userOf();
    await signIn(api, start);
    const list = async (options: { columns: number; env?: Record<string, string> }) => {
      const { code, shown } = await start(['queries', 'list'], options).ended;
      expect(code).toBe(0);
      return shown;
    };
    const wide = await list({ columns: 160 });
    const narrow = await list({ columns: 60 });
    const widthOf = (shown: string) =>
      Math.max(
        ...stripVTControlCharacters(shown)
          .split(/\r?\n/)
          .map((line) => line.length),
      );
    expect(widthOf(narrow)).toBeLessThanOrEqual(60);
    expect(widthOf(wide)).toBeGreaterThan(60);
    for (const shown of [wide, narrow]) expect(shown).toContain(COLOR);
    expect(narrow).toContain('…');
    expect(await list({ columns: 60, env: { NO_COLOR: '1' } })).not.toContain(COLOR);
  });
});
