import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { follows } from '../../../../shared/domains/delivery/notifications/index.ts';
import { commentStore } from '../../../../shared/domains/stories/comments/index.ts';
import { readMembers } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { type Api, type Caller, it } from '../../../support/api.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { endDue } from '../../../support/given/clean-ups.ts';
import { givenDashboard, textCard } from '../../../support/given/dashboard.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenMember } from '../../../support/given/member.ts';
import { givenMetric, givenSalesModel } from '../../../support/given/metric.ts';
import { issuesOf, posted } from '../../../support/given/model.ts';
import { countBelow } from '../../../support/given/notifications.ts';
import { givenProtectedDashboard, givenShare, publish } from '../../../support/given/shares.ts';

const UNKNOWN = '00000000-0000-7000-8000-000000000000';

/** A published dashboard of two text cards, of which the second is not published. */
async function given(api: Api) {
  const { id, path } = await givenDashboard(api);
  await posted(api, `${path}/cards`, textCard('intro', { title: 'Intro' }));
  await publish(api, path);
  await posted(api, `${path}/cards`, textCard('secret', { title: 'Draft only' }));
  return { id, path, list: `/api/comments/dashboard/${id}` };
}

const on = (resourceId: string, more: object = {}) => ({
  resourceType: 'dashboard',
  resourceId,
  content: 'Why does it drop?',
  ...more,
});

async function written(caller: Caller, body: object): Promise<{ id: string } & Record<string, unknown>> {
  const reply = await caller.post('/api/comments', body);
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply.body;
}

const person = (api: Api, role: string) =>
  givenMember(api, role).then((member) => ({ ...member, caller: api.as(member) }));

