import { it } from '../../../support/api.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenField, givenModel, givenTable, posted } from '../../../support/given/model.ts';
import { givenPolicy } from '../../../support/given/protected.ts';
import { publish } from '../../../support/given/shares.ts';
import { followGuide } from '../../../support/guide-examples.ts';

it('docs/sharing.md shows replies as they are', async ({ api }) => {
  await givenDataset(api, {
    name: 'orders',
    sql: `SELECT region, amount::DECIMAL(9,2) AS amount
          FROM (VALUES ('North', 1000), ('North', 250.50), ('South', 980)) t(region, amount)`,
  });
  const model = await givenModel(api);
  const table = await givenTable(api, model.path, 'orders');
  const regionId = await givenField(api, table.path, 'region');
  await givenField(api, table.path, 'amount', { fieldType: 'measure', dataType: 'decimal' });
  const { id: measureId } = await posted(api, `${model.path}/measures`, {
    name: 'Revenue',
    expression: 'SUM([orders.amount])',
  });
  await givenPolicy(api, model.path, { tableId: table.id });
  const query = { source: { kind: 'model', id: model.id }, dimensions: [{ fieldId: regionId, label: 'Region' }] };
  const dashboard = await givenCards(api, [card('orders', chart({ ...query, measures: [{ measureId }] }))]);
  const filter = { fieldId: regionId, filterType: 'multi_select', label: 'Region' };
  const { id: filterId } = await posted(api, `${dashboard.path}/filters`, filter);
  await publish(api, dashboard.path);

  await followGuide(api, 'sharing.md', {
    values: { dashboardId: dashboard.id, fieldId: regionId, filterId },
    callerOf: ({ path }) => (path.includes('{token}') ? 'anonymous' : 'owner'),
    after: ({ path }, { body }) => (path === '/api/shares' ? { token: body.token } : {}),
  });
});
