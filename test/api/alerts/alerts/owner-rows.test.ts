import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { alertWorker, feedOf, firedEvents } from '../../../support/given/alert-work.ts';
import { ALERTS, givenAlert } from '../../../support/given/alerts.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { issuesOf, posted } from '../../../support/given/model.ts';
import { givenProtected, givenReader, SECRET_ROW } from '../../../support/given/protected.ts';

/** Three rows of `eu`, which the admin sees, and two of `us`, which the others see. */
async function givenRows(api: Api) {
  const { dataset } = await givenProtected(api);
  const admin = await givenReader(api, { role: 'admin', attributes: { region: 'eu' } });
  const [viewer, editor] = [
    await givenReader(api, { role: 'viewer', attributes: { region: 'us' } }),
    await givenReader(api, { role: 'editor', attributes: { region: 'us' } }),
  ];
  const condition = {
    ...{ kind: 'field', source: { kind: 'dataset', id: dataset.id }, column: 'id', reduce: 'count' },
    ...{ operator: 'gt', threshold: 0 },
  };
  const body = { condition, channels: { inApp: { userIds: [viewer.userId] } }, runAs: 'owner', shareRows: true };
  return { admin, viewer, editor, condition, body };
}

describe('An alert that runs with the rights of its owner', () => {
  it('notifies those whom it names of the rows of the owner, and says so', async ({ api }) => {
    const { admin, viewer, editor, body } = await givenRows(api);
    const alert = await givenAlert(api, body, admin.caller);
    expect(alert).toMatchObject({ runAs: 'owner', shareRows: true });
    const { evaluateAt, deps } = await alertWorker(api);
    await evaluateAt([alert], 1);
    expect(await feedOf(viewer.caller)).toEqual(['fire 3']);
    const [{ text }] = (await viewer.caller.get(`${ALERTS}/feed`)).body.items;
    expect(text).toMatch(/^It fired: the value is 3, which is above 0\. These are the rows that .+ may see\.$/);
    expect((await viewer.caller.get(alert.path)).body).toMatchObject({ state: 'triggered', lastValue: 3 });
    expect((await viewer.caller.get(`${alert.path}/history`)).body.items).toHaveLength(1);
    expect(await deps.states.list({ workspaceId: api.workspaceId, alertId: alert.id })).toHaveLength(1);
    expect((await firedEvents(api)).map(({ value }) => value)).toEqual([null]);

    // Others see no value of it, and cannot make themselves recipients.
    expect((await editor.caller.get(alert.path)).body).not.toHaveProperty('lastValue');
    expect((await editor.caller.get(`${alert.path}/history`)).body.items).toEqual([]);
    expect((await editor.caller.put(`${alert.path}/follow`)).status).toBe(403);
    const channels = { inApp: { userIds: [viewer.userId, editor.userId] } };
    for (const change of [
      { channels },
      { ownerId: editor.userId },
      { runAs: 'recipients' },
      { timezone: 'Asia/Tokyo' },
    ])
      expect(await editor.caller.put(alert.path, change), JSON.stringify(change)).toMatchObject({
        status: 403,
        body: { code: 'FORBIDDEN' },
      });
    expect((await editor.caller.put(alert.path, { severity: 'critical' })).body).toMatchObject({
      severity: 'critical',
    });

    // Those whom it does not name any more see no value.
    expect((await admin.caller.put(alert.path, { channels: {} })).status).toBe(200);
    expect((await viewer.caller.get(alert.path)).status).toBe(404);
    expect((await viewer.caller.get(`${ALERTS}/feed`)).body.items).toMatchObject([
      { alert: { value: null, isHidden: true } },
    ]);
  });

  it('notifies each person of their own rows once it does not share them', async ({ api }) => {
    const { admin, viewer, body } = await givenRows(api);
    const alert = await givenAlert(api, body, admin.caller);
    const { evaluateAt } = await alertWorker(api);
    await evaluateAt([alert], 1);
    expect((await admin.caller.put(alert.path, { runAs: 'recipients' })).status).toBe(200);
    expect((await viewer.caller.get(alert.path)).body).not.toHaveProperty('lastValue');
    await evaluateAt([alert], 2);
    expect((await viewer.caller.get(alert.path)).body).toMatchObject({ lastValue: 2 });
    expect(await feedOf(viewer.caller)).toEqual(['fire null', 'fire 2']);
  });

  it('reads nothing else for those whom it names until its owner has shared it again', async ({ api }) => {
    const { admin, viewer, editor, body } = await givenRows(api);
    const query = await posted(api, '/api/saved-queries', { name: 'Shared', sql: 'SELECT id AS n FROM people' });
    const condition = { ...body.condition, source: { kind: 'savedQuery', id: query.id }, column: 'n', reduce: 'max' };
    const alert = await givenAlert(api, { ...body, condition }, admin.caller);
    const { evaluateAt } = await alertWorker(api);
    await evaluateAt([alert], 1);
    expect((await viewer.caller.get(alert.path)).body).toMatchObject({ state: 'triggered', lastValue: 3 });

    const sql = 'SELECT length(name) AS n FROM people';
    expect((await editor.caller.patch(`/api/saved-queries/${query.id}`, { sql })).status).toBe(200);
    expect((await editor.caller.put(alert.path, { shareRows: true })).status).toBe(200);
    await evaluateAt([alert], 2);
    const held = (await viewer.caller.get(alert.path)).body;
    expect(held).toMatchObject({ health: 'error', error: { code: 'ALERT_SOURCE_CHANGED' }, lastValue: 3 });
    expect(held).not.toHaveProperty('sharedSource');

    expect((await admin.caller.put(alert.path, { name: 'Renamed' })).status).toBe(200);
    await evaluateAt([alert], 3);
    expect((await viewer.caller.get(alert.path)).body).toMatchObject({ error: { code: 'ALERT_SOURCE_CHANGED' } });
    expect((await admin.caller.put(alert.path, { shareRows: true })).status).toBe(200);
    await evaluateAt([alert], 4);
    expect((await viewer.caller.get(alert.path)).body).toMatchObject({ health: 'ok', error: null });
  });

  it('is for admins, who have to say that protected rows are shared', async ({ api }) => {
    const { admin, editor, viewer, body, condition } = await givenRows(api);
    const name = 'Shared';
    expect(await editor.caller.post(ALERTS, { name, ...body })).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });
    const unsaid = await admin.caller.post(ALERTS, { name, ...body, shareRows: false });
    expect(issuesOf(unsaid)).toEqual(['/shareRows REQUIRED']);
    expect((await admin.caller.get(ALERTS)).body.total).toBe(0);
    const own = await givenAlert(api, { condition }, viewer.caller);
    expect((await viewer.caller.put(own.path, { runAs: 'owner' })).status).toBe(403);
  });

  it('shares only what its owner has shared: no admin shares the rows of another member', async ({ api }) => {
    const { admin, viewer, editor, body } = await givenRows(api);
    const other = await givenReader(api, { role: 'admin', attributes: { region: 'us' } });
    const refused = { status: 403, body: { code: 'ALERT_ROWS_OF_ANOTHER' } };
    for (const { userId } of [admin, editor, viewer])
      expect(await other.caller.post(ALERTS, { name: 'Shared', ...body, ownerId: userId })).toMatchObject(refused);
    expect((await other.caller.get(ALERTS)).body.total).toBe(0);

    const query = await posted(api, '/api/saved-queries', { name: 'Shared', sql: 'SELECT id AS n FROM people' });
    const source = { kind: 'savedQuery', id: query.id };
    const condition = { ...body.condition, source, column: 'n', reduce: 'max' };
    const alert = await givenAlert(api, { ...body, condition }, admin.caller);
    const before = (await admin.caller.get(alert.path)).body;
    const channels = { inApp: { userIds: [viewer.userId, other.userId] } };
    for (const change of [{ channels }, { timezone: 'Asia/Tokyo' }, { condition: { ...condition, threshold: 1 } }])
      expect(await other.caller.put(alert.path, change), JSON.stringify(change)).toMatchObject(refused);
    // Nor does an owner give their alert to another member.
    for (const { userId } of [other, editor])
      expect(await admin.caller.put(alert.path, { ownerId: userId })).toMatchObject(refused);
    expect((await admin.caller.get(alert.path)).body).toEqual(before);

    const { evaluateAt } = await alertWorker(api);
    await evaluateAt([alert], 1);
    const sql = 'SELECT length(name) AS n FROM people';
    expect((await editor.caller.patch(`/api/saved-queries/${query.id}`, { sql })).status).toBe(200);
    expect((await other.caller.put(alert.path, { shareRows: true, severity: 'info' })).status).toBe(200);
    await evaluateAt([alert], 2);
    expect((await viewer.caller.get(alert.path)).body).toMatchObject({ error: { code: 'ALERT_SOURCE_CHANGED' } });
    expect(await feedOf(viewer.caller)).toEqual(['fire 3']);

    // Another admin may share their own rows instead, or end the sharing.
    expect((await other.caller.put(alert.path, { ownerId: other.userId })).status).toBe(200);
    await evaluateAt([alert], 3);
    expect((await viewer.caller.get(alert.path)).body).toMatchObject({ lastValue: SECRET_ROW.length });
    expect(await feedOf(viewer.caller)).toEqual(['fire null', `fire ${SECRET_ROW.length}`]);
    expect((await admin.caller.put(alert.path, { runAs: 'recipients' })).status).toBe(200);
    expect((await viewer.caller.get(alert.path)).body).not.toHaveProperty('lastValue');
    const { body: log } = await api.as('owner').get(`/api/audit-log?objectId=${alert.id}&action=alert.updated`);
    const shared = log.items.map(({ before: old, after }: { before: object; after: object }) => [old, after]);
    expect(shared).toEqual([
      [{ runAs: 'owner' }, { runAs: 'recipients' }],
      [{ owner: { userId: admin.userId } }, { owner: { userId: other.userId } }],
      [{ severity: 'warning' }, { severity: 'info' }],
    ]);
  });

  it('is not revived with the rows of a member who has left and come back', async ({ api }) => {
    const { admin, viewer, body } = await givenRows(api);
    const alert = await givenAlert(api, body, admin.caller);
    const member = `/api/workspaces/members/${admin.userId}`;
    expect((await api.as('owner').delete(member)).status).toBe(204);
    const { evaluateAt } = await alertWorker(api);
    await evaluateAt([alert], 1);
    const back = await api.as('owner').post('/api/workspaces/members', { email: admin.email, role: 'admin' });
    expect(back.status, JSON.stringify(back.body)).toBe(201);
    expect(await api.as('owner').put(alert.path, { ownerId: admin.userId })).toMatchObject({
      status: 403,
      body: { code: 'ALERT_ROWS_OF_ANOTHER' },
    });
    await evaluateAt([alert], 2);
    expect((await viewer.caller.get(alert.path)).body).toMatchObject({ stopReason: 'OWNER_INACTIVE' });
    expect((await feedOf(viewer.caller)).filter((text) => text.startsWith('fire'))).toEqual([]);
  });

  it('shares nothing while its owner may not see the source', async ({ api }) => {
    const { admin, viewer, editor, body } = await givenRows(api);
    const shown = { source: body.condition.source, measures: [{ column: 'id', aggregation: 'count', label: 'n' }] };
    // A dashboard that is not published: viewers do not see it.
    const board = await givenCards(api, [card('people', chart(shown))]);
    const source = { kind: 'card', id: 'people', dashboardId: board.id };
    const condition = { ...body.condition, source, column: 'n', reduce: 'max' };
    const alert = await givenAlert(api, { ...body, condition }, admin.caller);
    const { evaluateAt } = await alertWorker(api);
    await evaluateAt([alert], 1);
    expect((await viewer.caller.get(alert.path)).body).toMatchObject({ state: 'triggered', lastValue: 3 });
    expect(await feedOf(viewer.caller)).toEqual(['fire 3']);

    const setRole = async (role: string) =>
      expect((await api.as('owner').patch(`/api/workspaces/members/${admin.userId}`, { role })).status).toBe(200);
    await setRole('viewer');
    for (const minutes of [2, 3]) await evaluateAt([alert], minutes);
    for (const { caller } of [viewer, editor]) {
      const now = (await caller.get(alert.path)).body;
      for (const member of ['state', 'lastValue', 'error']) expect(now).not.toHaveProperty(member);
      expect((await caller.get(`${alert.path}/history`)).body.items).toEqual([]);
    }
    expect(await feedOf(viewer.caller)).toEqual(['fire null']);
    const told = (await admin.caller.get(`${ALERTS}/feed`)).body.items.map(({ text }: { text: string }) => text);
    expect(told).toEqual([expect.stringContaining('The condition cannot be evaluated')]);

    await setRole('admin');
    await evaluateAt([alert], 4);
    expect((await viewer.caller.get(alert.path)).body).toMatchObject({ state: 'triggered', lastValue: 3, error: null });
  });
});
