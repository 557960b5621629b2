import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { HAS_CHROMIUM, launchChromium } from '../../../support/chromium.ts';
import { givenDashboard, textCard } from '../../../support/given/dashboard.ts';
import { posted } from '../../../support/given/model.ts';
import { givenStory, texts } from '../../../support/given/stories.ts';
import { openPage, PATIENT, signedIn, violations } from './browsing.ts';

let browser: Browser;
beforeAll(async () => {
  if (HAS_CHROMIUM) browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
});

describe.runIf(HAS_CHROMIUM)('pages in a browser', () => {
  it('say whether the dashboard or story is certified or deprecated', { timeout: PATIENT }, async ({ api }) => {
    const dashboard = await givenDashboard(api);
    await posted(api, `${dashboard.path}/cards`, textCard('a'));
    const story = await givenStory(api, texts(['a', 'One']));
    const set = async (type: string, id: string, body: object) => {
      const reply = await api.as('owner').put(`/api/catalog/certifications/${type}/${id}`, body);
      expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    };
    await set('dashboard', dashboard.id, { status: 'certified', certifiedBy: 'Finance <b>', note: 'Checked' });
    await set('story', story.id, { status: 'deprecated', note: 'Last year' });
    const { page, complaints } = await openPage(browser);
    await signedIn(api, page);
    await page.goto(`${api.endpoint}/api/d/${dashboard.id}`);
    const certified = page.getByText('Certified by Finance <b>');
    await certified.waitFor();
    expect(await certified.getAttribute('title')).toBe('Checked');
    expect(await violations(page)).toEqual([]);
    await page.goto(`${api.endpoint}/api/d/stories/${story.id}`);
    await page.getByText('Deprecated', { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);

    await set('dashboard', dashboard.id, { status: 'none' });
    await page.goto(`${api.endpoint}/api/d/${dashboard.id}`);
    await page.getByText('The text of a').waitFor();
    await expect.poll(() => page.locator('.mark').count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