describe('comments', () => {
  it('are on every kind of object, and those on parts are listed with their object', async ({ api }) => {
    const { id, list } = await given(api);
    const { definition, modelId, fields } = await givenSalesModel(api);
    const metric = await givenMetric(api, definition);
    const dataset = await givenDataset(api, { name: 'plain', sql: 'SELECT 1 AS a' });
    const query = await posted(api, '/api/saved-queries', { name: 'q', sql: 'SELECT 1 AS a' });
    const blocks = [{ id: 'head', type: 'heading', text: 'Results' }];
    const report = await posted(api, '/api/reports', { name: 'Report', layout: { blocks } });
    const fieldId = fields.region;
    const editor = api.as('editor');
    const objects = [
      ['dashboard', id],
      ['report', report.id],
      ['model', modelId],
      ['metric', metric.id],
      ['saved-query', query.id],
      ['dataset', dataset.id],
    ] as const;
    for (const [resourceType, resourceId] of objects) {
      const made = await written(editor, on(resourceId, { resourceType }));
      expect(made).toMatchObject({ resourceType, resourceId, context: { kind: 'object' }, warning: null });
      const { items, counts } = (await editor.get(`/api/comments/${resourceType}/${resourceId}`)).body;
      expect(items.map((each: { id: string }) => each.id)).toEqual([made.id]);
      expect(counts).toEqual({ open: 1, resolved: 0, orphaned: 0 });
    }
    const parts = [
      ['card', `${id}:intro`, { kind: 'card', cardId: 'intro' }, list],
      ['block', `${report.id}:head`, { kind: 'block', blockId: 'head' }, `/api/comments/report/${report.id}`],
      ['field', `${modelId}:${fieldId}`, { kind: 'field', fieldId }, `/api/comments/model/${modelId}`],
    ] as const;
    for (const [resourceType, resourceId, context, whole] of parts) {
      const made = await written(editor, on(resourceId, { resourceType }));
      expect(made).toMatchObject({ resourceType: whole.split('/')[3], context });
      const ofPart = (await editor.get(`/api/comments/${resourceType}/${resourceId}`)).body;
      expect(ofPart).toMatchObject({ total: 1, items: [{ id: made.id }] });
      const ofAll = (await editor.get(whole)).body;
      expect(ofAll).toMatchObject({ total: 2, counts: { open: 2 }, parts: [{ type: resourceType, open: 1 }] });
    }
  });

  it('are threads with one level of replies, which can be resolved, reopened and paged', async ({ api }) => {
    const { id, list } = await given(api);
    const { caller: viewer, userId } = await person(api, 'viewer');
    const root = await written(viewer, on(id, { context: { kind: 'card', cardId: 'intro' } }));
    const reply = await written(api.as('editor'), on(id, { parentId: root.id, content: 'A holiday.' }));
    const nested = await written(viewer, on(id, { parentId: reply.id, content: 'Thanks!' }));
    expect(nested).toMatchObject({ parentId: root.id, context: { kind: 'card', cardId: 'intro' } });
    const other = await written(viewer, on(id, { content: 'Another thread' }));
    const { items, total } = (await viewer.get(list)).body;
    expect(total).toBe(2);
    expect(items[0]).toMatchObject({
      id: root.id,
      author: { id: userId, name: 'New' },
      replyCount: 2,
      replies: [{ id: reply.id, content: 'A holiday.' }, { id: nested.id }],
    });
    const second = (await viewer.get(`${list}?limit=1&offset=1`)).body;
    expect(second).toMatchObject({ items: [{ id: other.id }], total: 2, limit: 1, offset: 1 });

    const resolve = (commentId: string, isResolved: boolean) =>
      viewer.put(`/api/comments/${commentId}`, { isResolved });
    expect(await resolve(nested.id, true)).toMatchObject({ status: 409, body: { code: 'COMMENT_IS_REPLY' } });
    for (const _twice of [1, 2])
      expect(await resolve(root.id, true)).toMatchObject({
        status: 200,
        body: { resolvedBy: userId, resolution: 'resolved', editedAt: null },
      });
    const open = (await viewer.get(`${list}?state=open`)).body;
    expect(open).toMatchObject({ items: [{ id: other.id }], counts: { open: 1, resolved: 1 }, parts: [] });
    expect((await viewer.get(`${list}?state=resolved`)).body).toMatchObject({ total: 1, items: [{ id: root.id }] });
    expect(await resolve(root.id, false)).toMatchObject({ status: 200, body: { resolvedAt: null, resolution: null } });
    const edited = await viewer.put(`/api/comments/${root.id}`, { content: 'Why did it drop?' });
    expect(edited).toMatchObject({ status: 200, body: { content: 'Why did it drop?', editedAt: expect.any(String) } });
  });

  it('become tombstones while they have replies, and vanish with the last one', async ({ api }) => {
    const { id, list } = await given(api);
    const { caller: viewer, userId } = await person(api, 'viewer');
    const root = await written(viewer, on(id, { content: 'Something private' }));
    const reply = await written(api.as('editor'), on(id, { parentId: root.id }));
    expect((await viewer.delete(`/api/comments/${root.id}`)).status).toBe(204);
    expect(await viewer.delete(`/api/comments/${root.id}`)).toMatchObject({ status: 404 });
    const { items } = (await viewer.get(list)).body;
    expect(items).toMatchObject([{ id: root.id, content: null, deletedBy: userId, mentions: [], replies: [{}] }]);
    const place = { workspaceId: api.workspaceId, type: 'dashboard', id };
    expect(JSON.stringify(await commentStore(api.table).comments(place, root.id))).not.toContain('private');
    const late = await viewer.post('/api/comments', on(id, { parentId: reply.id }));
    expect(late).toMatchObject({ status: 409, body: { code: 'COMMENT_PARENT_DELETED' } });
    expect((await api.as('editor').delete(`/api/comments/${reply.id}`)).status).toBe(204);
    expect((await viewer.get(list)).body).toMatchObject({ items: [], total: 0 });
    const alone = await written(viewer, on(id));
    expect((await viewer.delete(`/api/comments/${alone.id}`)).status).toBe(204);
    expect((await viewer.get(list)).body.total).toBe(0);
    expect(await countBelow(api.table, { pk: `W#${api.workspaceId}#COMMENT`, sk: '' })).toBe(0);
  });

  it('are kept apart when several people write, edit and delete at the same time', async ({ api }) => {
    const { id, list } = await given(api);
    const { caller: viewer } = await person(api, 'viewer');
    const root = await written(viewer, on(id));
    const replies = Array.from({ length: 8 }, (_, n) => on(id, { parentId: root.id, content: `reply ${n}` }));
    await Promise.all([
      ...replies.map((reply) => written(api.as('editor'), reply)),
      viewer.put(`/api/comments/${root.id}`, { content: 'Edited meanwhile' }),
      viewer.put(`/api/comments/${root.id}`, { isResolved: true }),
    ]);
    const { items } = (await viewer.get(list)).body;
    expect(items).toMatchObject([{ content: 'Edited meanwhile', replyCount: 8, resolution: 'resolved' }]);
    expect(items[0].replies.map(({ content }: { content: string }) => content).toSorted()).toEqual(
      replies.map(({ content }) => content),
    );
    const own = items[0].replies.map(({ id: each }: { id: string }) => each);
    await Promise.all(own.map((each: string) => api.as('editor').delete(`/api/comments/${each}`)));
    expect((await viewer.get(list)).body).toMatchObject({ items: [{ replyCount: 0, replies: [] }] });
  });

  it('are written once under an idempotency key', async ({ api }) => {
    const { id, list } = await given(api);
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const replies = await Promise.all([1, 2].map(() => api.as('editor').post('/api/comments', on(id), { headers })));
    expect(replies.some(({ status }) => status === 201)).toBe(true);
    expect((await api.as('editor').post('/api/comments', on(id), { headers })).status).toBe(201);
    expect((await api.as('editor').get(list)).body.total).toBe(1);
  });

  it('with issues are rejected with the places of all of them, and nothing is stored', async ({ api }) => {
    const { id, list } = await given(api);
    const editor = api.as('editor');
    const issues = async (more: object) => {
      const reply = await editor.post('/api/comments', on(id, more));
      expect(reply.status).toBe(400);
      return issuesOf(reply);
    };
    expect(await issues({ resourceType: 'pipeline' })).toEqual(['/resourceType UNKNOWN_TYPE']);
    expect(await issues({ parentId: UNKNOWN })).toEqual(['/parentId UNKNOWN_COMMENT']);
    expect(await issues({ context: { kind: 'card', cardId: 'none' } })).toEqual(['/context/cardId UNKNOWN_PART']);
    expect(await issues({ context: { kind: 'block', blockId: 'x' } })).toEqual(['/context/kind NOT_APPLICABLE']);
    expect(await issues({ context: { kind: 'point', row: { a: 1 } } })).toEqual(['/context ONE_PART']);
    expect(await issues({ context: { kind: 'point', cardId: 'intro', row: { a: 1 } } })).toEqual([
      '/context/kind NOT_APPLICABLE',
    ]);
    const text = { sectionId: 'a', blockId: 'b', quote: { exact: 'x' } };
    expect(await issues({ context: { kind: 'text', ...text } })).toEqual(['/context/kind NOT_APPLICABLE']);
    expect(await issues({ resourceType: 'card', resourceId: `${id}:intro`, context: { kind: 'object' } })).toEqual([
      '/context OTHER_PART',
    ]);
    expect(await issues({ content: `@[x](user:${UNKNOWN})` })).toEqual(['/content UNKNOWN_MENTION']);
    expect(await issues({ mentions: [UNKNOWN, `group:${UNKNOWN}`] })).toEqual([
      '/mentions/0 NOT_IN_CONTENT',
      '/mentions/1 NOT_IN_CONTENT',
    ]);
    expect((await issues({ content: ' \n' })).join()).toContain('/content');
    expect((await issues({ content: 'x'.repeat(10_001) })).join()).toContain('/content');
    const many = Array.from({ length: 51 }, () => `@[x](user:${crypto.randomUUID()})`).join(' ');
    expect(await issues({ content: many })).toEqual(['/content TOO_MANY']);
    const root = await written(editor, on(id));
    expect(await issues({ parentId: root.id, context: { kind: 'object' } })).toEqual(['/context NOT_ALLOWED']);
    const half = await editor.put(`/api/comments/${root.id}`, {
      ...{ content: 'Changed', isResolved: true, context: { kind: 'card', cardId: 'none' } },
    });
    expect(issuesOf(half)).toEqual(['/context/cardId UNKNOWN_PART']);
    expect((await editor.get(list)).body).toMatchObject({
      items: [{ content: 'Why does it drop?', editedAt: null, resolvedAt: null }],
    });
    expect((await editor.get(list)).body.total).toBe(1);
    for (const resourceId of [UNKNOWN, 'x', `${id}:intro`]) {
      const missing = await editor.post('/api/comments', on(resourceId));
      expect(missing).toMatchObject({ status: 404, body: { code: 'COMMENT_OBJECT_NOT_FOUND' } });
    }
    for (const path of [`/api/comments/dashboard/${UNKNOWN}`, `/api/comments/pipeline/${id}`])
      expect(await editor.get(path)).toMatchObject({ status: 404, body: { code: 'COMMENT_OBJECT_NOT_FOUND' } });
    expect(await editor.put(`/api/comments/${UNKNOWN}`, { content: 'x' })).toMatchObject({
      status: 404,
      body: { code: 'COMMENT_NOT_FOUND' },
    });
  });

  it('are limited to 20 a minute for a person, 100 replies a thread, and 5,000 an object', async ({ api }) => {
    const { id } = await given(api);
    const { caller, userId } = await person(api, 'viewer');
    const place = { workspaceId: api.workspaceId, type: 'dashboard', id };
    const root = await written(api.as('editor'), on(id));
    const store = commentStore(api.table);
    const { comment } = (await store.find(api.workspaceId, root.id))!;
    for (let count = 1; count <= 100; count++) {
      const replyId = crypto.randomUUID();
      await store.add(place, { ...comment, id: replyId, parentId: root.id }, undefined, []);
    }
    const full = await api.as('editor').post('/api/comments', on(id, { parentId: root.id }));
    expect(full).toMatchObject({ status: 409, body: { code: 'TOO_MANY_COMMENTS' } });
    const total = { pk: `W#${api.workspaceId}#COMMENTS#dashboard#${id}`, sk: '#TOTAL' };
    const change = {
      TableName: api.table.name,
      Key: total,
      UpdateExpression: 'SET #count = :max',
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: { ':max': 5_000 },
    };
    await api.table.db.send(new UpdateCommand(change));
    const most = await api.as('editor').post('/api/comments', on(id));
    expect(most).toMatchObject({ status: 409, body: { code: 'TOO_MANY_COMMENTS' } });

    // The minute may end in between.
    const minutes = [Date.now(), Date.now() + 60_000].map((at) => new Date(at).toISOString().slice(0, 16));
    for (const minute of minutes)
      await api.table.db.send(
        new UpdateCommand({
          ...change,
          Key: { pk: `W#${api.workspaceId}#COMMENT-RATE`, sk: `${userId}#${minute}` },
          ExpressionAttributeValues: { ':max': 20 },
        }),
      );
    const often = await caller.post('/api/comments', on(id));
    expect(often).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect(Number(often.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('end with their object', async ({ api }) => {
    const { id, path, list } = await given(api);
    const editor = api.as('editor');
    const dataset = await givenDataset(api, { name: 'plain', sql: 'SELECT 1 AS a' });
    const query = await posted(api, '/api/saved-queries', { name: 'q', sql: 'SELECT 1 AS a' });
    const comment = await written(editor, on(id));
    for (const [resourceType, each] of [
      ['dataset', dataset.id],
      ['saved-query', query.id],
    ] as const)
      await written(editor, on(each, { resourceType }));
    const inThirtyDays = new Date(Date.now() + 31 * 24 * 60 * 60_000);
    expect((await editor.delete(path)).status).toBe(204);
    expect((await editor.get(list)).status).toBe(404);
    expect(await editor.put(`/api/comments/${comment.id}`, { content: 'x' })).toMatchObject({ status: 404 });
    expect((await editor.post(`${path}/restore`, {})).status).toBe(200);
    expect((await editor.get(list)).body.total).toBe(1);
    // The clean-up of the earlier deletion finds the dashboard restored.
    await endDue(api, inThirtyDays);
    expect((await editor.get(list)).body.total).toBe(1);
    for (const each of [path, `/api/datasets/${dataset.id}`, `/api/saved-queries/${query.id}`])
      expect((await editor.delete(each)).status).toBe(204);
    await endDue(api, inThirtyDays);
    for (const [type, each] of [
      ['dashboard', id],
      ['dataset', dataset.id],
      ['saved-query', query.id],
    ])
      for (const area of ['COMMENTS', 'FOLLOW'])
        expect(await countBelow(api.table, { pk: `W#${api.workspaceId}#${area}#${type}#${each}`, sk: '' })).toBe(0);
    expect(await countBelow(api.table, { pk: `W#${api.workspaceId}#COMMENT`, sk: '' })).toBe(0);
  });
});

describe('who may comment', () => {
  it('follows from the object, the role, the key and the workspace', async ({ api }) => {
    const { id, path, list } = await given(api);
    const draft = await givenDashboard(api, { name: 'Draft' });
    const granted = await person(api, 'viewer');
    for (const [dashboard, level] of [
      [path, 'viewer'],
      [draft.path, 'viewer'],
    ] as const) {
      const grant = { email: granted.email, permission: level };
      expect((await api.as('owner').post(`${dashboard}/access`, grant)).status).toBe(201);
    }
    const key = async (scope: string) =>
      (await api.as('owner').post('/api/api-keys', { name: scope, scope })).body.key as string;
    const callers = {
      viewer: api.as('viewer'),
      granted: granted.caller,
      editor: api.as('editor'),
      owner: api.as('owner'),
      admin: api.as('admin'),
      readKey: api.as({ token: await key('read') }),
      writeKey: api.as({ token: await key('read/write') }),
      stranger: api.as('stranger'),
      anonymous: api.as('anonymous'),
    };
    // read, write, edit the comment of another, resolve, delete the comment of another; then the same on a draft.
    const table: Record<keyof typeof callers, string> = {
      viewer: '200 201 403 200 403 404 404',
      granted: '200 201 403 200 403 200 201',
      editor: '200 201 403 200 204 200 201',
      owner: '200 201 403 200 204 200 201',
      admin: '200 201 403 200 204 200 201',
      readKey: '200 403 403 403 403 200 403',
      writeKey: '200 201 403 200 204 200 201',
      stranger: '404 404 404 404 404 404 404',
      anonymous: '401 401 401 401 401 401 401',
    };
    const author = await person(api, 'editor');
    for (const [name, caller] of Object.entries(callers)) {
      const comment = `/api/comments/${(await written(author.caller, on(id))).id}`;
      const statuses = [
        await caller.get(list),
        await caller.post('/api/comments', on(id)),
        await caller.put(comment, { content: 'Mine now' }),
        await caller.put(comment, { isResolved: true }),
        await caller.delete(comment),
        await caller.get(`/api/comments/dashboard/${draft.id}`),
        await caller.post('/api/comments', on(draft.id)),
      ].map(({ status }) => status);
      expect(`${name} ${statuses.join(' ')}`).toBe(`${name} ${table[name as keyof typeof callers]}`);
    }
    for (const sub of ['candidates', 'follow'])
      expect(
        await callers.stranger.send(sub === 'follow' ? 'PUT' : 'GET', `${list}/${sub}`, {
          ...(sub === 'follow' && { text: JSON.stringify({ state: 'following' }) }),
        }),
      ).toMatchObject({ status: 404, body: { code: 'COMMENT_OBJECT_NOT_FOUND' } });
    expect(
      (await api.as('editor').get(list)).body.items.map(({ content }: { content: string }) => content),
    ).not.toContain('Mine now');
  });

  it('is set by the workspace: everyone, editors only, or no one', async ({ api }) => {
    const { id, list } = await given(api);
    const viewer = api.as('viewer');
    const set = (comments: string) => api.as('owner').patch('/api/workspaces/current', { comments });
    const own = await written(viewer, on(id));
    expect((await viewer.get(list)).body).toMatchObject({ mayComment: true, comments: 'everyone' });
    expect(await set('editors')).toMatchObject({ status: 200, body: { comments: 'editors' } });
    expect(await viewer.post('/api/comments', on(id))).toMatchObject({
      status: 403,
      body: { code: 'COMMENTS_RESTRICTED' },
    });
    expect((await viewer.put(`/api/comments/${own.id}`, { content: 'x' })).body.code).toBe('COMMENTS_RESTRICTED');
    await written(api.as('editor'), on(id));
    expect((await viewer.get(list)).body).toMatchObject({ mayComment: false, total: 2 });
    await set('off');
    for (const role of ['viewer', 'owner'] as const) {
      expect(await api.as(role).post('/api/comments', on(id))).toMatchObject({
        status: 409,
        body: { code: 'COMMENTS_OFF' },
      });
      expect((await api.as(role).get(list)).body).toMatchObject({ mayComment: false, comments: 'off', total: 2 });
    }
    expect((await viewer.put(`/api/comments/${own.id}`, { isResolved: true })).body.code).toBe('COMMENTS_OFF');
    expect((await viewer.delete(`/api/comments/${own.id}`)).status).toBe(204);
  });

  it('hides threads on cards that a viewer does not see, and links show none', async ({ api }) => {
    const { id, path, list } = await given(api);
    const editor = api.as('editor');
    const hidden = await written(editor, on(id, { context: { kind: 'card', cardId: 'secret' }, content: 'HIDDEN' }));
    await written(editor, on(id, { context: { kind: 'card', cardId: 'intro' } }));
    const seen = (await api.as('viewer').get(list)).body;
    expect(seen).toMatchObject({ total: 1, counts: { open: 1 }, parts: [{ id: 'intro', open: 1 }] });
    expect(JSON.stringify(seen)).not.toContain('HIDDEN');
    expect((await api.as('viewer').put(`/api/comments/${hidden.id}`, { isResolved: true })).status).toBe(404);
    const reply = await api.as('viewer').post('/api/comments', on(id, { parentId: hidden.id }));
    expect(issuesOf(reply)).toEqual(['/parentId UNKNOWN_COMMENT']);
    const { reader } = await givenShare(api, id);
    expect(JSON.stringify(await reader.get('content'))).not.toContain('drop');

    // A thread on a card that was deleted is an orphan, not gone; it comes back with the card.
    expect((await editor.delete(`${path}/cards/secret`)).status).toBe(204);
    const orphans = (await editor.get(`${list}?state=orphaned`)).body;
    expect(orphans).toMatchObject({
      total: 1,
      items: [{ id: hidden.id, anchor: { state: 'orphaned' }, resolvedAt: null }],
    });
    expect(orphans.counts).toEqual({ open: 2, resolved: 0, orphaned: 1 });
    await posted(api, `${path}/cards`, textCard('secret'));
    expect((await editor.get(list)).body).toMatchObject({ counts: { orphaned: 0 } });
    const moved = await editor.put(`/api/comments/${hidden.id}`, { context: { kind: 'card', cardId: 'intro' } });
    expect(moved).toMatchObject({ status: 200, body: { context: { cardId: 'intro' } } });
    expect((await api.as('viewer').get(list)).body.total).toBe(2);
  });

  it('hides the values of a point while its rows are protected, and warns who comments there', async ({ api }) => {
    const { id: staffId, staff } = await givenProtectedDashboard(api);
    const dataset = await givenDataset(api, { name: 'open', sql: "SELECT 'eu' AS region, 1 AS amount" });
    const source = { kind: 'dataset', id: dataset.id };
    const open = await givenCards(api, [card('open', chart({ source, dimensions: [{ column: 'region' }] }))]);
    const editor = api.as('editor');
    const row = { region: 'eu', amount: 1, note: null };
    const point = await written(editor, on(open.id, { context: { kind: 'point', cardId: 'open', row } }));
    expect(point).toMatchObject({ context: { kind: 'point', row }, warning: null });
    const [{ id: cardId }] = (await editor.get(`/api/dashboards/${staffId}/cards`)).body.items;
    const secret = await written(editor, on(staffId, { context: { kind: 'point', cardId, row: { region: 'us' } } }));
    expect(secret).toMatchObject({ context: { kind: 'point', cardId, row: null }, warning: 'PROTECTED_SOURCE' });
    const part = (await editor.get(`/api/comments/card/${staffId}:${cardId}`)).body;
    expect(part).toMatchObject({ warning: 'PROTECTED_SOURCE', items: [{ context: { row: null } }] });

    const query = await posted(api, '/api/saved-queries', { name: 'q', sql: 'SELECT name FROM people' });
    const quoted = await written(editor, on(query.id, { resourceType: 'saved-query' }));
    expect(quoted).toMatchObject({ warning: 'PROTECTED_SOURCE' });

    // Another chart may show what not everyone may see, so that the values are those of no chart any more.
    const changed = chart({
      source: { kind: 'model', id: staff.model.id },
      dimensions: [{ fieldId: staff.field.region }],
    });
    expect((await editor.put(`${open.path}/cards/open`, { chartSpec: changed })).status).toBe(200);
    expect((await editor.get(`/api/comments/dashboard/${open.id}`)).body.items[0].context.row).toBeNull();
  });
});

describe('the audit log', () => {
  it('has comments that were written, changed and deleted, without their texts', async ({ api }) => {
    const { id } = await given(api);
    const comment = await written(api.as('editor'), on(id, { content: 'Not for the log' }));
    await api.as('editor').put(`/api/comments/${comment.id}`, { isResolved: true });
    await api.as('editor').delete(`/api/comments/${comment.id}`);
    const { items } = (await api.as('owner').get('/api/audit-log?limit=20')).body;
    const actions = items.map(({ action }: { action: string }) => action);
    for (const verb of ['created', 'updated', 'deleted']) expect(actions).toContain(`comment.${verb}`);
    expect(JSON.stringify(items)).not.toContain('Not for the log');
  });
});

describe('following', () => {
  it('begins once with a comment, and ends when the person says so', async ({ api }) => {
    const { id, list } = await given(api);
    const { caller: viewer, userId } = await person(api, 'viewer');
    const state = async () => (await viewer.get(list)).body.following;
    expect(await state()).toBe('unfollowed');
    await written(viewer, on(id));
    expect(await state()).toBe('following');
    for (const each of ['muted', 'unfollowed']) {
      expect(await viewer.put(`${list}/follow`, { state: each })).toMatchObject({ status: 200, body: { state: each } });
      expect(await state()).toBe(each);
    }
    await written(viewer, on(id));
    expect(await state()).toBe('unfollowed');
    const member = (await readMembers(api.table, api.workspaceId, [userId])).get(userId)!;
    const stored = await follows(api.table).read([member], { type: 'dashboard', id });
    expect([...stored.values()]).toMatchObject([{ state: 'unfollowed' }]);
  });
});
