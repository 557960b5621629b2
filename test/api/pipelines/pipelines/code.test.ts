import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { dagOf, finishedRun, givenPipeline, load, runThatIs, type StepInput, sql, startedRun } from './given.ts';

const code = (text: string, config: object = {}): StepInput => ({
  id: 'made',
  type: 'transform_code',
  dependsOn: ['rows'],
  config: { code: text, ...config },
  retry: { maxAttempts: 1 },
});
const rows = (text: string) => sql('rows', text);
const linesOf = async (api: Api, runId: string) => {
  const { body } = await api.as('viewer').get(`/api/pipelines/runs/${runId}/steps/made/logs`);
  return (body.lines as { level: string; message: string }[]).map(({ level, message }) => `${level} ${message}`);
};
const read = async (api: Api, query: string) => (await api.as('editor').post('/api/query', { sql: query })).body.rows;

describe('a code step', () => {
  it('keeps every type exactly on its way in and out', async ({ api }) => {
    const values = `SELECT 9223372036854775807 AS big, '-0.05'::DECIMAL(38,2) AS price, 'nan'::DOUBLE AS odd,
      DATE '2024-02-29' AS day, TIMESTAMP '2026-01-02 03:04:05.678901' AS at, TIMESTAMPTZ '2026-01-02 03:04:05+02' AS seen,
      'a,"b"' || chr(10) || '😀' AS text, '{"a": [1, null]}'::JSON AS doc, true AS yes, TIME '03:04:05.5' AS hour, '' AS none
      UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL`;
    const kinds = `function transform(rows) {
      console.log(Object.values(rows[0]).map((value) => typeof value).join());
      return rows;
    }`;
    const { run } = await finishedRun(api, dagOf(rows(values), code(kinds), load('keep', 'made', 'same')));
    expect(await linesOf(api, run.id)).toContain(
      'info string,string,number,string,string,string,string,object,boolean,string,string',
    );
    expect(await read(api, 'SELECT count(*) FROM same WHERE isnan(odd)')).toEqual([[1]]);
    expect(await read(api, 'SELECT * EXCLUDE odd FROM same ORDER BY big NULLS LAST')).toEqual([
      [
        '9223372036854775807',
        '-0.05',
        '2024-02-29',
        '2026-01-02T03:04:05.678901Z',
        '2026-01-02T01:04:05.000Z',
        'a,"b"\n😀',
        { a: [1, null] },
        true,
        '03:04:05.5',
        '',
      ],
      Array(10).fill(null),
    ]);
  });

  it('is called with batches of at most 10,000 rows and may answer more or fewer', async ({ api }) => {
    const text = `let batch = 0;
      function transform(rows) { batch += 1; return rows.length < 10000 ? [] : [{ batch, size: rows.length }, { batch }] }`;
    const outputSchema = [
      { name: 'batch', type: 'integer' },
      { name: 'size', type: 'integer' },
    ];
    const { run } = await finishedRun(
      api,
      dagOf(rows('SELECT * FROM range(25000) t(n)'), code(text, { outputSchema }), load('keep', 'made', 'batches')),
    );
    expect(run.steps[1]).toMatchObject({ rowsIn: 25_000, rowsOut: 4 });
    expect(await read(api, 'SELECT * FROM batches ORDER BY ALL')).toEqual([
      [1, 10_000],
      [1, null],
      [2, 10_000],
      [2, null],
    ]);
  });

  it('passes columns on where there are no rows', async ({ api }) => {
    const outputSchema = [{ name: 'price', type: 'decimal(10,2)' }];
    const none = rows('SELECT 1 AS n WHERE false');
    await finishedRun(
      api,
      dagOf(none, code('const transform = (r) => r', { outputSchema }), load('keep', 'made', 'empty')),
    );
    expect((await api.as('editor').post('/api/query', { sql: 'SELECT * FROM empty' })).body).toMatchObject({
      columns: [{ name: 'price', type: 'decimal(10,2)' }],
      rows: [],
    });
  });

  it('sees parameters, the run and its environment, whose values its log never shows', async ({ api }) => {
    const text = `function transform(rows, { params, run, env }) {
      console.warn('token', env.TOKEN);
      return [{ text: params.greeting + ' ' + env.NAME, run: run.id }];
    }`;
    const outputSchema = ['text', 'run'].map((name) => ({ name, type: 'string' }));
    const env = { TOKEN: 'correct-horse', NAME: '{{ params.name }}' };
    const dag = {
      ...dagOf(rows('SELECT 1 AS n'), code(text, { env, outputSchema }), load('keep', 'made', 'greetings')),
      parameters: ['greeting', 'name'].map((name) => ({ name, type: 'string', required: true })),
    };
    const { id } = await givenPipeline(api, dag);
    const runId = await startedRun(api, id, { parameters: { greeting: 'hi', name: '"); throw 1; ("' } });
    await runThatIs(api, runId, 'succeeded');
    expect(await read(api, 'SELECT * FROM greetings')).toEqual([['hi "); throw 1; ("', runId]]);
    expect(await linesOf(api, runId)).toContain('warn token ******');
  });

  it('fails with the place in the code, what it logged before, and nothing loaded', async ({ api }) => {
    const text = "function transform(rows) {\n  console.error('before');\n  return rows[0].none.more;\n}";
    const { run } = await finishedRun(
      api,
      dagOf(rows('SELECT 1 AS n'), code(text), load('keep', 'made', 'never')),
      'failed',
    );
    expect(run.error).toMatchObject({
      code: 'CODE_ERROR',
      stepId: 'made',
      message: expect.stringMatching(/^rows 1 to 1: TypeError: .*'more'.*\(line 3, column \d+\)$/),
    });
    const lines = await linesOf(api, run.id);
    expect(lines).toContain('error before');
    expect((await api.as('editor').get('/api/datasets')).body.items).toEqual([]);
  });

  it.for([
    ['for (;;) {}', 'TIMEOUT'],
    ["return 'x'.repeat(1e9);", 'OUT_OF_MEMORY'],
  ] as const)('ends code that takes too much: %s', async ([body, expected], { api }) => {
    const { run } = await finishedRun(
      api,
      dagOf(rows('SELECT 1 AS n'), code(`function transform() { ${body} }`)),
      'failed',
    );
    expect(run.error).toMatchObject({ code: expected, stepId: 'made' });
  });

  it('is ended by a cancel in the middle of a batch', async ({ api }) => {
    const { id } = await givenPipeline(api, dagOf(rows('SELECT 1 AS n'), code('function transform() { for (;;) {} }')));
    const runId = await startedRun(api, id);
    await runThatIs(api, runId, 'running');
    await api.as('editor').post(`/api/pipelines/runs/${runId}/cancel`);
    await runThatIs(api, runId, 'cancelled', 9_000);
  });

  it.for<[string, object, string, string]>([
    ['cannot be read', { code: 'function transform(rows) {\n  return rows. .x }' }, 'code', 'CODE_ERROR'],
    ['declares no such function', { code: 'let a', entrypoint: 'made' }, 'code', 'CODE_ERROR'],
    ['imports something', { code: "import fs from 'fs';" }, 'code', 'CODE_ERROR'],
    ['is in another language', { language: 'python' }, 'language', 'ENUM'],
    ['is no text', { code: 1 }, 'code', 'TYPE'],
    ['names an unknown type', { outputSchema: [{ name: 'a', type: 'int' }] }, 'outputSchema/0/type', 'PATTERN'],
    [
      'names a decimal that cannot be',
      { outputSchema: [{ name: 'a', type: 'decimal(2,3)' }] },
      'outputSchema/0/type',
      'PATTERN',
    ],
    [
      'names a column twice',
      {
        outputSchema: [
          { name: 'a', type: 'string' },
          { name: 'A', type: 'string' },
        ],
      },
      'outputSchema/1/name',
      'DUPLICATE',
    ],
    ['wants too much memory', { memoryMb: 4096 }, 'memoryMb', 'MAXIMUM'],
    ['asks for a secret', { env: { A: '{{ secrets.none }}' } }, 'env/A', 'SECRET_UNKNOWN'],
    ['has an unknown setting', { modules: [] }, 'modules', 'UNKNOWN_MEMBER'],
  ])('is refused when it %s', async ([, config, place, expected], { api }) => {
    const dag = dagOf(rows('SELECT 1 AS n'), code('function transform(rows) { return rows }', config));
    const reply = await api.as('editor').post('/api/pipelines', { name: 'bad', dag });
    expect(reply).toMatchObject({
      status: 422,
      body: {
        code: 'PIPELINE_DAG_INVALID',
        errors: [{ pointer: `/dag/steps/1/config/${place}`, code: expected }],
      },
    });
    expect((await api.as('viewer').get('/api/pipelines')).body.total).toBe(0);
  });
});
