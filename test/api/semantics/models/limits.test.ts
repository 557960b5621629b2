import { describe, expect } from 'vitest';
import { modelDefinitions } from '../../../../shared/domains/semantics/models/index.ts';
import { cleanUpItem } from '../../../../shared/platform/storage/clean-ups.ts';
import { type Api, it } from '../../../support/api.ts';
import { givenField, givenSales, posted } from '../../../support/given/model.ts';

const LIMITS = { tables: 500, fields: 10_000, relationships: 2_000, hierarchies: 500, policies: 500, measures: 2_000 };

const definitionsOf = ({ table }: Api) =>
  modelDefinitions(table, (place, at) => cleanUpItem(table, { kind: 'model', ...place }, at));

/** Fills a model with copies of its first part of each kind, up to the limits. */
async function fill(api: Api, modelId: string) {
  const definitions = definitionsOf(api);
  const before = await definitions.read({ workspaceId: api.workspaceId, modelId });
  const filled = Object.entries(LIMITS).map(([kind, count]) => {
    const parts = [...before[kind as keyof typeof LIMITS].values()];
    const copies = Array.from({ length: count - parts.length }, () => ({ ...parts[0]!, id: crypto.randomUUID() }));
    return [kind, new Map([...parts, ...copies].map((part) => [part.id, part]))];
  });
  await definitions.commit(before, { ...before, ...Object.fromEntries(filled) });
}

describe('a model', () => {
  it('has limits of its parts', async ({ api }) => {
    const { id, path, ends, orders, key, region } = await givenSales(api);
    await posted(api, `${path}/relationships`, ends);
    const levels = [{ fieldId: region }, { fieldId: key }];
    await posted(api, `${path}/hierarchies`, { name: 'h', levels });
    await posted(api, `${path}/measures`, { name: 'm', expression: '1' });
    const policy = { name: 'p', tableId: orders.id, filterExpression: 'TRUE', appliesTo: [{ type: 'everyone' }] };
    expect((await api.as('owner').post(`${path}/rls`, policy)).status).toBe(201);
    const table = { sourceSchema: '', sourceTable: 'x', alias: 'x' };
    const field = { name: 'x', fieldType: 'dimension', dataType: 'string' };
    const other = await givenField(api, orders.path, 'payer', { dataType: 'integer' });
    await fill(api, id);
    for (const [place, body] of [
      [`${path}/hierarchies`, { name: 'x', levels }],
      [`${path}/rls`, { ...policy, name: 'x' }],
      [`${path}/measures`, { name: 'x', expression: '1' }],
      [`${path}/relationships`, { ...ends, toFieldId: other }],
      [`${path}/tables`, table],
      [`${orders.path}/fields`, field],
    ] as const) {
      const reply = await api.as('owner').post(place, body);
      expect(reply, place).toMatchObject({ status: 409, body: { code: 'MODEL_TOO_LARGE' } });
    }
    const started = performance.now();
    expect((await api.as('editor').put(orders.path, { description: 'still fast' })).status).toBe(200);
    console.log(`one edit of a model of 15,500 parts: ${Math.round(performance.now() - started)} ms`);
    expect((await api.as('owner').delete(`${orders.path}/fields/${other}`)).status).toBe(204);
    // As another process reads what these two edits have left.
    const { tables, fields } = await definitionsOf(api).read({ workspaceId: api.workspaceId, modelId: id });
    expect([fields.size, fields.has(other), tables.get(orders.id)!.description]).toEqual([9_999, false, 'still fast']);
  });

  it('is exported up to 4 MiB', async ({ api }) => {
    const { id, path, orders, amount } = await givenSales(api);
    await api.as('editor').put(`${orders.path}/fields/${amount}`, { description: 'x'.repeat(2000) });
    const definitions = definitionsOf(api);
    const before = await definitions.read({ workspaceId: api.workspaceId, modelId: id });
    const copies = Array.from({ length: 2_100 }, () => ({ ...before.fields.get(amount)!, id: crypto.randomUUID() }));
    const fields = new Map([...before.fields, ...copies.map((field) => [field.id, field] as const)]);
    await definitions.commit(before, { ...before, fields });
    expect(await api.as('viewer').get(`${path}/file`)).toMatchObject({
      status: 409,
      body: { code: 'MODEL_TOO_LARGE' },
    });
  });
});
