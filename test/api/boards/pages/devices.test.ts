import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest';
import { it } from '../../../support/api.ts';
import { HAS_CHROMIUM, launchChromium } from '../../../support/chromium.ts';
import {
  cookieOf,
  expectFit,
  HOSTILE,
  OVERFLOW,
  openAs,
  openPage,
  PATIENT,
  picture,
  signedIn,
  violations,
} from './browsing.ts';

let browser: Browser;
beforeAll(async () => {
  if (HAS_CHROMIUM) browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
});

const PATH = '/api/d/device';

describe('the page for a device', () => {
  it('asks for a sign-in first, and fills in no code from its address', async ({ api }) => {
    const anonymous = await openAs(api, PATH);
    expect(anonymous.status).toBe(401);
    expect(await anonymous.text()).toContain('<h1>Sign in</h1>');
    expect((await api.as('anonymous').get(PATH)).body.code).toBe('UNAUTHENTICATED');
    const cookie = await cookieOf(api, 'viewer');
    expect((await api.as('anonymous').get(PATH, { headers: { cookie } })).status).toBe(200);
    const page = await openAs(api, PATH, cookie);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(page.headers.get('cache-control')).toBe('no-store');
    const text = await page.text();
    expect(text).toContain((await api.password('viewer')).email);
    expect((await openAs(api, `${PATH}?userCode=WDJB-MJHT`, cookie)).status).toBe(400);
  });

  it.runIf(HAS_CHROMIUM)('says what is approved before it is', { timeout: PATIENT }, async ({ api }) => {
    const from = '127.79.1.1';
    const start = async (body: object) => (await api.as('anonymous').post('/api/auth/device', body, { from })).body;
    const redeem = ({ deviceCode }: { deviceCode: string }) =>
      api.as('anonymous').post('/api/auth/device/token', { deviceCode });
    const { page, complaints } = await openPage(browser);
    await signedIn(api, page);
    await page.goto(`${api.endpoint}${PATH}`);
    const code = page.getByLabel('Code');
    await expectFit(page, { recolor: () => page.reload() });
    await code.fill('BBBB-BBBB');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('No program is waiting with this code');

    const codes = await start({ clientName: HOSTILE.slice(0, 100) });
    await code.fill(codes.userCode.toLowerCase());
    await page.keyboard.press('Enter');
    await page.getByText(`Does your program show the code ${codes.userCode}?`).waitFor();
    const shown = await page.locator('main').textContent();
    for (const text of [HOSTILE.slice(0, 100), from, 'which is not your address', 'started this sign-in yourself'])
      expect(shown).toContain(text);
    for (const width of [1400, 400]) {
      await page.setViewportSize({ width, height: 800 });
      expect([await page.evaluate(OVERFLOW), await violations(page)], `${width} px`).toEqual([0, []]);
      await picture(page, `device-${width}`);
    }
    expect((await redeem(codes)).body.code).toBe('AUTHORIZATION_PENDING');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Approved. You can close this page').waitFor();

    const other = await start({});
    await page.goto(`${api.endpoint}${PATH}`);
    await page.getByLabel('Code').fill(other.userCode);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByText('Denied. The program is not signed in.').waitFor();
    expect((await redeem(other)).body.code).toBe('ACCESS_DENIED');
    expect(await page.title()).not.toBe('evil');
    expect(complaints).toEqual([]);
    await page.close();
  });

  it.runIf(HAS_CHROMIUM)(
    'leads a program on the same computer to its sign-in',
    { timeout: PATIENT },
    async ({ api }) => {
      const path = (query: object) => `/api/d/connect?${new URLSearchParams({ ...query })}`;
      const codeVerifier = randomBytes(32).toString('base64url');
      const seen: string[] = [];
      const program = createServer((request, response) => {
        seen.push(request.url!);
        response.end('Return to your terminal.');
      });
      await once(program.listen(0, '127.0.0.1'), 'listening');
      onTestFinished(() => void program.close());
      const asks = {
        clientName: HOSTILE.slice(0, 100),
        redirectUri: `http://127.0.0.1:${(program.address() as AddressInfo).port}/callback`,
        codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url'),
        state: randomBytes(16).toString('base64url'),
      };
      const anonymous = await openAs(api, path(asks));
      expect([anonymous.status, await anonymous.text()]).toEqual([401, expect.stringContaining('<h1>Sign in</h1>')]);
      expect((await api.as('anonymous').get(path(asks))).body.code).toBe('UNAUTHENTICATED');
      const cookie = await cookieOf(api, 'viewer');
      expect((await api.as('anonymous').get(path(asks), { headers: { cookie } })).status).toBe(200);
      const readable = await openAs(api, path(asks), cookie);
      expect(readable.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      const foreign = await openAs(
        api,
        path({ ...asks, redirectUri: 'http://evil.example.com:8000/callback' }),
        cookie,
      );
      expect([foreign.status, await foreign.text()]).toEqual([400, expect.stringContaining('Start the sign-in again')]);
      // A link on another site may ask for its own program.
      const headers = { cookie, 'sec-fetch-site': 'cross-site' };
      const linked = await api.as('anonymous').get(path(asks), { headers });
      expect(linked).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });

      const { page, complaints } = await openPage(browser);
      await signedIn(api, page);
      await page.goto(api.endpoint + path(asks));
      await page.getByText('A program that says that it runs on this computer asks to be signed in.').waitFor();
      const shown = await page.locator('main').textContent();
      for (const text of [asks.clientName, new URL(asks.redirectUri).host, 'everything that you can', 'Never copy'])
        expect(shown).toContain(text);
      await expectFit(page, { recolor: () => page.reload() });
      await picture(page, 'connect');
      expect(seen).toEqual([]);
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByText('Return to your terminal.').waitFor();
      const [callback, query] = seen[0]!.split('?');
      const { code, state } = Object.fromEntries(new URLSearchParams(query));
      expect([callback, state]).toEqual(['/callback', asks.state]);
      const reply = await api
        .as('anonymous')
        .post('/api/auth/browser/token', { code, codeVerifier, redirectUri: asks.redirectUri }, { from: '127.79.1.2' });
      expect(reply.status).toBe(200);

      await page.goto(api.endpoint + path(asks));
      await page.getByRole('button', { name: 'Deny' }).click();
      await page.getByText('Return to your terminal.').waitFor();
      expect(seen.filter((each) => each.startsWith('/callback')).at(-1)).toBe(
        `/callback?error=access_denied&state=${asks.state}`,
      );
      expect(complaints).toEqual([]);
      await page.close();
    },
  );
});
