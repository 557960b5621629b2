import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { MAX_DOMAINS } from '../../../../shared/domains/catalog/domains/index.ts';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { type Api, it } from '../../../support/api.ts';

const DOMAINS = '/api/catalog/domains';
const UNKNOWN = '019b2c4e-0a10-7c3e-9d55-1f7a2b3c4d01';
const refused = (status: number, code: string) => ({ status, body: { code } });

async function given(api: Api, name: string, more: object = {}): Promise<{ id: string; path: string }> {
  const reply = await api.as('owner').post(DOMAINS, { name, ...more });
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return { id: reply.body.id, path: `${DOMAINS}/${reply.body.id}` };
}

const names = async (api: Api) =>
  (await api.as('viewer').get(DOMAINS)).body.items.map(({ name }: { name: string }) => name);

describe('domains of the business', () => {
  it('are created, changed, moved and deleted by admins, and read by all', async ({ api }) => {
    const owner = api.as('owner');
    const sales = await given(api, 'Sales', { description: 'What we sell' });
    const retail = await given(api, 'Retail', { parentId: sales.id });
    await given(api, 'Finance');
    expect(await names(api)).toEqual(['Finance', 'Retail', 'Sales']);
    expect(await owner.patch(retail.path, { name: 'Stores' })).toMatchObject({
      body: { id: retail.id, name: 'Stores', parentId: sales.id, description: '' },
    });
    expect((await api.as('viewer').get(`${DOMAINS}?limit=1&offset=1`)).body).toMatchObject({
      ...{ total: 3, limit: 1, offset: 1 },
      items: [{ name: 'Sales', description: 'What we sell' }],
    });
    expect((await owner.delete(sales.path)).status).toBe(204);
    expect((await owner.patch(retail.path, { description: 'Shops' })).body).toMatchObject({ parentId: null });
    expect(await owner.delete(sales.path)).toMatchObject(refused(404, 'CATALOG_DOMAIN_NOT_FOUND'));
    expect(await owner.patch(sales.path, { name: 'x' })).toMatchObject(refused(404, 'CATALOG_DOMAIN_NOT_FOUND'));

    for (const actor of ['editor', 'viewer'] as const)
      for (const reply of [
        api.as(actor).post(DOMAINS, { name: 'Mine' }),
        api.as(actor).patch(retail.path, { name: 'Mine' }),
        api.as(actor).delete(retail.path),
      ])
        expect(await reply).toMatchObject(refused(403, 'FORBIDDEN'));
    const stranger = api.as('stranger');
    expect((await stranger.get(DOMAINS)).body).toMatchObject({ items: [], total: 0 });
    for (const reply of [stranger.patch(retail.path, { name: 'Mine' }), stranger.delete(retail.path)])
      expect(await reply).toMatchObject(refused(404, 'CATALOG_DOMAIN_NOT_FOUND'));
    const actions = (await owner.get('/api/audit-log?limit=100')).body.items
      .map(({ action }: { action: string }) => action)
      .filter((action: string) => action.startsWith('catalog_domain'));
    expect(actions.sort()).toEqual([
      ...['catalog_domain.created', 'catalog_domain.created', 'catalog_domain.created', 'catalog_domain.deleted'],
      ...['catalog_domain.updated', 'catalog_domain.updated'],
    ]);
  });

  it('have names of their own and two levels', async ({ api }) => {
    const owner = api.as('owner');
    const sales = await given(api, 'Sales');
    const retail = await given(api, 'Retail', { parentId: sales.id });
    const other = await given(api, 'Other');
    const taken = refused(409, 'CATALOG_DOMAIN_NAME_TAKEN');
    expect(await owner.post(DOMAINS, { name: 'SALES ' })).toMatchObject(taken);
    expect(await owner.patch(retail.path, { name: 'sales' })).toMatchObject(taken);
    const issue = (code: string) => ({
      status: 400,
      body: { code: 'VALIDATION_FAILED', errors: [{ pointer: '/parentId', code }] },
    });
    expect(await owner.post(DOMAINS, { name: 'Deep', parentId: retail.id })).toMatchObject(issue('TOO_DEEP'));
    expect(await owner.patch(sales.path, { parentId: other.id })).toMatchObject(issue('TOO_DEEP'));
    for (const parentId of [UNKNOWN, other.id])
      expect(await owner.patch(other.path, { parentId })).toMatchObject(issue('NOT_FOUND'));
    expect(await names(api)).toEqual(['Other', 'Retail', 'Sales']);
  });

  it('are created once, and have two levels also when people change them at the same time', async ({ api }) => {
    const owner = api.as('owner');
    const headers = { 'idempotency-key': 'domain-once' };
    const twice = await Promise.all([0, 1].map(() => owner.post(DOMAINS, { name: 'Once' }, { headers })));
    expect(twice.map(({ status }) => status).filter((status) => status === 201).length).toBeGreaterThan(0);
    expect(await names(api)).toEqual(['Once']);
    const [a, b, c] = await Promise.all(['a', 'b', 'c'].map((name) => given(api, name)));
    const moved = await Promise.all([
      owner.patch(a!.path, { parentId: b!.id }),
      owner.patch(b!.path, { parentId: c!.id }),
      owner.patch(c!.path, { parentId: a!.id }),
    ]);
    expect(moved.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  it('are at most 200', async ({ api }) => {
    const { id, path } = await given(api, 'First');
    const [first] = (await api.as('owner').get(DOMAINS)).body.items;
    const domains = Array.from({ length: MAX_DOMAINS }, (_, index) =>
      index === 0 ? first : { ...first, id: `${id.slice(0, -3)}${100 + index}`, name: `Domain ${index}` },
    );
    const Item = { ...workspaceKey(api.workspaceId, 'CATALOG-DOMAINS', 'ALL'), workspaceId: api.workspaceId, domains };
    await api.table.db.send(new PutCommand({ TableName: api.table.name, Item: { ...Item, revision: 7 } }));
    expect(await api.as('owner').post(DOMAINS, { name: 'More' })).toMatchObject(
      refused(409, 'TOO_MANY_CATALOG_DOMAINS'),
    );
    expect((await api.as('owner').patch(path, { name: 'Renamed' })).status).toBe(200);
  });
});
