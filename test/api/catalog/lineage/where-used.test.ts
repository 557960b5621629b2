import { describe, expect } from 'vitest';
import { type Caller, it } from '../../../support/api.ts';
import { givenDashboard, POSITION } from '../../../support/given/dashboard.ts';
import { givenMetric, givenSalesModel } from '../../../support/given/metric.ts';
import { posted } from '../../../support/given/model.ts';

interface Node {
  type: string;
  name: string;
  distance: number;
}

/** What the path in the reply lists, nearest first. */
async function usersOf(caller: Caller, path: string): Promise<string[]> {
  const { body } = await caller.get(path);
  const reply = await caller.get(body.whereUsed);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return (reply.body.nodes as Node[]).filter(({ distance }) => distance > 0).map(({ type, name }) => `${type} ${name}`);
}

describe('models and metrics', () => {
  it('lead to the objects that use them, as far as the caller sees them', async ({ api }) => {
    const { modelId, definition } = await givenSalesModel(api);
    const metric = await givenMetric(api, definition);
    const paths = { model: `/api/models/${modelId}`, metric: `/api/metrics/${metric.id}` };
    const nameOf = async (path: string) => (await api.as('viewer').get(path)).body.name;
    const metricNode = `metric ${await nameOf(paths.metric)}`;
    expect(await usersOf(api.as('viewer'), paths.metric)).toEqual([]);
    const board = await givenDashboard(api, { name: 'Board' });
    await posted(api, `${board.path}/cards`, {
      ...{ id: 'metric', cardType: 'table', position: POSITION },
      chartSpec: { version: 1, mark: { type: 'table' }, query: { source: { kind: 'metric', id: metric.id } } },
    });

    expect(await usersOf(api.as('editor'), paths.metric)).toEqual(['dashboard Board']);
    expect(await usersOf(api.as('editor'), paths.model)).toEqual([metricNode, 'dashboard Board']);
    const { whereUsed } = (await api.as('editor').get(paths.model)).body;
    expect(await api.as('stranger').get(whereUsed)).toMatchObject({
      status: 404,
      body: { code: 'LINEAGE_OBJECT_NOT_FOUND' },
    });
    // Viewers see dashboards once they are published.
    expect(await usersOf(api.as('viewer'), paths.model)).toEqual([metricNode]);
    expect((await api.as('editor').post(`${board.path}/publish`, {})).status).toBe(200);
    expect(await usersOf(api.as('viewer'), paths.metric)).toEqual(['dashboard Board']);
  });
});
