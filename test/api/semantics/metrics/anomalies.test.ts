import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenMetric } from '../../../support/given/metric.ts';
import { givenField, givenModel, givenTable } from '../../../support/given/model.ts';

/**
 * Sixty weeks with 100 on weekdays and nothing on weekends; a peak on a Wednesday and sales on a Sunday of March 2024.
 */
async function givenDailySales(api: Api, aggregation: 'sum' | 'avg') {
  await givenDataset(api, {
    name: 'daily',
    sql: `SELECT d::DATE AS day, CASE WHEN d = DATE '2024-03-13' THEN 400 WHEN isodow(d) = 7 THEN 50 ELSE 100 + (dayofyear(d) % 3) END AS amount
      FROM range(DATE '2023-02-06', DATE '2024-04-01', INTERVAL 1 DAY) t(d) WHERE isodow(d) < 6 OR d = DATE '2024-03-17'`,
  });
  const model = await givenModel(api);
  const table = await givenTable(api, model.path, 'daily');
  const timeFieldId = await givenField(api, table.path, 'day', { dataType: 'date' });
  const fieldId = await givenField(api, table.path, 'amount', { dataType: 'integer' });
  return givenMetric(api, { name: 'Sales', modelId: model.id, fieldId, aggregation, timeFieldId, grain: 'day' });
}

const read = async (api: Api, path: string) => {
  const reply = await api.as('viewer').get(path);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body;
};

describe('the anomalies of a metric', () => {
  it('are the days that differ from the same weekday of earlier weeks', async ({ api }) => {
    const { path } = await givenDailySales(api, 'sum');
    const found = await read(api, `${path}/anomalies?from=2024-03-01&to=2024-03-31`);
    expect(found).toMatchObject({ grain: 'day', season: 'day_of_week', threshold: 3.5, checkedCount: 31 });
    expect(found.items).toMatchObject([
      { date: '2024-03-13', value: '400', direction: 'above', from: '2024-03-13T00:00:00.000Z' },
      { date: '2024-03-17', value: '50', direction: 'above', expected: 0, score: 100 },
    ]);
    expect(found.items[0].expectedHigh).toBeLessThan(200);
  });

  it('need a history, and skip days without a value where values do not add up', async ({ api }) => {
    const { path } = await givenDailySales(api, 'avg');
    const early = await read(api, `${path}/anomalies?from=2023-02-06&to=2023-03-05`);
    expect(early).toMatchObject({ checkedCount: 0, uncheckedCount: 28, items: [] });
    const march = await read(api, `${path}/anomalies?from=2024-03-01&to=2024-03-31`);
    expect(march).toMatchObject({ checkedCount: 21, uncheckedCount: 10, items: [{ date: '2024-03-13' }] });
    const tolerant = await read(api, `${path}/anomalies?from=2024-03-01&to=2024-03-31&grain=week&threshold=20`);
    expect(tolerant).toMatchObject({ grain: 'week', season: 'none' });
  });
});
