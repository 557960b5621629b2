import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { dagOf, finishedRun, load, sql, UNKNOWN_ID } from './given.ts';

const PATH = '/api/pipelines/flowlets';
const SIMPLE = {
  name: 'clean',
  description: 'keeps what counts',
  params: [
    { name: 'wanted', type: 'string', required: true },
    { name: 'least', type: 'number', default: 2 },
    { name: 'of', type: 'column', required: true },
    { name: 'as', type: 'type', default: 'string' },
    { name: 'among', type: 'list', default: [1, 2, 3] },
    { name: 'strict', type: 'boolean' },
  ],
  inputs: [
    {
      name: 'rows',
      columns: [
        { name: 'id', type: 'integer' },
        { name: 'label', type: 'string' },
      ],
    },
  ],
  ops: [
    { op: 'filter', condition: '{{ flowlet.of }} = {{ flowlet.wanted }} OR {{ flowlet.strict }}' },
    { op: 'cast', column: 'id', type: { param: 'as' } },
    { op: 'text', column: { param: 'of' }, fn: 'upper' },
  ],
};

async function saved(api: Api, flowlet: object, status = 201) {
  const reply = await api.as('editor').post(PATH, flowlet);
  expect(reply.status, JSON.stringify(reply.body)).toBe(status);
  return reply.body;
}

const instance = (api: Api, id: string, params?: object, actor: 'viewer' | 'stranger' = 'viewer') =>
  api.as(actor).post(`${PATH}/${id}/instantiate`, params ? { params } : {});

/** A flowlet that adds a column and, if asked to, uses another. */
const using = (name: string, flowletId: string, more: object = {}) => ({
  name,
  inputs: [{ name: 'rows', columns: [{ name: 'n', type: 'integer' }] }],
  ops: [{ op: 'flowlet', flowletId, ...more }],
});

