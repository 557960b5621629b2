import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import {
  dagOf,
  finishedRun,
  givenFiles,
  givenPipeline,
  load,
  runThatIs,
  type StepInput,
  sql,
  startedRun,
  UNKNOWN_ID,
} from './given.ts';

const preview = (api: Api, id: string, body: object, actor: 'editor' | 'viewer' | 'stranger' = 'editor') =>
  api.as(actor).post(`/api/pipelines/${id}/transform-preview`, body);

const source = sql('src', "SELECT range AS id, range * 1.5 AS amount, 'n' || range AS name FROM range(10)");
const route: StepInput = {
  id: 'by-size',
  type: 'route',
  config: {
    routes: [
      { port: 'big', condition: 'amount >= {{ params.least }}' },
      { port: 'odd', condition: 'id % 2 = 1' },
    ],
  },
  dependsOn: ['src'],
};
const DAG = {
  ...dagOf(
    source,
    sql('big', 'SELECT id, name FROM src WHERE amount >= {{ params.least }} ORDER BY id', ['src']),
    {
      id: 'recipe',
      type: 'transform_sql',
      config: {
        ops: [
          { op: 'filter', condition: 'id < 3' },
          { op: 'derive', column: 'twice', expression: 'id * 2' },
        ],
      },
      dependsOn: ['src'],
    },
    route,
    sql('after-port', 'SELECT count(*) AS n FROM input', ['by-size'], { fromPorts: { 'by-size': 'big' } }),
    load('keep', 'big', 'previewed'),
  ),
  parameters: [{ name: 'least', type: 'number', default: 9 }],
};

