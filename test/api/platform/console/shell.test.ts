import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import {
  expectGood,
  expectGoodInAllForms,
  HAS_CHROMIUM,
  PATIENT,
  useConsoles,
} from '../../../support/console/open-console.ts';
import { givenDashboard } from '../../../support/given/dashboard.ts';

const consoles = useConsoles();

describe.runIf(HAS_CHROMIUM)('the frame of the console', () => {
  it('finds objects, screens and commands by the keyboard alone', { timeout: PATIENT }, async ({ api }) => {
    const { id } = await givenDashboard(api, { name: 'Quarterly <b>revenue</b>' });
    const page = await consoles.open(api);
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
    await page.keyboard.press('/');
    const field = page.getByRole('combobox', { name: 'Search for objects, screens and commands' });
    await field.waitFor();
    await expectGoodInAllForms(page, 'palette');
    await field.fill('dark');
    await page.getByRole('option', { name: 'Dark theme' }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.body.className')).toContain('dark-mode');
    expect(await page.evaluate('localStorage.colorMode')).toBe('dark');
    expect(await page.getByRole('dialog').count()).toBe(0);

    await page.keyboard.press('Control+k');
    await field.fill('quarterly');
    const option = page.getByRole('option', { name: 'Quarterly <b>revenue</b>' });
    // Search finds what has changed within five seconds.
    await expect
      .poll(
        async () => {
          await field.fill('quarter');
          await field.fill('quarterly');
          return option.isVisible();
        },
        { timeout: PATIENT / 4, interval: 1000 },
      )
      .toBe(true);
    await expectGood(page, 'found');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/api/console/dashboards/${id}`);
    const applied = () =>
      page.evaluate("[...document.querySelectorAll('link[media=all]')].map(({ href }) => href)") as Promise<string[]>;
    await expect.poll(applied).toEqual([expect.stringContaining('dashboards')]);
    await page.goBack();
    await page.getByRole('heading', { name: 'Recent' }).waitFor();
    // The styles of one screen do not reach into another.
    await expect.poll(applied).toEqual([expect.stringContaining('home')]);
    expect(await page.getByRole('link', { name: 'Quarterly <b>revenue</b>' }).getAttribute('href')).toBe(
      `/api/console/dashboards/${id}`,
    );
    // What another person has deleted is forgotten once it is opened.
    await api.as('owner').delete(`/api/dashboards/${id}`);
    await page.reload();
    await page.getByRole('link', { name: 'Quarterly <b>revenue</b>' }).click();
    await page.getByRole('heading', { level: 1, name: 'Quarterly <b>revenue</b>' }).waitFor();
    const kept = "Object.entries(localStorage).find(([key]) => key.startsWith('recent '))[1]";
    await expect.poll(() => page.evaluate(kept)).toBe('[]');
    await page.goBack();
    await page.getByRole('heading', { name: 'Dashboards' }).waitFor();
    expect(await page.getByRole('link', { name: 'Quarterly <b>revenue</b>' }).count()).toBe(0);
  });

  it('asks early for what screens show first, and screens take the replies', { timeout: PATIENT }, async ({ api }) => {
    let asked: string[] = [];
    const page = await consoles.open(api, {
      path: '/nowhere',
      before: async (opened) => {
        opened.on('request', (request) => {
          const { pathname, search } = new URL(request.url());
          if (request.isNavigationRequest()) asked = [];
          // Notifications are read when the page is idle, which may be that before.
          if (/^\/api\/(console|dashboard-alerts\/feed)/.test(pathname)) return;
          asked.push(`${request.method()} ${pathname}${search}`);
        });
      },
    });
    const id = '01990000-0000-7000-8000-000000000001';
    const screens = {
      '': ['/api/pipelines/runs?', '/api/data-quality/issues?', '/api/webhooks?', '/api/dashboards/page?'],
      '/dashboards?q=a%26b': ['/api/dashboards?include=viewerMeta&search=a%26b'],
      [`/dashboards/${id}`]: [`/api/dashboards/${id}`],
      '/datasets?q=x': ['/api/datasets?limit=100&search=x'],
      [`/datasets/${id}`]: [`/api/datasets/${id}`],
      '/metrics?certified=yes': ['/api/metrics?isCertified=true'],
      '/models?status=draft': ['/api/models?status=draft'],
      '/pipelines?status=paused': ['/api/pipelines?sort=-createdAt&status=paused'],
      [`/pipelines/${id}`]: [`/api/pipelines/${id}`],
      '/runs?status=failed': ['/api/pipelines/runs?status=failed&limit=100'],
      [`/runs/${id}`]: [`/api/pipelines/runs/${id}`],
      '/sources?type=postgres': ['/api/data-sources?limit=100'],
      '/sql': ['/api/datasets?sort=name', '/api/data-sources?'],
      '/stories?tab=mine': ['/api/stories?limit=100&tab=mine'],
    };
    for (const [path, first] of Object.entries(screens)) {
      // The page before has asked for what it shows.
      await page.getByRole('button', { name: /^Account of/ }).waitFor();
      await page.goto(`${api.endpoint}/api/console${path}`);
      await page.getByRole('button', { name: /^Account of/ }).waitFor();
      // Each is taken by the request of the screen.
      await expect.poll(() => page.evaluate('[...earlyReplies.keys()]'), { message: path }).toEqual([]);
      expect(asked.slice(0, 2)).toEqual(['POST /api/d/session', 'GET /api/auth/me']);
      for (const address of first) expect(asked).toContainEqual(expect.stringContaining(`GET ${address}`));
    }
  });

  it('has shortcuts, which it lists, and no layer traps the keyboard', { timeout: PATIENT }, async ({ api }) => {
    const page = await consoles.open(api, { path: '/nowhere' });
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    await expectGoodInAllForms(page, 'not-found');
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Shortcuts' });
    await dialog.waitFor();
    expect(await dialog.textContent()).toContain('Open Home');
    await expectGood(page, 'shortcuts');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/api/console');
    expect(await page.title()).toBe('Home – Analytics');
    // Screen readers continue at the new screen.
    expect(await page.evaluate('document.activeElement.id')).toBe('content');
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to the content' });
    await skip.focus();
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('content');
  });

  it('shows notifications, the account and the theme in menus that work by keys', { timeout: PATIENT }, async ({
    api,
  }) => {
    const page = await consoles.open(api);
    const bell = page.getByRole('button', { name: 'Notifications' });
    await bell.click();
    await page.getByRole('dialog', { name: 'Notifications' }).getByText('No notifications').waitFor();
    await expectGoodInAllForms(page, 'feed');
    await page.keyboard.press('Escape');
    const account = page.getByRole('button', { name: /^Account of/ });
    await account.focus();
    await page.keyboard.press('Enter');
    const dark = page.getByRole('menuitemradio', { name: 'Dark' });
    await dark.waitFor();
    await expectGoodInAllForms(page, 'account');
    await page.keyboard.press('d');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.body.className')).toContain('dark-mode');
    await page.keyboard.press('ArrowDown');
    await dark.waitFor();
    await page.keyboard.press('Escape');
    await dark.waitFor({ state: 'hidden' });
    expect(await account.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    await page.reload();
    expect(await page.evaluate('document.body.className')).toContain('dark-mode');
  });

  it('has its links in a sheet on a phone, and for viewers those to what they read', { timeout: PATIENT }, async ({
    api,
  }) => {
    const page = await consoles.open(api, { as: 'viewer', path: '/nowhere', width: 390, colorScheme: 'dark' });
    await page.getByRole('button', { name: 'Navigation' }).click();
    const sheet = page.getByRole('dialog', { name: 'Navigation' });
    await sheet.waitFor();
    expect(await sheet.getByRole('link').locator('span:not(.keys)').allTextContents()).toEqual([
      ...['Home', 'Dashboards', 'Stories', 'Metrics', 'Explore', 'Settings', 'Docs'],
    ]);
    await expectGood(page, 'sheet');
    await sheet.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
    await sheet.waitFor({ state: 'hidden' });
  });

  it('says when the server cannot be reached, and goes on when it can', { timeout: PATIENT }, async ({ api }) => {
    const page = await consoles.open(api);
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
    await page.route('**/api/d/session', (route) => route.abort());
    await page.reload();
    await page.getByRole('alert').getByText('The server cannot be reached').waitFor();
    await expectGoodInAllForms(page, 'unreachable');
    await page.unroute('**/api/d/session');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
  });

  it('loads the page again once if a file of its version is gone', { timeout: PATIENT }, async ({ api }) => {
    const page = await consoles.open(api, { path: '/nowhere' });
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    let asked = 0;
    await page.route('**/assets/home.*.js', (route) => {
      asked += 1;
      return asked === 1 ? route.fulfill({ status: 404 }) : route.fallback();
    });
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
    expect(asked).toBeGreaterThan(1);

    // A part of a page does the same; if its file is still not there, it says so.
    await page.route('**/assets/palette.*.js', (route) => route.fulfill({ status: 404 }));
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog', { name: 'Search' });
    await dialog.getByRole('alert').getByText('This part of the console could not be loaded.').waitFor();
    await expectGoodInAllForms(page, 'part not loaded');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.unroute('**/assets/palette.*.js');
    await page.keyboard.press('Control+k');
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search for objects, screens and commands' }).waitFor();
  });
});
