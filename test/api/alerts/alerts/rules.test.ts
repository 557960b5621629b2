import { describe, expect } from 'vitest';
import { alertRepository } from '../../../../shared/domains/alerts/rules/index.ts';
import { inParallel } from '../../../../shared/platform/concurrency/in-parallel.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { it } from '../../../support/api.ts';
import { ALERTS, givenAlert, givenLoad, onLoad } from '../../../support/given/alerts.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenMember } from '../../../support/given/member.ts';
import { givenMetric, givenSalesModel } from '../../../support/given/metric.ts';
import { issuesOf, posted } from '../../../support/given/model.ts';
import { givenProtected, givenReader } from '../../../support/given/protected.ts';

const UNKNOWN = '00000000-0000-7000-8000-000000000000';

describe('POST /api/dashboard-alerts', () => {
  it('creates an alert with defaults, which waits for new data', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const condition = onLoad(queryId);
    const reply = await api.as('editor').post(ALERTS, { name: 'Load', condition });
    expect(reply).toMatchObject({
      status: 201,
      body: {
        ...{ name: 'Load', description: '', condition, isActive: true, scheduleCron: null, timezone: 'UTC' },
        ...{ onRefresh: true, repeat: 'never', notifyOnRecover: true, severity: 'warning', channels: { event: true } },
        ...{ status: 'active', stopReason: null, nextAt: null, isRecipient: true, mayEdit: true, evaluatedAt: null },
        revision: 1,
      },
    });
    expect(reply.body).not.toHaveProperty('state');
    const stored = await api.stored(workspaceKey(api.workspaceId, 'ALERT', reply.body.id));
    expect(stored).toMatchObject({ name: 'Load', conditionVersion: 1 });
  });

  it('takes each kind of source', async ({ api }) => {
    const { dataset, queryId } = await givenLoad(api);
    const sales = await givenSalesModel(api);
    const metric = await givenMetric(api, { ...sales.definition, grain: 'month', direction: 'up_good' });
    const source = { kind: 'dataset', id: dataset.id };
    const query = {
      source,
      dimensions: [{ column: 'host' }],
      measures: [{ column: 'load', aggregation: 'max', label: 'load' }],
    };
    const board = await givenCards(api, [card('loads', chart(query))]);
    const above = { operator: 'gt', threshold: 1 };
    const conditions = [
      onLoad(queryId, { by: { column: 'host' } }),
      { kind: 'field', source, column: 'load', reduce: 'sum', by: { column: 'host' }, ...above },
      {
        kind: 'field',
        source: { ...source, query: { dimensions: query.dimensions, measures: query.measures } },
        ...{ column: 'load', reduce: 'last', ...above },
      },
      {
        kind: 'field',
        source: { kind: 'model', id: sales.modelId },
        column: sales.fields.amount,
        reduce: 'avg',
        ...above,
      },
      {
        kind: 'field',
        source: { kind: 'card', id: 'loads', dashboardId: board.id },
        ...{ column: 'load', reduce: 'any_row', ...above },
      },
      { kind: 'metric', metricId: metric.id, ...above },
      { kind: 'metric', metricId: metric.id, operator: 'unusual' },
      { kind: 'metric', metricId: metric.id, operator: 'changes_by', threshold: 5, compare: { to: 'previous_period' } },
    ];
    for (const condition of conditions) {
      const alert = await givenAlert(api, { condition, scheduleCron: '0 * * * *' });
      expect(alert).toMatchObject({ condition, nextAt: expect.stringContaining(':00:00.000Z') });
    }
    const onBoard = await api.as('editor').get(`${ALERTS}?dashboardId=${board.id}`);
    expect(onBoard.body).toMatchObject({ total: 1, items: [{ condition: { source: { kind: 'card' } } }] });
  });

  it('reports unknown columns, columns without numbers and missing parameters with their place', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const post = (condition: object, more: object = {}) =>
      api.as('editor').post(ALERTS, { name: `Bad ${crypto.randomUUID()}`, condition, ...more });
    const unknown = await post(onLoad(queryId, { column: 'laod', by: { column: 'hots' } }));
    expect(unknown).toMatchObject({ status: 400, body: { code: 'ALERT_COLUMN_UNKNOWN' } });
    expect(issuesOf(unknown)).toEqual(['/condition/column COLUMN_UNKNOWN', '/condition/by/column COLUMN_UNKNOWN']);
    expect(unknown.body.errors[0].message).toContain('did you mean "load"?');
    const text = await post(onLoad(queryId, { column: 'label' }));
    expect(text).toMatchObject({ status: 400, body: { code: 'ALERT_COLUMN_NOT_NUMERIC' } });
    expect((await post(onLoad(queryId, { column: 'label', reduce: 'count' }))).status).toBe(201);

    const asking = await posted(api, '/api/saved-queries', {
      ...{ name: 'Asking', sql: 'SELECT load FROM hosts WHERE host = $host' },
      params: [{ name: 'host', type: 'string', required: true }],
    });
    const unbound = await post(onLoad(asking.id));
    expect(unbound).toMatchObject({ status: 400, body: { code: 'ALERT_PARAMETER_UNBOUND' } });
    expect(issuesOf(unbound)).toEqual(['/condition/source/params/host PARAMETER_UNBOUND']);
    expect(
      (await post(onLoad(asking.id, { source: { kind: 'savedQuery', id: asking.id, params: { host: 'a' } } }))).status,
    ).toBe(201);

    const often = await post(onLoad(queryId), { scheduleCron: '*/10 * * * *' });
    expect(often).toMatchObject({ status: 400, body: { code: 'SCHEDULE_TOO_FREQUENT' } });
    const mixed = await post(onLoad(UNKNOWN), {
      scheduleCron: 'never',
      channels: { inApp: { userIds: [UNKNOWN], groupIds: [UNKNOWN] } },
    });
    expect(mixed).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(issuesOf(mixed)).toEqual([
      '/scheduleCron CRON_INVALID',
      '/channels/inApp/userIds/0 NOT_A_MEMBER',
      '/channels/inApp/groupIds/0 UNKNOWN_GROUP',
      '/condition/source SAVED_QUERY_NOT_FOUND',
    ]);
    const range = await post(onLoad(queryId, { operator: 'between', threshold: [3, 1] }));
    expect(range).toMatchObject({ status: 400, body: { code: 'ALERT_CONDITION_INVALID' } });
    expect(issuesOf(range)).toEqual(['/condition/threshold ORDER']);
    const groups = await post(onLoad(queryId, { by: { column: 'host', limit: 2 } }));
    expect(issuesOf(groups)).toEqual(['/condition/by ALERT_TOO_MANY_GROUPS']);
    expect((await api.as('editor').get(`${ALERTS}?limit=200`)).body.total).toBe(2);
  });

  it('rejects a second alert of the same name, and gives a repeated request the same alert', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const alert = { name: 'Load', condition: onLoad(queryId) };
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const [first, again] = [
      await api.as('editor').post(ALERTS, alert, { headers }),
      await api.as('editor').post(ALERTS, alert, { headers }),
    ];
    expect(again.body.id).toBe(first.body.id);
    const taken = await api.as('editor').post(ALERTS, { ...alert, name: 'LOAD' });
    expect(taken).toMatchObject({ status: 409, body: { code: 'ALERT_NAME_TAKEN' } });
  });

  it('lets viewers create alerts for themselves alone', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const viewer = await givenMember(api);
    const other = await givenMember(api);
    const as = api.as(viewer);
    const own = await givenAlert(
      api,
      { condition: onLoad(queryId), channels: { email: { userIds: [viewer.userId] } } },
      as,
    );
    expect(own).toMatchObject({ mayEdit: true, channels: { event: false } });
    const bad = [
      { channels: { inApp: { userIds: [other.userId] } } },
      { channels: { inApp: { groupIds: [UNKNOWN] } } },
      { channels: { event: true } },
      { ownerId: other.userId },
    ];
    for (const more of bad) {
      const refused = await as.post(ALERTS, { name: 'No', condition: onLoad(queryId), ...more });
      expect(refused).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    }
    expect((await as.put(own.path, bad[0])).status).toBe(403);
    expect(await api.as(other).get(own.path)).toMatchObject({ status: 404, body: { code: 'ALERT_NOT_FOUND' } });
    expect((await api.as(other).get(ALERTS)).body).toMatchObject({ total: 0, items: [] });
    expect((await as.get(ALERTS)).body).toMatchObject({ total: 1, items: [{ id: own.id }] });
    expect((await api.as('stranger').get(own.path)).status).toBe(404);
  });

  it('rejects recipients who may not see the card, and new data of sources that are no datasets', async ({ api }) => {
    const { dataset } = await givenLoad(api);
    const query = {
      source: { kind: 'dataset', id: dataset.id },
      measures: [{ column: 'load', aggregation: 'max', label: 'load' }],
    };
    const board = await givenCards(api, [card('loads', chart(query))]);
    const viewer = await givenMember(api);
    const condition = {
      ...{
        kind: 'field',
        source: { kind: 'card', id: 'loads', dashboardId: board.id },
        column: 'load',
        reduce: 'last',
      },
      ...{ operator: 'gt', threshold: 1 },
    };
    const refused = await api.as('editor').post(ALERTS, {
      ...{ name: 'Draft', condition, channels: { inApp: { userIds: [viewer.userId] } } },
    });
    expect(refused).toMatchObject({ status: 400, body: { code: 'ALERT_RECIPIENT_NO_ACCESS' } });
    expect(issuesOf(refused)).toEqual(['/channels/inApp/userIds/0 RECIPIENT_NO_ACCESS']);
  });
});

