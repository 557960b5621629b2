import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { HAS_CHROMIUM, launchChromium } from '../../../support/chromium.ts';
import { givenMember } from '../../../support/given/member.ts';
import { posted } from '../../../support/given/model.ts';
import { givenShare, publish } from '../../../support/given/shares.ts';
import { expectFit, givenShopDashboard, HOSTILE, openPage, PATIENT, picture, settled, signedIn } from './browsing.ts';

let browser: Browser;
beforeAll(async () => {
  if (HAS_CHROMIUM) browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
});

async function given(api: Api) {
  const shop = await givenShopDashboard(api);
  const grace = await givenMember(api, 'editor');
  await api.as(grace).patch('/api/auth/me', { name: 'Grace Hopper' });
  const write = (content: string, more: object = {}) =>
    posted(api, '/api/comments', { resourceType: 'dashboard', resourceId: shop.id, content, ...more });
  const first = await write(`Why so low? ${HOSTILE} See https://example.com/a?b=1.`, {
    context: { kind: 'card', cardId: 'bars' },
  });
  await write('A holiday.', { parentId: first.id });
  await write('The whole dashboard looks good.');
  await write('On another page', { context: { kind: 'card', cardId: 'later' } });
  return { ...shop, grace, write, list: `/api/comments/dashboard/${shop.id}` };
}

describe.runIf(HAS_CHROMIUM)('comments in a browser', () => {
  it('are read, written with mentions, resolved and deleted by the keyboard', { timeout: PATIENT }, async ({ api }) => {
    const { id, grace, list } = await given(api);
    const { page, complaints, hosts } = await openPage(browser);
    await signedIn(api, page);
    await page.goto(`${api.endpoint}/api/d/${id}`);
    await settled(page);
    const opener = page.getByRole('button', { name: 'Comments (3)' });
    await opener.focus();
    await page.keyboard.press('Enter');
    const panel = page.getByRole('complementary', { name: 'Comments' });
    await panel.waitFor();
    const threads = panel.locator('.thread');
    await expect.poll(() => threads.count()).toBe(3);
    expect(await page.evaluate('document.activeElement.id')).toBe('comment-title');
    expect(await threads.first().textContent()).toContain(HOSTILE);
    const link = threads.first().getByRole('link', { name: 'https://example.com/a?b=1' });
    expect(await link.getAttribute('href')).toBe('https://example.com/a?b=1');
    expect(await link.getAttribute('rel')).toContain('noopener');
    await picture(page, 'panel-1400-light');

    // The card has its number of open threads, and shows only its own.
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Comments (3)');
    const count = page.locator('#card-bars .comment-count');
    expect(await count.getAttribute('aria-label')).toMatch(/^1 open thread on Revenue/);
    await count.click();
    await expect.poll(() => threads.count()).toBe(1);
    const box = page.getByLabel(/^New comment on Revenue/);
    await box.focus();
    await page.keyboard.type('@gra');
    const option = panel.getByRole('option', { name: /Grace Hopper/ });
    await option.waitFor();
    expect(await option.getAttribute('aria-selected')).toBe('true');
    await picture(page, 'mention-1400-light');
    await page.keyboard.press('Enter');
    await page.keyboard.type('please look');
    expect(await box.inputValue()).toBe('@Grace Hopper please look');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => threads.count()).toBe(2);
    await page.getByText('The comment is stored.').waitFor();
    expect((await api.as('owner').get(list)).body.items.at(-1)).toMatchObject({
      content: `@[Grace Hopper](user:${grace.userId}) please look`,
      context: { kind: 'card', cardId: 'bars' },
    });
    await expect.poll(() => count.getAttribute('aria-label')).toMatch(/^2 open threads on Revenue/);

    const last = threads.last();
    await last.getByRole('button', { name: 'Edit' }).click();
    const edited = last.getByLabel('Edit the comment');
    expect(await edited.inputValue()).toBe('@Grace Hopper please look');
    await edited.fill('@Grace Hopper please look again');
    await last.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => threads.last().textContent()).toMatch(/edited.*@Grace Hopper please look again/);
    await threads.first().getByRole('button', { name: 'Reply' }).click();
    await threads.first().getByLabel('Reply').fill('Thanks');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => threads.first().textContent()).toContain('Thanks');
    await threads.first().getByRole('button', { name: 'Resolve' }).click();
    await expect.poll(() => threads.count()).toBe(1);
    await threads.first().getByRole('button', { name: 'Delete' }).click();
    await threads.first().getByRole('button', { name: 'Really delete?' }).click();
    await panel.getByText('There are no such comments.').waitFor();
    await panel.getByLabel('Threads to show').selectOption('Resolved');
    await expect.poll(() => threads.count()).toBe(1);
    await panel.getByRole('button', { name: 'Following' }).click();
    await panel.getByRole('button', { name: 'Follow', exact: true }).waitFor();
    expect(complaints).toEqual([]);
    expect([...hosts]).toEqual([new URL(api.endpoint).host]);
    await page.close();
  });

  it('fit desktop and phone, in light and in dark mode, and are not printed', { timeout: PATIENT }, async ({ api }) => {
    const { id } = await given(api);
    const { page, complaints } = await openPage(browser);
    await signedIn(api, page);
    await page.goto(`${api.endpoint}/api/d/${id}`);
    await settled(page);
    const open = async () => {
      await page.getByRole('button', { name: /^Comments/ }).click();
      await page.locator('.thread').first().waitFor();
    };
    await open();
    const recolor = async () => {
      await page.reload();
      await settled(page);
      await open();
    };
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: 1400, height: 900 });
      await recolor();
      await picture(page, `fit-1400-${colorScheme}`);
      await page.setViewportSize({ width: 400, height: 800 });
      await picture(page, `fit-400-${colorScheme}`);
    }
    await page.setViewportSize({ width: 1400, height: 900 });
    await expectFit(page, {
      recolor: async () => {
        await page.setViewportSize({ width: 1400, height: 900 });
        await recolor();
      },
    });
    await page.setViewportSize({ width: 400, height: 800 });
    expect(await page.evaluate("document.querySelector('main').inert")).toBe(true);
    await page.keyboard.press('Escape');
    expect(await page.evaluate("document.querySelector('main').inert")).toBe(false);
    await picture(page, 'cards-400-dark');
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('#comments').isVisible()).toBe(false);
    expect(await page.locator('.comment-count').first().isVisible()).toBe(false);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('are not on share links, and cannot be written where they are turned off', { timeout: PATIENT }, async ({
    api,
  }) => {
    const { id, path } = await given(api);
    await publish(api, path);
    const { url } = await givenShare(api, id);
    const { page, complaints } = await openPage(browser);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(url);
    await settled(page);
    expect(await page.locator('.comment-count, .comment-panel, #comments').count()).toBe(0);
    expect(asked.filter((each) => each.startsWith('/api/comments'))).toEqual([]);

    await api.as('owner').patch('/api/workspaces/current', { comments: 'off' });
    await signedIn(api, page);
    await page.goto(`${api.endpoint}/api/d/${id}`);
    await settled(page);
    await page.getByRole('button', { name: 'Comments (3)' }).click();
    await page.getByText('Comments are turned off.').waitFor();
    expect(await page.getByRole('button', { name: 'Reply' }).count()).toBe(0);
    expect(await page.locator('.comment-count').count()).toBe(1);
    expect(complaints).toEqual([]);
    await page.close();
  });
});
