import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Engine } from '../../../shared/data/duckdb/engine.ts';
import type { Dag, Step } from '../../../shared/domains/pipelines/definition/dag.ts';
import { pipelineRepository } from '../../../shared/domains/pipelines/store/pipeline-store.ts';
import { later } from '../../../shared/platform/storage/ids.ts';
import { dagOf, into, load, ONCE, ranOn, sql } from './run-dags.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
/** The engines in the order in which steps took them, with whether the step locks it. */
let taken: { engine: Engine; locks: boolean; isLight: boolean }[];

beforeAll(async () => {
  setup = await RunSetup.open();
  const engines = setup.worker.engines!;
  setup.worker.engines = {
    ...engines,
    async takeFor(use) {
      const engine = await engines.takeFor(use);
      taken.push({ engine, locks: use.locks, isLight: use.isLight ?? false });
      return engine;
    },
  };
});
afterAll(() => setup.close());
beforeEach(() => {
  taken = [];
});

const CHAIN = [
  sql('a', 'SELECT 1 AS x'),
  sql('b', 'SELECT x + 1 AS x FROM a', ['a'], {
    config: {
      sql: 'SELECT x + 1 AS x FROM a',
      gates: [{ id: 'full', type: 'not_null', column: 'x', action: 'fail' }],
    },
  }),
  sql('c', 'SELECT x + 1 AS x FROM b', ['b']),
];

const enginesOf = () => new Set(taken.map(({ engine }) => engine));

describe('the steps of a run', () => {
  it('share an engine, beside that of a gate, and a load gets one that is not locked', async () => {
    const dag = dagOf(...CHAIN, load('keep', 'c', { target: into('shared engine'), mode: 'append' }));
    const { run } = await ranOn(setup, dag);
    expect(run.status).toBe('succeeded');
    expect(await setup.rows('shared engine')).toEqual([[3]]);
    expect(taken.map(({ locks }) => locks)).toEqual([true, true, true, true, false]);
    const [a, b, gate, c, last] = taken.map(({ engine }) => engine);
    expect(b).toBe(a);
    expect([a, gate]).toContain(c);
    expect(new Set([a, gate, last]).size).toBe(3);
  });

  it('never share it with another run', async () => {
    await ranOn(setup, dagOf(...CHAIN));
    const first = enginesOf();
    taken = [];
    await ranOn(setup, dagOf(...CHAIN));
    expect([...enginesOf()].filter((engine) => first.has(engine))).toEqual([]);
  });

  it('read several outputs in it whose union is checked first', async () => {
    const sourceId = await setup.fileSource({ 'a.json': '[{"n":1}]', 'b.json': '[{"n":1.5}]' });
    const read = {
      id: 'read',
      type: 'extract',
      config: { sourceId, object: { path: '{{ forEach.file.item }}' } },
    } as const;
    const light = sql('light', 'SELECT n, n > 1 AS large FROM read', ['read']);
    const twice = sql('twice', 'SELECT n * 2 AS n FROM light', ['light']);
    const route: Step = {
      id: 'by-size',
      type: 'route',
      dependsOn: ['twice'],
      config: { routes: [{ port: 'large', condition: 'n > 2' }], defaultPort: 'small' },
    };
    const dag: Dag = {
      ...dagOf({ ...read, retry: ONCE }, light, twice, route),
      forEach: [{ id: 'file', items: ['a.json', 'b.json'], steps: ['read', 'light'] }],
    };
    const { run, steps } = await ranOn(setup, dag);
    expect(run).toMatchObject({ status: 'succeeded' });
    expect(steps.get('by-size')!.output!.ports).toMatchObject({ large: { rows: 1 }, small: { rows: 1 } });
  });

  it('use one thread for small inputs, unless the pipeline asks for a size', async () => {
    const large = sql('large', 'SELECT range AS n, hash(range)::VARCHAR AS text FROM range(20000)');
    const small = sql('small', 'SELECT n FROM large LIMIT 1', ['large']);
    const last = sql('last', 'SELECT n + 1 AS n FROM small', ['small']);
    const dag = dagOf(large, small, last, load('keep', 'last', { target: into('light'), mode: 'append' }));
    await ranOn(setup, dag);
    expect(taken.map(({ isLight }) => isLight)).toEqual([false, false, true, false]);
    taken = [];
    const before = await setup.pipeline(dag);
    const next = { ...before, compute: { size: 'medium' as const }, updatedAt: later(before.updatedAt, new Date()) };
    await pipelineRepository(setup.context.table).replace(before, next, 'PIPELINE_CHANGED');
    await setup.run(next);
    await setup.drain();
    expect(taken.map(({ isLight }) => isLight)).toEqual([false, false, false, false]);
  });

  it('get a new one after a failure', async () => {
    const fails = sql('b', "SELECT CAST('x' || x AS INTEGER) AS x FROM a", ['a'], {
      retry: { maxAttempts: 2, initialIntervalMs: 100 },
    });
    const { run } = await ranOn(setup, dagOf(CHAIN[0]!, fails));
    expect(run.status).toBe('failed');
    expect(taken).toHaveLength(3);
    const [a, first, second] = taken.map(({ engine }) => engine);
    expect(first).toBe(a);
    expect(second).not.toBe(first);
  });
});
