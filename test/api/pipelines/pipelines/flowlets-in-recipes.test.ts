import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { dagOf, givenPipeline, load, runThatIs, sql, startedRun, UNKNOWN_ID } from './given.ts';

const FLOWLETS = '/api/pipelines/flowlets';
async function givenFlowlet(api: Api, more: object = {}): Promise<{ id: string; version: number }> {
  const reply = await api.as('editor').post(FLOWLETS, {
    name: 'tax',
    params: [
      { name: 'rate', type: 'number', default: 2 },
      { name: 'only', type: 'string' },
    ],
    inputs: [{ name: 'rows', columns: [{ name: 'net', type: 'integer' }] }],
    ops: [
      { op: 'filter', condition: "{{ flowlet.only }} = '' OR note = {{ flowlet.only }}" },
      { op: 'derive', column: 'gross', expression: 'net * {{ flowlet.rate }}' },
    ],
    ...more,
  });
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply.body;
}

const recipe = (...ops: object[]) => ({ id: 'taxed', type: 'transform_sql', config: { ops }, dependsOn: ['src'] });
const source = sql('src', "SELECT range AS amount, 'n' || range AS note FROM range(4)");
const using = (flowletId: string, more: object = {}) => ({
  op: 'flowlet',
  flowletId,
  columnMap: { net: 'amount' },
  ...more,
});
const dagUsing = (use: object) =>
  dagOf(source, recipe(use, { op: 'drop', columns: ['note'] }), load('keep', 'taxed', 'taxed'));

async function rowsAfterRun(api: Api, pipelineId: string) {
  await runThatIs(api, await startedRun(api, pipelineId), 'succeeded');
  const { body } = await api.as('editor').post('/api/query', { sql: 'SELECT net, gross FROM taxed ORDER BY net' });
  return body.rows;
}

