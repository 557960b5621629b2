import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, vi } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { givenDashboard, textCard } from '../../../support/given/dashboard.ts';
import { givenMember } from '../../../support/given/member.ts';
import { issuesOf } from '../../../support/given/model.ts';

const UNKNOWN = '00000000-0000-7000-8000-000000000000';
const names = (reply: { body: { items: { name: string }[] } }) => reply.body.items.map(({ name }) => name);

async function created(api: Api, path: string, body: object) {
  const reply = await api.as('editor').post(path, body);
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply.body;
}

describe('publishing a dashboard', () => {
  it('is prevented by cards that show nothing, unless an admin overrides with a reason', async ({ api }) => {
    const { path } = await givenDashboard(api);
    await created(api, `${path}/cards`, { id: 'empty', cardType: 'chart', title: 'Empty', position: at(0) });
    const source = { kind: 'model', id: UNKNOWN };
    const mark = { type: 'bar' };
    const measures = [{ fieldId: UNKNOWN, aggregation: 'sum' }];
    const chartSpec = { version: 1, mark, query: { source, measures } };
    await created(api, `${path}/cards`, { id: 'gone', cardType: 'chart', chartSpec, position: at(6) });
    const dataset = await created(api, '/api/datasets', { name: 'orders' });
    const wrong = {
      version: 1,
      mark,
      query: { source: { kind: 'dataset', id: dataset.id }, dimensions: [{ column: 'x' }] },
    };
    await created(api, `${path}/cards`, { id: 'wrong', cardType: 'chart', chartSpec: wrong, position: at(6) });
    const query = await created(api, '/api/saved-queries', { name: 'q', sql: 'SELECT 1 AS a' });
    await created(api, `${path}/cards`, { id: 'query', cardType: 'table', savedQueryId: query.id, position: at(12) });
    expect((await api.as('editor').delete(path)).status).toBe(204);
    expect((await api.as('editor').delete(`/api/saved-queries/${query.id}`)).status).toBe(204);
    expect((await api.as('editor').post(`${path}/restore`, {})).status).toBe(200);
    const reasons = [
      { code: 'CARD_EMPTY', cardId: 'empty', cardTitle: 'Empty' },
      { code: 'SOURCE_MISSING', cardId: 'gone' },
      { code: 'CHART_SPEC_INVALID', cardId: 'wrong' },
      { code: 'SAVED_QUERY_MISSING', cardId: 'query' },
    ];
    const gate = { status: 409, body: { code: 'PUBLISH_GATE', reasons } };
    expect(await api.as('editor').post(`${path}/publish`, {})).toMatchObject(gate);
    expect(await api.as('editor').put(path, { isPublished: true, name: 'Other' })).toMatchObject(gate);
    expect((await api.as('editor').get(path)).body).toMatchObject({ name: 'Sales', isPublished: false });
    const override = { override: true, overrideReason: 'The board meets today' };
    expect(await api.as('editor').post(`${path}/publish`, override)).toMatchObject({ status: 403 });
    expect(issuesOf(await api.as('owner').post(`${path}/publish`, { override: true }))).toEqual([
      '/overrideReason REQUIRED',
    ]);
    expect(await api.as('owner').post(`${path}/publish`, { ...override, changeNote: 'First' })).toMatchObject({
      status: 200,
      body: {
        version: 1,
        changeNote: 'First',
        overrideReason: 'The board meets today',
        gate: { passed: false, overridden: true, reasons },
      },
    });
  });

  it('keeps every version, which can be read and restored', async ({ api }) => {
    const { path } = await givenDashboard(api, { layout: '{"v":1}' });
    const editor = api.as('editor');
    await created(api, `${path}/pages`, { id: 'p', name: 'P' });
    for (const id of ['a', 'b']) await created(api, `${path}/cards`, textCard(id, { pageId: 'p' }));
    const key = { headers: { 'idempotency-key': 'publish once' } };
    const first = await editor.post(`${path}/publish`, { changeNote: 'one' }, key);
    expect(await editor.post(`${path}/publish`, { changeNote: 'one' }, key)).toMatchObject({ body: first.body });
    await editor.put(path, { layout: '{"v":2}' });
    await editor.delete(`${path}/pages/p`);
    await created(api, `${path}/cards`, textCard('c'));
    expect((await editor.post(`${path}/publish`)).body).toMatchObject({ version: 2, changeNote: null });
    expect((await editor.get(`${path}/versions`)).body).toMatchObject({
      total: 2,
      items: [
        { version: 2, counts: { pages: 0, cards: 1 } },
        { version: 1, changeNote: 'one', counts: { pages: 1, cards: 2 } },
      ],
    });
    expect((await editor.get(`${path}/versions/1`)).body).toMatchObject({
      version: 1,
      layout: '{"v":1}',
      pages: [{ id: 'p' }],
      cards: [{ id: 'a', pageId: 'p' }, { id: 'b' }],
    });
    const restored = await editor.post(`${path}/versions/1/restore`);
    expect(restored).toMatchObject({
      status: 200,
      body: {
        layout: '{"v":1}',
        hasUnpublishedChanges: true,
        publishedVersion: 2,
        pages: [{ id: 'p', revision: 2 }],
        cards: [{ id: 'a', revision: 2 }, { id: 'b' }],
      },
    });
    expect((await editor.get(path)).body).toMatchObject(restored.body);
    expect((await editor.put(`${path}/cards/a`, { title: 'A' })).status).toBe(200);
    expect((await api.as('viewer').get(path)).body.cards).toMatchObject([{ id: 'c' }]);
    const missing = { status: 404, body: { code: 'DASHBOARD_VERSION_NOT_FOUND' } };
    expect(await editor.get(`${path}/versions/9`)).toMatchObject(missing);
    expect(await editor.post(`${path}/versions/9/restore`)).toMatchObject(missing);
    expect((await api.as('viewer').get(`${path}/versions`)).status).toBe(403);
  });
});

