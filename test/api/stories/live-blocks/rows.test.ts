import { describe, expect } from 'vitest';
import { type Api, type Caller, it } from '../../../support/api.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { POSITION } from '../../../support/given/dashboard.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenMetric, givenSalesModel } from '../../../support/given/metric.ts';
import { posted } from '../../../support/given/model.ts';
import { givenProtected, givenReader, SECRET_ROW } from '../../../support/given/protected.ts';
import {
  cardBlock,
  chartBlock,
  doc,
  type GivenStory,
  givenGrantee,
  givenStory,
  liveBlock,
  paragraph,
} from '../../../support/given/stories.ts';

const read = (caller: Caller, { path }: Pick<GivenStory, 'path'>, blockId: string, body: object = {}, query = '') =>
  caller.post(`${path}/blocks/${blockId}/data${query}`, body);

/** A chart of the rows of each kind of source, and what it shows. */
async function everySource(api: Api) {
  const model = await givenSalesModel(api);
  const dataset = await givenDataset(api, {
    name: 'stock',
    sql: `SELECT * FROM (VALUES ('a', 1), ('b', 2)) AS t(k, n)`,
  });
  const { id: savedId } = await posted(api, '/api/saved-queries', {
    name: 'All',
    sql: 'SELECT n FROM stock ORDER BY n',
  });
  const metric = await givenMetric(api, { ...model.definition, grain: 'month' });
  const source = (kind: string, id: string) => ({ source: { kind, id } });
  const sum = { measures: [{ column: 'n', aggregation: 'sum', label: 'sum' }] };
  return {
    model: {
      query: { ...source('model', model.modelId), measures: [{ measureId: model.revenue }] },
      rows: [['458.00']],
    },
    dataset: { query: { ...source('dataset', dataset.id), ...sum }, rows: [['3']] },
    savedQuery: { query: source('savedQuery', savedId), rows: [[1], [2]] },
    metric: {
      query: { ...source('metric', metric.id), grain: 'month' },
      rows: expect.arrayContaining([[expect.any(String), null]]),
    },
  };
}

