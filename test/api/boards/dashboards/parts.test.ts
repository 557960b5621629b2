import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { type Api, it } from '../../../support/api.ts';
import { givenDashboard, POSITION, textCard } from '../../../support/given/dashboard.ts';
import { issuesOf } from '../../../support/given/model.ts';

const ids = (reply: { body: { items: { id: string }[] } }) => reply.body.items.map(({ id }) => id);
const codes = (replies: { body: { code?: string } }[]) => replies.map(({ body }) => body.code);

async function created(api: Api, path: string, body: object) {
  const reply = await api.as('editor').post(path, body);
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply;
}

describe('pages of a dashboard', () => {
  it('have ids that clients may choose, an order, and take their cards with them', async ({ api }) => {
    const { path } = await givenDashboard(api);
    const editor = api.as('editor');
    const first = await created(api, `${path}/pages`, { id: 'one', name: 'One' });
    expect(first).toMatchObject({ body: { id: 'one', name: 'One', isHidden: false, pageIndex: 0, revision: 1 } });
    expect(first.headers.get('etag')).toBe('"1"');
    const { body: two } = await created(api, `${path}/pages`, { name: 'Two' });
    expect(await created(api, `${path}/pages`, { id: 'zero', name: 'Zero', pageIndex: 0 })).toMatchObject({
      body: { pageIndex: 0 },
    });
    expect(ids(await editor.get(`${path}/pages`))).toEqual(['zero', 'one', two.id]);
    expect(await editor.post(`${path}/pages`, { id: 'one', name: 'x' })).toMatchObject({
      status: 409,
      body: { code: 'DASHBOARD_PAGE_ID_TAKEN' },
    });
    expect(issuesOf(await editor.post(`${path}/pages`, { id: 'reorder', name: 'x' }))).toEqual(['/id RESERVED']);
    expect((await editor.post(`${path}/pages`, { id: '-x', name: 'x' })).status).toBe(400);

    const stale = { headers: { 'if-match': '"7"' } };
    expect((await editor.put(`${path}/pages/one`, { name: 'x' }, stale)).status).toBe(412);
    expect((await editor.put(`${path}/pages/one`, { isHidden: true, pageIndex: 0 })).status).toBe(204);
    expect((await editor.post(`${path}/pages/reorder`, { pageIds: [two.id, 'one', 'zero'] })).status).toBe(204);
    for (const pageIds of [
      [two.id, 'one'],
      [two.id, 'one', 'one'],
      [two.id, 'one', 'other'],
    ])
      expect(issuesOf(await editor.post(`${path}/pages/reorder`, { pageIds }))).toEqual(['/pageIds NOT_ALL']);
    expect((await editor.get(path)).body.pages).toMatchObject([
      { id: two.id, pageIndex: 0 },
      { id: 'one', isHidden: true, pageIndex: 1, revision: 2 },
      { id: 'zero', pageIndex: 2 },
    ]);

    await created(api, `${path}/cards`, textCard('a', { pageId: 'one' }));
    await created(api, `${path}/cards`, textCard('b', { pageId: 'zero' }));
    for (const linkedCardIds of [['a'], ['a', 'b'], []])
      await created(api, `${path}/filters`, { fieldId: 'region', filterType: 'select', linkedCardIds });
    const renamed = await editor.put(`${path}/pages/one`, { name: 'Uno' });
    expect([renamed.status, renamed.headers.get('etag')]).toEqual([204, '"3"']);
    expect((await editor.delete(`${path}/pages/one`, stale)).status).toBe(412);
    expect((await editor.delete(`${path}/pages/one`)).status).toBe(204);
    expect((await editor.get(path)).body).toMatchObject({
      counts: { pages: 2, cards: 1, filters: 2 },
      cards: [{ id: 'b' }],
      filters: [
        { linkedCardIds: ['b'], revision: 2 },
        { linkedCardIds: [], revision: 1 },
      ],
    });
    const gone = await Promise.all([
      editor.put(`${path}/pages/one`, {}),
      editor.delete(`${path}/pages/one`),
      editor.post(`${path}/cards`, textCard('c', { pageId: 'one' })),
      editor.put(`${path}/cards/b`, { pageId: 'one' }),
      editor.put(`${path}/cards/batch`, { updates: [{ id: 'b', pageId: 'one' }] }),
    ]);
    expect(codes(gone)).toEqual(gone.map(() => 'DASHBOARD_PAGE_NOT_FOUND'));
  });
});

