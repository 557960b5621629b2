import { describe, expect } from 'vitest';
import { alertRepository } from '../../../../shared/domains/alerts/rules/index.ts';
import { inParallel } from '../../../../shared/platform/concurrency/in-parallel.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { it } from '../../../support/api.ts';
import {
  alertWorker,
  evaluate,
  feedOf,
  firedEvents,
  instant,
  workOnAlertMessage,
} from '../../../support/given/alert-work.ts';
import { ALERTS, givenAlert, givenLoad, loadHosts, onLoad } from '../../../support/given/alerts.ts';
import { givenMember } from '../../../support/given/member.ts';
import { givenMetric, givenSalesModel } from '../../../support/given/metric.ts';
import { givenProtected, givenReader } from '../../../support/given/protected.ts';

describe('The evaluation of an alert', () => {
  it('fires and recovers once, however often, late or in which order it is triggered', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const alert = await givenAlert(api, { condition: onLoad(queryId) });
    await evaluate(api, [alert], 1);
    await Promise.all([evaluate(api, [alert], 1), evaluate(api, [alert], 1)]);
    await evaluate(api, [alert], 0);
    const editor = api.as('editor');
    expect((await editor.get(alert.path)).body).toMatchObject({
      ...{ state: 'triggered', health: 'ok', lastValue: 30, firedAt: instant(1), evaluatedAt: instant(1) },
    });
    await loadHosts(api, { a: 1, b: 2, c: 3 });
    await evaluate(api, [alert], 3);
    await evaluate(api, [alert], 2);
    await loadHosts(api, { a: 1, b: 2, c: 26 });
    await evaluate(api, [alert], 4);
    expect(await feedOf(editor)).toEqual(['fire 30', 'recover 3', 'fire 26']);
    expect(await firedEvents(api)).toMatchObject([
      {
        alertId: alert.id,
        state: 'triggered',
        value: 30,
        operator: 'gt',
        threshold: [25],
        metricId: null,
        scheduledFor: instant(1),
      },
      { state: 'ok', value: 3, scheduledFor: instant(3) },
      { state: 'triggered', value: 26, scheduledFor: instant(4) },
    ]);
    // The firing did not end the alert, and while it lasts nothing more is sent.
    await evaluate(api, [alert], 5, 'manual');
    expect(await feedOf(editor)).toHaveLength(3);
  });

  it('waits for several breaches in a row, and repeats only while the condition is met', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const condition = onLoad(queryId, { for: 2, recover: { operator: 'lt', threshold: 20 } });
    const alert = await givenAlert(api, { condition, repeat: { every: 'PT1H' } });
    const editor = api.as('editor');
    await evaluate(api, [alert], 0);
    expect((await editor.get(alert.path)).body).toMatchObject({ state: 'pending', firedAt: null });
    // The data has not changed, and so is not read again.
    await evaluate(api, [alert], 10);
    await evaluate(api, [alert], 69);
    expect(await feedOf(editor)).toEqual(['fire 30']);
    await evaluate(api, [alert], 70);
    await loadHosts(api, { c: 22 });
    await evaluate(api, [alert], 140);
    expect((await editor.get(alert.path)).body).toMatchObject({ state: 'triggered', lastValue: 22 });
    await loadHosts(api, { c: 19 });
    await evaluate(api, [alert], 150);
    expect(await feedOf(editor)).toEqual(['fire 30', 'repeat 30', 'recover 19']);
  });

  it('gives each group a state of its own', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const alert = await givenAlert(api, { condition: onLoad(queryId, { by: { column: 'host' }, threshold: 15 }) });
    const editor = api.as('editor');
    await evaluate(api, [alert], 1);
    await loadHosts(api, { a: 40, b: 20, c: 1 });
    await evaluate(api, [alert], 2);
    expect(await feedOf(editor)).toHaveLength(4);
    expect(new Set(await feedOf(editor))).toEqual(new Set(['fire b 20', 'fire c 30', 'fire a 40', 'recover c 1']));
    const { body } = await editor.get(alert.path);
    expect(body).toMatchObject({ state: 'triggered' });
    expect(body.groups).toMatchObject([
      { group: 'a', state: 'triggered', lastValue: 40 },
      { group: 'b', state: 'triggered', lastValue: 20 },
      { group: 'c', state: 'ok', lastValue: 1 },
    ]);
    expect((await firedEvents(api)).map(({ url }) => url)).toContain(`/api/dashboard-alerts/${alert.id}?group=a`);
  });

  it('notifies only the owner of errors, after two in a row and when they end', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const viewer = await givenMember(api);
    const channels = { inApp: { userIds: [viewer.userId] } };
    const alert = await givenAlert(api, { condition: onLoad(queryId, { noData: 'keep' }), channels });
    const editor = api.as('editor');
    await evaluate(api, [alert], 1);
    const saved = (await editor.get(`/api/saved-queries/${queryId}`)).body;
    const broken = await editor.patch(`/api/saved-queries/${queryId}`, {
      sql: 'SELECT host, CAST(label AS INTEGER) AS load, label FROM hosts',
    });
    expect(broken.status, JSON.stringify(broken.body)).toBe(200);
    for (const minute of [2, 3, 4]) await evaluate(api, [alert], minute);
    expect((await editor.get(alert.path)).body).toMatchObject({
      state: 'triggered',
      health: 'error',
      error: { code: 'SQL_ERROR' },
    });
    await editor.patch(`/api/saved-queries/${queryId}`, { sql: saved.sql });
    await evaluate(api, [alert], 5);
    expect((await editor.get(alert.path)).body).toMatchObject({ state: 'triggered', health: 'ok', error: null });
    expect(await feedOf(editor)).toEqual(['error 30', 'error_over 30']);
    expect(await feedOf(api.as(viewer))).toEqual(['fire 30']);
  });

  it('keeps the state without a value, and alerts of it if asked', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const kept = await givenAlert(api, { condition: onLoad(queryId) });
    const alerting = await givenAlert(api, { condition: onLoad(queryId, { noData: 'alert', for: 2, threshold: 100 }) });
    const both = [kept, alerting];
    await evaluate(api, both, 1);
    await loadHosts(api, {});
    await evaluate(api, both, 2);
    expect((await api.as('editor').get(kept.path)).body).toMatchObject({
      state: 'triggered',
      health: 'no_data',
      lastValue: null,
    });
    expect((await api.as('editor').get(alerting.path)).body).toMatchObject({ state: 'pending', health: 'no_data' });
    await evaluate(api, both, 3);
    await loadHosts(api, { a: 30 });
    await evaluate(api, both, 4);
    const editor = api.as('editor');
    expect(await feedOf(editor, kept)).toEqual(['fire 30']);
    expect((await feedOf(editor, alerting)).toSorted()).toEqual([
      'data_back 30',
      'fire null',
      'no_data null',
      'recover 30',
    ]);
  });

  it('is not repeated while the data has not changed, and shares one query among alerts of one source', async ({
    api,
  }) => {
    const { queryId } = await givenLoad(api);
    const alerts = [];
    for (let threshold = 1; threshold <= 20; threshold++)
      alerts.push(await givenAlert(api, { condition: onLoad(queryId, { threshold }) }));
    // The answer of the check while saving is cached.
    await loadHosts(api, { a: 40 });
    const worker = await alertWorker(api);
    await worker.evaluateAt(alerts, 1);
    expect(worker.counted.queries).toBe(1);
    expect(await feedOf(api.as('editor'))).toHaveLength(20);
    await worker.evaluateAt(alerts, 2);
    expect(worker.counted.queries).toBe(1);
    await loadHosts(api, { a: 50 });
    await worker.evaluateAt(alerts, 3);
    expect(worker.counted.queries).toBe(2);
  });

  it('of 200 alerts on one metric is one query', async ({ api }) => {
    const sales = await givenSalesModel(api);
    const metric = await givenMetric(api, { ...sales.definition, grain: 'year', direction: 'up_good' });
    const condition = { kind: 'metric', metricId: metric.id, operator: 'gt', threshold: -1 };
    const { id } = await givenAlert(api, { condition, scheduleCron: '@daily' });
    const alerts = alertRepository(api.table);
    const stored = (await alerts.get(api.workspaceId, id))!;
    const others = Array.from({ length: 199 }, (_, index) => ({
      ...{ ...stored, id: newId(), name: `Alert ${index}` },
      condition: { ...stored.condition, threshold: index },
    }));
    await inParallel(20, others, async (each) => void (await alerts.create(each)));
    const worker = await alertWorker(api);
    const startedAt = performance.now();
    await worker.evaluateAt([{ id }, ...others], 1);
    const tookMs = performance.now() - startedAt;
    expect(worker.counted.queries).toBeLessThanOrEqual(1);
    const { body } = await api.as('editor').get(`${ALERTS}?limit=200`);
    expect(body.items.every(({ evaluatedAt }: { evaluatedAt: string }) => evaluatedAt === instant(1))).toBe(true);
    console.log(`200 alerts take ${Math.round(tookMs)} ms, ${Math.round(200_000 / tookMs)} a second`);
  });

  it('of a new version reads it also where an earlier evaluation counts as later', async ({ api }) => {
    const { queryId, dataset } = await givenLoad(api, { a: 1 });
    const alert = await givenAlert(api, { condition: onLoad(queryId), onRefresh: true });
    const other = await givenAlert(api, { condition: onLoad(queryId), scheduleCron: '@daily' });
    await evaluate(api, [alert, other], 10);
    await loadHosts(api, { a: 99 });
    const version = { op: 'version', workspaceId: api.workspaceId, datasetId: dataset.id, at: instant(9) } as const;
    await workOnAlertMessage(api, version);
    await workOnAlertMessage(api, version);
    expect(await feedOf(api.as('editor'))).toEqual(['fire 99']);
    expect((await api.as('editor').get(other.path)).body).toMatchObject({ state: 'ok', lastValue: 1 });
  });

  it('of an instant goes to the alerts whose schedule has it', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const on = { condition: onLoad(queryId), timezone: 'UTC' };
    const [hourly, other, paused] = [
      await givenAlert(api, { ...on, scheduleCron: '0 * * * *' }),
      await givenAlert(api, { ...on, scheduleCron: '30 * * * *' }),
      await givenAlert(api, { ...on, scheduleCron: '0 * * * *', isActive: false }),
    ];
    const at = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000).toISOString();
    await workOnAlertMessage(api, { op: 'due', workspaceId: api.workspaceId, at });
    const states = await Promise.all(
      [hourly, other, paused].map(async ({ path }) => (await api.as('editor').get(path)).body),
    );
    expect(states).toMatchObject([
      { evaluatedAt: at, status: 'active' },
      { evaluatedAt: null },
      { evaluatedAt: null, status: 'paused' },
    ]);
  });
});

