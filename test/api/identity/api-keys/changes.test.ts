import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, vi } from 'vitest';
import { secretDigest } from '../../../../shared/platform/auth/credentials.ts';
import { apiKeyDigestKey, workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { type Api, it } from '../../../support/api.ts';
import { givenMember } from '../../../support/given/member.ts';

const statusOf = async (api: Api, token: string) => (await api.as({ token }).get('/api/auth/me')).status;
const until = (api: Api, token: string, status: number) =>
  vi.waitFor(async () => expect(await statusOf(api, token)).toBe(status), { timeout: 60_000, interval: 250 });

async function givenKey(api: Api, body: object = {}) {
  const reply = await api.as('owner').post('/api/api-keys', { name: 'Importer', scope: 'read', ...body });
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply.body;
}

describe('an API key', () => {
  it('is read and changed, which the key itself and strangers cannot', async ({ api }) => {
    const key = await givenKey(api, { scope: 'admin' });
    const path = `/api/api-keys/${key.id}`;
    const { key: _, ...shown } = key;
    expect((await api.as('owner').get(path)).body).toEqual(shown);
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const change = { name: 'Loader', expiresAt, attributes: { region: 'eu' } };
    expect(await api.as('owner').patch(path, change)).toMatchObject({ status: 200, body: { ...change, revision: 2 } });
    expect((await api.as('owner').get('/api/api-keys')).body.items).toMatchObject([change]);
    expect(await statusOf(api, key.key)).toBe(200);
    expect((await api.as({ token: key.key }).get('/api/auth/me')).body.attributes).toEqual({ region: 'eu' });
    expect(await api.as('owner').patch(path, { expiresAt: null })).toMatchObject({ body: { expiresAt: null } });

    const stale = { headers: { 'if-match': '"1"' } };
    expect(await api.as('owner').patch(path, { name: 'Late' }, stale)).toMatchObject({
      status: 412,
      body: { code: 'PRECONDITION_FAILED' },
    });
    expect(await api.as('owner').patch(path, { expiresAt: '2020-01-01T00:00:00Z' })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/expiresAt', code: 'IN_THE_PAST' }] },
    });
    const unknown = `/api/api-keys/${crypto.randomUUID()}`;
    for (const reply of [
      await api.as('stranger').get(path),
      await api.as('stranger').patch(path, { name: 'Mine' }),
      await api.as('stranger').post(`${path}/rotate`, {}),
      await api.as('owner').get(unknown),
      await api.as('owner').patch(unknown, {}),
      await api.as('owner').post(`${unknown}/rotate`, {}),
    ]) {
      expect(reply).toMatchObject({ status: 404, body: { code: 'API_KEY_NOT_FOUND' } });
    }
    for (const reply of [
      await api.as({ token: key.key }).patch(path, { name: 'Me' }),
      await api.as({ token: key.key }).post(`${path}/rotate`, {}),
      await api.as('editor').patch(path, { name: 'Me' }),
    ]) {
      expect(reply).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    }
  });

  it('ends when a change makes it expire', async ({ api }) => {
    const key = await givenKey(api);
    const expiresAt = new Date(Date.now() + 1_500).toISOString();
    await api.as('owner').patch(`/api/api-keys/${key.id}`, { expiresAt });
    await until(api, key.key, 401);
    // Its value may be in other hands by now.
    for (const later of [null, new Date(Date.now() + 3_600_000).toISOString()]) {
      const revived = await api.as('owner').patch(`/api/api-keys/${key.id}`, { expiresAt: later });
      expect(revived).toMatchObject({ status: 400, body: { errors: [{ pointer: '/expiresAt', code: 'EXPIRED' }] } });
    }
    expect((await api.as('owner').patch(`/api/api-keys/${key.id}`, { name: 'Old' })).status).toBe(200);
    expect((await api.as('owner').get(`/api/api-keys/${key.id}`)).body).toMatchObject({ name: 'Old', expiresAt });
    // Another function may still trust what it read before the end.
    await until(api, key.key, 401);
  });

  it('rotates: both values work during the overlap, and without one only the new value', async ({ api }) => {
    const first = await givenKey(api);
    const path = `/api/api-keys/${first.id}/rotate`;
    const second = (await api.as('owner').post(path, { overlapHours: 24 })).body;
    expect(second).toMatchObject({ id: first.id, name: 'Importer', scope: 'read', revision: 2 });
    expect(Math.abs(Date.parse(second.previousUntil) - Date.now() - 24 * 3_600_000)).toBeLessThan(60_000);
    expect(second.key.startsWith(second.prefix)).toBe(true);
    expect([await statusOf(api, first.key), await statusOf(api, second.key)]).toEqual([200, 200]);

    const third = (await api.as('owner').post(path)).body;
    expect(third.previousUntil).toBe(null);
    expect(await statusOf(api, third.key)).toBe(200);
    await until(api, first.key, 401);
    await until(api, second.key, 401);
    expect(await api.as('owner').delete(`/api/api-keys/${first.id}`)).toMatchObject({ status: 204 });
    await until(api, third.key, 401);
    for (const overlapHours of [-1, 169, 1.5]) {
      expect((await api.as('owner').post(path, { overlapHours })).status).toBe(400);
    }
  });

  it('ends with both of its values', async ({ api }) => {
    const first = await givenKey(api);
    const second = (await api.as('owner').post(`/api/api-keys/${first.id}/rotate`, { overlapHours: 1 })).body;
    await api.as('owner').delete(`/api/api-keys/${first.id}`);
    await until(api, first.key, 401);
    await until(api, second.key, 401);
    for (const { key } of [first, second]) expect(await api.stored(apiKeyDigestKey(secretDigest(key)))).toBeUndefined();
  });

  it('rotates once for a request that is repeated', async ({ api }) => {
    const first = await givenKey(api);
    const path = `/api/api-keys/${first.id}/rotate`;
    const once = { headers: { 'idempotency-key': crypto.randomUUID() } };
    const rotated = await api.as('owner').post(path, { overlapHours: 1 }, once);
    const again = await api.as('owner').post(path, { overlapHours: 1 }, once);
    expect(again.body).toEqual(rotated.body);
    expect([await statusOf(api, first.key), await statusOf(api, again.body.key)]).toEqual([200, 200]);
  });

  it('gets a new value only for the person whom it acts for', async ({ api }) => {
    const key = await givenKey(api);
    expect(await api.as('admin').post(`/api/api-keys/${key.id}/rotate`, {})).toMatchObject({
      status: 403,
      body: { code: 'API_KEY_OF_ANOTHER' },
    });
    expect((await api.as('admin').patch(`/api/api-keys/${key.id}`, { name: 'Ours' })).status).toBe(200);
    expect(await statusOf(api, key.key)).toBe(200);
  });

  it('shows when it was used last, once in an hour, also after a rotation', async ({ api }) => {
    const key = await givenKey(api);
    expect(key.lastUsedAt).toBe(null);
    const lastUse = async () => (await api.as('owner').get(`/api/api-keys/${key.id}`)).body.lastUsedAt;
    await statusOf(api, key.key);
    await vi.waitFor(async () => expect(await lastUse()).toEqual(expect.any(String)), { timeout: 60_000 });
    const first = await lastUse();
    const Key = apiKeyDigestKey(secretDigest(key.key));
    const hourAgo = new Date(Date.parse(first) - 3_600_001).toISOString();
    await api.table.db.send(
      new UpdateCommand({
        TableName: api.table.name,
        Key,
        UpdateExpression: 'SET lastUsedAt = :at',
        ExpressionAttributeValues: { ':at': hourAgo },
      }),
    );
    await vi.waitFor(
      async () => {
        await statusOf(api, key.key);
        expect((await lastUse()) > hourAgo).toBe(true);
      },
      { timeout: 60_000, interval: 500 },
    );
    const used = await lastUse();
    const rotated = (await api.as('owner').post(`/api/api-keys/${key.id}/rotate`, {})).body;
    expect(rotated.lastUsedAt).toBe(used);
    expect((await api.as('owner').get(`/api/api-keys/${key.id}`)).body).toMatchObject({
      lastUsedAt: used,
      revision: 2,
    });
  });

  it('is one of at most 500 in a workspace', async ({ api }) => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    await givenKey(api);
    await setTotal(api, 'API-KEY', 500);
    const reply = await api.as('owner').post('/api/api-keys', { name: 'More', scope: 'read' }, { headers });
    expect(reply).toMatchObject({ status: 409, body: { code: 'TOO_MANY_API_KEYS' } });
  });
});

