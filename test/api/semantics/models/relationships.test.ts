import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { givenField, givenSales, issuesOf, posted } from '../../../support/given/model.ts';

describe('relationships', () => {
  it('join fields of comparable types of two tables, once', async ({ api }) => {
    const { path, ends, region, orders } = await givenSales(api);
    const create = (body: object) => api.as('editor').post(`${path}/relationships`, { ...ends, ...body });
    const made = await create({});
    expect(made).toMatchObject({
      status: 201,
      body: { ...ends, joinType: 'left', cardinality: '1:N', isActive: true, aiDetected: false, revision: 1 },
    });
    const swapped = {
      fromTableId: ends.toTableId,
      fromFieldId: ends.toFieldId,
      toTableId: ends.fromTableId,
      toFieldId: ends.fromFieldId,
    };
    for (const reply of [await create({}), await create(swapped)])
      expect(reply).toMatchObject({ status: 409, body: { code: 'MODEL_RELATIONSHIP_EXISTS' } });
    expect(issuesOf(await create({ fromFieldId: region }))).toEqual(['/toFieldId WRONG_TYPE']);
    expect(issuesOf(await create({ fromTableId: crypto.randomUUID(), toFieldId: region }))).toEqual([
      '/fromTableId UNKNOWN_TABLE',
      '/toFieldId UNKNOWN_FIELD',
    ]);
    const reversed = await create({ cardinality: 'N:1' });
    expect(reversed.body.errors).toMatchObject([
      { pointer: '/cardinality', message: expect.stringMatching(/swap the ends/) },
    ]);
    expect(issuesOf(await create({ fromTable: 'customers', fromField: 'ID', toTable: 'orders' }))).toEqual([
      '/fromField CONFLICT',
    ]);
    expect(issuesOf(await create({ fromTableId: orders.id, fromFieldId: ends.toFieldId }))).toEqual([
      '/toTableId SAME_TABLE',
    ]);
    const place = `${path}/relationships/${made.body.id}`;
    const changed = await api.as('editor').put(place, { cardinality: 'N:M', joinType: 'inner', aiDetected: true });
    expect(changed.body).toMatchObject({ cardinality: 'N:M', joinType: 'inner', aiDetected: true, isActive: true });
    const other = await givenField(api, orders.path, 'payer', { dataType: 'integer' });
    const second = await create({ toFieldId: other });
    expect(await api.as('editor').put(`${path}/relationships/${second.body.id}`, ends)).toMatchObject({
      status: 409,
      body: { code: 'MODEL_RELATIONSHIP_EXISTS' },
    });
    expect((await api.as('editor').delete(place)).status).toBe(204);
    expect((await api.as('viewer').get(`${path}/relationships`)).body).toMatchObject({
      total: 1,
      items: [{ id: second.body.id }],
    });
  });

  it('join by columns, not by calculated fields', async ({ api }) => {
    const { path, ends, orders } = await givenSales(api);
    const calculation = { fieldType: 'calculated', dataType: 'integer', expression: '[orders.customer] + 1' };
    const calculated = await givenField(api, orders.path, 'next', calculation);
    const create = (body: object) => api.as('editor').post(`${path}/relationships`, { ...ends, ...body });
    expect(issuesOf(await create({ toFieldId: calculated }))).toEqual(['/toFieldId CALCULATED_FIELD']);
    const made = await posted(api, `${path}/relationships`, ends);
    const place = `${path}/relationships/${made.id}`;
    expect(issuesOf(await api.as('editor').put(place, { toFieldId: calculated }))).toEqual([
      '/toFieldId CALCULATED_FIELD',
    ]);
    const change = { fieldType: 'calculated', expression: '[orders.amount] + 1' };
    const changed = await api.as('editor').put(`${orders.path}/fields/${ends.toFieldId}`, change);
    expect(issuesOf(changed)).toEqual(['/fieldType CONFLICT']);
  });

  it('go with a field or a table that they join', async ({ api }) => {
    const { path, ends, orders, customer } = await givenSales(api);
    await posted(api, `${path}/relationships`, ends);
    await api.as('editor').delete(`${orders.path}/fields/${customer}`);
    expect((await api.as('viewer').get(`${path}/relationships`)).body.total).toBe(0);
  });
});

describe('hierarchies', () => {
  it('have two to ten levels of fields, with labels', async ({ api }) => {
    const { path, customers, region, key, amount } = await givenSales(api);
    const levels = [{ fieldId: region, label: 'Area' }, { fieldId: key }];
    const create = (body: object) => api.as('editor').post(`${path}/hierarchies`, { name: 'Places', levels, ...body });
    const made = await create({ tableId: customers.id });
    expect(made).toMatchObject({
      status: 201,
      body: {
        name: 'Places',
        tableId: customers.id,
        levels: [
          { fieldId: region, label: 'Area' },
          { fieldId: key, label: 'id' },
        ],
      },
    });
    expect(await create({ name: 'PLACES' })).toMatchObject({
      status: 409,
      body: { code: 'MODEL_HIERARCHY_NAME_TAKEN' },
    });
    const wrong = [{ fieldId: region }, { fieldId: region }, { fieldId: amount }, { fieldId: crypto.randomUUID() }];
    expect(issuesOf(await create({ name: 'x', tableId: customers.id, levels: wrong }))).toEqual([
      '/levels/1/fieldId DUPLICATE',
      '/levels/2/fieldId OTHER_TABLE',
      '/levels/3/fieldId UNKNOWN_FIELD',
    ]);
    expect((await create({ name: 'x', levels: levels.slice(1) })).status).toBe(400);
    expect(issuesOf(await create({ name: 'x', tableId: crypto.randomUUID() }))).toContain('/tableId UNKNOWN_TABLE');
    const across = await create({ name: 'Across', levels: [...levels, { fieldId: amount }] });
    expect(across.body).toMatchObject({ tableId: null });
    const place = `${path}/hierarchies/${across.body.id}`;
    expect(await api.as('editor').put(place, { name: 'places' })).toMatchObject({
      status: 409,
      body: { code: 'MODEL_HIERARCHY_NAME_TAKEN' },
    });
    await api.as('editor').delete(`${customers.path}/fields/${key}`);
    const left = (await api.as('viewer').get(`${path}/hierarchies`)).body;
    expect(left).toMatchObject({
      total: 1,
      items: [{ name: 'Across', levels: [{ label: 'Area' }, { label: 'amount' }] }],
    });
    expect((await api.as('editor').delete(place)).status).toBe(204);
  });
});
