import { describe, expect, vi } from 'vitest';
import { it } from '../../../support/api.ts';
import { alertWorker, evaluate, feedOf, instant } from '../../../support/given/alert-work.ts';
import { ALERTS, givenAlert, givenLoad, loadHosts, onLoad } from '../../../support/given/alerts.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenMember } from '../../../support/given/member.ts';
import { givenMetric } from '../../../support/given/metric.ts';
import { givenField, givenModel, givenTable, issuesOf } from '../../../support/given/model.ts';

const soon = (minutes = 60) => new Date(Date.now() + minutes * 60_000).toISOString();

describe('POST /api/dashboard-alerts/{id}/run', () => {
  it('evaluates now, five times an hour, for editors and the owner', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const viewer = await givenMember(api);
    const alert = await givenAlert(api, {
      condition: onLoad(queryId),
      channels: { inApp: { userIds: [viewer.userId] } },
    });
    const run = () => api.as('editor').post(`${alert.path}/run`);
    const started = await run();
    expect(started).toMatchObject({ status: 202, body: { at: expect.any(String) } });
    await vi.waitFor(
      async () =>
        expect((await api.as(viewer).get(alert.path)).body).toMatchObject({
          evaluatedAt: started.body.at,
          state: 'triggered',
        }),
      { timeout: 60_000, interval: 200 },
    );
    for (let count = 0; count < 4; count++) expect((await run()).status).toBe(202);
    expect(await run()).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect((await api.as(viewer).post(`${alert.path}/run`)).status).toBe(403);
    const paused = await givenAlert(api, { condition: onLoad(queryId), isActive: false });
    expect(await api.as('editor').post(`${paused.path}/run`)).toMatchObject({
      status: 409,
      body: { code: 'ALERT_NOT_ACTIVE' },
    });
    expect((await api.as('stranger').post(`${alert.path}/run`)).status).toBe(404);
  });
});

describe('GET /api/dashboard-alerts/{id}/history', () => {
  it('lists evaluations that changed something, failed or were on the way to it', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const alert = await givenAlert(api, { condition: onLoad(queryId, { for: 2 }) });
    await evaluate(api, [alert], 1);
    await evaluate(api, [alert], 2);
    await evaluate(api, [alert], 3);
    await loadHosts(api, { a: 1 });
    await evaluate(api, [alert], 4);
    await evaluate(api, [alert], 5);
    const { body } = await api.as('editor').get(`${alert.path}/history`);
    expect(body.items).toEqual([
      {
        at: instant(4),
        entries: [{ group: null, state: 'ok', edges: ['recover'], value: 1, reason: null, error: null }],
        isHidden: false,
      },
      {
        at: instant(2),
        entries: [{ group: null, state: 'triggered', edges: ['fire'], value: 30, reason: null, error: null }],
        isHidden: false,
      },
      {
        at: instant(1),
        entries: [{ group: null, state: 'pending', edges: [], value: 30, reason: null, error: null }],
        isHidden: false,
      },
    ]);
    expect((await api.as('editor').get(`${alert.path}/history?limit=1`)).body.items).toHaveLength(1);
  });
});

describe('PUT /api/dashboard-alerts/{id}/snooze', () => {
  it('keeps everyone from being notified, and sums up afterwards', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const alert = await givenAlert(api, { condition: onLoad(queryId) });
    const editor = api.as('editor');
    const snoozed = await editor.put(`${alert.path}/snooze`, { until: soon() });
    expect(snoozed.body).toMatchObject({ snoozedUntil: expect.any(String), revision: 2 });
    await evaluate(api, [alert], 1);
    expect((await editor.get(alert.path)).body).toMatchObject({ state: 'triggered' });
    expect(await feedOf(editor)).toEqual([]);
    expect((await editor.put(`${alert.path}/snooze`, { until: null })).body).toMatchObject({ snoozedUntil: null });
    await vi.waitFor(async () => expect(await feedOf(editor)).toEqual(['woke 30']), { timeout: 60_000, interval: 200 });
    await loadHosts(api, { a: 1 });
    await evaluate(api, [alert], 24 * 60);
    expect(await feedOf(editor)).toEqual(['woke 30', 'recover 1']);
    const over = await editor.put(`${alert.path}/snooze`, { until: '2020-01-01T00:00:00.000Z' });
    expect(issuesOf(over)).toEqual(['/until OUT_OF_RANGE']);
    expect(issuesOf(await editor.put(`${alert.path}/snooze`, { until: soon(91 * 24 * 60) }))).toEqual([
      '/until OUT_OF_RANGE',
    ]);
  });

  it('concerns only the caller for others than editors', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const [silent, other] = [await givenMember(api), await givenMember(api)];
    const channels = { inApp: { userIds: [silent.userId, other.userId] } };
    const alert = await givenAlert(api, { condition: onLoad(queryId), channels });
    expect((await api.as(silent).put(`${alert.path}/snooze`, { until: soon() })).body).toMatchObject({
      snoozedUntil: null,
    });
    expect((await api.as(silent).put(`${alert.path}/snooze`, { until: soon(), for: 'everyone' })).status).toBe(403);
    await evaluate(api, [alert], 1);
    expect(await feedOf(api.as(silent))).toEqual([]);
    expect(await feedOf(api.as(other))).toEqual(['fire 30']);
  });
});

