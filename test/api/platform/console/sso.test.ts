import { createHash } from 'node:crypto';
import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { expectGoodInAllForms, HAS_CHROMIUM, PATIENT, useConsoles } from '../../../support/console/open-console.ts';
import { givenMember } from '../../../support/given/member.ts';

const consoles = useConsoles();
const WAY = { method: 'sso', slug: 'acme', name: 'Acme <b>', required: true };

describe.runIf(HAS_CHROMIUM)('a single sign-on to the console', () => {
  it('starts at the provider of the address, and comes back to the screen', { timeout: PATIENT }, async ({ api }) => {
    const { email, password } = await givenMember(api);
    const login = { email, password, workspaceId: api.workspaceId };
    const { refreshToken } = (await api.as('anonymous').post('/api/auth/login', login)).body;
    const started: URLSearchParams[] = [];
    const exchanged: { code: string; codeVerifier: string }[] = [];
    const page = await consoles.open(api, {
      as: null,
      path: '/nowhere?x=1',
      before: async (opened) => {
        await opened.route('**/api/auth/sso/discover', (route) => route.fulfill({ json: WAY }));
        await opened.route('**/api/auth/sso/acme/start?*', (route) => {
          const query = new URL(route.request().url()).searchParams;
          started.push(query);
          const location = `${query.get('returnTo')}?code=one&state=${query.get('state')}`;
          return route.fulfill({ status: 302, headers: { location } });
        });
        await opened.route('**/api/auth/sso/token', (route) => {
          exchanged.push(route.request().postDataJSON());
          return route.fulfill({ json: { refreshToken } });
        });
      },
    });
    await page.getByLabel('Email').fill(email);
    await page.keyboard.press('Enter');
    const button = page.getByRole('button', { name: 'Continue with Acme <b>' });
    await button.waitFor();
    await expectGoodInAllForms(page, 'provider');
    expect(await page.getByRole('button', { name: 'Use a password instead' }).count()).toBe(0);
    await button.click();
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    expect(page.url()).toBe(`${api.endpoint}/api/console/nowhere?x=1`);
    expect(started.map((query) => [query.get('returnTo'), query.get('loginHint')])).toEqual([
      [`${api.endpoint}/api/sign-in`, email],
    ]);
    // Only the window that started it can finish it.
    const [{ code, codeVerifier } = { code: '', codeVerifier: '' }] = exchanged;
    const challenge = createHash('sha256').update(codeVerifier).digest('base64url');
    expect([exchanged.length, code, challenge]).toEqual([1, 'one', started[0]!.get('codeChallenge')]);
  });
});
