import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { type Actor, type Api, it, itWithOwnCompany } from '../../../support/api.ts';
import { givenAlert, givenLoad, onLoad } from '../../../support/given/alerts.ts';
import { givenBlend, givenShopAndDesk } from '../../../support/given/blend.ts';
import { givenDashboard } from '../../../support/given/dashboard.ts';
import { type GivenMember, givenMember } from '../../../support/given/member.ts';
import { givenMetric, givenSalesModel } from '../../../support/given/metric.ts';
import { changeCompany } from '../../../support/operator.ts';

interface Found {
  items: { type: string; name: string; id: string }[];
  total: number;
  facets: { type: Record<string, number> };
  suggestion: string | null;
}

async function search(api: Api, actor: Actor | { token: string }, query: string): Promise<Found> {
  const reply = await api.as(actor).get(`/api/search?${query}`);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body;
}

const names = ({ items }: Pick<Found, 'items'>) => items.map(({ name }) => name);
const suggested = async (api: Api, actor: Actor, q: string) =>
  names((await api.as(actor).get(`/api/search/suggest?q=${q}`)).body);
/** A person may search sixty times a minute, also a test. */
const SOON = { timeout: 60_000, interval: 500 };
const WITHIN_FIVE_SECONDS = { timeout: 5_000, interval: 500 };
const NOTHING = { items: [], total: 0, facets: { type: {} }, suggestion: null };
const dag = { version: 1, steps: [{ id: 'a', type: 'transform_sql', config: { sql: 'SELECT 1 AS a' } }] };

