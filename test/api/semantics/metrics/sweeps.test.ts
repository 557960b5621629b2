import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, vi } from 'vitest';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { type Api, it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { loseDataset } from '../../../support/given/lost.ts';
import { givenMetric } from '../../../support/given/metric.ts';
import { givenField, givenModel, givenTable } from '../../../support/given/model.ts';
import { givenPolicy } from '../../../support/given/protected.ts';
import { workOnReports } from '../../../support/given/report-work.ts';

const UNKNOWN = '00000000-0000-7000-8000-000000000000';

/** Twelve weeks of sales until yesterday, which had five times as many as usual. */
async function givenPeak(api: Api, name = 'daily') {
  const dataset = await givenDataset(api, {
    name,
    sql: `SELECT d::DATE AS day, CASE WHEN d >= today() - 1 THEN 500 ELSE 100 + dayofyear(d) % 3 END AS amount
      FROM range(today() - 84, today() + 1, INTERVAL 1 DAY) t(d)`,
  });
  const model = await givenModel(api, { name: `Model of ${name}` });
  const table = await givenTable(api, model.path, name);
  const timeFieldId = await givenField(api, table.path, 'day', { dataType: 'date' });
  const fieldId = await givenField(api, table.path, 'amount', { dataType: 'integer' });
  const metric = {
    name: `Sales of ${name}`,
    modelId: model.id,
    fieldId,
    aggregation: 'sum',
    timeFieldId,
    grain: 'day',
  };
  return {
    datasetId: dataset.id,
    model,
    table,
    ...(await givenMetric(api, { ...metric, anomalyChecks: { delayHours: 0 } })),
  };
}

const sweep = (api: Api, metricId: string) =>
  workOnReports(api, { op: 'sweep', workspaceId: api.workspaceId, metricId });

async function events(api: Api) {
  const { pk } = workspaceKey(api.workspaceId, 'OUTBOX', '');
  const query = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk }, ConsistentRead: true };
  const { Items } = await api.table.db.send(new QueryCommand({ TableName: api.table.name, ...query }));
  return Items!.filter(({ event }) => event === 'metric.anomaly_detected').map(({ data }) => data);
}

describe('the scheduled checks of a metric', () => {
  it('report each unusual period of a certified metric once', async ({ api }) => {
    const { id, path } = await givenPeak(api);
    const details = async () => (await api.as('viewer').get(path)).body;
    expect(await details()).toMatchObject({
      ...{ anomalyChecks: { delayHours: 0, threshold: 3.5 } },
      sweep: { status: 'not_certified', checkedUntil: null, nextAt: null },
    });
    await sweep(api, id);
    expect(await events(api)).toEqual([]);

    await api.as('owner').patch(path, { isCertified: true });
    expect((await details()).sweep).toMatchObject({ status: 'waiting', nextAt: expect.any(String) });
    await Promise.all([sweep(api, id), sweep(api, id)]);
    await sweep(api, id);
    const { items, isHidden } = (await api.as('viewer').get(`${path}/detected-anomalies`)).body;
    expect(isHidden).toBe(false);
    expect(items).toMatchObject([{ metricId: id, grain: 'day', value: '500', direction: 'above', status: 'open' }]);
    const [{ from, to, score }] = items;
    expect(await events(api)).toMatchObject([
      {
        metricId: id,
        metricName: 'Sales of daily',
        grain: 'day',
        periodStart: from,
        value: 500,
        direction: 'above',
        score,
      },
    ]);
    const { sweep: after } = await details();
    expect(after).toMatchObject({ status: 'ok', checkedUntil: to, error: null });
    expect(Date.parse(after.nextAt) - Date.parse(to)).toBe(24 * 60 * 60 * 1000);

    const one = `${path}/detected-anomalies/${items[0].id}`;
    const reviewed = await api.as('editor').patch(one, { status: 'confirmed' });
    expect(reviewed).toMatchObject({ status: 200, body: { status: 'confirmed', statusBy: expect.any(String) } });
    expect((await api.as('viewer').get(`${path}/detected-anomalies`)).body.items).toEqual([reviewed.body]);
    expect((await api.as('viewer').patch(one, { status: 'open' })).status).toBe(403);
    const unknown = await api.as('editor').patch(`${path}/detected-anomalies/${UNKNOWN}`, { status: 'dismissed' });
    expect(unknown).toMatchObject({ status: 404, body: { code: 'METRIC_ANOMALY_NOT_FOUND' } });
    for (const reply of [
      await api.as('stranger').get(`${path}/detected-anomalies`),
      await api.as('stranger').patch(one, { status: 'open' }),
    ]) {
      expect(reply).toMatchObject({ status: 404, body: { code: 'METRIC_NOT_FOUND' } });
    }
    await api.as('editor').delete(path);
    await vi.waitFor(
      async () => {
        const left = workspaceKey(api.workspaceId, `METRIC#${id}`, `ANOMALY#${items[0].id}`);
        expect(await api.stored(left)).toBeUndefined();
        expect(await api.stored({ ...left, sk: 'SWEEP' })).toBeUndefined();
      },
      { timeout: 60_000 },
    );
  });

  it('skip models that restrict rows, and report a source that fails as an error', async ({ api }) => {
    const { id, path, model, table } = await givenPeak(api);
    await api.as('owner').patch(path, { isCertified: true });
    await sweep(api, id);
    expect((await api.as('viewer').get(`${path}/detected-anomalies`)).body.items).toHaveLength(1);
    await givenPolicy(api, model.path, { tableId: table.id, filterExpression: '[amount] > 0' });
    const hidden = (await api.as('viewer').get(`${path}/detected-anomalies`)).body;
    expect(hidden).toEqual({ items: [], isHidden: true });

    const lost = await givenPeak(api, 'lost');
    await api.as('owner').patch(lost.path, { isCertified: true });
    await loseDataset(api, lost.datasetId);
    await sweep(api, lost.id);
    const { sweep: failing } = (await api.as('viewer').get(lost.path)).body;
    expect(failing).toMatchObject({ status: 'failing', checkedUntil: null, error: { code: 'SQL_ERROR' } });
    expect((await api.as('viewer').get(`${lost.path}/detected-anomalies`)).body.items).toEqual([]);

    const closed = await givenPeak(api, 'closed');
    await givenPolicy(api, closed.model.path, { tableId: closed.table.id, filterExpression: '[amount] > 0' });
    await api.as('owner').patch(closed.path, { isCertified: true });
    await sweep(api, closed.id);
    expect((await api.as('viewer').get(closed.path)).body.sweep).toMatchObject({ status: 'protected', error: null });
    expect(await events(api)).toHaveLength(1);
    expect((await api.as('editor').patch(closed.path, { anomalyChecks: null })).body.anomalyChecks).toBeNull();
    expect((await api.as('viewer').get(closed.path)).body.sweep).toBeNull();
  });
});
