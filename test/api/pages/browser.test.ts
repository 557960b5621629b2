import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { it } from '../../support/api.ts';
import { HAS_CHROMIUM, launchChromium } from '../../support/chromium.ts';
import {
  BACKGROUND,
  givenShopDashboard,
  HOSTILE,
  OVERFLOW,
  openPage,
  PATIENT,
  settled,
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
    await expect.poll(() => page.locator('#card-bars .tip').textContent()).toMatch(/Region North.*Revenue 30.5/);
    await page.locator('#card-bars .show-data').click();
    await expect.poll(() => page.locator('#card-bars tbody tr').count()).toBe(3);

    await page.getByLabel('Region contains').fill('Nor');
    await page.keyboard.press('Enter');
    await expect.poll(() => table.locator('tbody tr').count()).toBe(1);
    expect(new URL(page.url()).searchParams.get('filters')).toContain('Nor');
    await page.reload();
    await settled(page);
    await expect.poll(() => table.locator('tbody tr').allTextContents()).toEqual(['North30.5']);

    await api.as('owner').delete(`/api/models/${modelId}`);
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
    await page.waitForURL(`${api.endpoint}/api/docs`);

    expect([...hosts]).toEqual([new URL(api.endpoint).host]);
    expect(await page.title()).not.toBe('evil');
    await page.close();
  });

  it('fit a phone, follow the system to dark, and print', { timeout: PATIENT }, async ({ api }) => {
    const { id } = await givenShopDashboard(api);
    const { page, complaints } = await openPage(browser);
    const owner = await api.password('owner');
    const begun = await api.as('anonymous').post('/api/auth/login', { ...owner, workspaceId: api.workspaceId });
    await page.goto(`${api.endpoint}/api/sign-in?next=/api/d/${id}`);
    await page.getByLabel('Email').waitFor();
    const opening = JSON.stringify({ refreshToken: begun.body.refreshToken });
    await page.evaluate(
      `fetch('/api/d/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '${opening}' })`,
    );
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

    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('button', { name: 'Sign out' }).isVisible()).toBe(false);
    expect(await page.locator('#card-bars svg').isVisible()).toBe(true);
    expect(complaints).toEqual([]);
    await page.close();
  });
});