const at = (x: number) => ({ x, y: 0, w: 6, h: 4 });

it('a duplicate has parts of its own, which refer to each other as in the original', async ({ api }) => {
  const { id, path } = await givenDashboard(api, { description: 'All of it', theme: '"dark"' });
  const editor = api.as('editor');
  await created(api, `${path}/pages`, { id: 'p', name: 'P' });
  for (const card of ['a', 'b']) await created(api, `${path}/cards`, textCard(card, { pageId: 'p' }));
  await created(api, `${path}/filters`, { fieldId: 'region', filterType: 'select', linkedCardIds: ['b'] });
  await editor.post(`${path}/publish`);
  const { status, body: copy } = await editor.post(`${path}/duplicate`);
  expect(status).toBe(201);
  const [page] = copy.pages;
  expect(copy).toMatchObject({
    name: 'Copy of Sales',
    description: 'All of it',
    theme: '"dark"',
    stage: 'draft',
    isPublished: false,
    revision: 1,
    cards: [{ textContent: 'The text of a', pageId: page.id }, { pageId: page.id }],
    filters: [{ linkedCardIds: [copy.cards[1].id] }],
  });
  expect(copy.id).not.toBe(id);
  expect(['a', 'b', 'p']).not.toContain(copy.cards[0].id);
  expect((await editor.post(`${path}/duplicate`)).body.name).toBe('Copy 2 of Sales');
  await editor.put(`/api/dashboards/${copy.id}/cards/${copy.cards[0].id}`, { title: 'changed' });
  expect((await editor.get(`${path}/cards`)).body.items[0].title).toBe('');
});