describe('a flowlet in a recipe', () => {
  it('is saved with its version and what it stands for, and works on when it is retired', async ({ api }) => {
    const { id, version } = await givenFlowlet(api);
    const use = using(id, { params: { rate: 3, only: "n2'; DROP TABLE src; --" } });
    const pipeline = await givenPipeline(api, dagUsing(using(id)));
    const saved = (await api.as('viewer').get(`/api/pipelines/${pipeline.id}`)).body.dag;
    expect(saved.steps[1].config.ops[0]).toEqual({
      ...using(id),
      version,
      ops: [
        { op: 'rename', map: { amount: 'net' } },
        { op: 'filter', condition: "'' = '' OR note = ''" },
        { op: 'derive', column: 'gross', expression: 'net * (2)' },
      ],
    });
    const doubled = [0, 1, 2, 3].map((net) => [net, net * 2]);
    expect(await rowsAfterRun(api, pipeline.id)).toEqual(doubled);
    const preview = (stepId: string, dag?: object) =>
      api.as('editor').post(`/api/pipelines/${pipeline.id}/transform-preview`, { stepId, ...(dag ? { dag } : {}) });
    expect((await preview('taxed', dagUsing(use))).body.rows).toEqual([]);
    const lineage = (await api.as('viewer').get(`/api/pipelines/${pipeline.id}/lineage`)).body;
    expect(lineage.completeness.taxed).toBe('full');

    expect((await api.as('editor').delete(`${FLOWLETS}/${id}/all`)).status).toBe(204);
    expect(await rowsAfterRun(api, pipeline.id)).toEqual(doubled);
    // It can be read, sent back with changes elsewhere, and stays as it was; but it cannot be used otherwise.
    const patched = await api.as('editor').patch(`/api/pipelines/${pipeline.id}`, {
      dag: { ...saved, steps: [...saved.steps, sql('more', 'SELECT 1 AS x')] },
    });
    expect(patched.status, JSON.stringify(patched.body)).toBe(200);
    expect(patched.body.dag.steps[1]).toEqual(saved.steps[1]);
    expect((await api.as('viewer').post(`/api/pipelines/${pipeline.id}/validate`, {})).body).toEqual({
      valid: true,
      issues: [],
    });
    const gone = {
      status: 422,
      body: { errors: [{ pointer: '/dag/steps/1/config/ops/0/flowletId', code: 'FLOWLET_UNKNOWN' }] },
    };
    for (const other of [use, { ...use, version, ops: [{ op: 'limit', count: 1 }] }]) {
      expect(await api.as('editor').patch(`/api/pipelines/${pipeline.id}`, { dag: dagUsing(other) })).toMatchObject(
        gone,
      );
    }
  });

  it('stands for the version that it names, whatever is sent beside it', async ({ api }) => {
    const first = await givenFlowlet(api);
    const second = await givenFlowlet(api, { ops: [{ op: 'derive', column: 'gross', expression: 'net * 10' }] });
    expect(second.version).toBe(2);
    for (const { id, version } of [first, second]) {
      const { body } = await api.as('editor').post('/api/pipelines', {
        name: `uses ${version}`,
        dag: dagUsing(using(id, { version: 7, ops: [{ op: 'limit', count: 0 }] })),
      });
      expect(body.dag.steps[1].config.ops[0]).toMatchObject({ version, ops: expect.arrayContaining([]) });
      expect(JSON.stringify(body.dag.steps[1])).toContain(version === 1 ? 'net * (2)' : 'net * 10');
      expect(JSON.stringify(body.dag.steps[1])).not.toContain('"count":0');
    }
  });

  it('uses others, three levels deep and no deeper', async ({ api }) => {
    let inner = await givenFlowlet(api);
    for (const name of ['second', 'third']) {
      inner = await givenFlowlet(api, { name, params: [], ops: [{ op: 'flowlet', flowletId: inner.id }] });
    }
    expect(await rowsAfterRun(api, (await givenPipeline(api, dagUsing(using(inner.id)))).id)).toHaveLength(4);
    const fourth = await api.as('editor').post(FLOWLETS, {
      name: 'fourth',
      inputs: [{ name: 'rows', columns: [{ name: 'net' }] }],
      ops: [{ op: 'flowlet', flowletId: inner.id }],
    });
    expect(fourth.body.errors).toMatchObject([{ code: 'TOO_DEEP' }]);
  });

  it('is refused with every issue and its place', async ({ api }) => {
    const { id } = await givenFlowlet(api);
    const pipeline = await givenPipeline(api, dagOf(source));
    const issues = async (...ops: object[]) => {
      const path = `/api/pipelines/${pipeline.id}/validate`;
      const code = {
        id: 'src',
        type: 'transform_code',
        config: {
          code: 'function transform(rows) { return rows; }',
          outputSchema: [{ name: 'amount', type: 'string' }],
        },
        dependsOn: ['all'],
      };
      const { body } = await api
        .as('viewer')
        .post(path, { dag: dagOf(sql('all', 'SELECT 1 AS x'), code, recipe(...ops)) });
      return body.issues.map((issue: { path: string; code: string }) => `${issue.path} ${issue.code}`);
    };
    const at = '/dag/steps/2/config/ops';
    expect(
      await issues(using(UNKNOWN_ID), using(id, { params: { rate: 'x', more: 1 } }), { ...using(id), odd: 1 }),
    ).toEqual([
      `${at}/0/flowletId FLOWLET_UNKNOWN`,
      `${at}/1/params/more PARAMETER_UNKNOWN`,
      `${at}/1/params/rate TYPE`,
      `${at}/2 SHAPE`,
    ]);
    // Columns that it needs and its input lacks: reported at their place in the expanded recipe.
    expect(await issues({ ...using(id), columnMap: { net: 'nothing' } })).toContain(
      `${at}/0/ops/0/map/nothing COLUMN_UNKNOWN`,
    );
    // Columns of its own that it has not, and those that are taken twice or are there by that name already.
    const two = await givenFlowlet(api, {
      name: 'two',
      inputs: [{ name: 'rows', columns: [{ name: 'net' }, { name: 'note' }] }],
    });
    expect(await issues({ ...using(id), columnMap: { net: 'amount', 'a/b': 'amount' } })).toEqual([
      `${at}/0/columnMap/a~1b COLUMN_UNKNOWN`,
    ]);
    expect(await issues({ ...using(two.id), columnMap: { net: 'amount', NOTE: 'Amount' } })).toEqual([
      `${at}/0/columnMap/NOTE DUPLICATE`,
    ]);
    const many = await givenFlowlet(api, {
      name: 'many',
      ops: Array.from({ length: 150 }, () => ({ op: 'limit', count: 1 })),
    });
    expect(await issues(using(many.id), { op: 'flowlet', flowletId: many.id })).toEqual([`${at} MAX_ITEMS`]);
    const twice = {
      name: 'twice',
      params: [],
      ops: [many, many].map((each) => ({ op: 'flowlet', flowletId: each.id })),
    };
    const tooMany = await api
      .as('editor')
      .post(FLOWLETS, { inputs: [{ name: 'rows', columns: [{ name: 'net' }] }], ...twice });
    expect(tooMany.body.errors).toMatchObject([{ code: 'TOO_MANY_OPS' }]);
    const stranger = await api.as('stranger').post('/api/pipelines', { name: 'stolen', dag: dagUsing(using(id)) });
    expect(stranger.body.errors).toMatchObject([{ code: 'FLOWLET_UNKNOWN' }]);
  });
});
