import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { dagOf, finishedRun, load, type StepInput, sql, unnamedColumns } from './given.ts';

const recipe = (id: string, ops: object[], dependsOn: string[], more: object = {}): StepInput => ({
  id,
  type: 'transform_sql',
  dependsOn,
  config: { ops, ...more },
  retry: { maxAttempts: 1 },
});
const orders = sql(
  'orders',
  "SELECT * FROM (VALUES (1, 'eu', 10), (2, 'us', 20), (3, 'eu', 30)) v(id, region, amount)",
);
const typed: StepInput = {
  id: 'typed',
  type: 'transform_code',
  dependsOn: ['orders'],
  config: {
    code: 'const transform = (rows) => rows',
    outputSchema: [
      { name: 'id', type: 'integer' },
      { name: 'region', type: 'string' },
    ],
  },
};

describe('a recipe step', () => {
  it('runs its operations over several inputs, with parameters as bound values', async ({ api }) => {
    const names = sql('names', "SELECT 'eu' AS region, 'Europe' AS title");
    const ops = [
      { op: 'filter', condition: 'amount >= {{ params.least }}' },
      { op: 'lookup', with: 'n', on: [{ left: 'region', right: 'region' }], columns: ['title'] },
      { op: 'derive', column: 'note', expression: '{{ params.note }} || title' },
      { op: 'sort', by: [{ column: 'id' }] },
    ];
    const dag = {
      ...dagOf(
        orders,
        names,
        recipe('made', ops, ['orders', 'names'], { inputs: { o: 'orders', n: 'names' } }),
        load('keep', 'made', 'noted'),
      ),
      parameters: [
        { name: 'least', type: 'number', default: 20 },
        { name: 'note', type: 'string', default: "'; --" },
      ],
    };
    const { run } = await finishedRun(api, dag);
    expect(run.steps[2]).toMatchObject({ stepId: 'made', rowsIn: 4, rowsOut: 2 });
    expect((await api.as('editor').post('/api/query', { sql: 'SELECT * FROM noted ORDER BY id' })).body.rows).toEqual([
      [2, 'us', 20, null, null],
      [3, 'eu', 30, 'Europe', "'; --Europe"],
    ]);
  });

  it('keeps of each key the first row by an order, a null one last', async ({ api }) => {
    const states = sql(
      'states',
      "SELECT * FROM (VALUES ('7', '1', 'x'), (NULL, '2', 'y'), ('7', '10', 'z'), (NULL, NULL, 'u'), ('8', NULL, 'v')) v(id, changed, note)",
    );
    const ops = [
      { op: 'cast', column: 'changed', type: 'integer' },
      { op: 'dedupe', keys: ['id'], orderBy: [{ column: 'changed', direction: 'desc' }] },
    ];
    const { run } = await finishedRun(
      api,
      dagOf(states, recipe('newest', ops, ['states']), load('keep', 'newest', 'newest')),
    );
    expect(run.steps[1]).toMatchObject({ stepId: 'newest', rowsOut: 3 });
    expect((await api.as('editor').post('/api/query', { sql: 'SELECT * FROM newest ORDER BY id' })).body.rows).toEqual([
      ['7', 10, 'z'],
      ['8', null, 'v'],
      [null, 2, 'y'],
    ]);
  });

  it('fails with the operation that its rows do not bear', async ({ api }) => {
    const unknown = [
      { op: 'limit', count: 3 },
      { op: 'drop', columns: ['none'] },
    ];
    const missing = await finishedRun(
      api,
      dagOf(orders, unnamedColumns('any', 'orders'), recipe('made', unknown, ['any'])),
      'failed',
    );
    expect(missing.run.error).toMatchObject({
      code: 'SCHEMA_MISMATCH',
      message: '/ops/1/columns/0: there is no column none',
    });
    const odd = [
      { op: 'limit', count: 3 },
      { op: 'derive', column: 'x', expression: 'region - 1' },
    ];
    const wrong = await finishedRun(api, dagOf(orders, recipe('made', odd, ['orders'])), 'failed');
    expect(wrong.run.error).toMatchObject({
      code: 'SQL_ERROR',
      message: expect.stringMatching(/^\/ops\/1 \(derive\): /),
    });
  });

  it('reports all its issues at once, including columns and types where they are known', async ({ api }) => {
    const dag = dagOf(
      orders,
      typed,
      recipe(
        'first',
        [
          { op: 'rename', map: { id: 'key' } },
          { op: 'select', columns: ['id'] },
        ],
        ['typed'],
      ),
      recipe(
        'second',
        [
          { op: 'text', column: 'id', fn: 'upper' },
          { op: 'union', with: ['nobody'] },
        ],
        ['typed'],
      ),
      recipe('third', [{ op: 'limit' }, { op: 'dance' }], ['typed']),
    );
    const reply = await api.as('editor').post('/api/pipelines', { name: 'bad', dag });
    expect(reply).toMatchObject({ status: 422, body: { code: 'PIPELINE_DAG_INVALID' } });
    expect(
      reply.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`),
    ).toEqual([
      '/dag/steps/4/config/ops/0/count REQUIRED',
      '/dag/steps/4/config/ops/1/op ENUM',
      '/dag/steps/2/config/ops/1/columns/0 COLUMN_UNKNOWN',
      '/dag/steps/3/config/ops/0/column COLUMN_TYPE',
      '/dag/steps/3/config/ops/1/with/0 INPUT_UNKNOWN',
    ]);
    expect((await api.as('viewer').get('/api/pipelines')).body.total).toBe(0);
  });

  it.for<[string, object, string, string]>([
    ['has both SQL and operations', { sql: 'SELECT 1', ops: [{ op: 'limit', count: 1 }] }, 'ops', 'NOT_ALLOWED'],
    ['has neither', { ops: undefined }, 'sql', 'REQUIRED'],
    ['has no operations', { ops: [] }, 'ops', 'MIN_ITEMS'],
    ['ends its brackets', { ops: [{ op: 'filter', condition: 'true) OR (true' }] }, 'ops/0/condition', 'SQL_PARSE'],
    [
      'reads a table',
      { ops: [{ op: 'derive', column: 'x', expression: '(SELECT max(id) FROM orders)' }] },
      'ops/0/expression',
      'NOT_FOUND',
    ],
    [
      'reads a file',
      { ops: [{ op: 'derive', column: 'x', expression: "(SELECT size FROM read_text('/etc/passwd'))" }] },
      'ops/0/expression',
      'SQL_NOT_READ_ONLY',
    ],
    [
      'refers to nothing',
      { ops: [{ op: 'filter', condition: 'id = {{ params.x }}' }] },
      'ops/0/condition',
      'TEMPLATE_INVALID',
    ],
    [
      'replaces by no pattern',
      { ops: [{ op: 'replace', column: 'region', from: '[', to: '', regex: true }] },
      'ops/0/from',
      'PATTERN',
    ],
    [
      'extracts by no pattern',
      { ops: [{ op: 'extract', column: 'region', pattern: "(?<n>')", into: 'o' }] },
      'ops/0/pattern',
      'PATTERN',
    ],
    [
      'takes a path for one that is none',
      { ops: [{ op: 'parse_json', column: 'region', paths: { good: '$.a', bad: '$..[' } }] },
      'ops/0/paths/bad',
      'PATTERN',
    ],
  ])('is refused when it %s', async ([, config, place, code], { api }) => {
    const dag = dagOf(orders, recipe('made', [], ['orders'], config));
    const reply = await api.as('editor').post('/api/pipelines', { name: 'bad', dag });
    expect(reply).toMatchObject({
      status: 422,
      body: { code: 'PIPELINE_DAG_INVALID', errors: [{ pointer: `/dag/steps/1/config/${place}`, code }] },
    });
  });
});
