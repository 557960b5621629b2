import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenField, givenModel, givenTable } from '../../../support/given/model.ts';

describe('transform steps', () => {
  it('fit the columns that they receive, in every order', async ({ api }) => {
    await givenDataset(api, { name: 'orders', sql: "SELECT 1 AS id, 2.50::DECIMAL(9,2) AS amount, 'x' AS status" });
    const { path } = await givenModel(api);
    const { path: table } = await givenTable(api, path, 'orders');
    const add = (type: string, config: object) => api.as('editor').post(`${table}/transforms`, { type, config });
    const issues = (reply: { body: { errors: { pointer: string; code: string }[] } }) =>
      reply.body.errors.map(({ pointer, code }) => `${pointer} ${code}`);
    const rename = await add('rename_column', { from: 'amount', to: 'net' });
    expect(rename).toMatchObject({
      status: 200,
      body: { type: 'rename_column', order: 1, isEnabled: true, revision: 1 },
    });
    const gross = await add('add_column', { name: 'gross', expression: '[net] * 1.19' });
    expect(gross.status, JSON.stringify(gross.body)).toBe(200);
    const unknown = await add('filter_rows', { conditions: [{ column: 'amount', op: 'gt', value: 1 }] });
    expect(unknown).toMatchObject({ status: 422, body: { code: 'MODEL_TRANSFORM_INVALID' } });
    expect(issues(unknown)).toEqual(['/config/conditions/0/column UNKNOWN_COLUMN']);
    const more: [string, object, string[]][] = [
      [
        'filter_rows',
        {
          conditions: [
            { column: 'net', op: 'between', value: [1] },
            { column: 'id', op: 'is_null', value: 1 },
            { column: 'status', op: 'in', value: 'x' },
            { column: 'id', op: 'contains', value: '1' },
            { column: 'net', op: 'gt', value: 'x' },
            { column: 'id', op: 'eq' },
          ],
        },
        [
          '/config/conditions/0/value LENGTH',
          '/config/conditions/1/value CONFLICT',
          '/config/conditions/2/value TYPE',
          '/config/conditions/3/op WRONG_TYPE',
          '/config/conditions/4/value WRONG_TYPE',
          '/config/conditions/5/value REQUIRED',
        ],
      ],
      ['remove_columns', { columns: ['id', 'net', 'status', 'gross'] }, ['/config/columns NO_COLUMNS']],
      ['rename_column', { from: 'id', to: 'net' }, ['/config/to DUPLICATE']],
      ['change_type', { column: 'id', type: 'string', format: '%d' }, ['/config/format CONFLICT']],
      ['change_type', { column: 'id', type: 'geo' }, ['/config/type WRONG_TYPE']],
      ['add_column', { name: 'id', expression: '[nothing] +' }, ['/config/name DUPLICATE']],
      ['replace_values', { column: 'id', pairs: [{ from: 'a', to: 'b' }] }, ['/config/column WRONG_TYPE']],
      [
        'replace_values',
        {
          column: 'status',
          mode: 'regex',
          pairs: [
            { from: '(?=a)', to: '' },
            { from: '[', to: '' },
          ],
        },
        ['/config/pairs/0/from PATTERN', '/config/pairs/1/from PATTERN'],
      ],
      [
        'top_n',
        { n: 1, by: [{ column: 'x' }], perGroup: ['y'] },
        ['/config/by/0/column UNKNOWN_COLUMN', '/config/perGroup/0 UNKNOWN_COLUMN'],
      ],
      ['deduplicate', { keys: ['x'] }, ['/config/keys/0 UNKNOWN_COLUMN']],
      [
        'group_aggregate',
        {
          groupBy: ['status'],
          aggregations: [
            { fn: 'sum', as: 'a' },
            { fn: 'sum', column: 'status', as: 'status' },
          ],
        },
        [
          '/config/aggregations/0/column REQUIRED',
          '/config/aggregations/1/column WRONG_TYPE',
          '/config/aggregations/1/as DUPLICATE',
        ],
      ],
    ];
    for (const [type, config, expected] of more) {
      const reply = await add(type, config);
      expect(reply.status, type).toBe(422);
      expect(issues(reply).slice(0, expected.length), type).toEqual(expected);
    }
    expect((await add('top_n', { n: 1 })).status).toBe(400);
    expect((await add('flatten', {})).status).toBe(400);
    for (const [type, config] of [
      [
        'filter_rows',
        {
          match: 'any',
          conditions: [
            { column: 'net', op: 'gt', value: 1 },
            { column: 'status', op: 'in', value: ['a'] },
          ],
        },
      ],
      ['replace_values', { column: 'status', pairs: [{ from: 'x', to: 'y' }] }],
      ['change_type', { column: 'id', type: 'string' }],
      ['sort_rows', { by: [{ column: 'gross', direction: 'desc', nulls: 'last' }] }],
      ['deduplicate', { keys: ['id'], keep: 'last' }],
      ['top_n', { n: 5, by: [{ column: 'gross' }], perGroup: ['status'] }],
      ['remove_columns', { columns: ['id'] }],
      [
        'group_aggregate',
        {
          groupBy: ['status'],
          aggregations: [
            { fn: 'count', as: 'orders' },
            { fn: 'sum', column: 'gross', as: 'gross' },
          ],
        },
      ],
    ] as const) {
      const reply = await add(type, config);
      expect(reply.status, `${type} ${JSON.stringify(reply.body)}`).toBe(200);
    }
    const last = (await api.as('viewer').get(`${table}/transforms`)).body;
    expect(last.total).toBe(10);
    const ids: string[] = last.items.map(({ id }: { id: string }) => id);

    const place = `${table}/transforms/${rename.body.id}`;
    const needed = { status: 422, body: { code: 'MODEL_TRANSFORM_INVALID', stepId: gross.body.id } };
    expect(await api.as('editor').put(place, { isEnabled: false })).toMatchObject(needed);
    expect(await api.as('editor').delete(place)).toMatchObject(needed);
    const reorder = (orderedIds: string[]) => api.as('editor').post(`${table}/transforms/reorder`, { orderedIds });
    expect(await reorder([ids[1]!, ids[0]!, ...ids.slice(2)])).toMatchObject({
      ...needed,
      body: { code: 'MODEL_TRANSFORM_INVALID' },
    });
    expect(issues(await reorder([ids[0]!, ids[0]!, crypto.randomUUID()]))).toEqual([
      '/orderedIds/1 DUPLICATE',
      '/orderedIds/2 UNKNOWN_STEP',
      '/orderedIds INCOMPLETE',
    ]);
    const swapped = [...ids.slice(0, 4), ids[5]!, ids[4]!, ...ids.slice(6)];
    expect((await reorder(swapped)).body.items.map(({ id }: { id: string }) => id)).toEqual(swapped);
    expect((await api.as('editor').delete(`${table}/transforms/${ids[9]}`)).body.total).toBe(9);
    const changed = await api
      .as('editor')
      .put(`${table}/transforms/${ids[2]}`, { config: { conditions: [{ column: 'x' }] } });
    expect(issues(changed)).toEqual(['/config/conditions/0/op REQUIRED']);
    await givenField(api, table, 'gross', { dataType: 'decimal' });
    const renamed = { name: 'amount', fieldType: 'dimension', dataType: 'decimal' };
    expect(issues(await api.as('editor').post(`${table}/fields`, renamed))).toEqual(['/sourceColumn UNKNOWN_COLUMN']);
    const missing = async () =>
      (await api.as('viewer').get(`${table}/fields`)).body.items.map((field: { missing: boolean }) => field.missing);
    expect(await missing()).toEqual([false]);
    const removed = { type: 'remove_columns', config: { columns: ['gross'] } };
    expect((await api.as('editor').post(`${table}/transforms`, removed)).status).toBe(200);
    expect(await missing()).toEqual([true]);
  });

  it('are limited in number', async ({ api }) => {
    const { path } = await givenModel(api);
    const { path: table } = await givenTable(api, path);
    const step = { type: 'filter_rows', config: { conditions: [{ column: 'a', op: 'not_null' }] } };
    for (let count = 0; count < 50; count += 1) await api.as('editor').post(`${table}/transforms`, step);
    expect(await api.as('editor').post(`${table}/transforms`, step)).toMatchObject({
      status: 409,
      body: { code: 'MODEL_TOO_LARGE' },
    });
  });
});
