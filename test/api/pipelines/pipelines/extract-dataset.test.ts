import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { dagOf, finishedRun, givenPipeline, load, runThatIs, type StepInput, sql, startedRun } from './given.ts';

const read = async (api: Api, query: string) => (await api.as('editor').post('/api/query', { sql: query })).body.rows;

const extract = (dataset: string, more: object = {}): StepInput => ({
  id: 'orders',
  type: 'extract',
  config: { object: { dataset }, ...more },
  retry: { maxAttempts: 1 },
});

/** Appends rows to the dataset `orders`. */
const append = (api: Api, values: string) =>
  finishedRun(
    api,
    dagOf(
      sql('rows', `SELECT * FROM (VALUES ${values}) v(id, amount, region)`),
      load('keep', 'rows', 'orders', { mode: 'append' }),
    ),
  );

const runAgain = async (api: Api, pipelineId: string, body?: object) =>
  runThatIs(api, await startedRun(api, pipelineId, body), 'succeeded');

describe('an extract of a dataset', () => {
  it('reads columns and rows by a parameter, through gates', async ({ api }) => {
    await append(api, "(1, 10, 'eu'), (2, NULL, 'eu'), (3, 30, 'us')");
    const gates = [{ id: 'priced', type: 'not_null', column: 'amount', action: 'drop' }];
    const config = { columns: ['id', 'amount'], filter: 'region = {{ params.region }}', gates };
    const pipeline = await givenPipeline(api, {
      ...dagOf(extract('{{ params.from }}', config), load('copy', 'orders', 'copied')),
      parameters: [
        { name: 'region', type: 'string', default: 'eu' },
        { name: 'from', type: 'string', default: 'Orders' },
      ],
    });
    const run = await runAgain(api, pipeline.id);
    expect(run.steps[0]).toMatchObject({ rowsOut: 1, gates: [{ gateId: 'priced', status: 'failed', removedRows: 1 }] });
    expect(await read(api, 'SELECT * FROM copied')).toEqual([[1, 10]]);
    await runAgain(api, pipeline.id, { parameters: { region: 'us' } });
    expect(await read(api, 'SELECT * FROM copied')).toEqual([[3, 30]]);

    const { body: lineage } = await api.as('viewer').get(`/api/pipelines/${pipeline.id}/lineage`);
    expect(lineage.nodes).toContainEqual(expect.objectContaining({ kind: 'dataset', name: '{{ params.from }}' }));
  });

  it('reads only new rows in mode incremental, over several files', async ({ api }) => {
    await append(api, "(1, 10, 'eu'), (2, 20, 'eu')");
    await append(api, "(3, 30, 'us')");
    const config = { mode: 'incremental', incremental: { cursorColumn: 'id' } };
    const pipeline = await givenPipeline(
      api,
      dagOf(extract('orders', config), load('copy', 'orders', 'copied', { mode: 'append' })),
    );
    const rowsOut = async () => (await runAgain(api, pipeline.id)).steps[0].rowsOut;
    expect(await rowsOut()).toBe(3);
    await append(api, "(3, 31, 'us'), (4, 40, 'us'), (5, 50, 'us')");
    expect(await rowsOut()).toBe(3);
    expect(await rowsOut()).toBe(0);
    expect(await read(api, 'SELECT count(*), sum(amount) FROM copied')).toEqual([[6, '181']]);

    const { body: lineage } = await api.as('viewer').get(`/api/pipelines/${pipeline.id}/lineage`);
    expect(lineage.nodes).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: 'dataset:orders', kind: 'dataset' }),
        expect.objectContaining({ id: 'orders', kind: 'step', inputs: ['dataset:orders'] }),
      ]),
    );
    expect(lineage.fields).toContainEqual({
      output: { node: 'orders', column: 'amount' },
      inputs: [expect.objectContaining({ node: 'dataset:orders', column: 'amount' })],
    });
  });

  it('names the nearest dataset and column, and is checked when it is saved', async ({ api }) => {
    await append(api, "(1, 10, 'eu')");
    const save = (step: StepInput) => api.as('editor').post('/api/pipelines', { name: 'x', dag: dagOf(step) });
    expect(await save(extract('odrers', { filter: 'id = = 1' }))).toMatchObject({
      status: 422,
      body: {
        errors: expect.arrayContaining([
          {
            pointer: '/dag/steps/0/config/object/dataset',
            code: 'DATASET_UNKNOWN',
            message: 'The workspace has no dataset "odrers"; did you mean "orders"?',
          },
          expect.objectContaining({ pointer: '/dag/steps/0/config/filter' }),
        ]),
      },
    });
    const sourceId = crypto.randomUUID();
    expect(await save(extract('orders', { sourceId }))).toMatchObject({
      status: 422,
      body: { errors: expect.arrayContaining([expect.objectContaining({ code: 'UNKNOWN_MEMBER' })]) },
    });
  });

  it('knows the columns of its dataset when it is saved', async ({ api }) => {
    await append(api, "(1, 10, 'eu')");
    const steps = [
      extract('orders', { columns: ['id', 'amuont'], filter: "regoin = 'eu'" }),
      { ...extract('ORDERS'), id: 'all' },
      { id: 'calc', type: 'transform_sql', dependsOn: ['all'], config: { sql: 'SELECT id, aount FROM "all"' } },
      {
        id: 'net',
        type: 'transform_sql',
        dependsOn: ['all'],
        config: { ops: [{ op: 'select', columns: ['ammount'] }] },
      },
    ];
    const reply = await api.as('editor').post('/api/pipelines', { name: 'x', dag: dagOf(...steps) });
    const near = '; did you mean "amount"?';
    expect(reply).toMatchObject({ status: 422, body: { code: 'PIPELINE_DAG_INVALID' } });
    expect(
      reply.body.errors.map(({ pointer, message }: { pointer: string; message: string }) => [pointer, message]).sort(),
    ).toEqual([
      ['/dag/steps/0/config/columns/1', `Unknown column "amuont"${near}`],
      ['/dag/steps/0/config/filter', 'Unknown column "regoin"; did you mean "region"?'],
      ['/dag/steps/2/config/sql', `Unknown column "aount"${near}`],
      ['/dag/steps/3/config/ops/0/columns/0', `there is no column ammount${near}`],
    ]);
    const dag = {
      ...dagOf(extract('{{ params.from }}', { columns: ['amuont'] })),
      parameters: [{ name: 'from', type: 'string', default: 'orders' }],
    };
    const { run } = await finishedRun(api, dag, 'failed');
    expect(run.error).toMatchObject({
      code: 'SCHEMA_MISMATCH',
      message: expect.stringContaining('There is no column "amuont"; did you mean "amount"?'),
    });
  });

  it('keeps its dataset from being deleted', async ({ api }) => {
    await append(api, "(1, 10, 'eu')");
    const pipeline = await givenPipeline(api, dagOf(extract('orders')));
    const { body } = await api.as('viewer').get('/api/datasets?name=orders');
    const reply = await api.as('editor').delete(`/api/datasets/${body.items[0].id}`);
    expect(reply.status).toBe(409);
    expect(JSON.stringify(reply.body)).toContain(pipeline.id);
  });

  it('does not read the datasets of another workspace', async ({ api }) => {
    expect((await api.as('stranger').post('/api/datasets', { name: 'orders' })).status).toBe(201);
    const dag = {
      ...dagOf(extract('{{ params.from }}')),
      parameters: [{ name: 'from', type: 'string', default: 'orders' }],
    };
    const { run } = await finishedRun(api, dag, 'failed');
    expect(run.error).toMatchObject({ code: 'NOT_FOUND', message: expect.stringContaining('no dataset "orders"') });
  });
});
