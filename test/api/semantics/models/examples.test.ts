import { type Api, it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenMember } from '../../../support/given/member.ts';
import { followGuide } from '../../../support/guide-examples.ts';

it('docs/modeling.md shows requests that succeed, and replies as they are', async ({ api }) => {
  await givenDataset(api, { name: 'customers', sql: "SELECT 1 AS id, 'Ada' AS name" });
  await givenDataset(api, {
    name: 'orders',
    sql: "SELECT 1 AS id, 1 AS customer_id, 'eu' AS region, 2.50::DECIMAL(9,2) AS amount, DATE '2026-01-05' AS placed",
  });
  const { userId } = await givenMember(api);
  const { id: groupId } = (await api.as('owner').post('/api/groups', { name: 'Sales' })).body;
  await followGuide(api, 'modeling.md', {
    // References of expressions to parameters look like values of the guide.
    values: { userId, groupId, currency: '{currency}', grain: '{grain}' },
    // Only admins write policies and look at the access of others.
    callerOf: ({ path }) => (/rls|access-preview/.test(path) ? 'owner' : 'editor'),
    after: async ({ path }, { body }) => {
      if (path === '/api/models') return { modelId: body.id };
      if (path.endsWith('/import')) return importedIds(api);
      if (path.endsWith('/measures')) return { revenueId: body.id };
      return path.endsWith('/transforms') ? { stepId: body.id } : {};
    },
  });
});

/** The ids of what the import has added, by the names of the guide. */
async function importedIds(api: Api) {
  const [{ id: model }] = (await api.as('editor').get('/api/models')).body.items;
  const list = async (what: string) =>
    (await api.as('editor').get(`/api/models/${model}/${what}?limit=200`)).body.items;
  const tables: { id: string; alias: string }[] = await list('tables');
  const fields: { id: string; tableId: string; name: string }[] = await list('fields');
  const table = (name: string) => tables.find(({ alias }) => alias === name)!.id;
  const field = (of: string, name: string) =>
    fields.find((each) => each.tableId === table(of) && each.name === name)!.id;
  return {
    ordersId: table('orders'),
    customersId: table('customers'),
    customerId: field('customers', 'id'),
    orderCustomerId: field('orders', 'customer_id'),
    orderId: field('orders', 'id'),
    regionId: field('orders', 'region'),
    placedId: field('orders', 'placed'),
  };
}