describe('cards of a dashboard', () => {
  it('are edited side by side: each has a revision of its own', async ({ api }) => {
    const { path } = await givenDashboard(api);
    const editor = api.as('editor');
    const seen = (await editor.get(path)).headers.get('etag')!;
    for (const id of ['a', 'b']) await created(api, `${path}/cards`, textCard(id));
    const ifFirst = { headers: { 'if-match': '"1"' } };
    const both = await Promise.all([
      editor.put(`${path}/cards/a`, { title: 'A' }, ifFirst),
      api.as('owner').put(`${path}/cards/b`, { title: 'B' }, ifFirst),
    ]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(await editor.put(`${path}/cards/a`, { title: 'lost' }, ifFirst)).toMatchObject({
      status: 412,
      body: { code: 'PRECONDITION_FAILED' },
    });
    expect((await editor.put(path, { description: 'x' }, { headers: { 'if-match': seen } })).status).toBe(200);
    const { cards } = (await editor.get(path)).body;
    expect(cards).toMatchObject([
      { id: 'a', title: 'A', revision: 2, textContent: 'The text of a' },
      { id: 'b', title: 'B', revision: 2 },
    ]);
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, index) => editor.post(`${path}/cards`, textCard(`c${index}`))),
    );
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 201));
    expect((await editor.get(`${path}/cards`)).body.total).toBe(10);
    const key = { headers: { 'idempotency-key': 'the same' } };
    const once = await editor.post(`${path}/cards`, textCard('once'), key);
    expect(await editor.post(`${path}/cards`, textCard('once'), key)).toMatchObject({ status: 201, body: once.body });
    expect(await editor.post(`${path}/cards`, textCard('once'))).toMatchObject({
      status: 409,
      body: { code: 'DASHBOARD_CARD_ID_TAKEN' },
    });
  });

  it('change together or not at all, and keep the order that they are given', async ({ api }) => {
    const { path } = await givenDashboard(api);
    const editor = api.as('editor');
    await created(api, `${path}/pages`, { id: 'p', name: 'P' });
    for (const id of ['a', 'b', 'c', 'd'])
      await created(api, `${path}/cards`, textCard(id, { pageId: id < 'c' ? 'p' : null }));
    const batch = (updates: object[]) => editor.put(`${path}/cards/batch`, { updates });
    expect(
      await batch([
        { id: 'a', title: 'A' },
        { id: 'x', title: 'X' },
      ]),
    ).toMatchObject({
      status: 404,
      body: { code: 'DASHBOARD_CARD_NOT_FOUND' },
    });
    expect(
      await batch([
        { id: 'a', title: 'A' },
        { id: 'b', revision: 9 },
      ]),
    ).toMatchObject({ status: 412 });
    const wide = { ...POSITION, x: 20 };
    expect(issuesOf(await batch([{ id: 'a', title: 'A' }, { id: 'b', position: wide }, { id: 'a' }]))).toEqual([
      '/updates/1/position/w OUT_OF_GRID',
    ]);
    expect(issuesOf(await batch([{ id: 'a' }, { id: 'a' }]))).toEqual(['/updates/1/id DUPLICATE']);
    expect((await editor.get(`${path}/cards`)).body.items[0]).toMatchObject({ title: '', revision: 1 });
    expect(
      await batch([
        { id: 'b', title: 'B', revision: 1 },
        { id: 'a', position: { ...POSITION, y: 9 } },
      ]),
    ).toMatchObject({
      status: 200,
      body: {
        total: 2,
        items: [
          { id: 'a', position: { y: 9 } },
          { id: 'b', title: 'B', revision: 2 },
        ],
      },
    });

    const reorder = (cardIds: string[]) => editor.put(`${path}/cards/reorder`, { cardIds });
    expect(ids(await reorder(['d', 'c', 'b', 'a']))).toEqual(['d', 'c', 'b', 'a']);
    expect(ids(await reorder(['a', 'b'])), 'those of a page').toEqual(['d', 'c', 'a', 'b']);
    expect(issuesOf(await reorder(['a', 'd']))).toEqual(['/cardIds NOT_ALL']);
    expect(issuesOf(await reorder([]))).toEqual(['/cardIds NOT_ALL']);
    expect(await editor.put(`${path}/cards/b`, { ordinal: 0 })).toMatchObject({ body: { ordinal: 0 } });
    expect(ids(await editor.get(`${path}/cards`))).toEqual(['b', 'd', 'c', 'a']);
    expect(ids(await editor.get(`${path}/cards?pageId=p`))).toEqual(['b', 'a']);
    expect((await editor.delete(`${path}/cards/b`, { headers: { 'if-match': '"1"' } })).status).toBe(412);
    expect((await editor.delete(`${path}/cards/b`)).status).toBe(204);
    const gone = [await editor.delete(`${path}/cards/b`), await editor.put(`${path}/cards/b`, {})];
    expect(codes(gone)).toEqual(['DASHBOARD_CARD_NOT_FOUND', 'DASHBOARD_CARD_NOT_FOUND']);
  });

  it('fit the grid, name what exists, and are not too large together', async ({ api }) => {
    const { id, path } = await givenDashboard(api);
    const editor = api.as('editor');
    const post = (more: object) => editor.post(`${path}/cards`, textCard('x', more));
    expect(issuesOf(await post({ position: { x: 20, y: 0, w: 5, h: 1 } }))).toEqual(['/position/w OUT_OF_GRID']);
    expect(issuesOf(await post({ id: 'batch' }))).toEqual(['/id RESERVED']);
    for (const more of [
      { imageUrl: 'javascript:alert(1)' },
      { cardType: 'iframe' },
      { chartSpec: { version: 1, data: { url: 'http://169.254.169.254/' } } },
      { position: { x: 0, y: 0, w: 4 } },
    ])
      expect(await post(more), JSON.stringify(more)).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_FAILED' },
      });
    const unknown = '00000000-0000-7000-8000-000000000000';
    const missing = [
      await post({ savedQueryId: unknown }),
      await (async () => {
        await created(api, `${path}/cards`, textCard('x'));
        return editor.put(`${path}/cards/x`, { savedQueryId: unknown });
      })(),
      await editor.put(`${path}/cards/batch`, { updates: [{ id: 'x', savedQueryId: unknown }] }),
    ];
    expect(codes(missing)).toEqual(missing.map(() => 'SAVED_QUERY_NOT_FOUND'));
    const content = { pk: `W#${api.workspaceId}#DASHBOARD#${id}`, sk: 'CONTENT' };
    const almost = updateOf(api.table, content, { set: { bytes: 2 * 1024 * 1024 - 100 } });
    await api.table.db.send(new UpdateCommand(almost));
    const saved = await created(api, '/api/saved-queries', { name: 'One', sql: 'SELECT 1 AS n' });
    const full = [
      await editor.post(`${path}/cards/from-query`, { savedQueryId: saved.body.id }),
      await post({ id: 'y' }),
      await editor.put(`${path}/cards/x`, { description: 'x'.repeat(200) }),
      await editor.put(`${path}/cards/batch`, { updates: [{ id: 'x', description: 'x'.repeat(200) }] }),
      await editor.post(`${path}/pages`, { name: 'x' }),
      await editor.post(`${path}/filters`, { fieldId: 'x', filterType: 'text' }),
    ];
    expect(codes(full)).toEqual(full.map(() => 'DASHBOARD_TOO_LARGE'));
  });
});

