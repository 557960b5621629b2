import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { dagOf, finishedRun, load, type StepInput, sql, unnamedColumns } from './given.ts';

const numbers = (id = 'numbers') => sql(id, 'SELECT nullif(range, 7) AS n FROM range({{ params.count }})');
const route = (config: object, dependsOn = ['numbers']): StepInput => ({
  id: 'split',
  type: 'route',
  dependsOn,
  config: config as Record<string, unknown>,
  retry: { maxAttempts: 1 },
});
const counted = (port: string): StepInput => ({
  ...sql(`of-${port}`, 'SELECT count(*) AS n, sum(n) AS total FROM input', ['split']),
  fromPorts: { split: port },
});
const dagWith = (config: object, ports: string[], count = 10) => ({
  ...dagOf(
    numbers(),
    route(config),
    ...ports.flatMap((port) => [counted(port), load(`keep-${port}`, `of-${port}`, port)]),
  ),
  parameters: [
    { name: 'count', type: 'number', default: count },
    { name: 'least', type: 'number', default: 5 },
  ],
});

const refusal = (code: string, pointer: string) => ({
  status: 422,
  body: { code: 'PIPELINE_DAG_INVALID', errors: [{ pointer, code }] },
});

describe('a route step', () => {
  it('gives each row to the first port whose condition is true, and the rest to the default port', async ({ api }) => {
    const routes = [
      { port: 'large', condition: 'n >= {{ params.least }} -- and more' },
      { port: 'even', condition: 'n % 2 = 0' },
    ];
    const { run } = await finishedRun(api, dagWith({ routes }, ['large', 'even', 'default']));
    const step = run.steps.find(({ stepId }: { stepId: string }) => stepId === 'split');
    expect(step).toMatchObject({ rowsIn: 10, rowsOut: 10, ports: { large: 4, even: 3, default: 3 } });
    const query = 'SELECT * FROM large UNION ALL SELECT * FROM even UNION ALL SELECT * FROM "default"';
    const { body } = await api.as('editor').post('/api/query', { sql: query });
    expect(body.rows).toEqual([
      [4, '28'],
      [3, '6'],
      [3, '4'],
    ]);
  });

  it('sends a row to every port whose condition is true if configured to', async ({ api }) => {
    const routes = [
      { port: 'large', condition: 'n >= 5' },
      { port: 'even', condition: 'n % 2 = 0' },
    ];
    const { run } = await finishedRun(api, dagWith({ mode: 'all_matches', routes, defaultPort: 'rest' }, ['rest']));
    const step = run.steps.find(({ stepId }: { stepId: string }) => stepId === 'split');
    expect(step.ports).toEqual({ large: 4, even: 5, rest: 3 });
  });

  it('lets the branch of a port without rows run with none', async ({ api }) => {
    const { run } = await finishedRun(
      api,
      dagWith({ routes: [{ port: 'nobody', condition: 'n < 0' }], defaultPort: 'all' }, ['nobody'], 3),
    );
    expect(run.steps.map(({ status }: { status: string }) => status)).not.toContain('skipped');
    expect((await api.as('editor').post('/api/query', { sql: 'SELECT * FROM nobody' })).body.rows).toEqual([[0, null]]);
  });

  it('evaluates a condition once per row, so that no row is lost or doubled', async ({ api }) => {
    const routes = [{ port: 'heads', condition: 'epoch_us(now()) % 2 = 0' }];
    const { run } = await finishedRun(api, dagWith({ routes }, ['heads', 'default'], 100_000));
    const step = run.steps.find(({ stepId }: { stepId: string }) => stepId === 'split');
    expect(step.ports.heads + step.ports.default).toBe(100_000);
    const query = 'SELECT (SELECT n FROM heads) + (SELECT n FROM "default")';
    expect((await api.as('editor').post('/api/query', { sql: query })).body.rows).toEqual([[100_000]]);
  });

  it('fails with what is wrong with a condition that fits no column', async ({ api }) => {
    const dag = dagWith({ routes: [{ port: 'a', condition: 'm > 1' }] }, ['a']);
    const steps = dag.steps.map((step) => (step.id === 'split' ? { ...step, dependsOn: ['any'] } : step));
    const { run } = await finishedRun(api, { ...dag, steps: [...steps, unnamedColumns('any', 'numbers')] }, 'failed');
    expect(run.error).toMatchObject({ code: 'SQL_ERROR', stepId: 'split', message: expect.stringContaining('"m"') });
  });

  it.for<[string, object, string, string]>([
    ['ends its brackets', { routes: [{ port: 'a', condition: 'true) OR (true' }] }, 'SQL_PARSE', 'routes/0/condition'],
    [
      'reads a file',
      { routes: [{ port: 'a', condition: "n IN (SELECT size FROM read_text('/etc/passwd'))" }] },
      'SQL_NOT_READ_ONLY',
      'routes/0/condition',
    ],
    [
      'reads another step',
      { routes: [{ port: 'a', condition: 'n IN (SELECT n FROM numbers)' }] },
      'NOT_FOUND',
      'routes/0/condition',
    ],
    [
      'names an unknown parameter',
      { routes: [{ port: 'a', condition: 'n = {{ params.nobody }}' }] },
      'TEMPLATE_INVALID',
      'routes/0/condition',
    ],
    ['has no routes', { routes: [] }, 'MIN_ITEMS', 'routes'],
    [
      'names a port twice',
      {
        routes: [
          { port: 'a', condition: 'true' },
          { port: 'a', condition: 'true' },
        ],
      },
      'DUPLICATE',
      'routes/1/port',
    ],
    ['names the default port', { routes: [{ port: 'default', condition: 'true' }] }, 'DUPLICATE', 'defaultPort'],
    [
      'has an unknown setting',
      { routes: [{ port: 'a', condition: 'true' }], otherwise: 'b' },
      'UNKNOWN_MEMBER',
      'otherwise',
    ],
  ])('is refused when it %s', async ([, config, code, place], { api }) => {
    const reply = await api.as('editor').post('/api/pipelines', { name: 'bad', dag: dagWith(config, []) });
    expect(reply).toMatchObject(refusal(code, `/dag/steps/1/config/${place}`));
  });

  it('is followed only by steps that say which of its ports they read', async ({ api }) => {
    const routes = [{ port: 'a', condition: 'true' }];
    const dag = dagOf(
      sql('one', 'SELECT 1 AS n'),
      route({ routes }, ['one']),
      sql('without', 'SELECT 1 AS x', ['split']),
      { ...sql('unknown', 'SELECT 1 AS x', ['split']), fromPorts: { split: 'b' } },
      { ...sql('none', 'SELECT 1 AS x', ['one']), fromPorts: { one: 'a', split: 'a' } },
    );
    const reply = await api.as('editor').post('/api/pipelines', { name: 'bad', dag });
    expect(
      reply.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`),
    ).toEqual([
      '/dag/steps/2/fromPorts/split REQUIRED',
      '/dag/steps/3/fromPorts/split PORT_UNKNOWN',
      '/dag/steps/4/fromPorts/one PORT_UNKNOWN',
      '/dag/steps/4/fromPorts/split INPUT_NOT_A_DEPENDENCY',
    ]);
  });
});
