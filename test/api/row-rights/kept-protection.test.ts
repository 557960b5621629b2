import { describe, expect } from 'vitest';
import { type Api, it } from '../../support/api.ts';
import { givenField } from '../../support/given/model.ts';
import { givenLabel, givenPolicy, givenProtected } from '../../support/given/protected.ts';

type Request = [method: 'put' | 'post' | 'delete', path: string, body?: object];

/** Each is rejected for an editor with what it would lift. */
async function expectRejected(api: Api, requests: readonly Request[], names: readonly string[]): Promise<void> {
  for (const [method, path, body] of requests) {
    const reply = await (method === 'delete' ? api.as('editor').delete(path) : api.as('editor')[method](path, body));
    expect(reply, `${method} ${path} ${JSON.stringify(body)}`).toMatchObject({
      status: 409,
      body: { code: 'MODEL_TABLE_PROTECTED' },
    });
    expect(reply.body.referencedBy.map(({ name }: { name: string }) => name)).toEqual(names);
  }
}

describe('what policies and labels protect', () => {
  it('is not lifted by an edit of a field that a policy reads, unless an admin makes it', async ({ api }) => {
    const { model, table, field } = await givenProtected(api);
    const half = await givenField(api, table.path, 'half', { fieldType: 'calculated', expression: '[region]' });
    const policy = await givenPolicy(api, model.path, {
      tableId: table.id,
      name: 'By half',
      filterExpression: '[half] = "eu" AND [id] > 0',
    });
    const place = (id: string) => `${table.path}/fields/${id}`;
    await expectRejected(
      api,
      [
        ['put', place(field.id), { sourceColumn: 'other' }],
        ['put', place(field.id), { dataType: 'decimal' }],
        ['put', place(field.id), { fieldType: 'calculated', expression: '1' }],
        ['put', place(field.id), { sensitivityLabel: 'Any' }],
        ['put', place(half), { expression: '"eu"' }],
        ['delete', place(field.id)],
        ['delete', place(half)],
      ],
      ['By half'],
    );
    expect((await api.as('editor').put(place(field.id), { name: 'key' })).status).toBe(200);
    expect((await api.as('editor').put(place(field.name), { sourceColumn: 'region' })).status).toBe(200);
    expect((await api.as('owner').put(place(field.id), { dataType: 'decimal' })).status).toBe(200);
    const [shown] = (await api.as('owner').get(`${model.path}/rls`)).body.items.filter(
      ({ id }: { id: string }) => id === policy.id,
    );
    expect(shown.filterExpression).toBe('[half] = "eu" AND [key] > 0');
  });

  it('includes the label of a column, which stays with it', async ({ api }) => {
    const { table, field, model, policy } = await givenProtected(api);
    await api.as('owner').delete(`${model.path}/rls/${policy.id}`);
    const salary = `${table.path}/fields/${field.salary}`;
    const requests: Request[] = [
      ['put', salary, { sensitivityLabel: null }],
      ['put', salary, { sensitivityLabel: 'Public' }],
      ['put', salary, { sourceColumn: 'name' }],
      ['delete', salary],
      ['delete', table.path],
      ['put', table.path, { sourceTable: 'elsewhere' }],
      ['delete', model.path],
    ];
    await expectRejected(api, requests, ['salary']);
    expect((await api.as('editor').put(salary, { sensitivityLabel: 'PRIVATE' })).status).toBe(200);
    const twin = await givenField(api, table.path, 'twin', { sourceColumn: 'salary' });
    await givenLabel(api, table.path, twin, 'private');
    expect((await api.as('editor').delete(salary)).status).toBe(204);
    expect((await api.as('owner').delete(`${table.path}/fields/${twin}`)).status).toBe(204);
    expect((await api.as('editor').delete(model.path)).status).toBe(204);
  });

  it('follows a column that steps rename', async ({ api }) => {
    const { table, model, policy } = await givenProtected(api);
    await api.as('owner').delete(`${model.path}/rls/${policy.id}`);
    const steps = `${table.path}/transforms`;
    const add = (type: string, config: object) => api.as('editor').post(steps, { type, config });
    await add('rename_column', { from: 'name', to: 'shown' });
    await add('remove_columns', { columns: ['shown'] });
    await add('rename_column', { from: 'region', to: 'shown' });
    const ids = (await api.as('editor').get(steps)).body.items.map(({ id }: { id: string }) => id);
    const field = await givenField(api, table.path, 'shown');
    await givenLabel(api, table.path, field, 'Private');
    const last = `${steps}/${ids[2]}`;
    await expectRejected(
      api,
      [
        ['put', last, { isEnabled: false }],
        ['put', last, { config: { from: 'id', to: 'shown' } }],
        ['delete', last],
        ['post', `${steps}/reorder`, { orderedIds: [ids[2], ids[1], ids[0]] }],
      ],
      ['shown'],
    );
    expect((await add('remove_columns', { columns: ['shown'] })).status).toBe(200);
    const other = { type: 'rename_column', config: { from: 'id', to: 'shown' } };
    await expectRejected(api, [['post', steps, other]], ['shown']);
  });

  it('is not lifted by a restored version or a deleted model', async ({ api }) => {
    const { model, table, field, policy } = await givenProtected(api);
    await api.as('owner').put(`${table.path}/fields/${field.salary}`, { sensitivityLabel: null });
    const publication = { override: true, overrideReason: 'a test' };
    expect((await api.as('owner').post(`${model.path}/publish`, publication)).status).toBe(200);
    await givenLabel(api, table.path, field.salary, 'Private');
    const restore: Request = ['post', `${model.path}/versions/1/restore`];
    await expectRejected(api, [restore], ['salary']);
    const { name } = (await api.as('owner').get(`${model.path}/rls`)).body.items[0];
    await expectRejected(api, [['delete', model.path]], [name, 'salary']);
    expect((await api.as('owner').post(restore[1])).status).toBe(200);
    await api.as('owner').delete(`${model.path}/rls/${policy.id}`);
    expect((await api.as('editor').delete(model.path)).status).toBe(204);
    expect((await api.as('editor').get(model.path)).status).toBe(404);
  });
});