describe('filters of a dashboard', () => {
  it('have a default of their type, and links to cards that exist', async ({ api }) => {
    const { path } = await givenDashboard(api);
    const editor = api.as('editor');
    await created(api, `${path}/cards`, textCard('a'));
    const filter = (filterType: string, defaultValue: string | null, more: object = {}) =>
      editor.post(`${path}/filters`, { fieldId: 'region', filterType, defaultValue, ...more });
    const valid: [string, string][] = [
      ['select', '"eu"'],
      ['multi_select', '["eu", 1]'],
      ['date_range', '{"from":"2026-01-01","to":null}'],
      ['relative_date', '{"op":"last_n","n":30,"unit":"day"}'],
      ['number_range', '{"min":1}'],
      ['text', '"x"'],
      ['boolean', 'true'],
    ];
    for (const [type, value] of valid) expect((await filter(type, value)).status, type).toBe(201);
    const wrong: [string, string][] = [
      ['select', '["eu"]'],
      ['multi_select', '"eu"'],
      ['date_range', '{"from":"soon"}'],
      ['relative_date', '{"op":"last_n","unit":"day"}'],
      ['number_range', '{"min":"1"}'],
      ['boolean', '{'],
    ];
    for (const [type, value] of wrong)
      expect(issuesOf(await filter(type, value)), type).toEqual(['/defaultValue INVALID_VALUE']);
    expect(issuesOf(await filter('text', null, { linkedCardIds: ['a', 'b'] }))).toEqual([
      '/linkedCardIds/1 UNKNOWN_CARD',
    ]);
    const { items } = (await editor.get(`${path}/filters`)).body;
    expect(items).toHaveLength(7);
    const one = `${path}/filters/${items[6].id}`;
    expect(issuesOf(await editor.put(one, { defaultValue: '1' }))).toEqual(['/defaultValue INVALID_VALUE']);
    expect((await editor.put(one, { label: 'x' }, { headers: { 'if-match': '"4"' } })).status).toBe(412);
    expect(await editor.put(one, { linkedCardIds: ['a'], ordinal: 0 })).toMatchObject({
      status: 200,
      body: { ordinal: 0, linkedCardIds: ['a'], revision: 2 },
    });
    expect((await editor.delete(`${path}/cards/a`)).status).toBe(204);
    const gone = [await editor.put(one, {}), await editor.delete(one)];
    expect(codes(gone), 'its only card took it along').toEqual(gone.map(() => 'DASHBOARD_FILTER_NOT_FOUND'));
    const other = `${path}/filters/${items[0].id}`;
    expect((await editor.delete(other)).status).toBe(204);
    expect((await editor.get(`${path}/filters`)).body.total).toBe(5);
  });
});
