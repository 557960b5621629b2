import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { alertWorker, feedOf, firedEvents } from '../../../support/given/alert-work.ts';
import { ALERTS, givenAlert } from '../../../support/given/alerts.ts';
import { issuesOf, posted } from '../../../support/given/model.ts';
import { givenProtected, givenReader } from '../../../support/given/protected.ts';

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

  it('reads nothing else for those whom it names until an admin has shared it again', async ({ api }) => {
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
});