describe('the preview of a transform', () => {
  it('shows the statement and its rows, from what the last run has left, and loads nothing', async ({ api }) => {
    const { pipeline, run } = await finishedRun(api, DAG);
    const shown = await preview(api, pipeline.id, { stepId: 'big', limit: 2 });
    expect(shown).toMatchObject({
      status: 200,
      body: {
        stepId: 'big',
        sql: 'SELECT id, name FROM src WHERE amount >= $1 ORDER BY id',
        columns: [{ name: 'id' }, { name: 'name', type: 'string' }],
        rowCount: 2,
        truncated: true,
        basedOnRunId: run.id,
        upstreamMode: 'last_run',
      },
    });
    expect(shown.body.rows).toEqual([
      [6, 'n6'],
      [7, 'n7'],
    ]);
    const recipe = await preview(api, pipeline.id, { stepId: 'recipe' });
    expect(recipe.status, JSON.stringify(recipe.body)).toBe(200);
    expect(recipe.body.rows.map((row: unknown[]) => row.at(-1))).toEqual([0, 2, 4]);
    expect((await preview(api, pipeline.id, { stepId: 'after-port' })).body.rows).toEqual([[4]]);
    const routed = await preview(api, pipeline.id, { stepId: 'by-size' });
    expect(routed.body.rows.map(([port, id]: [string, number]) => `${id} ${port}`)).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((id) => `${id} ${id >= 6 ? 'big' : id % 2 ? 'odd' : 'default'}`),
    );
    const datasets = await api.as('viewer').get('/api/datasets');
    expect(datasets.body.items.map(({ name, version }: { name: string; version: number }) => [name, version])).toEqual([
      ['previewed', 1],
    ]);
  });

  it('takes a definition that is not saved, with new steps on the rows of old ones', async ({ api }) => {
    const { pipeline, run } = await finishedRun(api, DAG);
    const every = {
      ...route,
      id: 'every',
      config: { mode: 'all_matches', routes: (route.config.routes as object[]).slice() },
    };
    const dag = {
      ...DAG,
      steps: [
        ...DAG.steps,
        sql('new', 'SELECT max(amount) + {{ params.more }} AS m FROM big_rows', ['src'], {
          config: { inputs: { big_rows: 'src' }, sql: 'SELECT max(id) + {{ params.more }} AS m FROM big_rows' },
        }),
        every,
      ],
      parameters: [...DAG.parameters, { name: 'more', type: 'number', default: 100 }],
    };
    const shown = await preview(api, pipeline.id, { stepId: 'new', dag });
    expect(shown.status, JSON.stringify(shown.body)).toBe(200);
    expect(shown.body).toMatchObject({ rows: [[109]], basedOnRunId: run.id });
    const routed = await preview(api, pipeline.id, { stepId: 'every', dag });
    expect(routed.body.rows.map(([ports]: [string[]]) => ports.join())).toContain('big,odd');
    expect((await api.as('viewer').get(`/api/pipelines/${pipeline.id}`)).body.dag.steps).toHaveLength(DAG.steps.length);
  });

  it('shows the same of steps whose rows were passed on as of those whose rows were written', async ({ api }) => {
    const asking = (materialize: string) => {
      const text = (id: string, of: string, words: string): StepInput =>
        sql(id, words, [of], { config: { sql: words, materialize } });
      return dagOf(
        source,
        text('some', 'src', "SELECT *, {{ run.id }} AS run FROM src WHERE id > 3 AND name <> 'n7'"),
        {
          ...text('half', 'some', ''),
          config: { ops: [{ op: 'derive', column: 'half', expression: 'id / 2' }], materialize },
        },
        text('named', 'half', 'SELECT name, max(half) AS half, count(*) AS n FROM half GROUP BY name'),
        load('keep', 'named', `kept ${materialize}`),
      );
    };
    const shown: Record<string, unknown[]> = {};
    for (const materialize of ['always', 'auto', 'never']) {
      const dag = asking(materialize);
      const { pipeline, run } = await finishedRun(api, dag);
      const written = Object.fromEntries(
        run.steps.map(({ stepId, materialization }: { stepId: string; materialization: object }) => [
          stepId,
          materialization,
        ]),
      );
      if (materialize === 'never') {
        expect(written.half).toEqual({ written: false, into: 'named', reason: 'Only the step named reads the rows.' });
      }
      if (materialize === 'always') expect(written.half).toMatchObject({ written: true, into: null });
      expect(written.keep).toBeNull();
      const previews = [];
      for (const stepId of ['some', 'half', 'named', 'keep']) {
        const { status, body } = await preview(api, pipeline.id, { stepId });
        expect(status, JSON.stringify(body)).toBe(200);
        const { columns, rows, rowCount, truncated, sql: statement } = body;
        const known = rows.map((row: unknown[]) => row.map((value) => (value === run.id ? 'the run' : value)));
        previews.push({ stepId, columns, rows: known.toSorted(), rowCount, truncated, statement });
      }
      const code = {
        id: 'code',
        type: 'transform_code',
        config: { code: 'function transform(rows) { return rows; }' },
        dependsOn: ['named'],
      };
      const unsaved = await preview(api, pipeline.id, { stepId: 'code', dag: { ...dag, steps: [...dag.steps, code] } });
      expect(unsaved.status, JSON.stringify(unsaved.body)).toBe(materialize === 'never' ? 422 : 200);
      const stranger = await preview(api, pipeline.id, { stepId: 'named' }, 'stranger');
      expect(stranger).toMatchObject({ status: 404, body: { code: 'PIPELINE_NOT_FOUND' } });
      shown[materialize] = previews;
    }
    expect(shown.auto).toEqual(shown.always);
    expect(shown.never).toEqual(shown.always);
  });

  it('says whether a step can move to Athena, in its words, and if not, why', async ({ api }) => {
    const dag = dagOf(
      source,
      sql('grouped', "SELECT id % 2 AS half, count(*) AS n FROM src WHERE name LIKE 'n%' GROUP BY 1", ['src']),
      sql('stays', 'SELECT id,\n hash(name) AS h FROM src', ['src']),
      {
        id: 'recipe',
        type: 'transform_sql',
        config: {
          ops: [
            { op: 'select', columns: ['id'] },
            { op: 'sample', percent: 50 },
          ],
        },
        dependsOn: ['src'],
      },
      sql('when', "SELECT id, TIMESTAMP '2026-01-01' AS at FROM src", ['src']),
      route,
    );
    const { pipeline } = await finishedRun(api, { ...dag, parameters: DAG.parameters });
    const athena = async (stepId: string) => (await preview(api, pipeline.id, { stepId })).body.athena;
    expect(await athena('grouped')).toEqual({ moves: true, sql: expect.stringContaining('GROUP BY'), reasons: [] });
    expect(await athena('stays')).toEqual({
      moves: false,
      sql: null,
      reasons: [
        { message: 'The function hash has no counterpart in Athena.', position: { line: 2, column: 2, offset: 12 } },
      ],
    });
    expect(await athena('recipe')).toMatchObject({ moves: false, reasons: [{ pointer: '/ops/1' }] });
    expect(await athena('when')).toMatchObject({
      reasons: [{ message: 'The column at is timestamp, but Athena keeps only milliseconds.' }],
    });
    expect(await athena('by-size')).toBeNull();
  });

  it('reads the files of the run and not those of the source, which may be gone by now', async ({ api }) => {
    const sourceId = await givenFiles(api, { 'a.csv': 'x\n1\n2\n' });
    const extract = { id: 'read', type: 'extract', config: { sourceId, object: { path: 'a.csv' } } };
    const { pipeline } = await finishedRun(api, dagOf(extract, sql('sum', 'SELECT sum(x) AS s FROM read', ['read'])));
    const dag = dagOf(
      { ...extract, config: { sourceId, object: { path: 'nothing.csv' } } },
      sql('sum', 'SELECT max(x) AS s FROM read', ['read']),
    );
    expect((await preview(api, pipeline.id, { stepId: 'sum', dag })).body.rows).toEqual([[2]]);
  });

  it('knows what a run has had by names that every object has from what it has not', async ({ api }) => {
    const ported = (port: string): StepInput => ({
      id: 'constructor',
      type: 'route',
      config: { routes: [{ port, condition: 'id < {{ params.toString }}' }] },
      dependsOn: ['src'],
    });
    const reads = (port: string, text: string) =>
      sql('valueOf', text, ['constructor'], { fromPorts: { constructor: port } });
    const least = { name: 'toString', type: 'number', default: 1 };
    const saved = { ...dagOf(source, ported('valueOf'), reads('valueOf', 'SELECT 1 AS one')), parameters: [least] };
    const pipeline = await givenPipeline(api, saved);
    await runThatIs(api, await startedRun(api, pipeline.id, { parameters: { toString: 3 } }), 'succeeded');

    const text = 'SELECT id, {{ params.toString }} AS had, {{ params.constructor }} AS had_not FROM "constructor"';
    const parameters = [least, { name: 'constructor', type: 'string', default: 'x' }];
    const given = { ...dagOf(source, ported('valueOf'), reads('valueOf', text)), parameters };
    const shown = await preview(api, pipeline.id, { stepId: 'valueOf', dag: given });
    expect(shown.status, JSON.stringify(shown.body)).toBe(200);
    expect(shown.body.rows).toEqual([0, 1, 2].map((id) => [id, 3, 'x']));
    const other = { ...given, steps: [source, ported('toString'), reads('toString', text)] };
    expect(await preview(api, pipeline.id, { stepId: 'valueOf', dag: other })).toMatchObject({
      status: 422,
      body: { code: 'NO_RUN_DATA' },
    });
  });

  it('shows the first item of a block', async ({ api }) => {
    const dag = {
      ...dagOf(
        source,
        sql('one', 'SELECT {{ forEach.each.item }} AS item, count(*) AS n FROM src', ['src']),
        sql('two', 'SELECT n FROM one', ['one']),
      ),
      forEach: [{ id: 'each', items: ['a', 'b'], steps: ['one', 'two'] }],
    };
    const { pipeline } = await finishedRun(api, dag);
    expect((await preview(api, pipeline.id, { stepId: 'one' })).body.rows).toEqual([['a', 10]]);
    expect((await preview(api, pipeline.id, { stepId: 'two' })).body.rows).toEqual([[10]]);
  });

  it('shows what a recipe asserts, or says that a row does not meet it, and SQL of users may still not fail on purpose', async ({
    api,
  }) => {
    const least = { name: 'least', type: 'number', default: 0 };
    const recipe = {
      id: 'sure',
      type: 'transform_sql' as const,
      config: {
        inputs: { src: 'src', names: 'names' },
        ops: [
          { op: 'assert', condition: 'id >= {{ params.least }}' },
          { op: 'lookup', with: 'names', on: [{ left: 'id', right: 'id' }], columns: ['n'], multiple: 'error' },
          { op: 'filter', condition: 'id > 8' },
          { op: 'select', columns: ['id', 'n'] },
        ],
      },
      dependsOn: ['src', 'names'],
    };
    const steps = [source, sql('names', "SELECT id, 'n' || id AS n FROM src", ['src']), recipe];
    const dag = { ...dagOf(...steps), parameters: [least] };
    const { pipeline } = await finishedRun(api, dag);
    const shown = await preview(api, pipeline.id, { stepId: 'sure' });
    expect(shown.status, JSON.stringify(shown.body)).toBe(200);
    expect(shown.body).toMatchObject({ rows: [[9, 'n9']], athena: { moves: true } });

    const strict = recipe.config.ops.with(0, { op: 'assert', condition: 'id > 0' });
    const unmet = dag.steps.with(2, { ...recipe, config: { ...recipe.config, ops: strict } });
    expect(await preview(api, pipeline.id, { stepId: 'sure', dag: { ...dag, steps: unmet } })).toMatchObject({
      status: 422,
      body: { code: 'PREVIEW_FAILED', detail: expect.stringContaining('A row violates an assertion of the recipe.') },
    });

    const { body: lineage } = await api.as('viewer').get(`/api/pipelines/${pipeline.id}/lineage`);
    expect(lineage.completeness).toMatchObject({ sure: 'full' });
    expect(lineage.fields.filter(({ output }: { output: { node: string } }) => output.node === 'sure')).toMatchObject([
      { output: { column: 'id' }, inputs: [{ node: 'src', column: 'id' }] },
      {
        output: { column: 'n' },
        inputs: expect.arrayContaining([expect.objectContaining({ node: 'names', column: 'n' })]),
      },
    ]);

    const own = recipe.config.ops.with(0, { op: 'assert', condition: "error('no')" });
    const mean = dag.steps.with(2, { ...recipe, config: { ...recipe.config, ops: own } });
    expect(await preview(api, pipeline.id, { stepId: 'sure', dag: { ...dag, steps: mean } })).toMatchObject({
      status: 422,
      body: { code: 'PIPELINE_DAG_INVALID', errors: [{ pointer: '/dag/steps/2/config/ops/0/condition' }] },
    });
  });

  it('reads behind a block the columns of all items', async ({ api }) => {
    const sourceId = await givenFiles(api, { 'a.csv': 'id\n1\n', 'b.csv': 'id,extra\n2,x\n' });
    const recipe = [
      { op: 'filter', condition: 'extra IS NOT NULL' },
      { op: 'reorder', columns: ['extra'] },
    ];
    const dag = {
      ...dagOf(
        { id: 'read', type: 'extract', config: { sourceId, object: { path: '{{ forEach.each.item }}' } } },
        { id: 'after', type: 'transform_sql', config: { ops: recipe }, dependsOn: ['read'] },
      ),
      forEach: [{ id: 'each', items: ['a.csv', 'b.csv'], steps: ['read'] }],
    };
    const { pipeline } = await finishedRun(api, dag);
    const shown = await preview(api, pipeline.id, { stepId: 'after' });
    expect(shown.status, JSON.stringify(shown.body)).toBe(200);
    expect(shown.body.rows).toEqual([['x', 2]]);
  });

  it('is refused without a run, for steps that are no transform, and for invalid definitions', async ({ api }) => {
    const { id } = await givenPipeline(api, DAG);
    expect(await preview(api, id, { stepId: 'big' })).toMatchObject({ status: 422, body: { code: 'NO_RUN_DATA' } });
    await runThatIs(api, await startedRun(api, id), 'succeeded');
    for (const stepId of ['nobody']) {
      expect(await preview(api, id, { stepId })).toMatchObject({
        status: 422,
        body: { code: 'STEP_WITHOUT_PREVIEW', errors: [{ pointer: '/stepId' }] },
      });
    }
    const read = {
      id: 'read',
      type: 'extract',
      config: { sourceId: await givenFiles(api, {}), object: { path: 'a.csv' } },
    };
    expect(await preview(api, id, { stepId: 'read', dag: dagOf(read) })).toMatchObject({
      body: { code: 'STEP_WITHOUT_PREVIEW' },
    });
    const writing = { ...DAG, steps: [source, sql('big', 'DELETE FROM src', ['src'])] };
    expect(await preview(api, id, { stepId: 'big', dag: writing })).toMatchObject({
      status: 422,
      body: { code: 'PIPELINE_DAG_INVALID', errors: [{ pointer: '/dag/steps/1/config/sql' }] },
    });
    const missing = { ...DAG, steps: [source, sql('big', 'SELECT nothing FROM src', ['src'])] };
    const failed = await preview(api, id, { stepId: 'big', dag: missing });
    expect(failed).toMatchObject({ status: 422, body: { code: 'PREVIEW_FAILED', errors: [{ code: 'SQL_ERROR' }] } });
    expect(failed.body.detail).toContain('nothing');
    expect((await preview(api, id, { stepId: 'big', limit: 1001 })).status).toBe(400);
    expect((await preview(api, id, {})).status).toBe(400);
  });

  it('shows what code makes of its first batch, under the limits of the sandbox', async ({ api }) => {
    const code = (text: string, more: object = {}): StepInput => ({
      id: 'code',
      type: 'transform_code',
      config: { code: text, outputSchema: [{ name: 'x', type: 'integer' }], ...more },
      dependsOn: ['src'],
    });
    const body = `function transform(rows, { env, params }) {
      console.log('limit', env.LIMIT, rows.length);
      return rows.filter((row) => row.id < params.least).map((row) => ({ x: BigInt(row.id) * 2n }));
    }`;
    const dag = (step: StepInput) => ({ ...dagOf(source, step), parameters: DAG.parameters });
    const { pipeline, run } = await finishedRun(api, dag(code(body, { env: { LIMIT: 'LIMIT-{{ params.least }}' } })));
    const shown = await preview(api, pipeline.id, { stepId: 'code', limit: 3 });
    expect(shown, JSON.stringify(shown.body)).toMatchObject({
      status: 200,
      body: {
        stepId: 'code',
        sql: null,
        columns: [{ name: 'x', type: 'integer' }],
        rows: [[0], [2], [4]],
        rowCount: 3,
        truncated: true,
        // What env holds is masked, as it is in the log.
        lines: [{ level: 'info', message: 'limit ****** 10' }],
        basedOnRunId: run.id,
      },
    });
    const ids =
      "function transform(rows) { return [{ ids: rows.slice(0, 2).map((row) => row.id), sum: { n: '9007199254740993' } }]; }";
    const outputSchema = [
      { name: 'ids', type: 'list(integer)' },
      { name: 'sum', type: 'struct(n integer)' },
    ];
    const nested = await preview(api, pipeline.id, { stepId: 'code', dag: dag(code(ids, { outputSchema })) });
    expect(nested.body).toMatchObject({ columns: outputSchema, rows: [[[0, 1], { n: '9007199254740993' }]] });
    const failures: [string, string, object?][] = [
      ["function transform() {\n  throw new Error('bad LIMIT-9');\n}", 'CODE_ERROR', { env: { LIMIT: 'LIMIT-9' } }],
      ['function transform() { for (;;); }', 'TIMEOUT'],
      ["function transform() { return [{ x: 'no number' }]; }", 'CODE_ERROR'],
    ];
    for (const [text, code_, more] of failures) {
      const failed = await preview(api, pipeline.id, { stepId: 'code', dag: dag(code(text, more)) });
      expect(failed).toMatchObject({ status: 422, body: { code: 'PREVIEW_FAILED', errors: [{ code: code_ }] } });
      expect(JSON.stringify(failed.body)).not.toContain('LIMIT-9');
    }
  });

  it('shows what a load would take, and loads nothing', async ({ api }) => {
    const rows = sql('rows', "SELECT * FROM (VALUES (1, 'old', 1), (1, 'new', 2), (2, 'only', 1)) v(id, name, since)");
    const merge = { mode: 'merge', mergeKey: ['id'], dedupeOrderBy: [{ column: 'since', direction: 'desc' }] };
    const { pipeline } = await finishedRun(api, dagOf(rows));
    const shown = async (config: object) => {
      const dag = dagOf(rows, load('keep', 'rows', 'never_loaded', config));
      const { body } = await preview(api, pipeline.id, { stepId: 'keep', dag });
      return body.rows.map(([, name]: string[]) => name).sort();
    };
    expect(await shown({ mode: 'append' })).toEqual(['new', 'old', 'only']);
    expect(await shown(merge)).toEqual(['new', 'only']);
    expect(await shown({ ...merge, strategy: 'delete_insert' })).toEqual(['new', 'old', 'only']);
    expect((await api.as('viewer').get('/api/datasets')).body.items).toEqual([]);
  });

  it('is for callers who may change the pipeline, and for no stranger', async ({ api }) => {
    const { pipeline } = await finishedRun(api, DAG);
    expect((await preview(api, pipeline.id, { stepId: 'big' }, 'viewer')).status).toBe(403);
    const gone = { status: 404, body: { code: 'PIPELINE_NOT_FOUND' } };
    expect(await preview(api, pipeline.id, { stepId: 'big' }, 'stranger')).toMatchObject(gone);
    expect(await preview(api, UNKNOWN_ID, { stepId: 'big' })).toMatchObject(gone);
  });
});
