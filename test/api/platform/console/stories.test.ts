import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { expectGoodInAllForms, HAS_CHROMIUM, PATIENT, useConsoles } from '../../../support/console/open-console.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenMember } from '../../../support/given/member.ts';
import { givenMetric, givenSalesModel } from '../../../support/given/metric.ts';
import { givenStory, texts } from '../../../support/given/stories.ts';

const consoles = useConsoles();

const sectionOf = async (api: Api, { path, sections }: { path: string; sections: readonly string[] }, at = 0) =>
  (await api.as('owner').get(`${path}/sections/${sections[at]}`)).body;

interface Part {
  text?: string;
  content?: readonly Part[];
}
const textOf = ({ text = '', content = [] }: Part): string => text + content.map(textOf).join('');

describe.runIf(HAS_CHROMIUM)('stories in the console', () => {
  it('are written, saved while typing, and published', { timeout: PATIENT }, async ({ api }) => {
    const page = await consoles.open(api, { as: 'editor', path: '/stories' });
    await page.getByRole('heading', { name: 'There is no story yet' }).waitFor();
    await expectGoodInAllForms(page, 'stories empty');
    await page.getByRole('link', { name: 'New story' }).click();
    await page.getByLabel('Title').fill('Revenue of the week');
    await expectGoodInAllForms(page, 'new story');
    await page.getByRole('button', { name: 'Begin writing' }).click();
    await page.getByRole('button', { name: 'Edit Section 1' }).click();
    const text = page.getByRole('textbox', { name: 'Section 1' });
    await text.waitFor();
    await page.getByLabel('Title of the section').fill('What happened');
    await text.click();
    await page.keyboard.type('# Summary');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Revenue grew ');
    await page.keyboard.press('ControlOrMeta+b');
    await page.keyboard.type('a lot');
    await page.keyboard.press('ControlOrMeta+b');
    await page.keyboard.type('.');
    await page.keyboard.press('Enter');
    await page.keyboard.type('- north');
    await page.keyboard.press('Enter');
    await page.keyboard.type('south');
    await page.getByRole('status').getByText('saved', { exact: true }).waitFor();
    await expectGoodInAllForms(page, 'story edited');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Edit What happened' }).waitFor();

    const { items } = (await api.as('editor').get('/api/stories')).body;
    const story = (await api.as('editor').get(`/api/stories/${items[0].id}`)).body;
    const id = expect.any(String);
    const item = (word: string) => ({
      type: 'listItem',
      content: [{ type: 'paragraph', content: [{ type: 'text', text: word }] }],
    });
    expect(story.sections).toMatchObject([
      {
        title: 'What happened',
        lock: null,
        content: {
          content: [
            { type: 'heading', attrs: { id, level: 1 }, content: [{ type: 'text', text: 'Summary' }] },
            {
              type: 'paragraph',
              attrs: { id },
              content: [
                { type: 'text', text: 'Revenue grew ' },
                { type: 'text', marks: [{ type: 'bold' }], text: 'a lot' },
                { type: 'text', text: '.' },
              ],
            },
            { type: 'bulletList', attrs: { id }, content: [item('north'), item('south')] },
          ],
        },
      },
    ]);
    await expectGoodInAllForms(page, 'story');
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('dialog').getByRole('heading', { name: 'Version 1 is published' }).waitFor();
    expect((await api.as('viewer').get(`/api/stories/${story.id}`)).body).toMatchObject({ view: 'published' });

    await page.goto(`${api.endpoint}/api/console/stories/new`);
    await page.getByLabel('Title').fill('The week');
    await page.getByLabel('Begin with').selectOption({ label: 'Weekly business review' });
    await page.getByRole('button', { name: 'Begin writing' }).click();
    await page.getByText('The main metric, by week: put a card or a chart here.').waitFor();
  });

  it('lose nothing of two people, and keep what is not saved', { timeout: PATIENT }, async ({ api }) => {
    const story = await givenStory(api, texts(['p1', 'First.'], ['p2', 'Second.']));
    const locked = await api.as('editor').post(`${story.path}/sections/${story.sections[0]}/lock`);
    const page = await consoles.open(api, { path: `/stories/${story.id}` });
    await page.getByText(/ is writing here\.$/).waitFor();
    await expectGoodInAllForms(page, 'story locked');
    expect(await page.getByRole('button', { name: 'Edit Section 1' }).count()).toBe(0);
    await api.as('editor').delete(`${story.path}/sections/${story.sections[0]}/lock?lockId=${locked.body.lockId}`);
    await page.reload();
    await page.getByRole('button', { name: 'Edit Section 1' }).click();
    const text = page.getByRole('textbox', { name: 'Section 1' });
    await text.waitFor();

    // Another program of the person writes into another paragraph: both stay.
    const path = `${story.path}/sections/${story.sections[0]}`;
    await api.as('owner').patch(path, { content: texts(['p1', 'First.'], ['p2', 'Second of others.']) });
    await text.getByText('First.').click();
    await page.keyboard.press('End');
    await page.keyboard.type(' Mine.');
    await text.getByText('Second of others.').waitFor();
    await expect
      .poll(async () => (await sectionOf(api, story)).content)
      .toMatchObject(texts(['p1', 'First. Mine.'], ['p2', 'Second of others.']));

    // Into the same paragraph: the person decides.
    await api.as('owner').patch(path, { content: texts(['p1', 'Theirs.'], ['p2', 'Second of others.']) });
    await page.keyboard.type(' More.');
    await page.getByText(/has changed the same paragraphs/).waitFor();
    await expectGoodInAllForms(page, 'story conflict');
    expect((await sectionOf(api, story)).content).toMatchObject(texts(['p1', 'Theirs.'], ['p2', 'Second of others.']));
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByRole('status').getByText('saved', { exact: true }).waitFor();
    expect((await sectionOf(api, story)).content.content[0].content[0].text).toBe('First. Mine. More.');

    // Without a connection, the text stays in the browser.
    await page.route(`**${path}*`, (route) => route.abort());
    await page.keyboard.type(' Kept.');
    await page.getByRole('alert').getByText('The server cannot be reached.').waitFor();
    await page.unroute(`**${path}*`);
    await page.reload();
    await page.getByRole('button', { name: 'Continue with it' }).click();
    await page.getByRole('status').getByText('saved', { exact: true }).waitFor();
    await expect
      .poll(async () => (await sectionOf(api, story)).content.content[0].content[0].text)
      .toBe('First. Mine. More. Kept.');
  });

  it('have charts, numbers, tables and images of their own', { timeout: PATIENT }, async ({ api }) => {
    const { definition } = await givenSalesModel(api);
    const metric = await givenMetric(api, { ...definition, name: 'Revenue of the shop' });
    const story = await givenStory(api, texts(['p1', 'It is ']));
    const page = await consoles.open(api, { as: 'editor', path: `/stories/${story.id}` });
    const dialog = page.getByRole('dialog');
    const insert = async (choice: string) => {
      await page.getByRole('button', { name: 'Insert', exact: true }).click();
      await page.getByRole('menuitem', { name: choice }).click();
    };
    const saved = () => page.getByRole('status').getByText('saved', { exact: true }).waitFor();
    const content = async () => (await sectionOf(api, story)).content.content;
    await page.getByRole('button', { name: 'Edit Section 1' }).click();
    const text = page.getByRole('textbox', { name: 'Section 1' });
    await text.waitFor();
    await text.click();
    await page.keyboard.press('End');

    await insert('Number that follows the data');
    await dialog.getByRole('combobox', { name: 'Metric', exact: true }).fill('Revenue');
    await dialog.getByRole('option', { name: 'Revenue of the shop' }).click();
    await expectGoodInAllForms(page, 'story number');
    await dialog.getByRole('button', { name: 'Insert' }).click();
    await text.locator('.value').waitFor();
    await saved();

    await insert('Chart of your own');
    await dialog.getByRole('button', { name: 'sales', exact: true }).click();
    await dialog.getByRole('figure').waitFor();
    await dialog.getByLabel('Title').fill('All sales');
    await expectGoodInAllForms(page, 'story chart');
    await dialog.getByRole('button', { name: 'Insert' }).click();
    await page.locator('.live-block .picture').or(page.locator('.live-block svg')).first().waitFor();
    await expect
      .poll(async () => (await content())[1])
      .toMatchObject({
        type: 'liveBlock',
        attrs: { title: 'All sales', source: { kind: 'chart', chartSpec: { version: 1 } } },
      });

    // The number of a row of that chart.
    await text.getByText('It is').click();
    await page.keyboard.press('End');
    await insert('Number that follows the data');
    await dialog.getByLabel('Number from').selectOption({ label: 'All sales' });
    await dialog.getByLabel('Column').selectOption({ index: 1 });
    await dialog.getByLabel('Row').selectOption({ index: 1 });
    await dialog.getByRole('button', { name: 'Insert' }).click();
    await expect.poll(() => text.locator('.value').count()).toBe(2);

    await insert('Link to an image');
    await dialog.getByLabel('Address').fill('http://example.com/map.png');
    await dialog.getByLabel('What it shows').fill('A map');
    expect(await dialog.getByRole('button', { name: 'Insert' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Address').fill('https://example.com/map.png');
    await dialog.getByRole('button', { name: 'Insert' }).click();
    await text.getByText('Image: A map').waitFor();

    await insert('Table');
    for (const word of ['Region', 'Sales', 'Share', 'North']) {
      await page.keyboard.type(word);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.type('12');
    const change = async (choice: string) => {
      await page.getByRole('button', { name: 'Table', exact: true }).click();
      await page.getByRole('menuitem', { name: choice }).click();
    };
    await change('Remove the row');
    await change('Add a row below');
    await page.keyboard.type('South');
    await change('Add a column to the right');
    await page.keyboard.type('7');
    await change('Remove the column');
    await change('Write below the table');
    await page.keyboard.type('The end.');
    await expectGoodInAllForms(page, 'story with a table');
    const node = (type: string) => async () => (await content()).find((each: { type: string }) => each.type === type);
    await expect.poll(node('image')).toMatchObject({ attrs: { src: 'https://example.com/map.png', alt: 'A map' } });
    await expect.poll(async () => textOf(await node('table')())).toBe('RegionSalesShareSouth');
    const { sections } = (await api.as('editor').get(`${story.path}?view=draft`)).body;
    // What stands in the text is what its readers would see now.
    expect(sections[0].values).toMatchObject([{ changed: false }, { changed: false, reason: null }]);
    const sources = (await content())[0].content.flatMap(
      ({ attrs }: { attrs?: { source: object } }) => attrs?.source ?? [],
    );
    expect(sources).toMatchObject([
      { metricId: metric.id },
      { blockId: expect.any(String), rowKey: expect.any(Object) },
    ]);
  });

  it('show live blocks, take suggestions, and are reviewed', { timeout: PATIENT }, async ({ api }) => {
    const { id: datasetId } = await givenDataset(api, {
      name: 'sales',
      sql: `SELECT * FROM (VALUES ('France', 3), ('Peru', 4)) AS t(country, amount)`,
    });
    const source = { kind: 'dataset', id: datasetId };
    const spec = chart({
      source,
      dimensions: [{ column: 'country', label: 'Country' }],
      measures: [{ column: 'amount', aggregation: 'sum', label: 'Amount' }],
    });
    const dashboard = await givenCards(api, [card('sales', spec, { title: 'Sales by country' })]);
    await api.as('editor').post(`${dashboard.path}/publish`);
    const story = await givenStory(api, texts(['p1', 'Revenue growed.']), texts(['q1', 'More.']));
    const suggestion = {
      resourceType: 'story',
      resourceId: story.id,
      content: 'spelling',
      context: {
        kind: 'suggestion',
        sectionId: story.sections[0],
        blockId: 'p1',
        quote: { exact: 'growed' },
        replacement: 'grew',
      },
    };
    expect((await api.as('editor').post('/api/comments', suggestion)).status).toBe(201);
    const page = await consoles.open(api, { as: 'editor', path: `/stories/${story.id}` });
    await page.getByRole('button', { name: 'Edit Section 2' }).click();
    await page.getByRole('textbox', { name: 'Section 2' }).waitFor();
    const dialog = page.getByRole('dialog');
    const insert = async (choice: string) => {
      await page.getByRole('button', { name: 'Insert', exact: true }).click();
      await page.getByRole('menuitem', { name: choice }).click();
    };
    await insert('Card of a dashboard');
    await dialog.getByRole('combobox', { name: 'Dashboard' }).fill('');
    await dialog.getByRole('option', { selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Card').selectOption({ label: 'Sales by country' });
    await expectGoodInAllForms(page, 'live block');
    await dialog.getByRole('button', { name: 'Insert' }).click();
    await page.getByRole('status').getByText('saved', { exact: true }).waitFor();
    await page.locator('.live-block').getByText('Peru').first().waitFor();
    await expectGoodInAllForms(page, 'story with a live block');
    expect((await sectionOf(api, story, 1)).content.content[1]).toMatchObject({
      type: 'liveBlock',
      attrs: { source: { kind: 'card', dashboardId: dashboard.id, cardId: 'sales' } },
    });
    await page.getByRole('button', { name: 'Done' }).click();

    await page.getByRole('button', { name: 'Comments' }).click();
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByText('There are no open comments.').waitFor();
    await page.getByText('Revenue grew.').waitFor();
    await expectGoodInAllForms(page, 'story discussed');
    expect((await sectionOf(api, story)).content.content[0].content[0].text).toBe('Revenue grew.');

    const reviewer = await givenMember(api, 'editor');
    await page.reload();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Ask for a review' }).click();
    await dialog.getByLabel(new RegExp(reviewer.email)).check();
    await dialog.getByRole('button', { name: 'Ask' }).click();
    await page.getByText('not decided').waitFor();
    await expectGoodInAllForms(page, 'story in review');
    const decided = await api.as(reviewer).post(`${story.path}/review/decision`, { decision: 'approved' });
    expect(decided.status).toBe(200);

    const viewer = await consoles.open(api, { as: 'viewer', path: `/stories/${story.id}` });
    await viewer.locator('h1').waitFor();
    expect(await viewer.getByRole('button', { name: /^Edit/ }).count()).toBe(0);
  });
});
