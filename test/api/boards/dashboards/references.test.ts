import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { givenDashboard, POSITION } from '../../../support/given/dashboard.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenMetric, givenSalesModel } from '../../../support/given/metric.ts';
import { posted } from '../../../support/given/model.ts';

const tokens = { palette: ['#1f77b4'], fonts: { heading: 'serif', body: 'sans' }, radius: 8, dark: false };

/** One record of each kind that dashboards show, with the card or text by which they do. */
async function givenUsed(api: Api) {
  const { modelId, definition, revenue, fields } = await givenSalesModel(api);
  const metric = await givenMetric(api, definition);
  const query = await posted(api, '/api/saved-queries', { name: 'Regions', sql: 'SELECT region FROM sales' });
  const { body: theme } = await api.as('owner').post('/api/themes', { name: 'House', tokens });
  const { items } = (await api.as('viewer').get('/api/datasets')).body;
  const chart = (kind: string, id: string, more: object = {}) => ({
    version: 1,
    mark: { type: 'table' },
    query: { source: { kind, id }, ...more },
  });
  return {
    query: { path: `/api/saved-queries/${query.id}`, id: query.id },
    model: { path: `/api/models/${modelId}`, id: modelId },
    metric: { path: metric.path, id: metric.id },
    dataset: { path: `/api/datasets/${items[0].id}`, id: items[0].id as string },
    theme: { path: `/api/themes/${theme.id}`, id: theme.id as string },
    charts: {
      model: chart('model', modelId, { measures: [{ measureId: revenue }], dimensions: [{ fieldId: fields.region }] }),
      metric: chart('metric', metric.id),
      dataset: chart('dataset', items[0].id, { dimensions: [{ column: 'region' }] }),
    },
  };
}

const card = (id: string, more: object) => ({ id, cardType: 'table', position: POSITION, ...more });
const remove = (api: Api, { path }: { path: string }) => api.as('owner').delete(path);
const usedBy = (...referencedBy: object[]) => ({ status: 409, body: { code: 'REFERENCED', referencedBy } });

describe('what dashboards show', () => {
  it('cannot be deleted, whichever kind it is, as long as a draft or its readers see it', async ({ api }) => {
    const used = await givenUsed(api);
    const { id, path } = await givenDashboard(api, { theme: JSON.stringify({ themeId: used.theme.id }) });
    const user = { type: 'dashboard', id, name: 'Sales' };
    await posted(api, `${path}/cards`, card('query', { savedQueryId: used.query.id }));
    for (const [kind, chartSpec] of Object.entries(used.charts)) {
      await posted(api, `${path}/cards`, card(kind, { chartSpec }));
    }
    const metric = { type: 'metric', id: used.metric.id, name: 'Revenue' };
    const model = { type: 'model', id: used.model.id, name: 'Sales' };
    const query = { type: 'saved-query', id: used.query.id, name: 'Regions' };
    expect(await remove(api, used.query)).toMatchObject(usedBy(user));
    expect(await remove(api, used.metric)).toMatchObject(usedBy(user));
    expect(await remove(api, used.theme)).toMatchObject(usedBy(user));
    expect(await remove(api, used.model)).toMatchObject(usedBy(user, metric));
    expect(await remove(api, used.dataset)).toMatchObject(usedBy(model, user, query));
    expect((await api.as('stranger').delete(used.query.path)).status).toBe(404);

    // Readers still see what the draft shows no longer.
    expect((await api.as('editor').post(`${path}/publish`, {})).status).toBe(200);
    expect((await api.as('editor').delete(`${path}/cards/query`)).status).toBe(204);
    expect((await api.as('editor').put(path, { theme: null })).status).toBe(200);
    expect(await remove(api, used.query)).toMatchObject(usedBy(user));
    expect(await remove(api, used.theme)).toMatchObject(usedBy(user));
    expect((await api.as('editor').post(`${path}/publish`, {})).status).toBe(200);
    expect((await remove(api, used.query)).status).toBe(204);
    expect((await remove(api, used.theme)).status).toBe(204);

    // A deleted dashboard shows nothing, and again what is still there once it is restored.
    const lost = await posted(api, '/api/saved-queries', { name: 'Lost', sql: 'SELECT 1 AS a' });
    await posted(api, `${path}/cards`, card('lost', { savedQueryId: lost.id }));
    expect((await api.as('editor').delete(path)).status).toBe(204);
    expect((await remove(api, { path: `/api/saved-queries/${lost.id}` })).status).toBe(204);
    expect((await api.as('editor').post(`${path}/restore`, {})).status).toBe(200);
    expect(await remove(api, used.metric)).toMatchObject(usedBy(user));
    expect(await api.as('editor').post(`${path}/publish`, {})).toMatchObject({
      status: 409,
      body: { code: 'PUBLISH_GATE', reasons: [{ code: 'SAVED_QUERY_MISSING', cardId: 'lost' }] },
    });

    // The same for copies.
    const copy = await posted(api, `${path}/duplicate`, {});
    for (const name of ['metric', 'model', 'dataset', 'lost'])
      expect((await api.as('editor').delete(`${path}/cards/${name}`)).status).toBe(204);
    expect((await api.as('editor').post(`${path}/publish`, {})).status).toBe(200);
    expect(await remove(api, used.metric)).toMatchObject(usedBy({ ...user, id: copy.id, name: 'Copy of Sales' }));
    expect((await api.as('editor').delete(`/api/dashboards/${copy.id}`)).status).toBe(204);
    for (const each of [used.metric, used.model, used.dataset]) expect((await remove(api, each)).status).toBe(204);
  });

  it('is either deleted or shown by a card of the same moment, never both', async ({ api }) => {
    const { path } = await givenDashboard(api);
    for (let round = 0; round < 8; round += 1) {
      const { id } = await posted(api, '/api/saved-queries', { name: `q${round}`, sql: 'SELECT 1 AS a' });
      const [made, gone] = await Promise.all([
        api.as('editor').post(`${path}/cards`, card(`card-${round}`, { savedQueryId: id })),
        api.as('editor').delete(`/api/saved-queries/${id}`),
      ]);
      expect([
        [201, 409],
        [404, 204],
      ]).toContainEqual([made.status, gone.status]);
    }
  });
});

describe('publishing', () => {
  it('checks every card against the columns that exist now', async ({ api }) => {
    const used = await givenUsed(api);
    const { path } = await givenDashboard(api);
    await posted(api, `${path}/cards`, card('query', { savedQueryId: used.query.id }));
    for (const [kind, chartSpec] of Object.entries(used.charts)) {
      await posted(api, `${path}/cards`, card(kind, { chartSpec }));
    }
    expect((await api.as('editor').post(`${path}/publish`, {})).status).toBe(200);

    await givenDataset(api, { name: 'sales', sql: "SELECT 1 AS other, TIMESTAMPTZ '2024-01-01T00:00:00Z' AS sold" });
    const reply = await api.as('editor').post(`${path}/publish`, {});
    expect(reply).toMatchObject({ status: 409, body: { code: 'PUBLISH_GATE' } });
    expect(reply.body.reasons.map(({ code, cardId }: Record<string, string>) => `${cardId} ${code}`).sort()).toEqual([
      'dataset CHART_SPEC_INVALID',
      'metric CHART_SPEC_INVALID',
      'model CHART_SPEC_INVALID',
      'query SAVED_QUERY_INVALID',
    ]);
  });
});
