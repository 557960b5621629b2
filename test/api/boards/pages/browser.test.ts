import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { HAS_CHROMIUM, launchChromium } from '../../../support/chromium.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { loseModel } from '../../../support/given/lost.ts';
import { givenMember } from '../../../support/given/member.ts';
import { posted } from '../../../support/given/model.ts';
import { givenShare, publish } from '../../../support/given/shares.ts';
import {
  BACKGROUND,
  givenShopDashboard,
  HOSTILE,
  OVERFLOW,
  openPage,
  PATIENT,
  settled,
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

async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.keyboard.press('Enter');
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
}

describe.runIf(HAS_CHROMIUM)('dashboards in a browser', () => {
  it('can be read after a sign-in, filtered, and switched', { timeout: PATIENT }, async ({ api }) => {
    const { id, modelId } = await givenShopDashboard(api);
    const { page, hosts, complaints } = await openPage(browser);
    await page.goto(`${api.endpoint}/api/d/${id}`);
    await page.getByLabel('Email').waitFor();
    expect(await violations(page)).toEqual([]);
    await signIn(page, await api.password('owner'));

    // The sign-in is to the workspace that the person joined first; the dashboard is in another one.
    await page.getByRole('heading', { name: 'There is no such dashboard' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.evaluate(
      `fetch('/api/d/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '${JSON.stringify({ workspaceId: api.workspaceId })}' })`,
    );
    await page.reload();
    await page.getByRole('heading', { level: 1, name: `Shop ${HOSTILE}` }).waitFor();
    await settled(page);
    const table = page.locator('#card-rows table');
    await expect.poll(() => table.locator('tbody tr').count()).toBe(3);
    expect(await page.locator('#card-rows .age').textContent()).toMatch(/^As of /);
    expect(await violations(page)).toEqual([]);

    // The chart is one stop of the keyboard, and the arrow keys read its values.
    await page.locator('#card-bars .picture').focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.locator('#card-bars .tip').textContent()).toMatch(/Region North.*Revenue €30\.50/);
    await page.locator('#card-bars .show-data').click();
    await expect.poll(() => page.locator('#card-bars tbody tr').count()).toBe(3);

    await page.getByLabel('Region contains').fill('Nor');
    await page.keyboard.press('Enter');
    await expect.poll(() => table.locator('tbody tr').count()).toBe(1);
    expect(new URL(page.url()).searchParams.get('filters')).toContain('Nor');
    await page.reload();
    await settled(page);
    await expect.poll(() => table.locator('tbody tr').allTextContents()).toEqual(['North€30.50']);

    await loseModel(api, modelId);
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').nth(1).click();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    expect(new URL(page.url()).searchParams.get('filters')).toContain('Nor');
    expect(await page.getByRole('alert').textContent()).toContain('This card cannot be shown');
    expect(await violations(page)).toEqual([]);

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Email').waitFor();
    expect(complaints).toEqual([]);
    await page.goto(`${api.endpoint}/api/sign-in?next=${encodeURIComponent('https://evil.example.com/api/d/')}`);
    await signIn(page, await api.password('owner'));
    // An address elsewhere is not continued with.
    await page.waitForURL(`${api.endpoint}/api/console`);

    expect([...hosts]).toEqual([new URL(api.endpoint).host]);
    expect(await page.title()).not.toBe('evil');
    await page.close();
  });

  it('fit a phone, follow the system to dark, and print', { timeout: PATIENT }, async ({ api }) => {
    const { id } = await givenShopDashboard(api);
    const { page, complaints } = await openPage(browser);
    await signedIn(api, page);
    await page.setViewportSize({ width: 400, height: 800 });
    await page.goto(`${api.endpoint}/api/d/${id}`);
    await settled(page);
    expect(await page.evaluate(OVERFLOW)).toBe(0);
    const [bars, rows] = await Promise.all(['bars', 'rows'].map((card) => page.locator(`#card-${card}`).boundingBox()));
    expect(rows!.y).toBeGreaterThanOrEqual(bars!.y + bars!.height);
    expect(rows!.x).toBe(bars!.x);
    expect(await violations(page)).toEqual([]);

    const light = await page.evaluate(BACKGROUND);
    const label = page.locator('#card-bars svg text').first();
    const ink = await label.getAttribute('fill');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.reload();
    await settled(page);
    expect(await page.evaluate(BACKGROUND)).not.toBe(light);
    expect(await label.getAttribute('fill')).not.toBe(ink);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Switch between light and dark' }).click();
    await expect.poll(() => label.getAttribute('fill')).toBe(ink);

    // The menu of a row fits the phone.
    await page.locator('#card-rows button.row').first().click();
    await page.getByRole('menu').waitFor();
    expect(await page.evaluate(OVERFLOW)).toBe(0);
    await page.keyboard.press('Escape');

    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('button', { name: 'Sign out' }).isVisible()).toBe(false);
    expect(await page.locator('#card-bars svg').isVisible()).toBe(true);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('let readers filter by a click, drill down, go back, and keep what they see', { timeout: PATIENT }, async ({
    api,
  }) => {
    const { id, modelId, regionId, nameId } = await givenShopDashboard(api);
    const levels = [{ fieldId: regionId }, { fieldId: nameId, label: 'Customer' }];
    await posted(api, `/api/models/${modelId}/hierarchies`, { name: 'Where', levels });
    const { page, hosts, complaints } = await openPage(browser);
    await signedIn(api, page);
    await page.goto(`${api.endpoint}/api/d/${id}`);
    await settled(page);
    const rows = page.locator('#card-rows tbody tr');
    const bars = page.locator('#card-bars');
    await expect.poll(() => rows.count()).toBe(3);

    // A click on a bar filters the other cards; the line above them undoes it, and so does the back button.
    await bars.locator('[data-row="0"]').first().click();
    await page.getByRole('menuitem', { name: 'Filter other cards by North' }).click();
    await expect.poll(() => rows.allTextContents()).toEqual(['North€30.50']);
    await expect.poll(() => bars.locator('.chosen').count()).toBe(1);
    expect(await bars.locator('svg [data-row]').count()).toBe(3);
    expect(await page.locator('#selected').textContent()).toContain('Filtered by North');
    expect(await violations(page)).toEqual([]);
    await page.goBack();
    await expect.poll(() => rows.count()).toBe(3);
    await page.goForward();
    await expect.poll(() => rows.count()).toBe(1);
    await page.reload();
    await settled(page);
    await expect.poll(() => rows.count()).toBe(1);

    // What is chosen can be kept, opened, changed and removed.
    await page.getByText('Bookmarks', { exact: true }).click();
    await page.getByLabel('Save this view as').fill(`North ${HOSTILE}`);
    await page.getByLabel('Open the dashboard with it').check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('link', { name: `North ${HOSTILE}` }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Clear the selection' }).click();
    await expect.poll(() => rows.count()).toBe(3);
    await page.goto(`${api.endpoint}/api/d/${id}`);
    await page.waitForURL(/bookmark=/);
    await settled(page);
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByRole('button', { name: 'Clear the selection' }).click();
    await page.getByText('Bookmarks', { exact: true }).click();
    await page.getByRole('button', { name: 'Update North' }).click();
    const stored = async () => (await api.as('owner').get(`/api/dashboards/${id}/bookmarks`)).body.items;
    await expect.poll(async () => (await stored())[0].state.cardState).toEqual({});
    await page.getByRole('button', { name: 'Delete North' }).click();
    await page.getByRole('button', { name: 'Really delete North' }).click();
    await page.getByText('There are no bookmarks yet.').waitFor();
    expect((await stored()).length).toBe(0);
    await page.keyboard.press('Escape');

    // The same by keyboard: from a bar to its customers, and to the rows behind one of them.
    await bars.locator('.picture').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Show Customer' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => bars.locator('[data-row="0"]').getAttribute('aria-label'))
      .toMatch(/^Customer: Ada; Revenue/);
    await bars.locator('.picture').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Show the rows' }).click();
    await expect.poll(() => bars.locator('tbody tr').count()).toBe(2);
    expect(await bars.getByRole('navigation').textContent()).toBe('AllNorthAda: rows');
    expect(await violations(page)).toEqual([]);
    await page.reload();
    await settled(page);
    await expect.poll(() => bars.locator('tbody tr').count()).toBe(2);
    await bars.getByRole('button', { name: 'All' }).click();
    await expect.poll(() => bars.locator('svg [data-row]').count()).toBe(3);
    expect([[...hosts], complaints]).toEqual([[new URL(api.endpoint).host], []]);
    await page.close();
  });

  it('show times in the zone of the dashboard, otherwise of the reader, or in the chosen one', {
    timeout: PATIENT,
  }, async ({ api }) => {
    const { id: datasetId } = await givenDataset(api, {
      name: 'moments',
      sql: `SELECT TIMESTAMPTZ '2026-01-31 20:00:00+00' AS moment, 1 AS n`,
    });
    const source = { kind: 'dataset', id: datasetId };
    const { id, path } = await givenCards(api, [
      card('times', chart({ source, dimensions: [{ column: 'moment', grain: 'day', label: 'Day' }] }), {
        title: 'Days',
      }),
      card('numbers', chart({ source, dimensions: [{ column: 'n' }] }), { title: 'Numbers' }),
    ]);
    await publish(api, path);
    const { token } = await givenShare(api, id);
    const { page, complaints } = await openPage(browser, { timezoneId: 'Asia/Tokyo' });
    const day = () => page.locator('#card-times tbody td').first().textContent();
    const age = (cardId: string) => page.locator(`#card-${cardId} .age`).textContent();
    await page.goto(`${api.endpoint}/api/s/${token}`);
    await settled(page);
    expect([await day(), await age('times')]).toEqual([
      expect.stringContaining('2026-02-01'),
      expect.stringMatching(/Times in Asia.Tokyo/),
    ]);
    expect(await age('numbers')).not.toContain('Times in');

    await page.getByLabel('Times in').selectOption('UTC');
    await expect.poll(day).toContain('2026-01-31');
    expect(new URL(page.url()).searchParams.get('timezone')).toBe('UTC');
    await page.reload();
    await settled(page);
    expect(await day()).toContain('2026-01-31');

    await api.as('editor').put(path, { timezone: 'America/New_York' });
    await publish(api, path);
    await page.goto(`${api.endpoint}/api/s/${token}`);
    await settled(page);
    expect([await day(), await age('times')]).toEqual([
      expect.stringContaining('2026-01-31'),
      expect.stringContaining('Times in America/New_York'),
    ]);
    expect(await page.getByLabel('Times in').inputValue()).toBe('America/New_York');
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await page.evaluate(OVERFLOW)).toBeLessThanOrEqual(0);
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('open with a passkey', { timeout: PATIENT }, async ({ api }) => {
    const { id } = await givenShopDashboard(api);
    const member = await givenMember(api, 'editor');
    const { page, complaints } = await openPage(browser);
    // Passkeys belong to an origin that the deployment names, whatever its port is here.
    const origin = 'http://localhost:3000';
    await page.route(`${origin}/**`, async (route) => {
      const url = route.request().url().replace(origin, api.endpoint);
      const headers = { ...route.request().headers(), host: new URL(origin).host };
      await route.fulfill({ response: await route.fetch({ url, headers }) });
    });
    const devices = await page.context().newCDPSession(page);
    await devices.send('WebAuthn.enable');
    await devices.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await page.goto(`${origin}/api/d/${id}`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    expect(await violations(page)).toEqual([]);
    const added = await page.evaluate(`(async () => {
      const post = (path, body) => fetch('/api/auth/passkeys' + path, { method: 'POST', body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', authorization: 'Bearer ${member.token}' } });
      const options = await (await post('/options', { password: '${member.password}' })).json();
      const made = await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) });
      return (await post('', { name: 'Laptop', response: made.toJSON() })).status;
    })()`);
    expect(added).toBe(201);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('heading', { level: 1, name: `Shop ${HOSTILE}` }).waitFor();
    await settled(page);
    expect(complaints).toEqual([]);
    await page.close();
  });
});
