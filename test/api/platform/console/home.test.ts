import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { expectGoodInAllForms, HAS_CHROMIUM, PATIENT, useConsoles } from '../../../support/console/open-console.ts';

const consoles = useConsoles();
const HOSTILE = `</script><img src="https://evil.example.com/x" onerror="document.title='evil'">`;

/** As the API replies, with ugly names. */
const RUNS = {
  items: [
    {
      ...{ id: '01990000-0000-7000-8000-000000000001', pipelineName: HOSTILE, status: 'failed' },
      ...{ updatedAt: '2026-11-01T10:00:00.000Z', finishedAt: '2026-11-01T10:00:00.000Z' },
      error: { code: 'STATEMENT_FAILED', message: `column "${'amount'.repeat(40)}" not found`, stepId: 'clean' },
    },
  ],
  nextCursor: null,
  recordedSince: null,
};

describe.runIf(HAS_CHROMIUM)('the home screen', { timeout: PATIENT }, () => {
  it('is empty in a new workspace, for every role', async ({ api }) => {
    for (const as of ['owner', 'editor', 'viewer'] as const) {
      const page = await consoles.open(api, { as });
      await page.getByText('All is well').waitFor();
      await page.getByText('Nothing yet').waitFor();
      await expectGoodInAllForms(page, `home of ${as}`);
    }
  });

  it('shows what needs attention, whatever it is called', async ({ api }) => {
    const page = await consoles.open(api, {
      before: (opened) => opened.route('**/api/pipelines/runs?*', (route) => route.fulfill({ json: RUNS })),
    });
    await page.getByText(`${HOSTILE} failed`).waitFor();
    await expectGoodInAllForms(page, 'home with concerns');
    expect(await page.title()).toBe('Home – Analytics');
  });

  it('reports a failed request with its sentence, code and id, and reads again', async ({ api }) => {
    const problem = {
      ...{ status: 400, code: 'VALIDATION_FAILED', title: 'Invalid', detail: 'The request is not valid.' },
      ...{ requestId: 'request-1', errors: [{ pointer: '/query/limit', code: 'INVALID', message: 'must be smaller' }] },
    };
    const page = await consoles.open(api, {
      before: (opened) =>
        opened.route('**/api/data-sources?*', (route) => route.fulfill({ status: 400, json: problem })),
    });
    const alert = page.getByRole('alert').filter({ hasText: 'The request is not valid.' });
    await alert.waitFor();
    expect(await alert.textContent()).toMatch(/Limit must be smaller.*VALIDATION_FAILED · request request-1/);
    await expectGoodInAllForms(page, 'home with an error');
    await page.unroute('**/api/data-sources?*');
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('All is well').waitFor();
  });

  it('leaves out what the person may not read', async ({ api }) => {
    const problem = { status: 403, code: 'PRODUCT_NOT_LICENSED', detail: 'Not in your plan.', errors: [] };
    const refused = { status: 403, json: problem };
    const page = await consoles.open(api, {
      before: async (opened) => {
        await opened.route('**/api/pipelines/runs?*', (route) => route.fulfill(refused));
        await opened.route('**/api/dashboard-alerts/feed?*', (route) => route.fulfill(refused));
        await opened.route('**/api/entitlements', async (route) => {
          const reply = await route.fetch();
          await route.fulfill({ json: { ...(await reply.json()), pipelines: { licensed: false } } });
        });
      },
    });
    await page.getByText('All is well').waitFor();
    // The feed is read when the page is idle.
    await page.getByRole('button', { name: 'Notifications' }).waitFor({ state: 'detached' });
    const screens = page.getByRole('navigation', { name: 'Screens' });
    await screens.getByText('Pipelines, Runs, Streams: not in your plan').waitFor();
    expect(await screens.getByRole('link', { name: 'Runs' }).count()).toBe(0);
    await expectGoodInAllForms(page, 'navigation without pipelines');
  });

  it('renews an access token that was refused, once, and signs out when that fails', async ({ api }) => {
    const refused = { status: 401, json: { status: 401, code: 'UNAUTHENTICATED', detail: 'Sign in.', errors: [] } };
    let renewals = 0;
    let asked = 0;
    const page = await consoles.open(api, {
      before: async (opened) => {
        opened.on('request', (request) => {
          if (request.method() === 'POST' && request.url().endsWith('/api/d/session')) renewals += 1;
        });
        await opened.route('**/api/dashboards/page?*', (route) => {
          asked += 1;
          return asked === 1 ? route.fulfill(refused) : route.fallback();
        });
      },
    });
    await page.getByText('Nothing yet').waitFor();
    // The first of the page, and the one for the refused token.
    expect([renewals, asked]).toEqual([2, 2]);

    // The sign-in has ended elsewhere.
    await page.context().clearCookies();
    await page.route('**/api/search?*', (route) => route.fulfill(refused));
    await page.keyboard.press('/');
    await page.getByRole('combobox').fill('orders');
    await page.getByLabel('Email').waitFor();
  });
});
