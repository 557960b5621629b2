import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { givenField, givenModel, givenRevenue, givenTable, posted } from '../../../support/given/model.ts';
import { givenWorld, type Ref, type World } from './world.ts';

interface Affected extends Ref {
  name: string;
  effect: string;
  columns: { id: string; name: string }[];
}

/** What the impact lists of other objects that would fail or get no new rows. */
async function brokenBy(api: Api, { type, id }: Ref, column?: string): Promise<Affected[]> {
  const query = column === undefined ? '' : `?column=${encodeURIComponent(column)}`;
  const { status, body } = await api.as('editor').get(`/api/catalog/impact/${type}/${id}${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.affected.filter((each: Affected) => each.id !== id && ['breaks', 'outdated'].includes(each.effect));
}

const named = ({ type, id, name }: Affected) => ({ type, id, name });

const pathOfField = async (api: Api, world: World, fieldId: string) => {
  const { items } = (await api.as('editor').get(`${world.modelPath}/fields?limit=100`)).body;
  const { tableId } = items.find(({ id }: Ref) => id === fieldId);
  return `${world.modelPath}/tables/${tableId}/fields/${fieldId}`;
};

describe('the removal of what is in use', () => {
  it('of a field or measure is rejected with its impact, unless it breaks nothing', async ({ api }) => {
    const world = await givenWorld(api);
    const editor = api.as('editor');
    const shop = world.refs.get('Shop')!;
    let rejected = 0;
    for (const [name, fieldId] of Object.entries(world.fields)) {
      const affected = await brokenBy(api, shop, fieldId);
      if (affected.length === 0) continue;
      rejected += 1;
      const path = await pathOfField(api, world, fieldId);
      const reply = await editor.delete(path);
      expect(reply, name).toMatchObject({
        status: 409,
        body: {
          code: 'REFERENCED',
          total: affected.length,
          impact: `/api/catalog/impact/model/${shop.id}?column=${fieldId}`,
        },
      });
      expect(reply.body.affected, name).toEqual(affected);
      expect(reply.body.referencedBy, name).toEqual(affected.map(named));
      expect(await pathOfField(api, world, fieldId)).toBe(path);
    }
    expect(rejected).toBeGreaterThan(8);
    // Only the owner sees links, so only the owner's list has them.
    const net = await pathOfField(api, world, world.fields.net);
    const types = async (actor: 'owner' | 'editor') =>
      (await api.as(actor).delete(net)).body.affected.map(({ type }: Ref) => type);
    expect(await types('editor')).not.toContain('share');
    expect(await types('owner')).toContain('share');
    expect((await api.as('stranger').delete(net)).status).toBe(404);

    for (const measure of ['revenue', 'share'] as const) {
      const id = world.measures[measure];
      const affected = await brokenBy(api, shop, id);
      const reply = await editor.delete(`${world.modelPath}/measures/${id}`);
      expect(reply, measure).toMatchObject({ status: 409, body: { code: 'REFERENCED', total: affected.length } });
      expect(reply.body.affected, measure).toEqual(affected);
      expect(reply.body.referencedBy).toEqual(expect.arrayContaining(affected.map(named)));
    }
    expect((await editor.delete(`${world.modelPath}/measures/${world.measures.labels}`)).status).toBe(204);

    expect((await editor.delete(`${net}?force=true`)).status).toBe(204);
    const card = await editor.post(`/api/dashboards/${world.board.id}/cards/net/data`, {});
    expect(card.status).toBeGreaterThanOrEqual(400);
    const blended = await editor.delete(`${world.tables.products.path}?force=true`);
    expect(blended).toMatchObject({ status: 409, body: { code: 'REFERENCED', referencedBy: [{ type: 'blend' }] } });
    const table = await editor.delete(world.tables.customers.path);
    expect(table).toMatchObject({ status: 409, body: { code: 'REFERENCED' } });
    expect(table.body.affected.map(({ name }: Affected) => name)).toContain('Board');
    expect((await editor.delete(`${world.tables.customers.path}?force=true`)).status).toBe(204);
    const whole = await editor.delete(world.modelPath);
    expect(whole).toMatchObject({
      status: 409,
      body: { code: 'REFERENCED', impact: `/api/catalog/impact/model/${shop.id}` },
    });
    expect(whole.body.affected).toEqual(await brokenBy(api, shop));
  });

  it('of columns of a dataset, and of what loads it, is rejected with its impact', async ({ api }) => {
    const world = await givenWorld(api);
    const editor = api.as('editor');
    const regions = world.refs.get('by_region')!;
    const margin = await brokenBy(api, regions, 'margin');
    expect(margin.map(({ name }) => name)).toEqual(['Board']);
    const path = `/api/datasets/${regions.id}`;
    const sql = 'SELECT region, COUNT(*) AS lines, MAX(day) AS last_day FROM order_lines GROUP BY region';
    const source = { kind: 'datasets', sql };
    const refused = await editor.patch(path, { source });
    expect(refused).toMatchObject({ status: 409, body: { code: 'REFERENCED', total: 1 } });
    expect(refused.body.affected).toEqual(margin);
    expect((await editor.get(path)).body.source.sql).toContain('margin');
    const more = { kind: 'datasets', sql: sql.replace('region,', 'region, SUM(margin) AS margin, 1 AS one,') };
    expect((await editor.patch(path, { source: more })).status).toBe(200);
    expect((await editor.patch(`${path}?force=true`, { source })).status).toBe(200);
    const deleted = await editor.delete(`/api/datasets/${world.refs.get('customers')!.id}`);
    expect(deleted).toMatchObject({ status: 409, body: { code: 'REFERENCED' } });
    expect(deleted.body.affected).toEqual(await brokenBy(api, world.refs.get('customers')!));

    const flow = world.refs.get('Flow')!;
    const pipeline = `/api/pipelines/${flow.id}`;
    await posted(api, '/api/saved-queries', { name: 'Heavy', sql: 'SELECT heavy FROM loaded', params: [] });
    const { dag } = (await editor.get(pipeline)).body;
    const withoutHeavy = {
      ...dag,
      steps: dag.steps.map((step: { id: string }) =>
        step.id === 'calc' ? { ...step, config: { sql: 'SELECT id FROM read WHERE NOT returned' } } : step,
      ),
    };
    const edited = await editor.patch(pipeline, { dag: withoutHeavy });
    expect(edited).toMatchObject({
      status: 409,
      body: { code: 'REFERENCED', affected: [{ name: 'Heavy', effect: 'breaks' }], total: 1 },
    });
    const lost = await brokenBy(api, flow, 'heavy');
    expect(edited.body.affected).toEqual(lost);
    expect((await editor.get(pipeline)).body.dag).toEqual(dag);
    expect((await editor.patch(`${pipeline}?force=true`, { dag: withoutHeavy })).status).toBe(200);

    const loaded = world.refs.get('loaded')!;
    const used = await editor.delete(pipeline);
    expect(used).toMatchObject({
      status: 409,
      body: { code: 'REFERENCED', impact: `/api/catalog/impact/pipeline/${flow.id}` },
    });
    const ofPipeline = (await brokenBy(api, flow)).filter(({ id }) => id !== loaded.id);
    expect(used.body.affected).toEqual(ofPipeline);
    expect(ofPipeline).toMatchObject([{ name: 'Heavy', effect: 'outdated' }]);
    expect((await api.as('stranger').delete(pipeline)).status).toBe(404);
    expect((await editor.delete(`${pipeline}?force=true`)).status).toBe(204);
  });

  it('protects what the caller does not see without naming it', async ({ api }) => {
    const { path, id: modelId } = await givenModel(api);
    const table = await givenTable(api, path, 'orders');
    const { id: fieldId } = await posted(api, `${table.path}/fields`, {
      ...{ name: 'secret part', fieldType: 'calculated', dataType: 'integer', expression: '1 + 1' },
    });
    const board = await posted(api, '/api/dashboards', { name: 'Hidden board' });
    await posted(api, `/api/dashboards/${board.id}/cards`, {
      ...{ id: 'hidden', title: 'hidden', cardType: 'table', position: { x: 0, y: 0, w: 4, h: 4 } },
      chartSpec: {
        ...{ version: 1, mark: { type: 'table' } },
        query: { source: { kind: 'model', id: modelId }, dimensions: [{ fieldId }] },
      },
    });
    const viewer = api.as('viewer');
    const me = (await viewer.get('/api/auth/me')).body.user.id;
    expect((await api.as('editor').put(`${path}/access/user/${me}`, { level: 'editor' })).status).toBe(200);
    const reply = await viewer.delete(`${table.path}/fields/${fieldId}`);
    expect(reply).toMatchObject({
      status: 409,
      body: { code: 'REFERENCED', referencedBy: [], affected: [], total: 0 },
    });
    expect(JSON.stringify(reply.body)).not.toContain(board.id);
    expect((await api.as('editor').delete(`${table.path}/fields/${fieldId}`)).body).toMatchObject({ total: 1 });
  });

  it('is found through the steps that prepare a table', async ({ api }) => {
    const { id: modelId, path, orders, amount, revenue } = await givenRevenue(api);
    const config = { conditions: [{ column: 'id', op: 'gt', value: 0 }], match: 'all' };
    const step = await api.as('editor').post(`${orders.path}/transforms`, { type: 'filter_rows', config });
    expect(step.status, JSON.stringify(step.body)).toBe(200);
    const timeFieldId = await givenField(api, orders.path, 'day', {
      ...{ dataType: 'date', expression: "DATE '2026-01-01'", fieldType: 'calculated' },
    });
    const metric = await posted(api, '/api/metrics', { name: 'Revenue', modelId, measureId: revenue, timeFieldId });
    const refused = await api.as('editor').delete(`${orders.path}/fields/${amount}`);
    expect(refused).toMatchObject({ status: 409, body: { code: 'REFERENCED' } });
    expect(refused.body.affected).toEqual(await brokenBy(api, { type: 'model', id: modelId }, amount));
    expect(refused.body.affected.map(({ id }: Ref) => id)).toContain(metric.id);
    expect((await api.as('editor').get(`${path}/fields`)).body.items).toHaveLength(2);
  });
});