describe('PUT and DELETE /api/dashboard-alerts/{id}/follow', () => {
  it('let people who see an alert join and leave it', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const [named, editor] = [await givenMember(api), await givenMember(api, 'editor')];
    const alert = await givenAlert(api, {
      condition: onLoad(queryId),
      channels: { inApp: { userIds: [named.userId] } },
    });
    expect((await api.as(editor).put(`${alert.path}/follow`)).body).toEqual({ isFollowing: true });
    expect((await api.as(named).delete(`${alert.path}/follow`)).body).toEqual({ isFollowing: false });
    await evaluate(api, [alert], 1);
    expect(await feedOf(api.as(editor))).toEqual(['fire 30']);
    expect(await feedOf(api.as(named))).toEqual([]);
    const closed = await givenAlert(api, {
      ...{ condition: onLoad(queryId), channels: { inApp: { userIds: [named.userId], followers: false } } },
    });
    expect((await api.as(editor).put(`${closed.path}/follow`)).status).toBe(403);
    expect((await api.as('viewer').put(`${closed.path}/follow`)).status).toBe(404);
  });
});

describe('POST /api/dashboard-alerts/preview', () => {
  it('checks the past versions of datasets, and stores nothing', async ({ api }) => {
    const { queryId } = await givenLoad(api, { a: 10 });
    for (const load of [30, 31, 5, 40]) await loadHosts(api, { a: load });
    const preview = (body: object) => api.as('viewer').post(`${ALERTS}/preview`, body);
    const { status, body } = await preview({ condition: onLoad(queryId) });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({ fires: 2, recovers: 1, note: null });
    expect(body.points.map(({ value, state, edges }: Record<string, unknown>) => [value, state, edges])).toEqual([
      [10, 'ok', []],
      [30, 'triggered', ['fire']],
      [31, 'triggered', []],
      [5, 'ok', ['recover']],
      [40, 'triggered', ['fire']],
    ]);
    expect((await preview({ condition: onLoad(queryId), last: 2 })).body.points).toHaveLength(2);
    const relative = onLoad(queryId, { operator: 'nope' });
    expect((await preview({ condition: relative })).status).toBe(400);
    expect(await preview({ condition: onLoad(queryId, { column: 'x' }) })).toMatchObject({
      body: { code: 'ALERT_COLUMN_UNKNOWN' },
    });
    expect(await preview({ condition: onLoad(queryId, { column: 'label' }) })).toMatchObject({
      body: { code: 'ALERT_COLUMN_NOT_NUMERIC' },
    });
    expect(await preview({ condition: onLoad(queryId, { operator: 'between' }) })).toMatchObject({
      body: { code: 'ALERT_CONDITION_INVALID' },
    });
    expect((await api.as('editor').get(ALERTS)).body.total).toBe(0);
  });

  it('of a metric is what 40 evaluations would have found', async ({ api }) => {
    await givenDataset(api, {
      name: 'sales',
      sql: `SELECT (CURRENT_DATE - i::INTEGER)::DATE AS day, CASE WHEN i % 13 = 0 THEN 500 ELSE 100 + (i * 7) % 20 END AS amount
        FROM range(1, 700) t(i)`,
    });
    const model = await givenModel(api);
    const table = await givenTable(api, model.path, 'sales');
    const timeFieldId = await givenField(api, table.path, 'day', { dataType: 'date' });
    const fieldId = await givenField(api, table.path, 'amount', { dataType: 'integer' });
    const metric = await givenMetric(api, {
      ...{ name: 'Sales', modelId: model.id, fieldId, aggregation: 'sum', timeFieldId, grain: 'day', timezone: 'UTC' },
      direction: 'up_good',
    });
    const conditions = [
      { kind: 'metric', metricId: metric.id, operator: 'gt', threshold: 400 },
      { kind: 'metric', metricId: metric.id, operator: 'increases_by', threshold: 50, for: 1, recoverFor: 2 },
      { kind: 'metric', metricId: metric.id, operator: 'unusual', threshold: 4 },
    ];
    for (const condition of conditions) {
      const { body, status } = await api.as('editor').post(`${ALERTS}/preview`, { condition, last: 40 });
      expect(status, JSON.stringify(body)).toBe(200);
      expect(body.points).toHaveLength(40);
      expect(body.fires).toBeGreaterThan(2);
      const alert = await givenAlert(api, { condition, scheduleCron: '@daily' });
      const worker = await alertWorker(api);
      const states: unknown[] = [];
      for (const { at } of body.points) {
        const message = { op: 'evaluate', workspaceId: api.workspaceId, alertIds: [alert.id] } as const;
        await worker.work({ ...message, alertIds: [alert.id], trigger: { kind: 'schedule', at } });
        const [stored] = await worker.deps.states.list({ workspaceId: api.workspaceId, alertId: alert.id });
        const { value, state } = stored!.groups['']!;
        states.push([at, value, state]);
      }
      expect(states).toEqual(body.points.map(({ at, value, state }: Record<string, unknown>) => [at, value, state]));
    }
  });
});