describe('search', () => {
  it('finds each kind of object by its name, and objects by their descriptions', async ({ api }) => {
    const owner = api.as('owner');
    const made = async (path: string, body: object) => {
      const reply = await owner.post(path, body);
      expect(reply.status, `${path} ${JSON.stringify(reply.body)}`).toBeLessThan(300);
      return reply.body.id as string;
    };
    const { definition } = await givenSalesModel(api);
    const ids = {
      metric: (await givenMetric(api, { ...definition, name: 'Zephyr metric' })).id,
      dashboard: (await givenDashboard(api, { name: 'Zephyr dashboard', description: 'Wind by the hour' })).id,
      report: await made('/api/reports', { name: 'Zephyr report' }),
      story: await made('/api/stories', { title: 'Zephyr story' }),
      model: await made('/api/models', { name: 'Zephyr model', sourceId: 'datasets' }),
      saved_query: await made('/api/saved-queries', { name: 'Zephyr query', sql: "SELECT 'secretliteral'" }),
      dataset: await made('/api/datasets', { name: 'zephyr_dataset' }),
      data_source: await made('/api/data-sources', { name: 'Zephyr source', type: 'file' }),
      pipeline: await made('/api/pipelines', { name: 'Zephyr pipeline', dag }),
      quality_test: await made('/api/data-quality/tests', {
        ...{ name: 'Zephyr test', testType: 'row_count', targetType: 'source_table', tableName: 'zephyr_dataset' },
        config: { min: 1 },
      }),
      alert: (await givenAlert(api, { name: 'Zephyr alert', condition: onLoad((await givenLoad(api)).queryId) })).id,
    };
    await expect
      .poll(async () => (await search(api, 'owner', 'q=zephyr')).facets.type, SOON)
      .toEqual(Object.fromEntries(Object.keys(ids).map((type) => [type, 1])));
    const found = await search(api, 'owner', 'q=zephyr&limit=50');
    expect(Object.fromEntries(found.items.map(({ type, id }) => [type, id]))).toEqual(ids);
    expect(found.total).toBe(Object.keys(ids).length);

    const page = await search(api, 'owner', 'q=zephyr&limit=4&offset=9');
    expect(page).toMatchObject({ total: found.total, items: found.items.slice(9) });
    expect(await search(api, 'owner', 'q=zephyr&type=story')).toMatchObject({
      total: 1,
      items: [{ id: ids.story, url: `/api/stories/${ids.story}` }],
      facets: found.facets,
    });
    expect(await search(api, 'owner', 'q=zephyr&certified=true')).toMatchObject({ items: [], total: 0 });

    expect((await api.as('owner').get('/api/search?q=wind%20hour')).body).toMatchObject({
      items: [
        {
          ...{ id: ids.dashboard, matchedOn: ['description'], parent: null, isCertified: false },
          snippet: {
            text: 'Wind by the hour',
            marks: [
              [0, 4],
              [12, 16],
            ],
          },
        },
      ],
      matching: 'all',
    });
    expect((await search(api, 'owner', 'q=zephir%20dashbord')).suggestion).toBe('zephyr dashboard');
    expect(await search(api, 'owner', 'q=secretliteral')).toMatchObject({ items: [], total: 0 });
    expect(await suggested(api, 'owner', 'zephyr%20da')).toContain('Zephyr dashboard');
    for (const query of ['', 'q=%20', 'q=a&type=person', 'q=a&limit=51'])
      expect((await api.as('owner').get(`/api/search?${query}`)).status, query).toBe(400);
  });

  it('finds the visible fields of models, and none that is hidden or has a label', async ({ api }) => {
    const { path, modelId, table, fields } = await givenSalesModel(api);
    const found = (name: string) => search(api, 'viewer', `q=${name}`);
    await expect
      .poll(() => found('region'), SOON)
      .toMatchObject({
        items: [{ id: fields.region, parent: { type: 'model', id: modelId }, url: path }, { type: 'dataset' }],
        total: 2,
      });
    expect((await found('sales.amount')).items[0]).toMatchObject({ id: fields.amount, matchedOn: ['aliases'] });
    for (const [name, change] of [
      ['region', { sensitivityLabel: 'pii' }],
      ['day', { isHidden: true }],
    ] as const) {
      const changed = await api.as('owner').put(`${path}/tables/${table.id}/fields/${fields[name]}`, change);
      expect(changed.status, JSON.stringify(changed.body)).toBe(200);
      await expect.poll(() => found(name), SOON).toMatchObject(NOTHING);
    }
  });

  it('shows what the caller may read and nothing else: no item, total, facet or suggestion', async ({ api }) => {
    await api.joinAll();
    const owner = api.as('owner');
    const { id, path } = await givenDashboard(api, { name: 'Quokka acquisition' });
    const story = (await owner.post('/api/stories', { title: 'Quokka story' })).body.id;
    await owner.post('/api/reports', { name: 'Quokka report' });
    await owner.post('/api/data-sources', { name: 'Quokka source', type: 'file' });
    const { queryId } = await givenLoad(api);
    await givenAlert(api, { name: 'Quokka alert', condition: onLoad(queryId) });
    await expect.poll(async () => (await search(api, 'editor', 'q=quokka')).total, SOON).toBe(5);

    // Names with random parts may have one of an id.
    for (const actor of ['viewer', 'stranger'] as const)
      expect(JSON.stringify((await search(api, actor, `q=${id}`)).items)).not.toContain(id);
    for (const query of ['q=quokka', 'q=quoka', 'q=Quokka%20acquisition'])
      for (const actor of ['viewer', 'stranger'] as const) {
        expect(await search(api, actor, query), `${actor} ${query}`).toMatchObject(NOTHING);
        expect(await suggested(api, actor, 'quok')).toEqual([]);
      }

    const { userId } = (await owner.get('/api/workspaces/members')).body.items.find(
      ({ role }: { role: string }) => role === 'viewer',
    );
    const granted = await owner.put(`/api/stories/${story}/access/user/${userId}`, { permission: 'viewer' });
    expect(granted.status, JSON.stringify(granted.body)).toBeLessThan(300);
    expect(await search(api, 'viewer', 'q=quokka')).toMatchObject({
      items: [{ id: story, name: 'Quokka story' }],
      total: 1,
      facets: { type: { story: 1 } },
    });

    // Readers of the published version neither see nor find the name of the draft.
    expect((await owner.post(`${path}/publish`, {})).status).toBeLessThan(300);
    const renamed = await owner.put(path, { name: 'Wombat acquisition' });
    expect(renamed.status, JSON.stringify(renamed.body)).toBe(200);
    await expect
      .poll(async () => names(await search(api, 'viewer', 'q=acquisition')), SOON)
      .toEqual(['Quokka acquisition']);
    await expect
      .poll(async () => names(await search(api, 'editor', 'q=acquisition')), SOON)
      .toEqual(['Wombat acquisition']);
    expect(await search(api, 'viewer', 'q=wombat')).toMatchObject(NOTHING);
    expect((await api.as('anonymous').get('/api/search?q=quokka')).status).toBe(401);
  });

  it('finds blends for members of the workspace alone, and until they are deleted', async ({ api }) => {
    const { body } = await givenShopAndDesk(api);
    const { id, path } = await givenBlend(api, { ...body, name: 'Kakapo blend', description: 'Cases by customer' });
    const hit = { type: 'blend', id, name: 'Kakapo blend', url: path };
    for (const query of ['q=kakapo', 'q=kakapo&type=blend'])
      await expect.poll(() => search(api, 'viewer', query), SOON).toMatchObject({ items: [hit], total: 1 });
    expect((await search(api, 'viewer', 'q=cases%20customer&type=blend')).items).toMatchObject([{ id }]);
    expect(await search(api, 'stranger', 'q=kakapo')).toMatchObject(NOTHING);
    expect(await suggested(api, 'stranger', 'kak')).toEqual([]);
    expect(await suggested(api, 'viewer', 'kak')).toEqual(['Kakapo blend']);
    expect((await api.as('editor').delete(path)).status).toBeLessThan(300);
    await expect.poll(() => search(api, 'viewer', 'q=kakapo'), SOON).toMatchObject(NOTHING);
  });

  it('finds alerts for those whom they name, also by a group or because they follow them', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const people = await Promise.all([1, 2, 3, 4].map(() => givenMember(api)));
    const [named, grouped, follower, other] = people as [GivenMember, GivenMember, GivenMember, GivenMember];
    const group = (await api.as('owner').post('/api/groups', { name: 'On call' })).body;
    const joined = await api.as('owner').put(`/api/groups/${group.id}/members/${grouped.userId}`);
    expect(joined.status, JSON.stringify(joined.body)).toBeLessThan(300);
    const condition = onLoad(queryId);
    const inApp = { userIds: [named.userId, follower.userId], groupIds: [group.id] };
    const alert = await givenAlert(api, { name: 'Dugong alert', condition, channels: { inApp } });
    const silent = await givenAlert(api, {
      name: 'Dugong of others',
      condition,
      channels: { inApp: { followers: false } },
    });
    expect((await api.as(follower).put(`${alert.path}/follow`)).status).toBe(200);
    // The choice to follow counts without the name.
    const others = { inApp: { userIds: [named.userId], groupIds: [group.id] } };
    expect((await api.as('editor').put(alert.path, { channels: others })).status).toBe(200);
    const found = async (who: { token: string }) => names(await search(api, who, 'q=dugong'));
    for (const person of [named, grouped, follower])
      await expect.poll(() => found(person), SOON).toEqual(['Dugong alert']);
    expect(await found(other)).toEqual([]);
    expect((await search(api, 'editor', 'q=dugong')).items.map(({ id }) => id).sort()).toEqual(
      [alert.id, silent.id].sort(),
    );
  });

  itWithOwnCompany('leaves no trace of a product that is turned off', async ({ api }) => {
    const owner = api.as('owner');
    await owner.post('/api/datasets', { name: 'tapirs' });
    await owner.post('/api/saved-queries', { name: 'Tapirs by day', sql: 'SELECT 1 AS a' });
    await owner.post('/api/pipelines', { name: 'Tapir pipeline', dag });
    await owner.post('/api/reports', { name: 'Tapir report' });
    const types = async () => (await search(api, 'owner', 'q=tapir')).facets.type;
    await expect.poll(types, SOON).toEqual({ dataset: 1, saved_query: 1, pipeline: 1, report: 1 });
    for (const product of ['warehouse', 'pipelines'] as const)
      await changeCompany(api, { change: 'switch', product, on: false });
    await expect.poll(types, SOON).toEqual({ report: 1 });
    expect(await search(api, 'owner', 'q=tapir')).toMatchObject({ total: 1, items: [{ type: 'report' }], omitted: [] });
    expect(await search(api, 'owner', 'q=tapirs%20by%20day&type=saved_query')).toMatchObject({ items: [], total: 0 });
    expect((await search(api, 'owner', 'q=tapirz%20pipelin')).suggestion ?? '').not.toMatch(/pipeline|day/);
    expect(await suggested(api, 'owner', 'tapir')).toEqual(['Tapir report']);
  });

  it('finds new names within five seconds, and no longer the old ones or what was deleted', async ({ api }) => {
    const owner = api.as('owner');
    const { id } = (await owner.post('/api/datasets', { name: 'narwhals' })).body;

    await expect
      .poll(async () => names(await search(api, 'owner', 'q=narwhals')), WITHIN_FIVE_SECONDS)
      .toEqual(['narwhals']);
    expect((await owner.patch(`/api/datasets/${id}`, { name: 'belugas' })).status).toBe(200);
    await expect
      .poll(async () => names(await search(api, 'owner', 'q=belugas')), WITHIN_FIVE_SECONDS)
      .toEqual(['belugas']);
    expect(await search(api, 'owner', 'q=narwhals')).toMatchObject(NOTHING);
    expect((await owner.delete(`/api/datasets/${id}`)).status).toBeLessThan(300);
    await expect.poll(async () => search(api, 'owner', 'q=belugas'), WITHIN_FIVE_SECONDS).toMatchObject(NOTHING);
  });

  it('names the kinds of which there are too many, and searches the others', async ({ api }) => {
    await api.as('owner').post('/api/reports', { name: 'Okapi report' });
    const total = { pk: `W#${api.workspaceId}#DATASET`, sk: '#TOTAL' };
    await api.table.db.send(new UpdateCommand(updateOf(api.table, total, { set: { count: 5001 } })));
    await expect
      .poll(async () => search(api, 'owner', 'q=okapi'), SOON)
      .toMatchObject({ total: 1, omitted: ['dataset'] });
  });

  it('lets a person search sixty times a minute', async ({ api }) => {
    const me = (await api.as('owner').get('/api/auth/me')).body.user.id;
    // The minute may end in between.
    const minutes = [Date.now(), Date.now() + 60_000].map((at) => new Date(at).toISOString().slice(0, 16));
    for (const [what, path, count] of [
      ['search', '/api/search', 60],
      ['suggest', '/api/search/suggest', 300],
    ] as const) {
      expect((await api.as('owner').get(`${path}?q=a`)).status).toBe(200);
      for (const minute of minutes) {
        const key = { pk: `W#${api.workspaceId}#SEARCHES`, sk: `${me}#${what}#${minute}` };
        await api.table.db.send(new UpdateCommand(updateOf(api.table, key, { set: { count } })));
      }
      const often = await api.as('owner').get(`${path}?q=a`);
      expect(often).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
      expect(Number(often.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await api.as('editor').get('/api/search?q=a')).status).toBe(200);
  });
});
