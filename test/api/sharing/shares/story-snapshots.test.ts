import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenField, givenModel, givenTable } from '../../../support/given/model.ts';
import { givenPolicy, givenReader, SECRET_COLUMN, SECRET_ROW } from '../../../support/given/protected.ts';
import { givenEmbedToken, givenShare, publish } from '../../../support/given/shares.ts';
import { givenSnapshotStory, LATER_ROW, published } from '../../../support/given/snapshots.ts';
import { cardBlock, chartBlock, doc, givenStory, paragraph } from '../../../support/given/stories.ts';
import { openDatabase, type TestDatabase } from '../../../support/postgres-database.ts';

let server: TestDatabase;
beforeAll(async () => {
  server = await openDatabase();
});
afterAll(() => server.drop());

const stock = (api: Api, n: number) =>
  givenDataset(api, { name: 'stock', sql: `SELECT * FROM (VALUES ('a', ${n}), ('b', 2)) AS t(k, n)` });

const byKey = (id: string) => ({
  source: { kind: 'dataset', id },
  dimensions: [{ column: 'k', label: 'K' }],
  measures: [{ column: 'n', aggregation: 'sum', label: 'n' }],
  sort: [{ column: 'K' }],
});

/** A story in the mode `snapshot` with a chart and a card of a dashboard, published before the rows have changed. */
async function givenOpenSnapshot(api: Api) {
  const { id } = await stock(api, 1);
  const board = await givenCards(api, [card('sum', chart(byKey(id)))]);
  await publish(api, board.path);
  const story = await givenStory(api, doc(chartBlock('own', byKey(id)), cardBlock('card', board.id, 'sum')));
  await api.as('editor').patch(story.path, { mode: 'snapshot' });
  await published(api.as('editor'), story);
  return { story, board, datasetId: id };
}

const share = (api: Api, id: string, more: object = {}) => givenShare(api, id, { contentType: 'story', ...more });
const THEN = [
  ['a', '1'],
  ['b', '2'],
];
const filters = [{ fieldId: 'k', op: 'eq', values: ['a'] }];

