import { describe, expect } from 'vitest';
import { type Api, type Caller, it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenMetric, givenSalesModel } from '../../../support/given/metric.ts';
import { givenField, givenModel, givenTable, posted } from '../../../support/given/model.ts';
import { givenPolicy, givenReader } from '../../../support/given/protected.ts';
import { chartBlock, doc, type GivenStory, givenStory } from '../../../support/given/stories.ts';

const value = (id: string, source: object, written: string, more: object = {}) => ({
  type: 'value',
  attrs: { id, source, written, ...more },
});
const line = (id: string, ...content: object[]) => ({ type: 'paragraph', attrs: { id }, content });

const valuesOf = async (caller: Caller, { path }: GivenStory, query = '') => {
  const reply = await caller.get(`${path}${query}`);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return (reply.body.sections as { values?: object[] }[]).map(({ values }) => values);
};

const asOf = '2024-03-31';
const revenue = async (api: Api) => {
  const model = await givenSalesModel(api);
  const metric = await givenMetric(api, { ...model.definition, grain: 'month' });
  return { ...model, metricId: metric.id };
};

describe('the values in the text of a story', () => {
  it('are those of metrics, in their format, beside what the author saw', async ({ api }) => {
    const { metricId } = await revenue(api);
    const story = await givenStory(
      api,
      doc(
        line(
          'a',
          { type: 'text', text: 'Revenue was ' },
          value('same', { metricId, asOf }, '161'),
          value('old', { metricId, asOf }, '150', { format: ',.2f' }),
          value('change', { metricId, asOf, compare: 'previous_period' }, '+1.0%'),
          value('empty', { metricId }, '7'),
          value('gone', { metricId: crypto.randomUUID() }, '7'),
        ),
      ),
      doc(line('b', { type: 'text', text: 'No numbers here.' })),
    );
    const [values, none] = await valuesOf(api.as('editor'), story);
    expect(values).toEqual([
      { id: 'same', now: '161', changed: false, reason: null },
      { id: 'old', now: '161.00', changed: true, reason: null },
      { id: 'change', now: '+9.5%', changed: true, reason: null },
      { id: 'empty', now: '—', changed: true, reason: 'NO_VALUE' },
      { id: 'gone', now: '—', changed: false, reason: 'SOURCE_NOT_FOUND' },
    ]);
    expect(none).toBeUndefined();
    const stored = (await api.as('editor').get(`${story.path}/sections/${story.sections[0]}`)).body;
    expect(JSON.stringify(stored.content)).toContain('"written":"150"');
  });

  it('are those of rows of a live block in the same section', async ({ api }) => {
    const dataset = await givenDataset(api, {
      name: 'stock',
      sql: `SELECT * FROM (VALUES ('a', 1250), ('b', 2)) AS t(k, n)`,
    });
    const query = {
      source: { kind: 'dataset', id: dataset.id },
      dimensions: [{ column: 'k' }],
      measures: [{ column: 'n', aggregation: 'sum', label: 'n' }],
      sort: [{ column: 'k' }],
    };
    const story = await givenStory(
      api,
      doc(
        chartBlock('stock', query),
        line(
          'a',
          value('first', { blockId: 'stock', measure: 'n' }, '1,250', { format: ',d' }),
          value('row', { blockId: 'stock', measure: 'n', rowKey: { k: 'b' } }, '3'),
          value('name', { blockId: 'stock', measure: 'k', rowKey: { k: 'b' } }, 'b'),
          value('no-row', { blockId: 'stock', measure: 'n', rowKey: { k: 'c' } }, '3'),
          value('no-column', { blockId: 'stock', measure: 'm' }, '3'),
          value('no-block', { blockId: 'other', measure: 'n' }, '3'),
        ),
      ),
    );
    const [values] = await valuesOf(api.as('editor'), story);
    expect(values).toEqual([
      { id: 'first', now: '1,250', changed: false, reason: null },
      { id: 'row', now: '2', changed: true, reason: null },
      { id: 'name', now: 'b', changed: false, reason: null },
      { id: 'no-row', now: '—', changed: false, reason: 'ROW_NOT_FOUND' },
      { id: 'no-column', now: '—', changed: false, reason: 'ROW_NOT_FOUND' },
      { id: 'no-block', now: '—', changed: false, reason: 'SOURCE_NOT_FOUND' },
    ]);
  });

  it('are computed from the rows of each reader, and hidden with a denied field', async ({ api }) => {
    const { metricId, path, table, fields } = await revenue(api);
    await givenPolicy(api, path, { tableId: table.id });
    const story = await givenStory(api, doc(line('a', value('v', { metricId, asOf }, '60'))));
    await api.as('editor').post(`${story.path}/publish`);
    const eu = await givenReader(api, { role: 'viewer', attributes: { region: 'eu' } });
    const us = await givenReader(api, { role: 'viewer', attributes: { region: 'us' } });
    expect(await valuesOf(eu.caller, story)).toEqual([[{ id: 'v', now: '60', changed: false, reason: null }]]);
    expect(await valuesOf(us.caller, story)).toEqual([[{ id: 'v', now: '90', changed: true, reason: null }]]);
    await api.as('editor').put(`${path}/tables/${table.id}/fields/${fields.amount}`, { sensitivityLabel: 'Secret' });
    expect(await valuesOf(eu.caller, story)).toEqual([[{ id: 'v', now: '—', changed: false, reason: 'NO_ACCESS' }]]);
  });

  it('count for who may see a section, and share the answer of one question', async ({ api }) => {
    const { metricId, path, table } = await revenue(api);
    await givenPolicy(api, path, { tableId: table.id });
    const many = Array.from({ length: 30 }, (_, index) => value(`v${index}`, { metricId, asOf }, '0'));
    const days = Array.from({ length: 101 }, (_, index) =>
      value(`d${index}`, { metricId, asOf: new Date(Date.UTC(2023, 0, index + 1)).toISOString().slice(0, 10) }, '0'),
    );
    const story = await givenStory(api, doc(line('a', ...many)), doc(line('b', ...days)));
    await api.as('editor').put(`${story.path}/sections/${story.sections[0]}/visibility`, { visibility: 'data_access' });
    const published = await api.as('editor').post(`${story.path}/publish`);
    expect(published.body.warnings).toMatchObject([{ code: 'TEXT_MAY_QUOTE_ROWS', sectionId: story.sections[1] }]);
    const us = await givenReader(api, { role: 'viewer', attributes: { region: 'us' } });
    const [hidden, open] = await valuesOf(us.caller, story);
    expect(hidden).toBeUndefined();
    expect(open).toHaveLength(101);
    // 100 different questions are asked, whatever number of values asks them.
    expect((open as { reason: string | null }[]).filter(({ reason }) => reason === 'TOO_MANY')).toHaveLength(1);
  });

  it('rejects a comparison that metrics do not make', async ({ api }) => {
    const story = await givenStory(api, doc(line('a')));
    const content = doc(line('a', value('v', { metricId: crypto.randomUUID(), compare: 'tomorrow' }, '1')));
    const reply = await api.as('editor').patch(`${story.path}/sections/${story.sections[0]}`, { content });
    expect(reply).toMatchObject({ status: 400, body: { code: 'STORY_CONTENT_INVALID' } });
    expect(reply.body.errors[0].pointer).toBe('/content/content/0/content/0/attrs/source/compare');
  });
});