describe('a service account', () => {
  const account = { name: 'Nightly import', role: 'editor', attributes: { region: ['eu'] } };
  const given = async (api: Api, body: object = {}) =>
    (await api.as('admin').post('/api/service-accounts', { ...account, ...body })).body;

  it('is created, listed, changed and deleted by admins', async ({ api }) => {
    const { id } = await given(api);
    const path = `/api/service-accounts/${id}`;
    expect((await api.as('owner').get(path)).body).toMatchObject({ id, ...account, description: '', revision: 1 });
    expect((await api.as('owner').get('/api/service-accounts?name=Nightly import')).body).toMatchObject({
      total: 1,
      items: [{ id }],
    });
    const changed = await api.as('owner').patch(path, { description: 'Loads orders', role: 'viewer' });
    expect(changed.body).toMatchObject({ description: 'Loads orders', role: 'viewer', revision: 2 });
    const other = await given(api, { name: 'Other' });
    for (const reply of [
      await api.as('owner').post('/api/service-accounts', { ...account, name: 'OTHER' }),
      await api.as('owner').patch(path, { name: 'other' }),
    ]) {
      expect(reply).toMatchObject({ status: 409, body: { code: 'SERVICE_ACCOUNT_NAME_TAKEN' } });
    }
    const stale = { headers: { 'if-match': '"1"' } };
    expect(await api.as('owner').delete(path, stale)).toMatchObject({ status: 412 });
    expect(await api.as('owner').patch(path, { name: 'x' }, stale)).toMatchObject({ status: 412 });
    const invalid = { attributes: { '1x': 'y' } };
    expect((await api.as('owner').patch(path, invalid)).status).toBe(400);
    expect((await api.as('owner').post('/api/service-accounts', { ...account, ...invalid })).status).toBe(400);

    expect((await api.as('owner').delete(path)).status).toBe(204);
    for (const [actor, gone] of [
      ['owner', path],
      ['stranger', `/api/service-accounts/${other.id}`],
    ] as const) {
      for (const reply of [
        await api.as(actor).get(gone),
        await api.as(actor).patch(gone, { name: 'x' }),
        await api.as(actor).delete(gone),
        await api
          .as(actor)
          .post('/api/api-keys', { name: 'x', scope: 'read', serviceAccountId: gone.split('/').at(-1) }),
      ]) {
        expect(reply).toMatchObject({ status: 404, body: { code: 'SERVICE_ACCOUNT_NOT_FOUND' } });
      }
    }
    expect((await api.as('editor').get('/api/service-accounts')).status).toBe(403);
    expect((await api.as('stranger').get('/api/service-accounts')).body.total).toBe(0);
  });

  it('has keys that go on when the admin who created them leaves, and end with it', async ({ api }) => {
    const admin = await givenMember(api, 'admin');
    const { id } = (await api.as({ token: admin.token }).post('/api/service-accounts', account)).body;
    const asAdmin = api.as({ token: admin.token });
    const body = { name: 'Loads', scope: 'admin', serviceAccountId: id };
    const key = (await asAdmin.post('/api/api-keys', body)).body;
    const own = (await asAdmin.post('/api/api-keys', { name: 'Mine', scope: 'admin' })).body;
    expect(key).toMatchObject({ serviceAccountId: id, createdBy: admin.userId, attributes: {} });
    await api.as('owner').delete(`/api/workspaces/members/${admin.userId}`);
    await until(api, own.key, 401);
    const me = await api.as({ token: key.key }).get('/api/auth/me');
    expect(me.body).toMatchObject({
      user: { id, name: 'Loads', email: `${id}@service-account.invalid`, companyRole: 'member' },
      role: 'editor',
      workspaceId: api.workspaceId,
      workspaces: [{ id: api.workspaceId, role: 'editor' }],
      attributes: { region: ['eu'] },
    });

    const rotated = await api.as('owner').post(`/api/api-keys/${key.id}/rotate`, { overlapHours: 1 });
    expect(rotated.status).toBe(200);
    expect([await statusOf(api, key.key), await statusOf(api, rotated.body.key)]).toEqual([200, 200]);
    await api.as('owner').delete(`/api/service-accounts/${id}`);
    await until(api, key.key, 401);
    await until(api, rotated.body.key, 401);
    expect((await api.as('owner').get(`/api/api-keys/${key.id}`)).status).toBe(404);
    expect((await api.as('owner').get(`/api/api-keys/${own.id}`)).status).toBe(200);
  });

  it('bounds its keys by its role, which a change lowers', async ({ api }) => {
    const { id } = await given(api);
    const key = await givenKey(api, { scope: 'admin', serviceAccountId: id });
    const asKey = api.as({ token: key.key });
    // The scope would allow it, the role does not.
    expect((await asKey.post('/api/groups', { name: 'x' })).status).toBe(403);
    const query = { name: 'One', sql: 'SELECT 1 AS one' };
    const made = await asKey.post('/api/saved-queries', query);
    expect(made, JSON.stringify(made.body)).toMatchObject({ status: 201, body: { createdBy: id } });
    expect((await asKey.post('/api/service-accounts', account)).status).toBe(403);
    await api.as('owner').patch(`/api/service-accounts/${id}`, { role: 'viewer' });
    await vi.waitFor(async () => expect((await asKey.post('/api/saved-queries', query)).status).toBe(403), {
      timeout: 60_000,
      interval: 250,
    });
  });

  it('gives its keys its attributes; they have none of their own', async ({ api }) => {
    const { id } = await given(api);
    const own = { name: 'x', scope: 'read', serviceAccountId: id, attributes: { region: 'us' } };
    const conflict = { status: 400, body: { errors: [{ pointer: '/attributes', code: 'CONFLICT' }] } };
    expect(await api.as('owner').post('/api/api-keys', own)).toMatchObject(conflict);
    const key = await givenKey(api, { serviceAccountId: id });
    const change = { attributes: { region: 'us' } };
    expect(await api.as('owner').patch(`/api/api-keys/${key.id}`, change)).toMatchObject(conflict);
  });

  it('is one of at most 100 in a workspace', async ({ api }) => {
    await given(api);
    await setTotal(api, 'SERVICE-ACCOUNT', 100);
    expect(await api.as('owner').post('/api/service-accounts', { ...account, name: 'More' })).toMatchObject({
      status: 409,
      body: { code: 'TOO_MANY_SERVICE_ACCOUNTS' },
    });
  });
});

/** As if there were as many. */
async function setTotal(api: Api, area: string, count: number): Promise<void> {
  await api.table.db.send(
    new UpdateCommand({
      TableName: api.table.name,
      Key: workspaceKey(api.workspaceId, area, '#TOTAL'),
      UpdateExpression: 'SET #count = :count',
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: { ':count': count },
    }),
  );
}
