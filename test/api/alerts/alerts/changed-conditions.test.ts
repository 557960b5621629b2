import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { alertWorker, evaluate, feedOf, instant } from '../../../support/given/alert-work.ts';
import { givenAlert, givenLoad, onLoad } from '../../../support/given/alerts.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenField, givenModel, givenTable } from '../../../support/given/model.ts';
import { givenPolicy, givenReader } from '../../../support/given/protected.ts';

describe('An alert whose condition was changed', () => {
  it('shows of what the earlier one read only what the reader may see now', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const dataset = await givenDataset(api, {
      name: 'sales',
      sql: "SELECT region, amount::INTEGER AS amount FROM (VALUES ('eu', 811111)) t(region, amount)",
    });
    const { userId, caller } = await givenReader(api, { role: 'viewer', attributes: { region: ['us'] } });
    const condition = {
      ...{ kind: 'field', source: { kind: 'dataset', id: dataset.id }, column: 'amount', reduce: 'max' },
      ...{ operator: 'gt', threshold: 1 },
    };
    const alert = await givenAlert(api, { condition, channels: { inApp: { userIds: [userId] } } });
    await evaluate(api, [alert], 1);
    expect(await feedOf(caller, alert)).toEqual(['fire 811111']);

    const model = await givenModel(api);
    const table = await givenTable(api, model.path, 'sales');
    await givenField(api, table.path, 'region');
    await givenPolicy(api, model.path, { tableId: table.id });
    expect(await feedOf(caller, alert)).toEqual(['fire null']);

    const changed = await api.as('editor').put(alert.path, { condition: onLoad(queryId) });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    await evaluate(api, [alert], 2);
    expect(await feedOf(caller, alert)).toEqual(['fire null', 'fire 30']);
    const { items } = (await caller.get(`${alert.path}/history`)).body;
    expect(items).toMatchObject([{ at: instant(2), entries: [{ value: 30, edges: ['fire'] }] }]);
  });

  it('does not go back to the earlier one when a worker is late', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const alert = await givenAlert(api, { condition: onLoad(queryId) });
    const late = await alertWorker(api);
    const before = (await late.deps.alerts.get(api.workspaceId, alert.id))!;
    await api.as('editor').put(alert.path, { condition: onLoad(queryId, { threshold: 5 }) });
    await evaluate(api, [alert], 1);
    Object.assign(late.deps, { alerts: { ...late.deps.alerts, getMany: async () => [before] } });
    await late.evaluateAt([alert], 2);
    await evaluate(api, [alert], 3);
    expect(await feedOf(api.as('editor'), alert)).toEqual(['fire 30']);
  });

  it('notifies no one of what the earlier one had found', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const alert = await givenAlert(api, { condition: onLoad(queryId), channels: { event: false } });
    const killed = await alertWorker(api);
    const { write, ...states } = killed.deps.states;
    const dying: typeof write = async (...given) => {
      await write(...given);
      throw new Error('killed');
    };
    Object.assign(killed.deps, { states: { ...states, write: dying } });
    await expect(killed.evaluateAt([alert], 1)).rejects.toThrow();
    await api.as('editor').put(alert.path, { condition: onLoad(queryId, { threshold: 100 }) });
    const { work } = await alertWorker(api);
    const place = { workspaceId: api.workspaceId, alertId: alert.id };
    const [{ classKey } = { classKey: '' }] = await killed.deps.states.list(place);
    await work({ op: 'notices', ...place, classKey });
    await evaluate(api, [alert], 2);
    expect(await feedOf(api.as('editor'), alert)).toEqual([]);
    expect((await killed.deps.states.list(place)).map(({ pending }) => pending)).toEqual([[]]);
  });
});

describe('A group with the name of a member of objects', () => {
  it('fires once, as others do', async ({ api }) => {
    const { queryId } = await givenLoad(api, { constructor: 30, toString: 40 });
    const alert = await givenAlert(api, { condition: onLoad(queryId, { by: { column: 'host' } }) });
    for (const minutes of [1, 2, 3]) await evaluate(api, [alert], minutes, 'manual');
    expect((await feedOf(api.as('editor'), alert)).sort()).toEqual(['fire constructor 30', 'fire toString 40']);
  });
});

describe('A follower of an alert that notifies only those whom it names', () => {
  it('neither sees nor is notified by it once it does not name them', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const { userId, caller } = await givenReader(api, { role: 'viewer' });
    const channels = { inApp: { userIds: [userId] } };
    const alert = await givenAlert(api, { condition: onLoad(queryId), channels });
    expect((await caller.put(`${alert.path}/follow`)).body).toEqual({ isFollowing: true });
    const closed = { inApp: { userIds: [alert.ownerId], followers: false } };
    expect((await api.as('editor').put(alert.path, { channels: closed })).status).toBe(200);
    expect((await caller.get(alert.path)).status).toBe(404);
    await evaluate(api, [alert], 1);
    expect(await feedOf(caller, alert)).toEqual([]);
    expect(await feedOf(api.as('editor'), alert)).toEqual(['fire 30']);
  });
});