describe('access to a dashboard', () => {
  it('is granted to members by email, and to groups; it adds to what their role gives', async ({ api }) => {
    const { id, path } = await givenDashboard(api, { name: 'Granted' });
    await givenDashboard(api, { name: 'Hidden' });
    const viewer = api.as('viewer');
    const { email } = await api.password('viewer');
    const grant = (body: object) => api.as('editor').post(`${path}/access`, body);
    for (const stranger of ['nobody@example.com', (await api.as('stranger').get('/api/auth/me')).body.user.email])
      expect(await grant({ email: stranger, permission: 'viewer' }), stranger).toMatchObject({
        status: 400,
        body: { code: 'NOT_A_MEMBER' },
      });
    const made = await grant({ email: email.toUpperCase(), permission: 'viewer' });
    expect(made).toMatchObject({ status: 201, body: { email, permission: 'viewer', granteeType: 'user' } });
    expect(made.body.id).toBe(made.body.userId);
    expect(await grant({ email, permission: 'editor' })).toMatchObject({
      status: 409,
      body: { code: 'ACCESS_EXISTS' },
    });
    expect(await viewer.get(path)).toMatchObject({ status: 200, body: { name: 'Granted' } });
    expect(names(await viewer.get('/api/dashboards'))).toEqual(['Granted']);
    expect((await viewer.put(path, { name: 'x' })).status).toBe(403);

    const set = (grantee: string, permission: string) =>
      api.as('editor').put(`${path}/access/${grantee}`, { permission });
    expect(await set(`user/${made.body.userId}`, 'editor')).toMatchObject({
      status: 200,
      body: { permission: 'editor' },
    });
    expect(await viewer.put(path, { name: 'By the viewer' })).toMatchObject({ status: 200 });
    const page = await viewer.get('/api/dashboards/page?scope=shared&include=viewerMeta');
    expect(page.body).toMatchObject({
      total: 1,
      items: [{ id, viewerMeta: { permission: 'editor', via: 'grant', isShared: true, canShare: false } }],
    });
    const { viewerMeta } = (await viewer.get(`${path}?include=viewerMeta`)).body;
    expect(viewerMeta).toEqual(page.body.items[0].viewerMeta);
    expect((await viewer.get(path)).body).not.toHaveProperty('viewerMeta');
    expect((await api.as('editor').get('/api/dashboards/page?scope=shared')).body).toMatchObject({
      items: [],
      total: 0,
    });
    expect(await set(`user/${UNKNOWN}`, 'viewer')).toMatchObject({ status: 404, body: { code: 'MEMBER_NOT_FOUND' } });
    expect(await set(`group/${UNKNOWN}`, 'viewer')).toMatchObject({ status: 404, body: { code: 'GROUP_NOT_FOUND' } });
    expect((await api.as('editor').get(`${path}/access`)).body).toMatchObject({ total: 1, items: [{ email }] });

    const { body: group } = await api.as('owner').post('/api/groups', { name: 'Finance' });
    await api.as('owner').put(`/api/groups/${group.id}/members/${made.body.userId}`);
    expect(await set(`group/${group.id}`, 'viewer')).toMatchObject({
      status: 200,
      body: { groupId: group.id, email: null },
    });
    const revoke = (accessId: string) => api.as('editor').delete(`${path}/access/${accessId}`);
    expect((await revoke(made.body.id)).status).toBe(204);
    expect(await revoke(made.body.id)).toMatchObject({ status: 404, body: { code: 'DASHBOARD_ACCESS_NOT_FOUND' } });
    expect((await viewer.get('/api/dashboards?include=viewerMeta')).body.items).toMatchObject([
      { id, viewerMeta: { permission: 'viewer', via: 'group', isShared: true, canExport: true } },
    ]);
    expect((await viewer.get(`${path}?include=viewerMeta`)).body).toMatchObject({
      viewerMeta: { permission: 'viewer', via: 'group', isShared: true, canExport: true, canShare: false },
    });
    expect((await revoke(group.id)).status).toBe(204);
    expect((await viewer.get(`${path}?include=viewerMeta`)).status).toBe(404);
  });

  it('has candidates: members of the workspace alone', async ({ api }) => {
    const { path } = await givenDashboard(api);
    const { email } = await api.password('viewer');
    const find = (q: string) => api.as('editor').get(`${path}/access/candidates?q=${encodeURIComponent(q)}`);
    const [candidate] = (await find(email.slice(0, 20).toUpperCase())).body.items;
    expect(candidate).toMatchObject({ email, hasAccess: false });
    await api.as('editor').post(`${path}/access`, { email, permission: 'viewer' });
    expect((await find(email)).body.items).toMatchObject([{ userId: candidate.userId, hasAccess: true }]);
    const stranger = (await api.as('stranger').get('/api/auth/me')).body.user.email;
    expect((await find(stranger)).body.items).toEqual([]);
    expect((await find('x')).status).toBe(400);
    expect((await api.as('editor').get(`/api/dashboards/${UNKNOWN}/access/candidates?q=ab`)).status).toBe(404);
  });
});

