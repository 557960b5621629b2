import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { alertWorker, evaluate, feedOf, firedEvents, instant } from '../../../support/given/alert-work.ts';
import { ALERTS, givenAlert, givenLoad } from '../../../support/given/alerts.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenModel, givenTable, posted } from '../../../support/given/model.ts';
import { clockOf, mailWorker, passMinutes } from '../../../support/given/notifications.ts';
import { givenPolicy, givenReader } from '../../../support/given/protected.ts';

const SECRET = 811_111;

/** A saved query over a dataset of which only the owner sees the row, and an alert on it that notifies a viewer too. */
async function givenProtectedQuery(api: Api) {
  await givenDataset(api, { name: 'sales', sql: `SELECT 'eu' AS region, ${SECRET}::INTEGER AS load` });
  const model = await givenModel(api);
  const table = await givenTable(api, model.path, 'sales');
  const owner = await givenReader(api, { role: 'editor' });
  const viewer = await givenReader(api, { role: 'viewer' });
  await givenPolicy(api, model.path, {
    ...{ tableId: table.id, filterExpression: 'TRUE', appliesTo: [{ type: 'user', id: owner.userId }] },
  });
  await givenLoad(api);
  const query = await posted(api, '/api/saved-queries', { name: 'Load', sql: 'SELECT load FROM sales' });
  const userIds = [owner.userId, viewer.userId];
  const alert = await givenAlert(
    api,
    {
      condition: {
        ...{ kind: 'field', source: { kind: 'savedQuery', id: query.id }, column: 'load', reduce: 'max' },
        ...{ operator: 'gt', threshold: 25 },
      },
      channels: { inApp: { userIds }, email: { userIds }, event: true },
    },
    owner.caller,
  );
  const readFrom = async (sql: string) => {
    const changed = await api.as('editor').patch(`/api/saved-queries/${query.id}`, { sql });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
  };
  return { alert, owner, viewer, readFrom, model, table };
}

describe('An alert whose source was changed from protected tables to open ones', () => {
  it('shows no one of the open ones what it had read before', async ({ api }) => {
    const { alert, owner, viewer, readFrom } = await givenProtectedQuery(api);
    await evaluate(api, [alert], 1);
    expect(await feedOf(owner.caller, alert)).toEqual([`fire ${SECRET}`]);
    expect((await owner.caller.get(alert.path)).body).toMatchObject({ state: 'triggered', lastValue: SECRET });

    await readFrom('SELECT load FROM hosts');
    for (const { caller } of [viewer, owner]) {
      const places = [alert.path, ALERTS, `${alert.path}/history`, `${ALERTS}/feed`];
      for (const path of places) expect(JSON.stringify((await caller.get(path)).body), path).not.toContain(`${SECRET}`);
      expect((await caller.get(alert.path)).body).toMatchObject({ evaluatedAt: null });
      expect((await caller.get(`${alert.path}/history`)).body).toEqual({ items: [] });
    }
    const clock = clockOf(api);
    const worker = mailWorker(clock);
    await passMinutes(api, clock, worker, 2);
    expect(JSON.stringify(worker.sent).replaceAll(',', '')).not.toContain(`${SECRET}`);

    await evaluate(api, [alert], 2);
    expect(await feedOf(viewer.caller, alert)).toEqual(['fire 30']);
    expect(await feedOf(owner.caller, alert)).toEqual(['fire null', 'fire 30']);
    expect((await viewer.caller.get(alert.path)).body).toMatchObject({ lastValue: 30, evaluatedAt: instant(2) });
    expect((await viewer.caller.get(`${alert.path}/history`)).body.items).toMatchObject([{ at: instant(2) }]);

    await readFrom('SELECT load FROM sales');
    expect(await feedOf(viewer.caller, alert)).toEqual(['fire null']);
    expect(await feedOf(owner.caller, alert)).toEqual([`fire ${SECRET}`, 'fire null']);
  });

  it('compares nothing with the earlier values, and ends notices of them in silence', async ({ api }) => {
    const { alert, owner, viewer, readFrom } = await givenProtectedQuery(api);
    const killed = await alertWorker(api);
    const { write, ...states } = killed.deps.states;
    const dying: typeof write = async (...given) => {
      await write(...given);
      throw new Error('killed');
    };
    Object.assign(killed.deps, { states: { ...states, write: dying } });
    await expect(killed.evaluateAt([alert], 1)).rejects.toThrow();
    await readFrom('SELECT load FROM hosts WHERE load < 25');
    const { work, deps } = await alertWorker(api);
    for (const { classKey } of await deps.states.list({ workspaceId: api.workspaceId, alertId: alert.id }))
      await work({ op: 'notices', workspaceId: api.workspaceId, alertId: alert.id, classKey });
    expect(await feedOf(owner.caller, alert)).toEqual([]);
    expect(await feedOf(viewer.caller, alert)).toEqual([]);
    expect(await firedEvents(api)).toMatchObject([{ state: 'triggered', value: null }]);
    await evaluate(api, [alert], 2);
    expect((await owner.caller.get(alert.path)).body).toMatchObject({ state: 'ok', lastValue: 20 });
    expect(await feedOf(owner.caller, alert)).toEqual([]);
  });

  it('shows what was read under protection to no one once the table is open', async ({ api }) => {
    const { alert, owner, viewer, model } = await givenProtectedQuery(api);
    await evaluate(api, [alert], 1);
    const { items } = (await api.as('owner').get(`${model.path}/rls`)).body;
    for (const { id } of items) expect((await api.as('owner').delete(`${model.path}/rls/${id}`)).status).toBe(204);
    expect((await viewer.caller.get(`${alert.path}/history`)).body).toEqual({ items: [] });
    expect(await feedOf(owner.caller, alert)).toEqual(['fire null']);
    await evaluate(api, [alert], 2);
    expect(await feedOf(viewer.caller, alert)).toEqual([`fire ${SECRET}`]);
  });
});
