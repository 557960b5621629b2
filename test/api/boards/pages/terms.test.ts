import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { HAS_CHROMIUM, launchChromium } from '../../../support/chromium.ts';
import { cardBlock, doc, givenStory } from '../../../support/given/stories.ts';
import { givenTerm } from '../../../support/given/terms.ts';
import {
  expectFit,
  givenShopDashboard,
  openPage,
  PATIENT,
  picture,
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

/** Longer than a phone is high. */
const DEFINITION = `What customers pay,\nwithout <b>tax</b>.${' They pay once.'.repeat(200)}`;

const TITLES = `[...document.querySelectorAll('#card-rows th')].map(({ title }) => title)`;

const termsIn = (page: Page, title: string) => page.getByRole('button', { name: `Terms in ${title}` });
const focused = (page: Page) => page.evaluate('document.activeElement.textContent');

describe.runIf(HAS_CHROMIUM)('pages in a browser', () => {
  it('explain the names in cards with approved terms, to members alone', { timeout: PATIENT }, async ({ api }) => {
    const { id } = await givenShopDashboard(api);
    await givenTerm(api, 'Turnover', { status: 'approved', synonyms: ['REVENUE'], definition: DEFINITION });
    await givenTerm(api, 'Region', { status: 'in_review' });
    const story = await givenStory(api, doc(cardBlock('one', id, 'rows')));
    const { page, complaints } = await openPage(browser);
    await signedIn(api, page);
    await page.goto(`${api.endpoint}/api/d/${id}`);
    await settled(page);
    const button = termsIn(page, 'Regions');
    await button.waitFor();
    expect(await termsIn(page, 'Revenue').count()).toBe(1);

    // From the keyboard: the focus moves to the definitions, and Escape leads back.
    await button.focus();
    await page.keyboard.press('Enter');
    const list = page.getByRole('group', { name: 'Terms in Regions' });
    await list.waitFor();
    expect(await list.locator('dt').allTextContents()).toEqual(['Turnover']);
    expect(await list.locator('dd').textContent()).toBe(DEFINITION);
    expect(await focused(page)).toBe(`Turnover${DEFINITION}`);
    expect(await violations(page)).toEqual([]);
    await picture(page, 'terms');
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'hidden' });
    expect(await focused(page)).toBe('Terms');
    expect(await page.evaluate(TITLES)).toEqual(['', DEFINITION]);
    await expectFit(page, {
      recolor: async () => {
        await page.reload();
        await button.waitFor();
      },
    });

    // On a phone, by a tap.
    await page.setViewportSize({ width: 400, height: 800 });
    await button.click();
    await list.waitFor();
    const { x, y, width, height } = (await list.boundingBox())!;
    expect(x >= 0 && x + width <= 400, `from ${x}, ${width} wide`).toBe(true);
    expect(y >= 0 && y + height <= 800, `from ${y}, ${height} high`).toBe(true);
    await picture(page, 'terms-phone');

    await page.goto(`${api.endpoint}/api/d/stories/${story.id}`);
    await termsIn(page, 'Regions').click();
    await page.getByText('What customers pay').waitFor();

    await api.as('editor').post(`/api/dashboards/${id}/publish`, {});
    const link = { contentType: 'dashboard', contentId: id, shareType: 'public' };
    const { token } = (await api.as('owner').post('/api/shares', link)).body;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`${api.endpoint}/api/s/${token}`);
    await settled(page);
    await page.locator('#card-rows th').first().waitFor();
    expect(await page.getByText('Terms').count()).toBe(0);
    expect(asked.filter((path) => path.startsWith('/api/catalog'))).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