describe('bookmarks of a dashboard', () => {
  it('are personal or shared, each with one default', async ({ api }) => {
    const { id, path } = await givenDashboard(api);
    await api.as('editor').post(`${path}/publish`);
    const state = { pageId: null, filters: { region: ['eu'] } };
    const viewer = api.as('viewer');
    const mine = await viewer.post(`${path}/bookmarks`, { name: 'Mine', state, isDefault: true });
    expect(mine).toMatchObject({
      status: 201,
      body: { dashboardId: id, name: 'Mine', state, isDefault: true, isPersonal: true, revision: 1 },
    });
    const shared = { name: 'Ours', state: {}, isPersonal: false, isDefault: true };
    expect((await viewer.post(`${path}/bookmarks`, shared)).status).toBe(403);
    const ours = await created(api, `${path}/bookmarks`, shared);
    const deep = JSON.parse(`${'{"a":'.repeat(50)}1${'}'.repeat(50)}`);
    expect(await viewer.post(`${path}/bookmarks`, { name: 'Deep', state: { filters: { deep } } })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: `/state/filters/deep${'/a'.repeat(22)}`, code: 'MAX_NESTING' }] },
    });
    const second = await viewer.post(`${path}/bookmarks`, { name: 'Second', state, isDefault: true });
    expect((await viewer.get(`${path}/bookmarks`)).body).toMatchObject({
      total: 3,
      items: [
        { name: 'Ours', isDefault: true, isPersonal: false },
        { name: 'Mine', isDefault: false },
        { name: 'Second', isDefault: true },
      ],
    });
    expect(names(await api.as('editor').get(`${path}/bookmarks`))).toEqual(['Ours']);

    const at = (bookmark: { id: string }) => `/api/dashboards/bookmarks/${bookmark.id}`;
    expect((await viewer.put(at(ours), { name: 'x' })).status).toBe(403);
    expect((await viewer.delete(at(ours))).status).toBe(403);
    expect((await api.as('owner').put(at(ours), { isPersonal: true })).status).toBe(403);
    expect((await viewer.put(at(mine.body), { isPersonal: false })).status).toBe(403);
    const notFound = { status: 404, body: { code: 'BOOKMARK_NOT_FOUND' } };
    expect(await api.as('editor').put(at(mine.body), { name: 'x' })).toMatchObject(notFound);
    expect(await api.as('stranger').delete(at(ours))).toMatchObject(notFound);
    const stale = { headers: { 'if-match': '"5"' } };
    expect((await viewer.put(at(mine.body), { name: 'x' }, stale)).status).toBe(412);
    expect((await viewer.delete(at(mine.body), stale)).status).toBe(412);
    expect(await viewer.put(at(mine.body), { isDefault: true })).toMatchObject({
      body: { isDefault: true, revision: 2 },
    });
    expect((await viewer.put(at(second.body), { name: 'Other' })).body).toMatchObject({ isDefault: false });
    expect((await viewer.put(at(mine.body), { isDefault: false })).body).toMatchObject({ isDefault: false });
    expect(await api.as('editor').put(at(ours), { isPersonal: true })).toMatchObject({
      status: 200,
      body: { isPersonal: true, isDefault: true },
    });
    expect(names(await viewer.get(`${path}/bookmarks`))).toEqual(['Mine', 'Other']);
    expect(await api.as('editor').put(at(ours), { isPersonal: false })).toMatchObject({ status: 200 });
    expect((await viewer.delete(at(second.body))).status).toBe(204);
    expect(await viewer.delete(at(second.body))).toMatchObject(notFound);
    expect(names(await viewer.get(`${path}/bookmarks`))).toEqual(['Ours', 'Mine']);

    const pk = `W#${api.workspaceId}#DASHBOARD-BOOKMARK#${id}`;
    const prefix = `USER#${mine.body.createdBy}#`;
    const stored = await api.stored({ pk, sk: `${prefix}${mine.body.id}` });
    for (let index = 0; index < 99; index += 1) {
      const Item = { ...stored, id: `b${index}`, sk: `${prefix}b${index}` };
      await api.table.db.send(new PutCommand({ TableName: api.table.name, Item }));
    }
    const full = { status: 409, body: { code: 'TOO_MANY_BOOKMARKS' } };
    expect(await viewer.post(`${path}/bookmarks`, { name: 'one more', state: {} })).toMatchObject(full);
    await api.as('owner').put(`${path}/access/user/${mine.body.createdBy}`, { permission: 'editor' });
    const another = await viewer.post(`${path}/bookmarks`, { name: 'shared', state: {}, isPersonal: false });
    expect(await viewer.put(at(another.body), { isPersonal: true })).toMatchObject(full);
  });

  it('end with the membership of their user', async ({ api }) => {
    const { path } = await givenDashboard(api);
    await api.as('editor').post(`${path}/publish`);
    const member = await givenMember(api, 'viewer');
    const as = api.as({ token: member.token });
    const { body: mine } = await as.post(`${path}/bookmarks`, { name: 'Mine', state: {} });
    const locator = { pk: `W#${api.workspaceId}#BOOKMARK`, sk: mine.id };
    expect(await api.stored(locator)).toBeDefined();
    expect((await api.as('owner').delete(`/api/workspaces/members/${member.userId}`)).status).toBe(204);
    await vi.waitFor(async () => expect(await api.stored(locator)).toBeUndefined(), { timeout: 90_000, interval: 200 });
  });
});