describe('POST /api/stories/{id}/blocks/{blockId}/data', () => {
  it('answers the rows of every kind of source, as a chart of the story and as a card of a dashboard', async ({
    api,
  }) => {
    const sources = await everySource(api);
    const kinds = Object.entries(sources);
    const board = await givenCards(
      api,
      kinds.map(([kind, { query }]) => card(kind, chart(query), { title: `Card of ${kind}` })),
    );
    await posted(api, `${board.path}/cards`, {
      ...{ id: 'saved', cardType: 'table', position: POSITION },
      savedQueryId: sources.savedQuery.query.source.id,
    });
    const story = await givenStory(
      api,
      doc(...kinds.map(([kind, { query }]) => chartBlock(`own-${kind}`, query))),
      doc(...kinds.map(([kind]) => cardBlock(`card-${kind}`, board.id, kind)), cardBlock('saved', board.id, 'saved')),
    );
    for (const [kind, { rows }] of kinds) {
      const own = await read(api.as('editor'), story, `own-${kind}`);
      expect(own, kind).toMatchObject({ status: 200, body: { blockId: `own-${kind}`, rows, aiSummary: null } });
      const { cardId: _cardId, ...ofCard } = await board.read(kind);
      const shown = await read(api.as('editor'), story, `card-${kind}`);
      expect(shown.body, kind).toEqual({
        ...ofCard,
        blockId: `card-${kind}`,
        cache: 'hit',
        asOf: expect.any(String),
        snapshot: null,
      });
    }
    expect((await read(api.as('editor'), story, 'saved')).body.rows).toEqual([[1], [2]]);
  });

  it('takes filters, steps into details, and a picture, as cards do', async ({ api }) => {
    const dataset = await givenDataset(api, {
      name: 'stock',
      sql: `SELECT * FROM (VALUES ('a', 1), ('b', 2)) AS t(k, n)`,
    });
    const query = {
      source: { kind: 'dataset', id: dataset.id },
      dimensions: [{ column: 'k' }],
      measures: [{ column: 'n', aggregation: 'sum', label: 'n' }],
    };
    const look = { mark: { type: 'bar' }, encoding: { x: { field: 'k' }, y: { field: 'n' } } };
    const story = await givenStory(api, doc(chartBlock('stock', query, look)));
    const filtered = await read(api.as('editor'), story, 'stock', {
      filters: [
        { fieldId: 'k', op: 'eq', values: ['b'] },
        { fieldId: 'other', op: 'is_null' },
      ],
      image: { width: 300, height: 200 },
    });
    expect(filtered.body).toMatchObject({ rows: [['b', '2']], ignoredFilters: ['other'], image: /^<svg/ });
    const rows = await read(api.as('editor'), story, 'stock', { drill: [{ to: 'rows', values: { k: 'a' } }] });
    expect(rows.body).toMatchObject({ rowCount: 1 });
    expect(JSON.stringify(rows.body.rows)).toContain('a');
    const unknown = await read(api.as('editor'), story, 'stock', { filters: [{ filterId: crypto.randomUUID() }] });
    expect(unknown).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  });

  it('answers each reader the rows that they may see', async ({ api }) => {
    const { dataset } = await givenProtected(api);
    const query = { source: { kind: 'dataset', id: dataset.id }, dimensions: [{ column: 'name' }] };
    const story = await givenStory(api, doc(chartBlock('people', query)));
    await api.as('owner').post(`${story.path}/publish`);
    const [eu, us] = [
      await givenReader(api, { role: 'viewer', attributes: { region: 'eu' } }),
      await givenReader(api, { role: 'viewer', attributes: { region: 'us' } }),
    ];
    expect((await read(eu.caller, story, 'people')).body.rows).toEqual([['Ann'], ['Bob'], ['Cid']]);
    expect((await read(us.caller, story, 'people')).body.rows).toEqual([[SECRET_ROW]]);
    const none = await givenReader(api, { role: 'viewer' });
    expect((await read(none.caller, story, 'people')).body.rows).toEqual([]);
  });

  it('has no blocks of sections that are hidden from the reader', async ({ api }) => {
    const { dataset } = await givenProtected(api);
    const query = { source: { kind: 'dataset', id: dataset.id }, measures: [{ expression: 'COUNT(*)', label: 'n' }] };
    const story = await givenStory(api, doc(chartBlock('hidden', query)), doc(chartBlock('open', query)));
    await api.as('editor').put(`${story.path}/sections/${story.sections[0]}/visibility`, { visibility: 'data_access' });
    await api.as('editor').post(`${story.path}/publish`);
    const { caller } = await givenReader(api, { role: 'viewer', attributes: { region: 'us' } });
    expect((await read(caller, story, 'open')).body.rows).toEqual([[2]]);
    const hidden = await read(caller, story, 'hidden');
    expect(hidden).toMatchObject({ status: 404, body: { code: 'STORY_BLOCK_NOT_FOUND' } });
    const unknown = await read(caller, story, 'unknown');
    expect(hidden.body.detail).toBe(unknown.body.detail);
  });

  it('answers the published block to readers, and the draft to those who see it', async ({ api }) => {
    const sources = await everySource(api);
    const story = await givenStory(api, doc(chartBlock('block', sources.dataset.query)));
    await api.as('editor').post(`${story.path}/publish`);
    await api.as('editor').patch(`${story.path}/sections/${story.sections[0]}`, {
      content: doc(chartBlock('block', sources.savedQuery.query), chartBlock('new', sources.dataset.query)),
    });
    const rows = async (caller: Caller, query = '') => (await read(caller, story, 'block', {}, query)).body.rows;
    const { caller: viewer } = await givenGrantee(api, story);
    expect(await rows(viewer)).toEqual([['3']]);
    expect(await rows(viewer, '?view=draft')).toEqual([['3']]);
    expect(await rows(api.as('editor'))).toEqual([[1], [2]]);
    expect(await rows(api.as('editor'), '?view=published')).toEqual([['3']]);
    expect(await read(viewer, story, 'new')).toMatchObject({ status: 404, body: { code: 'STORY_BLOCK_NOT_FOUND' } });
  });

  it('says why a block has no rows', async ({ api }) => {
    const board = await givenCards(api, [
      card('chart', chart({ source: { kind: 'metric', id: crypto.randomUUID() } })),
    ]);
    await posted(api, `${board.path}/cards`, { id: 'line', cardType: 'divider', position: POSITION });
    const story = await givenStory(
      api,
      doc(
        paragraph('text', 'No rows'),
        liveBlock('slot', { kind: 'slot', label: 'Revenue' }),
        cardBlock('line', board.id, 'line'),
        cardBlock('no-card', board.id, 'gone'),
        cardBlock('no-board', crypto.randomUUID(), 'gone'),
        cardBlock('no-source', board.id, 'chart'),
      ),
    );
    for (const [blockId, status, code] of [
      ['text', 404, 'STORY_BLOCK_NOT_FOUND'],
      ['slot', 409, 'STORY_BLOCK_WITHOUT_ROWS'],
      ['line', 409, 'CARD_WITHOUT_ROWS'],
      ['no-card', 404, 'DASHBOARD_CARD_NOT_FOUND'],
      ['no-board', 404, 'DASHBOARD_NOT_FOUND'],
      ['no-source', 404, 'METRIC_NOT_FOUND'],
    ] as const)
      expect(await read(api.as('editor'), story, blockId), blockId).toMatchObject({ status, body: { code } });
  });

  it('does not exist for strangers, nor for those who see neither the story nor the dashboard', async ({ api }) => {
    const sources = await everySource(api);
    const board = await givenCards(api, [card('mine', chart(sources.dataset.query))]);
    const story = await givenStory(api, doc(cardBlock('card', board.id, 'mine')));
    const { caller: member } = await givenGrantee(api, story);
    for (const caller of [api.as('stranger'), member])
      expect(await read(caller, story, 'card')).toMatchObject({ status: 404, body: { code: 'STORY_NOT_FOUND' } });
    await api.as('editor').post(`${story.path}/publish`);
    expect(await read(api.as('stranger'), story, 'card')).toMatchObject({ status: 404 });
    // The story is published, but the dashboard is not.
    expect(await read(member, story, 'card')).toMatchObject({ status: 404, body: { code: 'DASHBOARD_NOT_FOUND' } });
  });
});

