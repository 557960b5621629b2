import { describe, expect } from 'vitest';
import { GROUPS } from '../../../../functions/api.ts';
import { type Api, it } from '../../../support/api.ts';
import { givenDashboard, textCard } from '../../../support/given/dashboard.ts';
import { issuesOf, posted } from '../../../support/given/model.ts';

const names = (reply: { body: { items: { name: string }[] } }) => reply.body.items.map(({ name }) => name);
const notFound = { status: 404, body: { code: 'DASHBOARD_NOT_FOUND' } };

async function publish(api: Api, path: string) {
  const reply = await api.as('editor').post(`${path}/publish`);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body;
}

describe('dashboards', () => {
  it('are created, read and changed member by member', async ({ api }) => {
    const made = await api.as('editor').post('/api/dashboards', { name: 'Sales', layout: ' {"columns": 24}' });
    expect(made).toMatchObject({
      status: 201,
      body: {
        name: 'Sales',
        description: '',
        layout: ' {"columns": 24}',
        theme: null,
        stage: 'draft',
        isPublished: false,
        publishedVersion: null,
        hasUnpublishedChanges: true,
        counts: { pages: 0, cards: 0, filters: 0 },
        revision: 1,
      },
    });
    const path = `/api/dashboards/${made.body.id}`;
    const changed = await api.as('editor').put(path, { theme: '"dark"', stage: 'review' });
    expect(changed).toMatchObject({
      status: 200,
      body: { name: 'Sales', layout: ' {"columns": 24}', theme: '"dark"', stage: 'review', revision: 2 },
    });
    const stale = { headers: { 'if-match': '"1"' } };
    expect(await api.as('editor').put(path, { name: 'x' }, stale)).toMatchObject({ status: 412 });
    expect(await api.as('editor').delete(path, stale)).toMatchObject({ status: 412 });
    expect(await api.as('editor').get(path)).toMatchObject({
      status: 200,
      body: { ...changed.body, pages: [], cards: [], filters: [] },
    });
    expect(await api.as('editor').put(path, { theme: null })).toMatchObject({ body: { theme: null, revision: 3 } });
    expect(issuesOf(await api.as('editor').put(path, { layout: '{', theme: `"${'ä'.repeat(40_000)}"` }))).toEqual([
      '/layout INVALID_JSON',
      '/theme TOO_LARGE',
    ]);
    expect(issuesOf(await api.as('editor').post('/api/dashboards', { name: 'y', filterState: 'x' }))).toEqual([
      '/filterState INVALID_JSON',
    ]);
    const taken = { status: 409, body: { code: 'DASHBOARD_NAME_TAKEN' } };
    expect(await api.as('editor').post('/api/dashboards', { name: 'SALES' })).toMatchObject(taken);
    const other = await givenDashboard(api, { name: 'Costs' });
    expect(await api.as('editor').put(other.path, { name: 'sales' })).toMatchObject(taken);
    expect(await api.as('stranger').get(path)).toMatchObject(notFound);
  });

  it('are drafts that viewers do not see until they are published, and then as they were published', async ({
    api,
  }) => {
    const { path, id } = await givenDashboard(api);
    const viewer = api.as('viewer');
    for (const reply of [
      await viewer.get(path),
      await viewer.get(`${path}/cards`),
      await viewer.get(`${path}/pages`),
      await viewer.get(`${path}/filters`),
      await viewer.get(`${path}/bookmarks`),
      await viewer.post(`${path}/bookmarks`, { name: 'x', state: {} }),
    ]) {
      expect(reply).toMatchObject(notFound);
    }
    expect(names(await viewer.get('/api/dashboards'))).toEqual([]);
    await api.as('editor').post(`${path}/cards`, textCard('intro'));
    expect(await publish(api, path)).toMatchObject({ version: 1, gate: { passed: true }, counts: { cards: 1 } });
    await api.as('editor').put(path, { name: 'Turnover', layout: '[]' });
    await api.as('editor').put(`${path}/cards/intro`, { title: 'New' });
    expect(await viewer.get(path)).toMatchObject({
      status: 200,
      body: {
        name: 'Sales',
        layout: null,
        stage: 'production',
        isPublished: true,
        publishedVersion: 1,
        hasUnpublishedChanges: false,
        cards: [{ id: 'intro', title: '', dashboardId: id, ordinal: 0 }],
      },
    });
    expect((await viewer.get(`${path}/cards`)).body.items).toMatchObject([{ title: '' }]);
    expect((await api.as('editor').get(path)).body).toMatchObject({
      name: 'Turnover',
      hasUnpublishedChanges: true,
      cards: [{ title: 'New' }],
    });
    expect(names(await viewer.get('/api/dashboards?search=sal'))).toEqual(['Sales']);
    expect(names(await viewer.get('/api/dashboards?search=turn'))).toEqual([]);
    expect(names(await api.as('editor').get('/api/dashboards?publishedOnly=true'))).toEqual(['Turnover']);
    expect(await api.as('editor').put(path, { isPublished: false })).toMatchObject({
      body: { isPublished: false, stage: 'draft', publishedVersion: 1 },
    });
    expect(await viewer.get(path)).toMatchObject(notFound);
    expect(await api.as('editor').put(path, { isPublished: true })).toMatchObject({
      body: { isPublished: true, stage: 'production', publishedVersion: 2, hasUnpublishedChanges: false },
    });
    expect((await viewer.get(path)).body).toMatchObject({ name: 'Turnover', cards: [{ title: 'New' }] });
  });

  it('are listed by page and by cursor, with exact totals', async ({ api }) => {
    for (const name of ['beta', 'alpha', 'gamma']) await givenDashboard(api, { name });
    const editor = api.as('editor');
    expect(names(await editor.get('/api/dashboards'))).toEqual(['gamma', 'alpha', 'beta']);
    expect(names(await editor.get('/api/dashboards?sort=name&limit=2&offset=1'))).toEqual(['beta', 'gamma']);
    expect((await editor.get('/api/dashboards?stage=review')).body).toMatchObject({ items: [], total: 0 });
    expect(await editor.get('/api/dashboards?offset=20000')).toMatchObject({ body: { code: 'OFFSET_TOO_LARGE' } });
    const first = await editor.get('/api/dashboards/page?limit=2&include=viewerMeta');
    expect(first.body).toMatchObject({
      total: 3,
      items: [
        { name: 'gamma', viewerMeta: { permission: 'editor', via: 'owner', isShared: false, canShare: true } },
        { name: 'alpha' },
      ],
    });
    await givenDashboard(api, { name: 'delta' });
    const next = `/api/dashboards/page?include=viewerMeta&cursor=${first.body.nextCursor}`;
    const second = await editor.get(next);
    expect(names(second)).toEqual(['beta']);
    expect(second.body.nextCursor).toBeNull();
    expect(await api.as('owner').get(next)).toMatchObject({ status: 400, body: { code: 'CURSOR_MISMATCH' } });
    expect((await api.as('stranger').get('/api/dashboards')).body.total).toBe(0);
    expect((await api.as('viewer').get('/api/dashboards/page')).body.total).toBe(0);
  });

  it('can be restored after they were deleted', async ({ api }) => {
    const { id, path } = await givenDashboard(api);
    const { id: otherId } = await givenDashboard(api, { name: 'Other' });
    await api.as('editor').post(`${path}/cards`, textCard('intro'));
    await publish(api, path);
    expect((await api.as('editor').delete(path)).status).toBe(204);
    const editor = api.as('editor');
    for (const reply of [
      await api.as('viewer').get(path),
      await editor.put(path, {}),
      await editor.delete(path),
      await editor.post(`${path}/publish`),
      await editor.post(`${path}/duplicate`),
      await editor.post(`${path}/cards`, textCard('x')),
      await editor.get(`${path}/access`),
      await editor.get(`${path}/versions`),
    ]) {
      expect(reply).toMatchObject(notFound);
    }
    expect((await editor.get(path)).body).toMatchObject({ deletedAt: expect.any(String) });
    expect(names(await editor.get('/api/dashboards'))).toEqual(['Other']);
    expect(names(await editor.get('/api/dashboards?includeDeleted=true&sort=name'))).toEqual(['Other', 'Sales']);
    expect(names(await api.as('viewer').get('/api/dashboards?includeDeleted=true'))).toEqual([]);

    await givenDashboard(api, { name: 'sales' });
    expect(await editor.post(`${path}/restore`)).toMatchObject({
      status: 409,
      body: { code: 'DASHBOARD_NAME_TAKEN' },
    });
    expect(await editor.post(`${path}/restore`, { name: 'Old sales' })).toMatchObject({
      status: 200,
      body: { name: 'Old sales', deletedAt: null, isPublished: true },
    });
    expect((await editor.post(`${path}/restore`)).status, 'once more').toBe(200);
    expect((await editor.put(`${path}/cards/intro`, { title: 'x' })).status).toBe(200);

    const unknown = '00000000-0000-7000-8000-000000000000';
    const bulk = (ids: string[], actor: 'viewer' | 'editor' = 'editor') =>
      api.as(actor).post('/api/dashboards/bulk-delete', { ids });
    expect(await bulk([id, unknown], 'viewer')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(await bulk([otherId, unknown], 'viewer')).toMatchObject(notFound);
    await api.as('owner').post(`/api/dashboards/${otherId}/access`, {
      email: (await api.password('viewer')).email,
      permission: 'editor',
    });
    // Who may change it by a grant may not delete it.
    expect((await api.as('viewer').put(`/api/dashboards/${otherId}`, { description: 'by grant' })).status).toBe(200);
    expect(await bulk([otherId, id, unknown], 'viewer')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(await api.as('viewer').delete(`/api/dashboards/${otherId}`)).toMatchObject({ status: 403 });
    expect((await editor.get(`/api/dashboards/${otherId}`)).body.deletedAt).toBeNull();
    expect(await bulk([id, otherId, unknown])).toMatchObject({
      status: 200,
      body: { deleted: [id, otherId], notFound: [unknown] },
    });
    expect(await api.as('viewer').get(`/api/dashboards/${otherId}`)).toMatchObject(notFound);
    expect(await api.as('viewer').post(`/api/dashboards/${otherId}/restore`)).toMatchObject({ status: 403 });
  });

  it('reply alike to every operation below them while they are deleted', async ({ api }) => {
    const { id, path } = await givenDashboard(api);
    await posted(api, `${path}/cards`, textCard('orders'));
    await publish(api, path);
    const sections = GROUPS.flatMap((group) => group.sections);
    const below = sections.flatMap(({ routes, examples }) =>
      routes
        .filter((route) => /^\/api\/dashboards\/\{id\}\//.test(route.path) && !route.path.endsWith('/restore'))
        .map((route) => ({ route, body: examples.get(route)?.request })),
    );
    expect(below.length).toBeGreaterThan(40);
    const repliesTo = async (dashboardId: string) => {
      const replies: Record<string, unknown> = {};
      for (const { route, body } of below) {
        const address = route.path
          .replace('{id}', dashboardId)
          .replace('{granteeType}', 'user')
          .replace('{version}', '1')
          .replace(/\{(cardId|pageId)\}/, 'orders')
          .replace(/\{\w+\}/g, '00000000-0000-7000-8000-000000000000');
        const query = route.operationId === 'findAccessCandidates' ? '?q=ab' : '';
        const text = body === undefined ? {} : { text: JSON.stringify(body) };
        const reply = await api.as('editor').send(route.method, `${address}${query}`, text);
        replies[route.operationId] = [reply.status, reply.body?.code];
      }
      return replies;
    };
    expect((await api.as('editor').delete(path)).status).toBe(204);
    const expected = Object.fromEntries(below.map(({ route }) => [route.operationId, [404, 'DASHBOARD_NOT_FOUND']]));
    expect(await repliesTo(id)).toEqual(expected);
    const status = await api.as('editor').get(`/api/data-quality/report-status?reportId=${id}`);
    expect(status).toMatchObject({ status: 404 });
  });
});