describe('The people of an alert', () => {
  it('see the rows that they may see: a class fires while another one does not', async ({ api }) => {
    const { dataset } = await givenProtected(api);
    const [eu, us, both, none] = await Promise.all(
      [['eu'], ['us'], ['eu', 'us'], ['fr']].map((region) =>
        givenReader(api, { role: 'viewer', attributes: { region } }),
      ),
    );
    const people = [eu!, us!, both!, none!];
    const condition = {
      ...{ kind: 'field', source: { kind: 'dataset', id: dataset.id }, column: 'id', reduce: 'max' },
      ...{ operator: 'gt', threshold: 3 },
    };
    const channels = { inApp: { userIds: people.map(({ userId }) => userId) }, event: true };
    const alert = await givenAlert(api, { condition, channels });
    await evaluate(api, [alert], 1);
    const seen = await Promise.all(people.map(async ({ caller }) => (await caller.get(alert.path)).body));
    expect(seen.map(({ state, lastValue }) => [state, lastValue])).toEqual([
      ...[
        ['ok', 3],
        ['triggered', 5],
        ['triggered', 5],
        ['unknown', null],
      ],
    ]);
    expect(await Promise.all(people.map(({ caller }) => feedOf(caller)))).toEqual([[], ['fire 5'], ['fire 5'], []]);
    // The owner sees nothing, and what webhooks get is about the owner.
    expect(await firedEvents(api)).toEqual([]);
    await api.as('owner').put(`/api/workspaces/members/${us!.userId}/attributes`, { attributes: { region: ['eu'] } });
    const [item] = (await us!.caller.get(`${ALERTS}/feed`)).body.items;
    expect(item.alert).toMatchObject({ edge: 'fire', value: null, isHidden: true });
    expect(JSON.stringify(item)).not.toContain('5,');
  });

  it('of many classes are divided among messages, each class once for the instant', async ({ api }) => {
    const { dataset } = await givenProtected(api);
    const regions = [['eu'], ['us'], ['eu', 'us']];
    const people = await Promise.all(
      regions.map((region) => givenReader(api, { role: 'viewer', attributes: { region } })),
    );
    const owner = await givenReader(api, { role: 'editor', attributes: { region: ['us', 'fr'] } });
    const condition = {
      ...{ kind: 'field', source: { kind: 'dataset', id: dataset.id }, column: 'id', reduce: 'count' },
      ...{ operator: 'gt', threshold: 0 },
    };
    const channels = { inApp: { userIds: people.map(({ userId }) => userId) } };
    const alert = await givenAlert(api, { condition, channels }, owner.caller);
    const worker = await alertWorker(api);
    // The time of each message ends with its first class.
    let written = 0;
    const { write } = worker.deps.states;
    const counting: typeof write = (...given) => {
      written += 1;
      return write(...given);
    };
    Object.assign(worker.deps, { states: { ...worker.deps.states, write: counting }, isOver: () => written > 0 });
    await worker.evaluateAt([alert], 1);
    expect(written).toBe(1);
    let evaluated = 1;
    for (let next = worker.counted.sent.shift(); next; next = worker.counted.sent.shift()) {
      const trigger = { kind: 'schedule', at: instant(1) };
      expect(next).toEqual({ op: 'evaluate', workspaceId: api.workspaceId, alertIds: [alert.id], trigger });
      written = 0;
      await worker.work(next);
      expect(written).toBeLessThanOrEqual(1);
      evaluated += written;
    }
    expect(evaluated).toBe(4);
    const states = await worker.deps.states.list({ workspaceId: api.workspaceId, alertId: alert.id });
    expect(states.map(({ evaluatedAt }) => evaluatedAt)).toEqual(Array.from({ length: 4 }, () => instant(1)));
    expect(await Promise.all(people.map(({ caller }) => feedOf(caller)))).toEqual([['fire 3'], ['fire 2'], ['fire 5']]);
  });

  it('get no value by webhook of protected rows', async ({ api }) => {
    const { dataset } = await givenProtected(api);
    const editor = await givenReader(api, { role: 'editor', attributes: { region: ['us'] } });
    const condition = {
      ...{
        kind: 'field',
        source: { kind: 'dataset', id: dataset.id },
        column: 'id',
        reduce: 'sum',
        by: { column: 'region' },
      },
      ...{ operator: 'gt', threshold: 1 },
    };
    const alert = await givenAlert(api, { condition }, editor.caller);
    await evaluate(api, [alert], 1);
    expect(await feedOf(editor.caller)).toEqual(['fire us 9']);
    const [event] = await firedEvents(api);
    expect(event).toMatchObject({ value: null, url: `/api/dashboard-alerts/${alert.id}` });
  });

  it('hear of a recovery only if they heard of the firing, and of nothing once they have left', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const [first, second, third] = [await givenMember(api), await givenMember(api), await givenMember(api)];
    const named = (...people: { userId: string }[]) => ({
      channels: { inApp: { userIds: people.map(({ userId }) => userId) } },
    });
    const alert = await givenAlert(api, { condition: onLoad(queryId), ...named(first, third) });
    await evaluate(api, [alert], 1);
    await api.as('editor').put(alert.path, named(first, second, third));
    expect((await api.as('owner').delete(`/api/workspaces/members/${third.userId}`)).status).toBe(204);
    await loadHosts(api, { a: 1 });
    await evaluate(api, [alert], 2);
    expect(await feedOf(api.as(first))).toEqual(['fire 30', 'recover 1']);
    expect(await feedOf(api.as(second))).toEqual([]);
    expect((await api.as(second).get(alert.path)).body).toMatchObject({ state: 'ok' });
  });

  it('read once that it has stopped because its owner left, until it has another', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const [owner, reader] = [await givenMember(api, 'editor'), await givenMember(api)];
    const channels = { inApp: { userIds: [reader.userId] } };
    const alert = await givenAlert(
      api,
      { condition: onLoad(queryId), channels, scheduleCron: '@hourly' },
      api.as(owner),
    );
    expect((await api.as('owner').delete(`/api/workspaces/members/${owner.userId}`)).status).toBe(204);
    await Promise.all([evaluate(api, [alert], 1), evaluate(api, [alert], 1)]);
    await evaluate(api, [alert], 2);
    expect((await api.as(reader).get(alert.path)).body).toMatchObject({
      status: 'stopped',
      stopReason: 'OWNER_INACTIVE',
      nextAt: null,
    });
    const told = ['Its owner has left the workspace or is deactivated. Choose another owner to restart it.'];
    expect(await feedOf(api.as(reader))).toEqual(told);
    expect(await feedOf(api.as('owner'))).toEqual(told);
    const revived = await api.as('editor').put(alert.path, { ownerId: reader.userId });
    expect(revived.body).toMatchObject({ status: 'active', stopReason: null, nextAt: expect.any(String) });
    await evaluate(api, [alert], 3);
    expect((await feedOf(api.as(reader))).toSorted()).toEqual([...told, 'fire 30'].toSorted());
  });
});