describe('POST /api/stories/{id}/blocks/data', () => {
  const together = (caller: Caller, { path }: Pick<GivenStory, 'path'>, ids: readonly string[], more: object = {}) =>
    caller.post(`${path}/blocks/data`, { blocks: ids.map((blockId) => ({ blockId, ...more })) });

  it('answers each block as a request for it alone, in order, and why others have no rows', async ({ api }) => {
    const dataset = await givenDataset(api, {
      name: 'stock',
      sql: `SELECT * FROM (VALUES ('a', 1), ('b', 2)) AS t(k, n)`,
    });
    const query = {
      source: { kind: 'dataset', id: dataset.id },
      dimensions: [{ column: 'k' }],
      measures: [{ column: 'n', aggregation: 'sum', label: 'n' }],
      sort: [{ column: 'k' }],
    };
    const look = { mark: { type: 'bar' }, encoding: { x: { field: 'k' }, y: { field: 'n' } } };
    const board = await givenCards(api, [card('sum', chart(query))]);
    const story = await givenStory(
      api,
      doc(chartBlock('own', query, look), cardBlock('gone', crypto.randomUUID(), 'sum')),
      doc(cardBlock('card', board.id, 'sum'), liveBlock('slot', { kind: 'slot', label: 'Later' })),
    );
    const ids = ['card', 'own', 'missing', 'slot', 'gone'];
    const reply = await together(api.as('editor'), story, ids, { image: { width: 300, height: 200 } });
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    expect(reply.body.blocks.map(({ blockId }: { blockId: string }) => blockId)).toEqual(ids);
    for (const { blockId, data, problem } of reply.body.blocks) {
      const alone = await read(api.as('editor'), story, blockId, { image: { width: 300, height: 200 } });
      if (data) {
        const about = { cache: expect.any(String), asOf: expect.any(String) };
        expect({ ...data, ...about }, blockId).toEqual({ ...alone.body, ...about });
        expect(data.rows).toEqual([
          ['a', '1'],
          ['b', '2'],
        ]);
      } else expect({ ...problem, requestId: '' }, blockId).toEqual({ ...alone.body, requestId: '' });
    }
    const codes = reply.body.blocks.map(({ problem }: { problem: { code: string } | null }) => problem?.code);
    expect(codes).toEqual([
      undefined,
      undefined,
      'STORY_BLOCK_NOT_FOUND',
      'STORY_BLOCK_WITHOUT_ROWS',
      'DASHBOARD_NOT_FOUND',
    ]);
    expect(reply.body.blocks[1].data.image).toMatch(/^<svg/);
    for (const blocks of [[], Array.from({ length: 51 }, () => ({ blockId: 'own' }))])
      expect(await api.as('editor').post(`${story.path}/blocks/data`, { blocks })).toMatchObject({ status: 400 });
    const unknown = { path: `/api/stories/${crypto.randomUUID()}` };
    expect(await together(api.as('editor'), unknown, ['own'])).toMatchObject({ body: { code: 'STORY_NOT_FOUND' } });
  });

  it('answers each reader only their rows and the blocks of sections that they see', async ({ api }) => {
    const { dataset } = await givenProtected(api);
    const query = { source: { kind: 'dataset', id: dataset.id }, dimensions: [{ column: 'name' }] };
    const [eu, us] = [
      await givenReader(api, { role: 'editor', attributes: { region: 'eu' } }),
      await givenReader(api, { role: 'viewer', attributes: { region: 'us' } }),
    ];
    const story = await givenStory(api, doc(chartBlock('people', query)), doc(paragraph('p', 'Text')));
    const section = `${story.path}/sections/${story.sections[1]}`;
    const hidden = doc(paragraph('p', 'Text'), chartBlock('hidden', query));
    expect((await eu.caller.patch(section, { content: hidden })).status).toBe(200);
    expect((await eu.caller.put(`${section}/visibility`, { visibility: 'data_access' })).status).toBe(200);
    expect((await eu.caller.post(`${story.path}/publish`)).status).toBe(200);
    const seen = async ({ caller }: { caller: Caller }) => (await together(caller, story, ['people', 'hidden'])).body;
    expect((await seen(eu)).blocks).toMatchObject([{ data: { rowCount: 3 } }, { data: { rowCount: 3 } }]);
    const ofUs = await seen(us);
    expect(ofUs.blocks).toMatchObject([
      { data: { rows: [[SECRET_ROW]] } },
      { data: null, problem: { code: 'STORY_BLOCK_NOT_FOUND', status: 404 } },
    ]);
    expect(JSON.stringify(ofUs)).not.toContain('Ann');
  });
});