describe('PUT and DELETE /api/dashboard-alerts/{id}', () => {
  it('check what they change as if it were new', async ({ api }) => {
    const { dataset, queryId } = await givenLoad(api);
    const [alert, other] = [
      await givenAlert(api, { condition: onLoad(queryId) }),
      await givenAlert(api, { condition: onLoad(queryId) }),
    ];
    const put = (change: object) => api.as('editor').put(alert.path, change);
    const asking = await posted(api, '/api/saved-queries', {
      ...{ name: 'Asking', sql: 'SELECT load FROM hosts WHERE host = $host' },
      params: [{ name: 'host', type: 'string', required: true }],
    });
    const source = { kind: 'dataset', id: dataset.id };
    const query = { source, measures: [{ column: 'load', aggregation: 'max', label: 'load' }] };
    const board = await givenCards(api, [card('loads', chart(query))]);
    const onCard = onLoad('', { source: { kind: 'card', id: 'loads', dashboardId: board.id }, reduce: 'last' });
    const viewer = await givenMember(api);
    const rejected: [object, string][] = [
      [{ name: other.name }, 'ALERT_NAME_TAKEN'],
      [{ condition: onLoad(queryId, { operator: 'between' }) }, 'ALERT_CONDITION_INVALID'],
      [{ condition: onLoad(queryId, { column: 'label' }) }, 'ALERT_COLUMN_NOT_NUMERIC'],
      [{ condition: onLoad(asking.id) }, 'ALERT_PARAMETER_UNBOUND'],
      [{ condition: onCard, channels: { inApp: { userIds: [viewer.userId] } } }, 'ALERT_RECIPIENT_NO_ACCESS'],
      [{ scheduleCron: '* * * * *' }, 'SCHEDULE_TOO_FREQUENT'],
    ];
    for (const [change, code] of rejected) expect((await put(change)).body).toMatchObject({ code });
    expect((await api.as('editor').get(alert.path)).body).toMatchObject({ name: alert.name, revision: 1 });
    const unbound = await api.as('editor').post(`${ALERTS}/preview`, { condition: onLoad(asking.id) });
    expect(unbound).toMatchObject({ status: 400, body: { code: 'ALERT_PARAMETER_UNBOUND' } });
    const stale = await api.as('editor').delete(alert.path, { headers: { 'if-match': '"7"' } });
    expect(stale).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } });
    for (const [method, path] of [
      ['GET', 'history'],
      ['PUT', 'snooze'],
      ['DELETE', 'follow'],
    ] as const) {
      const text = path === 'snooze' ? { text: '{"until":null}' } : {};
      expect((await api.as('editor').send(method, `${ALERTS}/${UNKNOWN}/${path}`, text)).status).toBe(404);
    }
  });

  it('change what is given, for editors and the owner', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const alert = await givenAlert(api, { condition: onLoad(queryId) });
    const changed = await api.as('editor').put(alert.path, { severity: 'critical', repeat: { every: 'PT4H' } });
    expect(changed).toMatchObject({
      status: 200,
      body: { severity: 'critical', repeat: { every: 'PT4H' }, revision: 2 },
    });
    const late = await api.as('editor').put(alert.path, { name: 'Late' }, { headers: { 'if-match': '"1"' } });
    expect(late).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } });
    const bad = await api.as('editor').put(alert.path, { condition: onLoad(queryId, { column: 'nothing' }) });
    expect(bad).toMatchObject({ status: 400, body: { code: 'ALERT_COLUMN_UNKNOWN' } });
    const [viewer, member] = [await givenMember(api), await givenMember(api)];
    await api.as('editor').put(alert.path, { channels: { inApp: { userIds: [viewer.userId] } } });
    expect(await api.as(viewer).put(alert.path, { name: 'Mine' })).toMatchObject({ status: 403 });
    expect(await api.as(viewer).delete(alert.path)).toMatchObject({ status: 403 });
    const given = await api.as('editor').put(alert.path, { ownerId: member.userId });
    expect(given.body).toMatchObject({ ownerId: member.userId, severity: 'critical' });
    expect(await api.as('editor').put(alert.path, { ownerId: UNKNOWN })).toMatchObject({ status: 400 });
    for (const method of ['put', 'delete'] as const)
      expect((await api.as('editor')[method](`${ALERTS}/${UNKNOWN}`, {})).status).toBe(404);
  });

  it('delete an alert for good, which frees what it used', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const alert = await givenAlert(api, { condition: onLoad(queryId) });
    const used = await api.as('editor').delete(`/api/saved-queries/${queryId}`);
    expect(used).toMatchObject({
      status: 409,
      body: { code: 'REFERENCED', referencedBy: [{ type: 'alert', id: alert.id, name: alert.name }] },
    });
    expect((await api.as('editor').delete(alert.path)).status).toBe(204);
    expect((await api.as('editor').get(alert.path)).status).toBe(404);
    expect((await api.as('editor').delete(`/api/saved-queries/${queryId}`)).status).toBe(204);
  });

  it('keep people of at most 50 different row rights apart', async ({ api }) => {
    const { dataset } = await givenProtected(api);
    const condition = {
      ...{ kind: 'field', source: { kind: 'dataset', id: dataset.id }, column: 'id', reduce: 'count' },
      ...{ operator: 'gt', threshold: 1 },
    };
    const readers = await Promise.all(
      Array.from({ length: 51 }, (_, index) => givenReader(api, { attributes: { region: [`r${index}`] } })),
    );
    const userIds = readers.map(({ userId }) => userId);
    const post = (ids: string[]) =>
      api.as('editor').post(ALERTS, { name: `Staff ${ids.length}`, condition, channels: { inApp: { userIds: ids } } });
    const few = await post(userIds.slice(0, 50));
    expect(few.status).toBe(201);
    const more = { channels: { inApp: { userIds } } };
    expect(await api.as('editor').put(`${ALERTS}/${few.body.id}`, more)).toMatchObject({
      status: 409,
      body: { code: 'ALERT_TOO_MANY_CLASSES' },
    });
    expect(await post(userIds)).toMatchObject({ status: 409, body: { code: 'ALERT_TOO_MANY_CLASSES' } });
  });

  it('end at 500 alerts in a workspace', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const { id, path } = await givenAlert(api, { condition: onLoad(queryId) });
    const alerts = alertRepository(api.table);
    const stored = (await alerts.get(api.workspaceId, id))!;
    const others = Array.from({ length: 499 }, (_, index) => ({ ...stored, id: newId(), name: `Alert ${index}` }));
    await inParallel(20, others, async (each) => void (await alerts.create(each)));
    const refused = await api.as('editor').post(ALERTS, { name: 'One more', condition: onLoad(queryId) });
    expect(refused).toMatchObject({ status: 409, body: { code: 'ALERT_LIMIT' } });
    expect((await api.as('editor').delete(path)).status).toBe(204);
    expect((await api.as('editor').post(ALERTS, { name: 'One more', condition: onLoad(queryId) })).status).toBe(201);
  });
});
