import { expect, it } from 'vitest';
import { type CheckDeps, checkDefinition } from '../../../shared/domains/pipelines/checks/check-definition.ts';
import { mutated } from '../../e2e/request-soak/mutations.ts';
import { Choices } from '../../e2e/value-soak/random.ts';
import { cases } from '../../support/cases.ts';

const EXTRACT = {
  id: 'rows',
  type: 'extract',
  config: { sourceId: 'file', object: { path: 'a.csv' }, columns: ['id', 'n'] },
};
const steps = (...more: object[]) => ({ version: 1, steps: [EXTRACT, ...more] });
const load = (config: object) => ({ id: 'kept', type: 'load', dependsOn: ['rows'], config });

const DEFINITIONS = [
  steps(
    {
      id: 'some',
      type: 'transform_sql',
      dependsOn: ['rows'],
      config: { sql: 'SELECT id FROM rows WHERE n > {{ params.n }}' },
    },
    load({ target: { kind: 'dataset', name: 'kept' }, mode: 'merge', mergeKey: ['id'], gates: [] }),
  ),
  steps(load({ target: { kind: 'table', sourceId: 'postgres', schema: 'public', table: 't' }, mode: 'append' })),
  steps(
    load({
      target: { kind: 'files', sourceId: 's3', path: 'a', format: 'csv', partitionBy: ['n'] },
      mode: 'overwrite',
    }),
  ),
  steps({
    id: 'recipe',
    type: 'transform_sql',
    dependsOn: ['rows'],
    config: {
      ops: [
        { op: 'filter', condition: 'n > 1' },
        { op: 'pivot', rows: ['id'], column: 'n', value: 'n', fn: 'sum', values: [1] },
      ],
    },
  }),
  steps({
    id: 'code',
    type: 'transform_code',
    dependsOn: ['rows'],
    config: { code: 'rows => rows', env: { A: '{{ secrets.A }}' } },
  }),
  steps({ id: 'ports', type: 'route', dependsOn: ['rows'], config: { routes: [{ port: 'a', condition: 'n > 1' }] } }),
  {
    ...steps(),
    parameters: [{ name: 'n', type: 'number', default: 1 }],
    trigger: { kind: 'file_arrival', sourceId: 'file', path: '*.csv' },
    forEach: [{ id: 'each', items: ['a'], steps: ['rows'] }],
    schedule: { cron: '0 6 * * *', timezone: 'UTC' },
    concurrency: { maxConcurrentRuns: 1, onOverlap: 'skip' },
  },
];

const TYPES: ReadonlySet<string> = new Set(['file', 's3', 'http', 'postgres', 'mysql']);

/** Sources named by their type, no other object, and an engine that finds nothing. */
const deps = {
  pipelines: { get: async () => undefined },
  engine: {
    check: async (statements: unknown[]) => statements.map(() => ({ ok: true, parameters: [] })),
    checkCode: async (texts: unknown[]) => texts.map(() => []),
    columnIssues: async () => [],
  },
  extra: new Set(),
  flowlets: { get: async () => undefined },
  secrets: { get: async () => undefined },
  sources: {
    get: async (_workspaceId: string, id: string) =>
      TYPES.has(id) ? { id, type: id, config: { endpoints: [] } } : undefined,
  },
  streams: { byName: async () => undefined },
  watching: async () => [],
  datasetsOf: async () => [],
  catalogueOf: async () => undefined,
  downstreamOf: async () => [],
} as unknown as CheckDeps;

const check = (dag: unknown) => checkDefinition(deps, { workspaceId: 'w', id: 'p' }, dag);

it.each([
  ['an object of an extract that is a text', steps({ ...EXTRACT, id: 'b', config: { sourceId: 'file', object: '' } })],
  [
    'columns without names',
    { version: 1, steps: [{ ...EXTRACT, config: { ...EXTRACT.config, columns: [null] } }, load({ mode: 'append' })] },
  ],
  ['a kind with members', steps(load({ target: { kind: { toString: 1 }, sourceId: 'file' } }))],
  [
    'a key with members',
    steps(
      load({
        target: { kind: 'dataset', name: 'a' },
        mode: 'merge',
        mergeKey: [{ toString: 1 }],
        deleteColumn: { toString: 1 },
      }),
    ),
  ],
  [
    'a partition with members',
    steps(
      load({
        target: { kind: 'table', sourceId: 'postgres', schema: 'a', table: 'b', partitionBy: [{ toString: 1 }] },
      }),
    ),
  ],
])('is rejected with its issues: %s', async (_what, dag) => {
  const { issues } = await check(dag);
  expect(issues).not.toEqual([]);
  for (const { pointer, message } of issues) {
    expect(pointer).toMatch(/^\/dag/);
    expect(message).not.toMatch(/\[object|function |undefined/);
  }
});

it('is checked to its end, whatever is in its place', async () => {
  const members = () => [
    'sql',
    'ops',
    'object',
    'gates',
    'columns',
    'filter',
    'target',
    'mode',
    'env',
    'inputs',
    'when',
    'retry',
  ];
  for (let seed = 0; seed < cases(100, 5_000); seed += 1) {
    const { text, change } = mutated(new Choices(seed), DEFINITIONS[seed % DEFINITIONS.length], members);
    await check(JSON.parse(text)).catch((error: Error) => {
      throw new Error(`seed ${seed}: ${change}`, { cause: error });
    });
  }
});
