import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { showValue } from '../../../../shared/data/charts/show-value.ts';
import { type Api, it } from '../../../support/api.ts';
import { HAS_CHROMIUM, launchChromium } from '../../../support/chromium.ts';
import { givenMember } from '../../../support/given/member.ts';
import { givenMetric, givenSalesModel } from '../../../support/given/metric.ts';
import { posted } from '../../../support/given/model.ts';
import { givenPolicy, givenReader } from '../../../support/given/protected.ts';
import { doc, givenStory, paragraph, texts } from '../../../support/given/stories.ts';
import { expectFit, HOSTILE, OVERFLOW, openPage, PATIENT, picture, settled, signedIn, violations } from './browsing.ts';
import { givenLiveBlocks, givenUglyStory, LONG_WORD } from './ugly-story.ts';

let browser: Browser;
beforeAll(async () => {
  if (HAS_CHROMIUM) browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
});

const listItem = (words: string) => ({
  type: 'listItem',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }],
});

const opened = (page: Page) => page.getByRole('button', { name: /^Comments/ }).waitFor();

async function goTo(api: Api, page: Page, id: string, more = ''): Promise<void> {
  await page.goto(`${api.endpoint}/api/d/stories/${id}${more}`);
  await opened(page);
}

describe.runIf(HAS_CHROMIUM)('stories in a browser', () => {
  it('can be read after a sign-in, with a contents list that follows the reader', { timeout: PATIENT }, async ({
    api,
  }) => {
    const { id } = await givenUglyStory(api);
    const { page, hosts, complaints } = await openPage(browser);
    await page.goto(`${api.endpoint}/api/d/stories/${id}`);
    await page.getByLabel('Email').waitFor();
    await signedIn(api, page);
    await goTo(api, page, id);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain(HOSTILE);
    expect(await page.locator('#block-hostile').textContent()).toBe(HOSTILE);
    expect(await violations(page)).toEqual([]);
    const contents = page.getByRole('navigation', { name: 'Contents' });
    const current = () => contents.locator('[aria-current]').textContent();
    expect(await current()).toContain('Summary');
    await contents.getByRole('link', { name: 'A small table' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(current).toBe('A small table');
    expect(new URL(page.url()).hash).toBe('#block-small');
    // A wide table scrolls within the column.
    const overhang = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.getElementById('block-wide-table'))`;
    expect(await page.evaluate(overhang)).toBeGreaterThan(100);

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Email').waitFor();
    expect([[...hosts], complaints]).toEqual([[new URL(api.endpoint).host], []]);
    expect(await page.title()).not.toBe('evil');
    await page.close();
  });

  it('fit desktop and phone, in light and in dark mode, and on paper', { timeout: PATIENT }, async ({ api }) => {
    const { id, sections } = await givenUglyStory(api, { live: await givenLiveBlocks(api) });
    const about = { resourceType: 'story', resourceId: id };
    await posted(api, '/api/comments', {
      ...about,
      content: HOSTILE,
      context: { kind: 'section', sectionId: sections[0] },
    });
    const { page, complaints } = await openPage(browser);
    await signedIn(api, page);
    await goTo(api, page, id);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [1400, 400]) {
        await page.setViewportSize({ width, height: 900 });
        await page.reload();
        await opened(page);
        await settled(page);
        await picture(page, `story-${width}-${colorScheme}`, true);
      }
    }
    await expectFit(page, {
      recolor: async () => {
        await page.reload();
        await opened(page);
        await settled(page);
      },
    });
    await page.emulateMedia({ media: 'print', colorScheme: 'light' });
    await page.setViewportSize({ width: 720, height: 1000 });
    for (const part of ['.contents', 'header.site', '.comment-count', '#comments'])
      expect(await page.locator(part).first().isVisible(), part).toBe(false);
    expect(await page.evaluate(OVERFLOW)).toBe(0);
    await picture(page, 'story-print', true);
    if (process.env.PICTURES) await page.pdf({ path: `${process.env.PICTURES}/story.pdf`, format: 'A4' });
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('show live blocks as cards, with the rows of the API, and say why one cannot be shown', {
    timeout: PATIENT,
  }, async ({ api }) => {
    const { id, path } = await givenUglyStory(api, { live: await givenLiveBlocks(api) });
    await api.as('editor').post(`${path}/publish`);
    const { page, hosts, complaints } = await openPage(browser);
    await signedIn(api, page, await api.password('viewer'));
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await goTo(api, page, id);
    await settled(page);
    expect(asked.filter((address) => address.endsWith('/data?view=published'))).toEqual([
      expect.stringMatching(/\/blocks\/data\?view=published$/),
    ]);
    const block = (name: string) => page.locator(`#block-live-${name}`);
    expect(await block('table').getByRole('heading', { level: 3 }).textContent()).toBe(`Ugly numbers ${HOSTILE}`);
    const { body } = await api.as('viewer').post(`${path}/blocks/live-table/data`);
    const shown = await block('table')
      .locator('tbody tr')
      .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
    expect(shown).toHaveLength(4);
    for (const [at, row] of (body.rows as unknown[][]).entries()) {
      const columns = body.columns as Parameters<typeof showValue>[0][];
      expect(shown[at]).toEqual(columns.map((column, index) => showValue(column, row[index])));
    }
    expect(await block('bars').locator('svg [data-row]').count()).toBeGreaterThan(0);
    await block('bars').getByRole('button', { name: 'Data' }).click();
    expect(await block('bars').locator('tbody tr').count()).toBe(4);
    for (const name of ['number', 'words', 'hidden'])
      expect(await block(name).textContent()).toContain('a dashboard that does not exist, or that you may not see');
    expect(await block('slot').textContent()).toContain('Nothing has been chosen for this place yet.');

    expect([[...hosts], complaints]).toEqual([[new URL(api.endpoint).host], []]);
    await page.close();
  });

  it('show cards of dashboards to those who see these', { timeout: PATIENT }, async ({ api }) => {
    const { id } = await givenUglyStory(api, { live: await givenLiveBlocks(api) });
    const { page, complaints } = await openPage(browser);
    const block = (name: string) => page.locator(`#block-live-${name}`);
    await signedIn(api, page);
    await goTo(api, page, id);
    await settled(page);
    expect(await block('number').locator('tbody td').textContent()).toBe('4');
    expect(await block('words').locator('strong').textContent()).toBe('bold');
    expect(await block('gone').textContent()).toContain('The card of this block no longer exists.');
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('show an empty story, and one of a hundred sections', { timeout: PATIENT }, async ({ api }) => {
    const empty = await posted(api, '/api/stories', { title: 'Empty' });
    const sections = Array.from({ length: 100 }, (_, at) => ({
      title: `Chapter ${at + 1}`,
      content: doc(...[1, 2, 3].map((part) => paragraph(`c${at}-${part}`, `Part ${part} of it. `.repeat(20)))),
    }));
    const long = await posted(api, '/api/stories', { title: 'Long', sections });
    const { page, complaints } = await openPage(browser);
    await signedIn(api, page);
    await goTo(api, page, empty.id);
    await page.getByText('This story has no text yet.').waitFor();
    expect(await violations(page)).toEqual([]);
    await picture(page, 'story-empty');
    await goTo(api, page, long.id);
    expect(await page.locator('.article section').count()).toBe(100);
    expect(await page.locator('.contents a').count()).toBe(100);
    await page.locator(`#section-${(long.sections as { id: string }[])[70]!.id}`).scrollIntoViewIfNeeded();
    await page.mouse.wheel(0, 600);
    await expect.poll(() => page.locator('.contents [aria-current]').isVisible()).toBe(true);
    await picture(page, 'story-long');
    expect(await violations(page)).toEqual([]);
    await page.setViewportSize({ width: 400, height: 800 });
    await picture(page, 'story-long-400');
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('are discussed by section, followed, and resolved', { timeout: PATIENT }, async ({ api }) => {
    const story = await givenStory(api, texts(['a', 'Revenue grew.']), texts(['b', 'The north is behind.']));
    const reader = await givenMember(api);
    await api.as('owner').put(`${story.path}/access/user/${reader.userId}`, { permission: 'commenter' });
    const about = { resourceType: 'story', resourceId: story.id };
    await posted(api, '/api/comments', {
      ...about,
      content: `Why? ${HOSTILE}`,
      context: { kind: 'section', sectionId: story.sections[1] },
    });
    const { page, complaints } = await openPage(browser);
    await signedIn(api, page, reader);
    await goTo(api, page, story.id);
    const count = (at: number) => page.locator(`#section-${story.sections[at]} > .comment-count`);
    expect(await count(1).getAttribute('aria-label')).toBe('1 open thread on Section 2');
    expect(await page.getByRole('button', { name: 'Comments (1)' }).count()).toBe(1);

    await page.getByRole('button', { name: 'Follow', exact: true }).click();
    await page.getByRole('button', { name: 'Following' }).waitFor();
    await count(0).click();
    const panel = page.getByRole('complementary', { name: 'Comments on Section 1' });
    await panel.getByLabel('New comment on Section 1').fill('By how much?');
    await page.keyboard.press('Control+Enter');
    await panel.locator('.thread').waitFor();
    const list = `/api/comments/story/${story.id}`;
    expect((await api.as('editor').get(list)).body.items.at(-1)).toMatchObject({
      content: 'By how much?',
      context: { kind: 'section', sectionId: story.sections[0] },
    });
    await expect.poll(() => count(0).getAttribute('aria-label')).toBe('1 open thread on Section 1');
    await picture(page, 'story-comments-1400');
    expect(await violations(page)).toEqual([]);
    await panel.getByRole('button', { name: 'Resolve' }).click();
    await expect.poll(() => panel.locator('.thread').count()).toBe(0);
    await panel.getByRole('button', { name: 'All sections' }).click();
    const other = page.locator('.thread');
    await expect.poll(() => other.count()).toBe(1);
    expect(await other.textContent()).toContain(HOSTILE);
    await other.getByRole('button', { name: '“Section 2”' }).click();
    expect((await api.as('editor').get(`${story.path}/readers`)).status).toBe(200);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('fit with many long discussions beside the text', { timeout: PATIENT }, async ({ api }) => {
    const { id, sections } = await givenUglyStory(api);
    const about = { resourceType: 'story', resourceId: id };
    const contexts = [
      { kind: 'object' },
      { kind: 'section', sectionId: sections[0] },
      { kind: 'block', sectionId: sections[1], blockId: 'wide-table' },
      { kind: 'text', sectionId: sections[0], blockId: 'word', quote: { exact: LONG_WORD } },
      {
        ...{ kind: 'suggestion', sectionId: sections[0], blockId: 'word', quote: { exact: LONG_WORD } },
        replacement: `${HOSTILE} ${LONG_WORD}`,
      },
    ];
    for (const [index, context] of contexts.entries()) {
      const content = `${LONG_WORD} ${HOSTILE}\n\n${'Why is the north ahead of the others? '.repeat(3 * index)}`;
      const { id: parentId } = await posted(api, '/api/comments', { ...about, context, content });
      for (const caller of ['owner', 'admin'] as const)
        await api.as(caller).post('/api/comments', { ...about, parentId, content: `Because. ${LONG_WORD}` });
    }
    const { page, complaints } = await openPage(browser);
    await signedIn(api, page, await api.password('editor'));
    const open = async () => {
      await goTo(api, page, id);
      await page.getByRole('button', { name: 'Comments (5)' }).click();
      await expect.poll(() => page.locator('#comment-panel .thread').count()).toBe(5);
    };
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1400, 400]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        await open();
        await picture(page, `story-discussions-${width}-${colorScheme}`);
        const beyond = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.getElementById('comment-panel'))`;
        const found = [await page.evaluate(OVERFLOW), await page.evaluate(beyond), await violations(page)];
        expect(found, `${colorScheme}, ${width} px`).toEqual([0, 0, []]);
      }
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('take comments on selected words, and mark the words that comments quote', { timeout: PATIENT }, async ({
    api,
  }) => {
    const list = { type: 'bulletList', attrs: { id: 'l' }, content: ['North', 'South'].map(listItem) };
    const story = await givenStory(api, doc(paragraph('a', 'It grew a lot, and it grew fast.'), list));
    const { page, complaints } = await openPage(browser);
    await signedIn(api, page, await api.password('editor'));
    await goTo(api, page, story.id);
    const select = (block: string, from: number, to: number) =>
      page.evaluate(`(() => {
        const { firstChild: text } = document.querySelector('${block}');
        getSelection().setBaseAndExtent(text, ${from}, text, ${to});
      })()`);
    await select('#block-a', 18, 26);
    await page.getByRole('button', { name: 'Comment on selection' }).click();
    const panel = page.locator('#comment-panel');
    expect(await panel.locator('.comment-write .comment-quote').textContent()).toBe('it grew');
    await panel.getByLabel('New comment on this text').fill('By how much?');
    await page.keyboard.press('Control+Enter');
    await panel.locator('.thread').waitFor();
    const written = async () => (await api.as('editor').get(`/api/comments/story/${story.id}`)).body.items.at(-1);
    const quote = { exact: 'it grew', prefix: 'It grew a lot, and ', suffix: ' fast.' };
    const context = { kind: 'text', sectionId: story.sections[0], blockId: 'a', quote };
    expect(await written()).toMatchObject({ content: 'By how much?', context, anchor: { text: 'it grew' } });
    const marked = (name: string) =>
      page.evaluate(`[...(CSS.highlights.get('${name}') ?? [])].map((range) => [range.toString(), range.startOffset])`);
    await expect.poll(() => marked('quoted')).toEqual([['it grew', 19]]);
    await panel.locator('.thread').getByRole('button', { name: '“Section 1”' }).click();
    expect(await marked('chosen-quote')).toEqual([['it grew', 19]]);
    await picture(page, 'story-quote-1400');
    expect(await violations(page)).toEqual([]);

    // The second item of a list.
    await select('#block-l li:nth-child(2) p', 0, 5);
    await page.getByRole('button', { name: 'Comment on selection' }).click();
    await panel.getByLabel('New comment on this text').fill('And here?');
    await page.keyboard.press('Control+Enter');
    await expect.poll(async () => (await written()).context.quote).toMatchObject({ exact: 'South', prefix: 'North\n' });

    // Words that are no longer there stay in the panel.
    await api
      .as('editor')
      .patch(`${story.path}/sections/${story.sections[0]}`, { content: texts(['a', 'It shrank.']) });
    await page.reload();
    await opened(page);
    await page.getByRole('button', { name: 'Comments (2)' }).click();
    await expect.poll(() => panel.getByText('This text is no longer there.').count()).toBe(2);
    expect(await marked('quoted')).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('let contributors accept and reject suggestions', { timeout: PATIENT }, async ({ api }) => {
    const story = await givenStory(api, texts(['a', 'It grew a lot.'], ['b', 'It shrank.'], ['c', 'It stayed.']));
    const section = `${story.path}/sections/${story.sections[0]}`;
    await api.as('editor').post(`${story.path}/publish`);
    const suggest = (blockId: string, exact: string) =>
      posted(api, '/api/comments', {
        ...{ resourceType: 'story', resourceId: story.id, content: `About ${blockId}` },
        context: {
          ...{ kind: 'suggestion', sectionId: story.sections[0], blockId },
          ...{ quote: { exact }, replacement: 'It doubled.' },
        },
      });
    await suggest('a', 'It grew a lot.');
    await suggest('b', 'It shrank.');
    await suggest('c', 'It stayed.');
    const written = async () => JSON.stringify((await api.as('editor').get(section)).body.content);
    const { page, complaints } = await openPage(browser);
    await signedIn(api, page, await api.password('editor'));
    await goTo(api, page, story.id, '?view=draft');
    await page.getByRole('button', { name: 'Comments (3)' }).click();
    const panel = page.locator('#comment-panel');
    const thread = (blockId: string) => panel.locator('.thread', { hasText: `About ${blockId}` });
    await thread('a').getByRole('button', { name: 'Accept' }).click();
    await panel.getByText('The suggestion is accepted: the draft has the new text.').waitFor();
    await expect.poll(() => panel.locator('.thread').count()).toBe(2);
    expect(await page.locator('#block-a').textContent()).toBe('It doubled.');
    expect(await written()).toContain('It doubled.');
    expect(await written()).not.toContain('It grew a lot.');
    await thread('b').getByRole('button', { name: 'Reject' }).click();
    await panel.getByText('The suggestion is rejected.').waitFor();
    await expect.poll(() => panel.locator('.thread').count()).toBe(1);
    expect(await written()).toContain('It shrank.');
    expect(await violations(page)).toEqual([]);
    await picture(page, 'story-suggestion-1400');

    // A section that is read-only keeps its text, and the panel says so.
    expect((await api.as('editor').post(`${section}/read-only`, { locked: true })).status).toBe(200);
    await thread('c').getByRole('button', { name: 'Accept' }).click();
    await expect.poll(() => panel.getByRole('alert').first().textContent()).toMatch(/read-only/);
    expect(await written()).toContain('It stayed.');
    expect(complaints).toEqual([]);
    await page.close();

    const { page: other } = await openPage(browser);
    await signedIn(api, other, await api.password('viewer'));
    await goTo(api, other, story.id);
    await other.getByRole('button', { name: 'Comments (1)' }).click();
    await other.getByText('About c').waitFor();
    expect(await other.getByRole('button', { name: 'Accept' }).count()).toBe(0);
    await other.close();
  });

  it('show the numbers of the text as they stand for the reader, beside what was written', {
    timeout: PATIENT,
  }, async ({ api }) => {
    const { definition, path: model, table } = await givenSalesModel(api);
    const { id: metricId } = await givenMetric(api, { ...definition, grain: 'month' });
    await givenPolicy(api, model, { tableId: table.id });
    const value = (id: string, written: string, source: object) => ({ type: 'value', attrs: { id, source, written } });
    const content = (...written: [string, string, string]) =>
      doc({
        type: 'paragraph',
        attrs: { id: 'a' },
        content: [
          { type: 'text', text: 'Revenue was ' },
          value('month', written[0], { metricId, asOf: '2024-03-31' }),
          { type: 'text', text: ' after ' },
          value('before', written[1], { metricId, asOf: '2024-02-29' }),
          { type: 'text', text: ' and ' },
          value('gone', written[2], { metricId: crypto.randomUUID() }),
        ],
      });
    const { id, path, sections } = await givenStory(api, content('1,250', '60', '7'));
    await api.as('editor').post(`${path}/publish`);
    const quote = { exact: 'Revenue was 1,250' };
    await posted(api, '/api/comments', {
      ...{ resourceType: 'story', resourceId: id, content: 'Why?' },
      context: { kind: 'text', sectionId: sections[0], blockId: 'a', quote },
    });
    const reader = await givenReader(api, { role: 'viewer', attributes: { region: 'us' } });
    const stored = async ({ caller }: typeof reader, view: string) =>
      ((await caller.get(`${path}?view=${view}`)).body.sections[0].values as { now: string }[]).map(({ now }) => now);

    const { page, complaints } = await openPage(browser);
    const shown = (view = page) => view.locator('.inline-value').allTextContents();
    const titles = (view = page) =>
      view.locator('.inline-value').evaluateAll((all) => all.map((each) => each.getAttribute('title')));
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'GET' && new URL(request.url()).pathname === path) asked.push(request.url());
    });
    await signedIn(api, page, reader);
    await goTo(api, page, id);
    await expect.poll(() => shown()).toEqual(['90', '60', '—']);
    expect(await stored(reader, 'published')).toEqual(await shown());
    const gone = 'The source of this value does not exist, or you may not see it.';
    expect(await titles()).toEqual(['Written as 1,250; now 90', null, gone]);
    expect(await page.locator('.inline-value.changed').allTextContents()).toEqual(['90']);
    expect(asked).toEqual([`${api.endpoint}${path}?view=published`]);
    await page.getByRole('button', { name: 'Comments (1)' }).click();
    await expect
      .poll(() => page.evaluate(`[...(CSS.highlights.get('quoted') ?? [])].map(String)`))
      .toEqual(['Revenue was 90']);
    expect(await violations(page)).toEqual([]);
    await picture(page, 'story-values-1400');

    // Without the values, the text stays as written.
    const isStory = ({ pathname }: URL) => pathname === path;
    await page.route(isStory, (route) => route.abort());
    const failed = page.waitForEvent('requestfailed', (request) => isStory(new URL(request.url())));
    await goTo(api, page, id);
    await failed;
    expect(await shown()).toEqual(['1,250', '60', '7']);
    expect(complaints).toEqual([]);
    await page.close();

    await api.as('editor').patch(`${path}/sections/${sections[0]}`, { content: content('1', '2', '3') });
    const writer = await givenReader(api, { attributes: { region: 'eu' } });
    const { page: draft, complaints: others } = await openPage(browser);
    await signedIn(api, draft, writer);
    await goTo(api, draft, id, '?view=draft');
    const [month, before] = await stored(writer, 'draft');
    expect(month).toBe('60');
    await expect.poll(() => shown(draft)).toEqual([month, before, '—']);
    expect(await titles(draft)).toEqual([`Written as 1; now ${month}`, `Written as 2; now ${before}`, gone]);
    expect(others).toEqual([]);
    await draft.close();
  });

  it('report who has read them for how long, but not from a hidden tab', { timeout: PATIENT }, async ({ api }) => {
    const story = await givenStory(api, texts(['a', 'one']));
    await api.as('editor').post(`${story.path}/publish`);
    const { page, complaints } = await openPage(browser);
    await page.clock.install();
    await signedIn(api, page, await api.password('viewer'));
    await goTo(api, page, story.id);
    const heartbeats: unknown[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/presence')) heartbeats.push(request.postDataJSON());
    });
    await page.clock.fastForward(15_000);
    await expect.poll(() => heartbeats.length).toBe(1);
    expect(heartbeats[0]).toMatchObject({ sectionId: story.sections[0], isIdle: false });
    const readers = async () => (await api.as('editor').get(`${story.path}/readers`)).body.items;
    await expect.poll(readers).toMatchObject([{ version: 1 }]);
    const [{ secondsRead }] = await readers();
    expect(secondsRead).toBeGreaterThan(0);
    expect(secondsRead).toBeLessThanOrEqual(30);
    await page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'))`);
    const before = heartbeats.length;
    await page.clock.fastForward(60_000);
    await page.evaluate('fetch("/api/docs")');
    expect(heartbeats.length).toBe(before);
    expect(complaints).toEqual([]);
    await page.close();
  });
});