describe('what a story uses', () => {
  it('cannot be deleted while its draft or its readers see it', async ({ api }) => {
    const { metricId } = await revenue(api);
    const dataset = await givenDataset(api, { name: 'lone', sql: 'SELECT 1 AS n' });
    await givenDataset(api, { name: 'stock', sql: 'SELECT 1 AS n' });
    const { id: savedId } = await posted(api, '/api/saved-queries', { name: 'One', sql: 'SELECT 1 AS n' });
    const model = await givenModel(api, { name: 'Stock' });
    const table = await givenTable(api, model.path, 'stock');
    await givenField(api, table.path, 'n');
    const source = (kind: string, id: string) => ({ source: { kind, id } });
    const used = {
      [`/api/datasets/${dataset.id}`]: chartBlock('d', {
        ...source('dataset', dataset.id),
        dimensions: [{ column: 'n' }],
      }),
      [`/api/saved-queries/${savedId}`]: chartBlock('s', source('savedQuery', savedId)),
      [`/api/models/${model.id}`]: chartBlock('m', source('model', model.id)),
      [`/api/metrics/${metricId}`]: line('v', value('v', { metricId }, '1')),
    };
    const story = await givenStory(api, doc(...Object.values(used)));
    const section = `${story.path}/sections/${story.sections[0]}`;
    const deleted = (path: string) => api.as('owner').delete(path);
    const referencedBy = [{ type: 'story', id: story.id, name: 'Weekly' }];
    for (const path of Object.keys(used))
      expect(await deleted(path), path).toMatchObject({ status: 409, body: { code: 'REFERENCED', referencedBy } });
    await api.as('editor').post(`${story.path}/publish`);
    await api.as('editor').patch(section, { content: doc(line('a')) });
    for (const path of Object.keys(used)) expect((await deleted(path)).status, path).toBe(409);
    // Neither the draft nor the readers see them any more, but one comes back.
    await api.as('editor').post(`${story.path}/publish`);
    await api.as('editor').patch(section, { content: doc(used[`/api/saved-queries/${savedId}`]!) });
    expect((await deleted(`/api/saved-queries/${savedId}`)).status).toBe(409);
    await api.as('editor').delete(story.path);
    for (const path of Object.keys(used).slice(2)) expect((await deleted(path)).status, path).toBe(204);
    await api.as('editor').post(`${story.path}/restore`);
    expect((await deleted(`/api/saved-queries/${savedId}`)).status).toBe(409);
  });
});
