import { DeleteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, vi } from 'vitest';
import { OBJECT_AREAS } from '../../../../functions/resources.ts';
import { objectStore } from '../../../../shared/platform/objects/object-store.ts';
import { companyKey, workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { itemsBelow } from '../../../../shared/platform/storage/query-items.ts';
import { type Api, itWithOwnCompany as it } from '../../../support/api.ts';
import { endGrace, eraseNow } from '../../../support/deletions.ts';
import { dataBucket } from '../../../support/given/bucket.ts';
import { SCIM } from '../../../support/given/provisioner.ts';
import { ROUTES, somePath } from '../../../support/samples.ts';
import { dagOf, finishedRun, givenPipeline, hookUrl, load, sql } from '../../pipelines/pipelines/given.ts';

const SOON = { timeout: 60_000, interval: 250 };
const DAY_MS = 24 * 60 * 60 * 1000;
const path = ({ workspaceId }: Api) => `/api/workspaces/${workspaceId}`;
const remove = (api: Api) => api.as('owner').delete(`${path(api)}?confirm=Test`);
const restore = (api: Api) => api.as('owner').post(`${path(api)}/restore`);

/** Keys of all items that belong to the workspace or refer to it, but for what the company keeps. */
async function leftOf(api: Api): Promise<string[]> {
  const left: string[] = [];
  let from: Record<string, unknown> | undefined;
  do {
    const page = await api.table.db.send(new ScanCommand({ TableName: api.table.name, ExclusiveStartKey: from }));
    for (const item of page.Items ?? []) {
      const isOfCompany = (item.pk as string).startsWith('C#');
      if (!isOfCompany && JSON.stringify(item).includes(api.workspaceId)) left.push(`${item.pk} ${item.sk}`);
    }
    from = page.LastEvaluatedKey;
  } while (from);
  return left;
}

describe('PATCH /api/workspaces/current', () => {
  it('renames the workspace, also where people see theirs', async ({ api }) => {
    expect((await api.as('editor').patch('/api/workspaces/current', { name: 'New' })).status).toBe(403);
    expect(await api.as('admin').patch('/api/workspaces/current', { name: 'New' })).toMatchObject({
      status: 200,
      body: { name: 'New', revision: 2, deletesAt: null },
    });
    const { workspaces } = (await api.as('editor').get('/api/auth/me')).body;
    expect(workspaces).toContainEqual(expect.objectContaining({ id: api.workspaceId, name: 'New' }));
  });
});

describe('DELETE /api/workspaces/{id}', () => {
  it('ends all access but restoring, until the workspace is restored', async ({ api }) => {
    await api.joinAll();
    const { id } = await givenPipeline(api, { ...dagOf(sql('a', 'SELECT 1 AS x')), trigger: { kind: 'webhook' } });
    const { pathname, search } = await hookUrl(api, id);
    const key = (await api.as('owner').post('/api/api-keys', { name: 'all', scope: 'admin' })).body.key;
    const deleted = await remove(api);
    expect(deleted.status).toBe(200);
    const days = (Date.parse(deleted.body.deletesAt) - Date.now()) / DAY_MS;
    expect(days).toBeGreaterThan(29.9);
    expect(days).toBeLessThanOrEqual(30.1);
    expect((await remove(api)).body).toEqual(deleted.body);

    const callers = [api.as('owner'), api.as('viewer'), api.as({ token: key })];
    for (const caller of callers) {
      await vi.waitFor(
        async () =>
          expect(await caller.get('/api/webhooks')).toMatchObject({
            status: 403,
            body: { code: 'WORKSPACE_DELETED' },
          }),
        SOON,
      );
    }
    expect((await api.as('anonymous').post(pathname + search, {})).status).toBe(404);
    expect((await api.as('viewer').get('/api/auth/me')).status).toBe(200);
    expect((await api.as('owner').get('/api/company/workspaces')).body.items).toContainEqual(deleted.body);

    const restored = await restore(api);
    expect(restored).toMatchObject({ status: 200, body: { deletesAt: null, revision: 3 } });
    expect((await restore(api)).body).toEqual(restored.body);
    for (const caller of callers) {
      await vi.waitFor(async () => expect((await caller.get('/api/webhooks')).status).toBe(200), SOON);
    }
    expect((await api.as('anonymous').post(pathname + search, {})).status).toBe(201);
    expect(await api.stored(companyKey(api.companyId, `DELETION#${api.workspaceId}`))).toBeUndefined();
  });

  it('closes every route but those for company admins and sign-ins', async ({ api }) => {
    await remove(api);
    const isOpen = /^(company:manage|session:read|session:end|public)$/;
    const closed = ROUTES.filter(({ permission }) => !isOpen.test(permission));
    expect(closed.length).toBeGreaterThan(100);
    for (const route of closed) {
      const send = () => api.as('owner').send(route.method, somePath(route), route.body ? { text: '{}' } : {});
      // Each function caches callers for some seconds.
      await vi.waitFor(
        async () =>
          expect(await send(), route.operationId).toMatchObject({ status: 403, body: { code: 'WORKSPACE_DELETED' } }),
        SOON,
      );
    }
  });

  it('needs the name, and a company admin of the same company', async ({ api }) => {
    expect(await api.as('owner').delete(`${path(api)}?confirm=test`)).toMatchObject({
      status: 422,
      body: { code: 'NAME_NOT_CONFIRMED' },
    });
    expect((await api.as('owner').delete(path(api))).status).toBe(400);
    expect((await api.as('admin').delete(`${path(api)}?confirm=Test`)).status).toBe(403);
    for (const reply of [
      await api.as('stranger').delete(`${path(api)}?confirm=Test`),
      await api.as('stranger').post(`${path(api)}/restore`),
    ]) {
      expect(reply).toMatchObject({ status: 404, body: { code: 'WORKSPACE_NOT_FOUND' } });
    }
    expect((await api.as('owner').get('/api/workspaces/current')).body.deletesAt).toBeNull();
  });

  it('starts nothing by itself during the grace period', async ({ api }) => {
    const upstream = await givenPipeline(api, { ...dagOf(sql('a', 'SELECT 1 AS x')), schedule: { everySeconds: 15 } });
    await remove(api);
    const triggers = async () => {
      const { pk } = workspaceKey(api.workspaceId, `PIPELINE#${upstream.id}`, '');
      return Array.fromAsync(itemsBelow(api.table, { pk, sk: 'TRIGGER#' }));
    };
    await vi.waitFor(
      async () => expect(await triggers()).toContainEqual(expect.objectContaining({ reason: 'WORKSPACE_DELETED' })),
      { timeout: 120_000, interval: 1000 },
    );
  });

  it('erases everything after the grace period, and nothing of another workspace', async ({ api }) => {
    await api.joinAll();
    await finishedRun(api, dagOf(sql('a', 'SELECT * FROM range(10)'), load('b', 'a', 'numbers')));
    await api.as('owner').post('/api/api-keys', { name: 'key', scope: 'read' });
    await api.as('owner').post('/api/groups', { name: 'Finance' });
    const { name, s3 } = await dataBucket(api.endpoint);
    const objects = objectStore(name, s3);
    for (const area of Object.values(OBJECT_AREAS)) {
      const folder = area.startsWith('W/')
        ? area.replace('*', api.workspaceId)
        : area.replace('*', ofResults(area, api));
      await objects.write(folder.replace('*', 'x'), Buffer.from('x'), 'text/plain');
    }
    const other = (await api.as('owner').get('/api/company/workspaces')).body.items[0];

    await remove(api);
    await endGrace(api, api.workspaceId);
    await vi.waitFor(async () => {
      await eraseNow(api);
      expect(await api.stored(companyKey(api.companyId, `DELETION#${api.workspaceId}`))).toBeUndefined();
    }, SOON);
    expect(await leftOf(api)).toEqual([]);
    for (const prefix of [`W/${api.workspaceId}/`, `staging/W/${api.workspaceId}/`, `results/${api.workspaceId}/`]) {
      expect(await objects.list(prefix)).toEqual([]);
    }
    expect(await api.stored(workspaceKey(other.id, 'META', 'META'))).toMatchObject({ name: 'First' });
    await vi.waitFor(async () => expect((await api.as('owner').get('/api/auth/me')).status).toBe(401), SOON);
  });

  it('ends every credential with the record, even if their own items are still there', async ({ api }) => {
    await api.joinAll();
    const { key } = (await api.as('owner').post('/api/api-keys', { name: 'all', scope: 'admin' })).body;
    const account = (await api.as('owner').post('/api/service-accounts', { name: 'robot', role: 'admin' })).body;
    const ofAccount = { name: 'robot', scope: 'admin', serviceAccountId: account.id };
    const robot = (await api.as('owner').post('/api/api-keys', ofAccount)).body.key;
    const { token } = (await api.as('owner').post('/api/scim/tokens', { name: 'x', workspaceId: api.workspaceId }))
      .body;
    const Key = workspaceKey(api.workspaceId, 'META', 'META');
    await api.table.db.send(new DeleteCommand({ TableName: api.table.name, Key }));
    for (const caller of [api.as('viewer'), api.as({ token: key }), api.as({ token: robot })]) {
      await vi.waitFor(async () => expect((await caller.get('/api/webhooks')).status).toBe(401), SOON);
    }
    await vi.waitFor(async () => expect((await api.as({ token }).get(`${SCIM}/Users`)).status).toBe(401), SOON);
  });

  it('cannot be undone once erasing has begun', async ({ api }) => {
    const { body: deleted } = await remove(api);
    await endGrace(api, api.workspaceId);
    expect(await restore(api)).toMatchObject({ status: 404, body: { code: 'WORKSPACE_NOT_FOUND' } });
    expect(await api.stored(workspaceKey(api.workspaceId, 'META', 'META'))).toMatchObject({
      deletesAt: deleted.deletesAt,
    });
  });
});

const ofResults = (area: string, { workspaceId }: Api) =>
  area.startsWith('staging') ? `W/${workspaceId}/*` : `${workspaceId}/*`;
