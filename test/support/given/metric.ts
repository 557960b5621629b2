import type { Api } from '../api.ts';
import { givenDataset } from './dataset.ts';
import { givenField, givenModel, givenTable, posted } from './model.ts';

/** A model over sales of the first months of 2024, with the body of a metric of its revenue. */
export async function givenSalesModel(api: Api, name = 'Sales') {
  await givenDataset(api, {
    name: 'sales',
    sql: `SELECT sold::TIMESTAMPTZ AS sold, (sold::TIMESTAMPTZ AT TIME ZONE 'UTC')::DATE AS day, region, amount::DECIMAL(9,2) AS amount FROM (VALUES
      ('2024-01-10T10:00:00Z', 'eu', 100), ('2024-01-25T10:00:00Z', 'eu', 50),
      ('2024-02-05T10:00:00Z', 'eu', 80), ('2024-02-10T15:00:00Z', 'us', 20), ('2024-02-20T10:00:00Z', 'us', 40),
      ('2024-02-29T23:30:00Z', 'eu', 7),
      ('2024-03-03T10:00:00Z', 'eu', 60), ('2024-03-10T09:00:00Z', 'us', 90), ('2024-03-28T10:00:00Z', NULL, 11)
    ) AS t(sold, region, amount)`,
  });
  const { id: modelId, path } = await givenModel(api, { name });
  const sales = await givenTable(api, path, 'sales');
  const fields = {
    sold: await givenField(api, sales.path, 'sold', { dataType: 'datetime' }),
    day: await givenField(api, sales.path, 'day', { dataType: 'date' }),
    region: await givenField(api, sales.path, 'region'),
    amount: await givenField(api, sales.path, 'amount', { fieldType: 'measure', dataType: 'decimal' }),
  };
  const measure = (name: string, expression: string) => posted(api, `${path}/measures`, { name, expression });
  const revenue = (await measure('Revenue', 'SUM([sales.amount])')).id;
  const average = (await measure('Average sale', 'AVG([sales.amount])')).id;
  const definition = { name: 'Revenue', modelId, measureId: revenue, timeFieldId: fields.sold };
  return { modelId, path, table: sales, fields, revenue, average, definition };
}

export async function givenMetric(api: Api, body: object): Promise<{ id: string; path: string }> {
  const { id } = await posted(api, '/api/metrics', body);
  return { id, path: `/api/metrics/${id}` };
}