describe('flowlets', () => {
  it('have versions: the same content is the same one, other content the next', async ({ api }) => {
    const first = await saved(api, SIMPLE);
    expect(first).toMatchObject({ name: 'clean', version: 1, description: 'keeps what counts', params: SIMPLE.params });
    expect(await saved(api, SIMPLE)).toEqual(first);
    const second = await saved(api, { ...SIMPLE, description: 'better' });
    expect(second).toMatchObject({ version: 2, name: 'clean' });
    const back = await saved(api, SIMPLE);
    expect(back.version).toBe(3);
    const other = await saved(api, { ...SIMPLE, name: 'other' });

    const list = (await api.as('viewer').get(PATH)).body;
    expect(list.items.map(({ id }: { id: string }) => id).sort()).toEqual([back.id, other.id].sort());
    expect(list.total).toBe(2);
    expect((await api.as('viewer').get(`${PATH}/${first.id}`)).body).toEqual(first);
    const versions = (await api.as('viewer').get(`${PATH}/${second.id}/versions?limit=2`)).body;
    expect(versions).toMatchObject({ total: 3, items: [{ version: 3 }, { version: 2 }] });
  });

  it('count on when several are saved under one name at once', async ({ api }) => {
    const replies = await Promise.all(
      [0, 1, 2, 3].map((n) => api.as('editor').post(PATH, { ...SIMPLE, description: `${n}` })),
    );
    const made = replies.filter(({ status }) => status === 201).map(({ body }) => body.version);
    expect(new Set(made).size).toBe(made.length);
    const { items } = (await api.as('viewer').get(PATH)).body;
    expect(items).toHaveLength(1);
    expect(items[0].version).toBe(made.length);
  });

  it('follow only the version that was read, if one is named', async ({ api }) => {
    const first = await saved(api, { ...SIMPLE, expectedVersion: 0 });
    const changed = { status: 409, body: { code: 'FLOWLET_CHANGED' } };
    const next = (description: string, expectedVersion: number) =>
      api.as('editor').post(PATH, { ...SIMPLE, description, expectedVersion });
    expect(await next('other', 0)).toMatchObject(changed);
    expect(await next('other', 2)).toMatchObject(changed);
    const race = await Promise.all(['a', 'b', 'c'].map((description) => next(description, 1)));
    expect(race.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect((await api.as('viewer').get(`${PATH}/${first.id}/versions`)).body.total).toBe(2);
    // A client that lost the reply and sends it again gets the same version.
    const { description } = race.find(({ status }) => status === 201)!.body;
    expect(await next(description, 1)).toMatchObject({ status: 201, body: { version: 2 } });
  });

  it('become plain operations, in which an argument is a value whatever it holds', async ({ api }) => {
    const { id } = await saved(api, SIMPLE);
    const evil = "x'; DROP TABLE rows; --";
    const { status, body } = await instance(api, id, { wanted: evil, of: 'label', as: 'double' });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toEqual({
      flowletId: id,
      version: 1,
      ops: [
        { op: 'filter', condition: `"label" = 'x''; DROP TABLE rows; --' OR false` },
        { op: 'cast', column: 'id', type: 'double' },
        { op: 'text', column: 'label', fn: 'upper' },
      ],
      requiredColumns: [
        { input: 'rows', name: 'id', type: 'integer' },
        { input: 'rows', name: 'label', type: 'string' },
      ],
      outputColumns: [
        { name: 'id', type: 'double' },
        { name: 'label', type: 'string' },
      ],
    });
    const dag = dagOf(
      sql('src', `SELECT 1 AS id, 'x''; DROP TABLE rows; --' AS label UNION ALL SELECT 2, 'y'`),
      { id: 'used', type: 'transform_sql', config: { ops: body.ops }, dependsOn: ['src'] },
      load('keep', 'used', 'kept'),
    );
    await finishedRun(api, dag);
    const rows = await api.as('editor').post('/api/query', { sql: 'SELECT id, label FROM kept' });
    expect(rows.body.rows).toEqual([[1, evil.toUpperCase()]]);
  });

  it('refuse arguments that are missing, unknown, of another type, or do not fit what is done with them', async ({
    api,
  }) => {
    const { id } = await saved(api, SIMPLE);
    const issues = async (params: object) => {
      const reply = await instance(api, id, params);
      expect(reply, JSON.stringify(reply.body)).toMatchObject({
        status: 422,
        body: { code: 'FLOWLET_ARGUMENTS_INVALID' },
      });
      return reply.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`);
    };
    expect(await issues({ of: 'label', nobody: 1 })).toEqual([
      '/params/nobody PARAMETER_UNKNOWN',
      '/params/wanted REQUIRED',
    ]);
    expect(await issues({ wanted: 1, of: 'label', least: '2', as: 'blob', strict: 'yes', among: 'x' })).toEqual(
      ['wanted', 'least', 'as', 'among', 'strict'].map((name) => `/params/${name} TYPE`),
    );
    expect(await issues({ wanted: 'x', of: 'nothing' })).toEqual(['/ops/2/column COLUMN_UNKNOWN']);
    expect(await issues({ wanted: '{{ params.x }}', of: 'label' })).toEqual(['/ops/0/condition TEMPLATE_INVALID']);
    expect(await issues({ wanted: 'x', of: 'id', as: 'double' })).toContain('/ops/2/column COLUMN_TYPE');
  });

  it('are refused with every issue when they could never be used', async ({ api }) => {
    const { status, body } = await api.as('editor').post(PATH, {
      ...SIMPLE,
      params: [
        { name: 'a', type: 'number', default: 'x' },
        { name: 'a', type: 'string' },
      ],
      ops: [
        { op: 'filter', condition: '{{ flowlet.b }} > 1' },
        { op: 'filter', condition: "id = '{{ flowlet.a }}'" },
        { op: 'limit', count: { param: 'c' } },
        { op: 'assert', condition: { param: 'a' } },
        { op: 'nothing' },
        { op: 'limit', count: 'x' },
      ],
    });
    expect(status).toBe(422);
    expect(body.code).toBe('FLOWLET_INVALID');
    expect(body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`)).toEqual([
      '/params/1/name DUPLICATE',
      '/params/0/default TYPE',
      '/ops/0/condition TEMPLATE_INVALID',
      '/ops/1/condition TEMPLATE_INVALID',
      '/ops/2/count PARAMETER_UNKNOWN',
      '/ops/3/condition TEMPLATE_INVALID',
      '/ops/4/op ENUM',
      expect.stringMatching(/^\/ops\/5\/count /),
    ]);
    const writing = { ...SIMPLE, ops: [{ op: 'filter', condition: "id IN (SELECT id FROM read_csv('/etc/passwd'))" }] };
    expect(await api.as('editor').post(PATH, writing)).toMatchObject({
      status: 422,
      body: { code: 'FLOWLET_INVALID', errors: [{ pointer: '/ops/0/condition' }] },
    });
    const unknown = { ...SIMPLE, ops: [{ op: 'drop', columns: ['nothing'] }], params: [] };
    expect((await api.as('editor').post(PATH, unknown)).body.errors).toMatchObject([{ code: 'COLUMN_UNKNOWN' }]);
    expect((await api.as('viewer').get(PATH)).body.total).toBe(0);
  });

  it('take a column called param, a map and an argument called condition for what they are', async ({ api }) => {
    const columns = ['param', 'condition'].map((name) => ({ name, type: 'string' }));
    const inner = await saved(api, {
      name: 'inner',
      params: [{ name: 'condition', type: 'string', required: true }],
      inputs: [{ name: 'rows', columns }],
      ops: [{ op: 'fill', column: 'condition', value: { param: 'condition' } }],
    });
    const { id } = await saved(api, {
      name: 'outer',
      params: [{ name: 'to', type: 'column', required: true }],
      inputs: [{ name: 'rows', columns }],
      ops: [
        { op: 'flowlet', flowletId: inner.id, params: { condition: 'if {{ x }}' } },
        { op: 'rename', map: { param: 'x' } },
        { op: 'rename', map: { x: { param: 'to' } } },
      ],
    });
    expect((await instance(api, id, { to: 'y' })).body.ops).toEqual([
      { op: 'fill', column: 'condition', value: 'if {{ x }}' },
      { op: 'rename', map: { param: 'x' } },
      { op: 'rename', map: { x: 'y' } },
    ]);
  });

  it('use each other, three levels deep and no deeper', async ({ api }) => {
    const base = await saved(api, {
      name: 'base',
      params: [{ name: 'by', type: 'number', required: true }],
      inputs: [{ name: 'rows', columns: [{ name: 'x', type: 'integer' }] }],
      ops: [{ op: 'derive', column: 'y', expression: 'x * {{ flowlet.by }}' }],
    });
    const second = await saved(api, using('second', base.id, { params: { by: 3 }, columnMap: { x: 'n' } }));
    const third = await saved(api, using('third', second.id));
    expect((await instance(api, third.id)).body).toMatchObject({
      ops: [
        { op: 'rename', map: { n: 'x' } },
        { op: 'derive', column: 'y', expression: 'x * (3)' },
      ],
      outputColumns: [{ name: 'x' }, { name: 'y' }],
    });
    const codes = async (flowlet: object) => {
      const { status, body } = await api.as('editor').post(PATH, flowlet);
      expect(status).toBe(422);
      return body.errors.map(({ code }: { code: string }) => code);
    };
    expect(await codes(using('fourth', third.id))).toEqual(['TOO_DEEP']);
    expect(await codes(using('lost', UNKNOWN_ID))).toEqual(['FLOWLET_UNKNOWN']);
    expect(await codes(using('odd', base.id, { more: 1 }))).toEqual(['SHAPE']);
    expect(await codes(using('missing', base.id))).toEqual(['REQUIRED']);
  });

  it('are retired with all versions, which frees the name and leaves recipes that use them intact', async ({ api }) => {
    const first = await saved(api, SIMPLE);
    const second = await saved(api, { ...SIMPLE, description: 'better' });
    expect((await api.as('viewer').delete(`${PATH}/${first.id}/all`)).status).toBe(403);
    expect((await api.as('editor').delete(`${PATH}/${first.id}/all`)).status).toBe(204);
    const gone = { status: 404, body: { code: 'FLOWLET_NOT_FOUND' } };
    expect(await api.as('editor').delete(`${PATH}/${second.id}/all`)).toMatchObject(gone);
    expect(await api.as('viewer').get(`${PATH}/${second.id}`)).toMatchObject(gone);
    expect(await api.as('viewer').get(`${PATH}/${second.id}/versions`)).toMatchObject(gone);
    expect(await instance(api, second.id, {})).toMatchObject(gone);
    expect((await api.as('viewer').get(PATH)).body.items).toEqual([]);
    expect((await saved(api, SIMPLE)).version).toBe(1);
  });

  it('are not there for strangers, and not to be saved by viewers', async ({ api }) => {
    const { id } = await saved(api, SIMPLE);
    const gone = { status: 404, body: { code: 'FLOWLET_NOT_FOUND' } };
    expect(await api.as('stranger').get(`${PATH}/${id}`)).toMatchObject(gone);
    expect(await api.as('stranger').get(`${PATH}/${id}/versions`)).toMatchObject(gone);
    expect(await api.as('stranger').delete(`${PATH}/${id}/all`)).toMatchObject(gone);
    expect(await instance(api, id, { wanted: 'x', of: 'label' }, 'stranger')).toMatchObject(gone);
    expect((await api.as('stranger').get(PATH)).body.items).toEqual([]);
    const stolen = await api.as('stranger').post(PATH, using('stolen', id));
    expect(stolen.body.errors).toMatchObject([{ pointer: '/ops/0/flowletId', code: 'FLOWLET_UNKNOWN' }]);
    expect((await api.as('viewer').post(PATH, SIMPLE)).status).toBe(403);
    const page = { status: 400, body: { code: 'OFFSET_TOO_LARGE' } };
    expect(await api.as('viewer').get(`${PATH}?offset=10001`)).toMatchObject(page);
    expect(await api.as('viewer').get(`${PATH}/${id}/versions?offset=10001`)).toMatchObject(page);
  });

  it('is saved once per idempotency key, which stands for one content', async ({ api }) => {
    const headers = { 'idempotency-key': 'once' };
    const first = await api.as('editor').post(PATH, SIMPLE, { headers });
    const again = await api.as('editor').post(PATH, SIMPLE, { headers });
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect(await api.as('editor').post(PATH, { ...SIMPLE, name: 'other' }, { headers })).toMatchObject({
      status: 422,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
  });
});
