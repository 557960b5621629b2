import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { givenSales, issuesOf } from '../../../support/given/model.ts';

describe('row-level security policies', () => {
  it('are conditions over one table and the user, for subjects of the right shape', async ({ api }) => {
    const { path, customers, orders } = await givenSales(api);
    const body = {
      name: 'Own region',
      tableId: customers.id,
      filterExpression: '[customers.region] IN user.attr("region")',
      appliesTo: [
        { type: 'role', id: 'viewer' },
        { type: 'user', id: crypto.randomUUID() },
      ],
    };
    const create = (change: object) => api.as('owner').post(`${path}/rls`, { ...body, ...change });
    const made = await create({});
    expect(made).toMatchObject({ status: 201, body: { ...body, stale: false, diagnostics: [] } });
    expect(await create({})).toMatchObject({ status: 409, body: { code: 'MODEL_POLICY_NAME_TAKEN' } });
    for (const filterExpression of ['SUM([id]) > 1', '[orders.amount] > 1', '[id] + 1', '[nothing] = 1'])
      expect(issuesOf(await create({ name: 'x', filterExpression }))[0], filterExpression).toMatch(
        /^\/filterExpression /,
      );
    const appliesTo = [
      { type: 'everyone', id: 'x' },
      { type: 'role', id: 'boss' },
      { type: 'group' },
      { type: 'user', id: 'me' },
    ];
    expect(issuesOf(await create({ name: 'x', appliesTo, tableId: crypto.randomUUID() }))).toEqual([
      '/appliesTo/0/id CONFLICT',
      '/appliesTo/1/id ENUM',
      '/appliesTo/2/id REQUIRED',
      '/appliesTo/3/id FORMAT',
      '/tableId UNKNOWN_TABLE',
    ]);
    const place = `${path}/rls/${made.body.id}`;
    expect(issuesOf(await api.as('owner').put(place, { tableId: orders.id }))).toEqual(['/filterExpression REQUIRED']);
    const second = await create({ name: 'Second' });
    expect(await api.as('owner').put(`${path}/rls/${second.body.id}`, { name: 'own REGION' })).toMatchObject({
      status: 409,
      body: { code: 'MODEL_POLICY_NAME_TAKEN' },
    });
    await api.as('editor').put(customers.path, { alias: 'people' });
    const [renamed] = (await api.as('owner').get(`${path}/rls`)).body.items;
    expect(renamed).toMatchObject({ filterExpression: '[people.region] IN user.attr("region")', revision: 1 });
  });

  it('are in the audit log with what they said before and after', async ({ api }) => {
    const { path, id, customers } = await givenSales(api);
    const policy = { name: 'Own region', filterExpression: '[region] = "x"', appliesTo: [{ type: 'everyone' }] };
    const { body: made } = await api.as('owner').post(`${path}/rls`, { ...policy, tableId: customers.id });
    await api.as('owner').put(`${path}/rls/${made.id}`, { filterExpression: '[region] = "y"' });
    await api.as('owner').delete(`${path}/rls/${made.id}`);
    await api.as('editor').post(`${path}/measures`, { name: 'Revenue', expression: 'SUM([orders.amount])' });
    const shown = (value: string) => [
      {
        name: 'Own region',
        table: 'customers',
        filterExpression: `[region] = "${value}"`,
        appliesTo: policy.appliesTo,
      },
    ];
    const { items } = (await api.as('owner').get(`/api/audit-log?objectId=${id}&limit=4`)).body;
    const entries = items.map(({ action, before, after }: Record<string, unknown>) => ({ action, before, after }));
    expect(entries.reverse()).toMatchObject([
      { action: 'model.policy_created', before: { policies: [] }, after: { policies: shown('x') } },
      { action: 'model.policy_updated', before: { policies: shown('x') }, after: { policies: shown('y') } },
      { action: 'model.policy_deleted', before: { policies: shown('y') }, after: { policies: [] } },
      { action: 'model.updated', after: { measures: [{ name: 'Revenue', expression: 'SUM([orders.amount])' }] } },
    ]);
  });
});