describe('a link to a story with the mode snapshot', () => {
  it('shows the rows and cards of when the story was published, also filtered, on links and embeds', async ({
    api,
  }) => {
    const { story, board, datasetId } = await givenOpenSnapshot(api);
    await stock(api, 100);
    const other = { ...byKey(datasetId), measures: [{ column: 'n', aggregation: 'max', label: 'most' }] };
    await api.as('editor').put(`${board.path}/cards/sum`, { chartSpec: chart(other) });
    await publish(api, board.path);
    const links = [await share(api, story.id), await givenEmbedToken(api, story.id, { contentType: 'story' })];
    for (const { reader } of links)
      for (const cardId of ['own', 'card']) {
        expect(await reader.rows(cardId), cardId).toEqual(THEN);
        expect(await reader.rows(cardId, { filters }), cardId).toEqual([['a', '1']]);
        expect(await reader.rows(cardId, { distinctColumn: 'K' }), cardId).toEqual([['a'], ['b']]);
        expect((await reader.post('card-data', { cardId, image: { width: 300, height: 200 } })).body.image).toMatch(
          /^<svg/,
        );
      }
    const lockedFilters = [{ fieldId: 'k', op: 'eq', values: ['a'] }];
    const locked = await givenEmbedToken(api, story.id, { contentType: 'story', lockedFilters });
    expect(await locked.reader.rows('own')).toEqual([['a', '1']]);
    await published(api.as('editor'), story);
    expect(await links[0]!.reader.rows('own')).toEqual([
      ['a', '100'],
      ['b', '2'],
    ]);
    await api.as('editor').put(board.path, { isPublished: false });
    expect(await links[0]!.reader.post('card-data', { cardId: 'card' })).toMatchObject({ status: 404 });
  });

  it('shows nothing any more once the rows are protected, although the publisher saw all of them', async ({ api }) => {
    const { story } = await givenOpenSnapshot(api);
    const { reader } = await share(api, story.id);
    expect(await reader.rows('own')).toEqual(THEN);
    const model = await givenModel(api, { name: 'Stock' });
    const table = await givenTable(api, model.path, 'stock');
    await givenField(api, table.path, 'k');
    await givenPolicy(api, model.path, { tableId: table.id, filterExpression: '[k] = "b"' });
    for (const cardId of ['own', 'card']) {
      const reply = await reader.post('card-data', { cardId });
      expect(reply).toMatchObject({ status: 409, body: { code: 'RLS_SHARE_REQUIRED' } });
    }
    const embedded = await givenEmbedToken(api, story.id, { contentType: 'story' });
    expect(await embedded.reader.rows('own')).toEqual([['b', '2']]);
  });

  it('shows each link the rows of then that its attributes allow, and no others', async ({ api }) => {
    const story = await givenSnapshotStory(api, server);
    const by = await givenReader(api, { role: 'editor', attributes: { region: 'eu' } });
    await published(by.caller, story);
    const open = await api.as('owner').post('/api/shares', {
      ...{ contentType: 'story', contentId: story.id, shareType: 'public' },
    });
    expect(open).toMatchObject({ status: 409, body: { code: 'RLS_SHARE_REQUIRED' } });
    for (const name of ['people', 'desks'])
      await givenDataset(api, {
        name,
        sql: `SELECT *, DATE '2024-01-05' AS day FROM (VALUES (1, 'eu', '${LATER_ROW}', '${LATER_ROW}')) AS t(id, region, name, salary)`,
      });
    await server.run(`UPDATE staff SET name = '${LATER_ROW}', salary = '${LATER_ROW}'`);
    const linkWith = (region: string) =>
      share(api, story.id, { shareType: 'rls', rlsContext: { attributes: { region } } });
    const embedWith = (region: string) =>
      givenEmbedToken(api, story.id, { contentType: 'story', attributes: { region } });
    const seen = { eu: ['Ann', 'Bob', 'Cid'], us: [SECRET_ROW], nowhere: [] as string[] };
    for (const [region, names] of Object.entries(seen))
      for (const { reader } of [await linkWith(region), await embedWith(region)]) {
        for (const kind of ['dataset', 'model', 'savedQuery', 'card', 'blend']) {
          const shown = await reader.rows(`${kind}-name`);
          expect([...new Set(shown.flat())].sort(), `${kind} for ${region}`).toEqual(names);
          const salaries = await reader.post('card-data', { cardId: `${kind}-salary` });
          expect(salaries.status, `salaries of ${kind}`).not.toBe(200);
          expect(JSON.stringify(salaries.body)).not.toContain(SECRET_COLUMN);
        }
        const stored = await reader.post('card-data', { cardId: 'database-name' });
        if (region === 'eu') {
          expect(stored.body.rows.flat().sort()).toEqual(names);
          expect(stored.body.warnings).toEqual([
            'These rows are as their publisher saw them when the story was published.',
          ]);
        } else expect(stored).toMatchObject({ body: { code: 'CARD_UNREADABLE' } });
      }
  });
});

describe('POST /api/shares/{token}/cards-data', () => {
  it('answers each card as a request for it alone, and needs the password of the link', async ({ api }) => {
    const { story } = await givenOpenSnapshot(api);
    const text = doc(paragraph('p', 'x'));
    expect((await api.as('editor').post(`${story.path}/sections`, { content: text })).status).toBe(201);
    await published(api.as('editor'), story);
    const password = 'a long password';
    const { reader } = await share(api, story.id, { shareType: 'password', password });
    const cards = [{ cardId: 'card' }, { cardId: 'p' }, { cardId: 'own', filters }];
    expect(await reader.post('cards-data', { cards })).toMatchObject({ body: { code: 'SHARE_PASSWORD' } });
    const reply = await reader.post('cards-data', { cards, password });
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    expect(reply.body.cards).toMatchObject([
      { cardId: 'card', data: { cardId: 'card', rows: THEN, aiSummary: null }, problem: null },
      { cardId: 'p', data: null, problem: { code: 'DASHBOARD_CARD_NOT_FOUND', status: 404 } },
      { cardId: 'own', data: { rows: [['a', '1']] }, problem: null },
    ]);
    for (const [index, asked] of cards.entries()) {
      const { requestId: _id, ...alone } = (await reader.post('card-data', { ...asked, password })).body;
      const { data, problem } = reply.body.cards[index];
      const known = { ...alone, ...(alone.asOf && { asOf: expect.any(String), cache: expect.any(String) }) };
      expect(data ?? problem).toMatchObject(known);
    }
  });
});
