import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { certifications } from '../../../../shared/domains/tenancy/certifications/index.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { type Actor, type Api, it } from '../../../support/api.ts';
import { givenDashboard, textCard } from '../../../support/given/dashboard.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenMember } from '../../../support/given/member.ts';
import { givenMetric, givenSalesModel } from '../../../support/given/metric.ts';
import { givenField, givenModel, givenTable, posted } from '../../../support/given/model.ts';
import { givenTerm } from '../../../support/given/terms.ts';

const ASSETS = '/api/catalog/assets';
const UNKNOWN = '019b2c4e-0a10-7c3e-9d55-1f7a2b3c4d01';
const refused = (status: number, code: string) => ({ status, body: { code } });
const entryOf = (type: string, id: string) => `${ASSETS}/${type}/${id}/catalog`;

interface Listed {
  total: number;
  names: string[];
}

async function listed(api: Api, query = '', actor: Actor | { token: string } = 'viewer'): Promise<Listed> {
  const { status, body } = await api.as(actor).get(`${ASSETS}?sort=name&${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return { total: body.total, names: body.items.map(({ name }: { name: string }) => name) };
}

const listOf = (...names: string[]) => ({ total: names.length, names });

async function tagsOf(api: Api, actor: Actor = 'viewer', query = ''): Promise<string[]> {
  const { items } = (await api.as(actor).get(`/api/catalog/tags?${query}`)).body;
  return items.map(({ tag, count }: { tag: string; count: number }) => `${tag} ${count}`);
}

const set = async (api: Api, type: string, id: string, entry: object, actor: Actor = 'editor') => {
  const reply = await api.as(actor).put(entryOf(type, id), entry);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body;
};

/** A model, a metric, a published dashboard and a hidden one, a pipeline and a term. */
async function givenAssets(api: Api) {
  const { definition, modelId } = await givenSalesModel(api, 'Orders');
  const metric = await givenMetric(api, { ...definition, name: 'Turnover', description: 'Money' });
  const open = await givenDashboard(api, { name: 'Board' });
  await posted(api, `${open.path}/cards`, textCard('a'));
  expect((await api.as('editor').post(`${open.path}/publish`, {})).status).toBe(200);
  const hidden = await givenDashboard(api, { name: 'Secret layoffs' });
  const steps = [{ id: 'a', type: 'transform_sql', config: { sql: 'SELECT 1 AS a' } }];
  const pipeline = await posted(api, '/api/pipelines', { name: 'Nightly', dag: { version: 1, steps } });
  const term = await givenTerm(api, 'Churn', { tags: ['Money'] });
  return { modelId, metric, open, hidden, pipeline, term };
}

describe('assets', () => {
  it('have owners, a domain and tags, by which they are listed', async ({ api }) => {
    const { modelId, metric, open, hidden, term } = await givenAssets(api);
    const owner = api.as('owner');
    const colleague = await givenMember(api, 'viewer');
    const domain = async (body: object) => (await owner.post('/api/catalog/domains', body)).body.id;
    const sales = await domain({ name: 'Sales' });
    const retail = await domain({ name: 'Retail', parentId: sales });

    const shown = await set(api, 'metric', metric.id, {
      ...{ ownerIds: [colleague.userId], domainId: retail, tags: ['Money', ' MONEY', 'Ünique'] },
    });
    expect(shown).toMatchObject({
      ...{ type: 'metric', name: 'Turnover', description: 'Money', ownerIds: [colleague.userId], domainId: retail },
      ...{ tags: ['money', 'ünique'], isCertified: false, deprecation: null },
      usage: { views30d: 0, queries30d: 0, viewers30d: 0, lastUsedAt: null, trend: 'steady' },
    });
    // Omitted fields keep their values.
    await set(api, 'metric', metric.id, { tags: ['money', 'kpi'] });
    expect((await api.as('viewer').get(`${ASSETS}/metric/${metric.id}`)).body).toMatchObject({
      ...{ ownerIds: [colleague.userId], domainId: retail, tags: ['money', 'kpi'] },
    });
    await set(api, 'model', modelId, { domainId: sales });
    await set(api, 'dashboard', hidden.id, { tags: ['layoffs', 'money'], domainId: sales });
    await set(api, 'term', term.id, { domainId: sales });

    expect(await listed(api)).toEqual(listOf('Board', 'Churn', 'Nightly', 'Orders', 'sales', 'Turnover'));
    const all = await listed(api, '', 'editor');
    expect(all).toEqual(listOf('Board', 'Churn', 'Nightly', 'Orders', 'sales', 'Secret layoffs', 'Turnover'));
    expect(await listed(api, `domainId=${sales}`)).toEqual(listOf('Churn', 'Orders', 'Turnover'));
    expect(await listed(api, `domainId=${sales}`, 'editor')).toEqual(
      listOf('Churn', 'Orders', 'Secret layoffs', 'Turnover'),
    );
    expect(await listed(api, `domainId=${retail}`)).toEqual(listOf('Turnover'));
    expect(await listed(api, `domainId=${UNKNOWN}`)).toEqual(listOf());
    expect(await listed(api, 'tag=MONEY')).toEqual(listOf('Churn', 'Turnover'));
    expect(await listed(api, 'tag=layoffs')).toEqual(listOf());
    expect(await listed(api, `ownerId=${colleague.userId}`)).toEqual(listOf('Turnover'));
    expect(await listed(api, 'type=dashboard')).toEqual(listOf('Board'));
    expect(await listed(api, 'search=turn')).toEqual(listOf('Turnover'));
    expect((await api.as('viewer').get(`${ASSETS}?sort=name&limit=1&offset=1`)).body).toMatchObject({
      ...{ total: 6, limit: 1, offset: 1 },
      items: [{ name: 'Churn' }],
    });

    await owner.put(`/api/catalog/certifications/metric/${metric.id}`, { status: 'certified' });
    await owner.put(`/api/catalog/certifications/dashboard/${open.id}`, { status: 'deprecated', note: 'Old' });
    expect(await listed(api, 'certified=true')).toEqual(listOf('Turnover'));
    expect(await listed(api, 'deprecated=true')).toEqual(listOf('Board'));
    expect(await listed(api, 'deprecated=false&type=metric')).toEqual(listOf('Turnover'));
    await api.as('editor').put(`${term.path}/links/metric/${metric.id}`, { role: 'measuredBy' });
    expect(await listed(api, `termId=${term.id}`)).toEqual(listOf('Turnover'));
    // What is set beside a certification leaves it.
    await set(api, 'metric', metric.id, { tags: ['money'] });
    expect((await api.as('viewer').get(metric.path)).body.isCertified).toBe(true);

    // An empty list stands for whose object it is; a deleted domain is none.
    const again = await set(api, 'metric', metric.id, { ownerIds: [] });
    expect(again.ownerIds).toEqual([(await api.as('editor').get('/api/auth/me')).body.user.id]);
    expect((await owner.delete(`/api/catalog/domains/${retail}`)).status).toBe(204);
    expect((await api.as('viewer').get(`${ASSETS}/metric/${metric.id}`)).body.domainId).toBeNull();
    expect(await listed(api, `domainId=${retail}`)).toEqual(listOf());
    const audited = (await owner.get('/api/audit-log?action=asset.updated')).body.items;
    expect(audited.map(({ object }: { object: { name: string } }) => object.name)).toContain('Turnover');
  });

  it('that the reader may not see are neither listed, counted nor found by their tags', async ({ api }) => {
    const { hidden, metric, pipeline } = await givenAssets(api);
    await set(api, 'dashboard', hidden.id, { tags: ['layoffs', 'money'] });
    await set(api, 'metric', metric.id, { tags: ['money'] });
    await set(api, 'pipeline', pipeline.id, { tags: ['ops'] });
    expect(await tagsOf(api, 'editor')).toEqual(['money 3', 'layoffs 1', 'ops 1']);
    expect(await tagsOf(api)).toEqual(['money 2', 'ops 1']);
    expect(await tagsOf(api, 'viewer', 'search=LAY')).toEqual([]);
    expect(await tagsOf(api, 'editor', 'search=LAY')).toEqual(['layoffs 1']);
    expect(await api.as('viewer').get(`${ASSETS}/dashboard/${hidden.id}`)).toMatchObject(
      refused(404, 'ASSET_NOT_FOUND'),
    );
    // A stranger has a catalog of their own.
    expect(await listed(api, '', 'stranger')).toEqual(listOf());
    expect(await tagsOf(api, 'stranger')).toEqual([]);
    const calls = [
      api.as('stranger').get(`${ASSETS}/metric/${metric.id}`),
      api.as('stranger').put(entryOf('metric', metric.id), { tags: [] }),
      api.as('editor').get(`${ASSETS}/metric/${UNKNOWN}`),
      api.as('editor').put(entryOf('metric', UNKNOWN), { tags: [] }),
    ];
    for (const reply of calls) expect(await reply).toMatchObject(refused(404, 'ASSET_NOT_FOUND'));
    expect(await api.as('viewer').put(entryOf('metric', metric.id), { tags: [] })).toMatchObject(
      refused(403, 'FORBIDDEN'),
    );
    // Once it is granted, it is there.
    const me = (await api.as('viewer').get('/api/auth/me')).body.user.id;
    const granted = await api.as('owner').put(`${hidden.path}/access/user/${me}`, { permission: 'viewer' });
    expect(granted.status, JSON.stringify(granted.body)).toBeLessThan(300);
    expect((await listed(api)).names).toContain('Secret layoffs');
    expect(await tagsOf(api)).toEqual(['money 3', 'layoffs 1', 'ops 1']);
  });

  it('are listed only while they are not too many of a kind, and then one by one', async ({ api }) => {
    const { metric } = await givenAssets(api);
    const total = { pk: `W#${api.workspaceId}#METRIC`, sk: '#TOTAL' };
    await api.table.db.send(new UpdateCommand(updateOf(api.table, total, { set: { count: 5001 } })));
    for (const path of [ASSETS, `${ASSETS}?type=metric`, '/api/catalog/tags'])
      expect(await api.as('viewer').get(path)).toMatchObject(refused(400, 'LIST_TOO_LARGE'));
    expect((await listed(api, 'type=dashboard')).total).toBe(1);
    expect((await api.as('viewer').get(`${ASSETS}/metric/${metric.id}`)).body.name).toBe('Turnover');
  });

  it('refuse owners who are not members, domains that do not exist, and what belongs to a term', async ({ api }) => {
    const { metric, term } = await givenAssets(api);
    const pointers = async (type: string, id: string, entry: object) => {
      const { status, body } = await api.as('editor').put(entryOf(type, id), entry);
      return [status, ...(body.errors ?? []).map(({ pointer }: { pointer: string }) => pointer)];
    };
    expect(await pointers('metric', metric.id, { ownerIds: [UNKNOWN], domainId: UNKNOWN, tags: ['a'] })).toEqual([
      ...[400, '/ownerIds/0', '/domainId'],
    ]);
    expect(await pointers('term', term.id, { tags: ['a'], domainId: null })).toEqual([400, '/tags']);
    expect(await tagsOf(api)).toEqual(['money 1']);
  });

  it('keep what is set at the same time, and lose it with the object', async ({ api }) => {
    const { metric } = await givenAssets(api);
    const replies = await Promise.all([
      api.as('editor').put(entryOf('metric', metric.id), { tags: ['money'] }),
      api.as('editor').put(entryOf('metric', metric.id), { domainId: null }),
      api.as('owner').put(`/api/catalog/certifications/metric/${metric.id}`, { status: 'certified' }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await api.as('viewer').get(`${ASSETS}/metric/${metric.id}`)).body).toMatchObject({
      ...{ tags: ['money'], isCertified: true },
    });
    expect((await api.as('editor').delete(metric.path)).status).toBeLessThan(300);
    expect(await tagsOf(api)).toEqual(['money 1']);
    const place = { workspaceId: api.workspaceId, type: 'metric', id: metric.id } as const;
    await expect
      .poll(() => certifications(api.table).read(place), { timeout: 90_000, interval: 1_000 })
      .toBeUndefined();
  });

  it('count the people who use them, each once a day, and never say who', async ({ api }) => {
    const { open, metric } = await givenAssets(api);
    const path = `${ASSETS}/dashboard/${open.id}`;
    const person = await givenMember(api, 'viewer');
    const readers = [api.as('viewer'), api.as('viewer'), api.as(person), api.as('viewer')];
    for (const reader of readers) expect((await reader.get(open.path)).status).toBe(200);
    const usage = async () => (await api.as('viewer').get(path)).body.usage;
    expect(await usage()).toMatchObject({ views30d: 2, viewers30d: 2, lastUsedAt: expect.any(String) });
    // Keys are programs, not people; and a refused request uses nothing.
    const key = (await api.as('owner').post('/api/api-keys', { name: 'k', scope: 'read' })).body.key;
    expect((await api.as({ token: key }).get(open.path)).status).toBe(200);
    expect((await api.as('stranger').get(open.path)).status).toBe(404);
    expect(await usage()).toMatchObject({ views30d: 2, viewers30d: 2 });

    expect((await api.as('viewer').get(`${metric.path}/value`)).status).toBe(200);
    expect((await api.as('viewer').get(`${ASSETS}/metric/${metric.id}`)).body.usage).toMatchObject({
      ...{ views30d: 1, queries30d: 1 },
    });
    const { items } = (await api.as('viewer').get(`${ASSETS}?limit=2`)).body;
    expect(items.map(({ name, usage: { views30d } }: (typeof items)[number]) => [name, views30d])).toEqual([
      ['Board', 2],
      ['Turnover', 1],
    ]);
    // Neither replies nor what is stored of uses name a person.
    const me = (await api.as('viewer').get('/api/auth/me')).body.user;
    const stored = await Promise.all(
      [`USES-OF-OBJECTS`, `USERS-OF-OBJECT#dashboard#${open.id}`].map((area) =>
        api.table.db.send(
          new QueryCommand({
            TableName: api.table.name,
            KeyConditionExpression: 'pk = :pk',
            ExpressionAttributeValues: { ':pk': `W#${api.workspaceId}#${area}` },
          }),
        ),
      ),
    );
    expect(stored.map(({ Items }) => Items!.length)).toEqual([2, 2]);
    const all = JSON.stringify([stored.map(({ Items }) => Items), items, (await api.as('owner').get(path)).body.usage]);
    for (const word of [me.id, me.email, person.userId, person.email]) expect(all).not.toContain(word);
  });

  it('count queries of datasets by SQL, apart from those who only look', async ({ api }) => {
    const dataset = await givenDataset(api, { name: 'orders', sql: 'SELECT 1 AS id' });
    const other = await givenDataset(api, { name: 'customers', sql: 'SELECT 1 AS id' });
    const usage = async ({ id }: { id: string }) => (await api.as('viewer').get(`${ASSETS}/dataset/${id}`)).body.usage;
    expect((await api.as('viewer').get(`/api/datasets/${dataset.id}`)).status).toBe(200);
    expect(await usage(dataset)).toMatchObject({ views30d: 1, queries30d: 0, viewers30d: 1 });
    const query = (token: { token: string } | Actor, sql: string) => api.as(token).post('/api/query', { sql });
    for (let times = 0; times < 2; times += 1)
      expect((await query('editor', 'SELECT id FROM orders')).status).toBe(200);
    expect((await query('editor', 'SELECT nope FROM customers')).status).toBe(400);
    expect(await usage(dataset)).toMatchObject({ views30d: 2, queries30d: 1, viewers30d: 2 });
    expect(await usage(other)).toMatchObject({ views30d: 0, queries30d: 0 });
    const saved = await posted(api, '/api/saved-queries', { name: 'All', sql: 'SELECT * FROM customers' });
    expect((await api.as('viewer').post(`/api/saved-queries/${saved.id}/run`, {})).status).toBe(200);
    expect(await usage(other)).toMatchObject({ views30d: 1, queries30d: 1, viewers30d: 1 });
    const ofQuery = (await api.as('viewer').get(`${ASSETS}/saved-query/${saved.id}`)).body.usage;
    expect(ofQuery).toMatchObject({ views30d: 1, queries30d: 1 });
    const key = (await api.as('owner').post('/api/api-keys', { name: 'k', scope: 'read/write' })).body.key;
    expect((await query({ token: key }, 'SELECT id FROM customers')).status).toBe(200);
    expect(await usage(other)).toMatchObject({ queries30d: 1 });
  });

  it('have terms, visible fields, a quality score and freshness', async ({ api }) => {
    const dataset = await givenDataset(api, { name: 'people', sql: "SELECT 1 AS id, 'x' AS salary" });
    const { path: model, id: modelId } = await givenModel(api);
    const table = await givenTable(api, model, 'people');
    await givenField(api, table.path, 'id', { dataType: 'integer' });
    await givenField(api, table.path, 'hidden', { sourceColumn: 'id', isHidden: true });
    const details = async (type: string, id: string, actor: Actor = 'viewer') =>
      (await api.as(actor).get(`${ASSETS}/${type}/${id}`)).body;
    expect(await details('dataset', dataset.id)).toMatchObject({
      terms: [],
      fields: [
        { id: 'id', name: 'id', dataType: 'integer' },
        { id: 'salary', name: 'salary', dataType: 'string' },
      ],
      ...{ qualityScore: null, freshness: { status: 'unknown', lastLoadedAt: expect.any(String) } },
    });
    const [term, gone] = [await givenTerm(api, 'Employee'), await givenTerm(api, 'Worker')];
    for (const each of [term, gone])
      expect((await api.as('editor').put(`${each.path}/links/dataset/${dataset.id}`, { role: 'means' })).status).toBe(
        200,
      );
    const linked = { id: term.id, name: 'Employee', status: 'draft', role: 'means' };
    expect((await details('dataset', dataset.id)).terms).toMatchObject([linked, { name: 'Worker' }]);
    expect((await api.as('editor').delete(`${gone.path}?detach=true`)).status).toBe(200);
    expect((await details('dataset', dataset.id)).terms).toEqual([linked]);
    expect((await api.as('editor').put(`${term.path}/links/dataset/${dataset.id}`, { role: 'about' })).status).toBe(
      200,
    );
    expect((await details('dataset', dataset.id)).terms).toEqual([{ ...linked, role: 'about' }]);
    await api.as('editor').delete(`${term.path}/links/dataset/${dataset.id}`);
    expect((await details('dataset', dataset.id)).terms).toEqual([]);

    const test = await posted(api, '/api/data-quality/tests', {
      ...{ name: 'ids', testType: 'not_null', targetType: 'source_table', tableName: 'people', columnName: 'id' },
    });
    expect((await api.as('editor').post(`/api/data-quality/tests/${test.id}/run`, {})).status).toBeLessThan(300);
    await expect
      .poll(async () => (await details('dataset', dataset.id)).qualityScore, { timeout: 60_000, interval: 500 })
      .toBe(100);
    expect(await details('model', modelId)).toMatchObject({
      ...{ qualityScore: 100, freshness: { status: 'unknown' } },
      fields: [{ name: 'people.id', dataType: 'integer' }],
    });
    // A column that policies hide from the reader is no field for them.
    const salary = await givenField(api, table.path, 'salary', {});
    expect((await api.as('owner').put(`${table.path}/fields/${salary}`, { sensitivityLabel: 'secret' })).status).toBe(
      200,
    );
    const names = async (actor: Actor) =>
      (await details('dataset', dataset.id, actor)).fields.map(({ name }: { name: string }) => name);
    expect(await names('viewer')).toEqual(['id']);
  });
});
