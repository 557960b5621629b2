import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { datasetRepository, readManifest } from '../../../shared/datasets/repository.ts';
import type { Dag, Step } from '../../../shared/pipelines/dag.ts';
import { RunPlane } from './run-plane.ts';

let plane: RunPlane;
beforeAll(async () => {
  plane = await RunPlane.open();
});
afterAll(() => plane.close());

const sql = (id: string, text: string, dependsOn: string[] = []): Step => ({
  id,
  type: 'transform_sql',
  config: { sql: text },
  dependsOn,
});
const dagOf = (...steps: Step[]): Dag => ({ version: 1, steps });

async function datasetRows(name: string, order: string): Promise<unknown[][]> {
  const dataset = (await datasetRepository(plane.context.table).find(plane.workspaceId, name))!;
  const manifest = await readManifest(plane.context.table, dataset);
  const { openEngine } = await import('../../../shared/engine/engine.ts');
  const engine = await openEngine({ memoryLimitMb: 500, threads: 1, tempDir: plane.worker.scratchDir });
  try {
    const paths = await Promise.all((manifest?.files ?? []).map((file) => plane.worker.cache.fetch(file)));
    await engine.attach('t', paths, { emptySchema: dataset.columns });
    return await engine.run(`SELECT * FROM t ORDER BY ${order}`);
  } finally {
    await engine.close();
  }
}

describe('a run', () => {
  it('extracts, transforms and merges into a dataset', async () => {
    const source = await plane.fileSource({ 'orders.csv': 'id,amount\n1,10\n2,20\n3,30\n' });
    const pipeline = await plane.pipeline(
      dagOf(
        { id: 'orders', type: 'extract', config: { sourceId: source, object: { path: 'orders.csv' } } },
        sql('big', 'SELECT id, amount * 2 AS doubled FROM orders WHERE amount > 10', ['orders']),
        {
          id: 'keep',
          type: 'load',
          config: { target: { kind: 'dataset', name: 'orders' }, mode: 'merge', mergeKey: ['id'] },
          dependsOn: ['big'],
        },
      ),
    );
    const run = await plane.run(pipeline);
    await plane.drain();

    expect(await plane.stored(run.id)).toMatchObject({ status: 'succeeded', rowsMoved: 2 });
    expect((await plane.steps(run.id)).map((step) => [step.stepId, step.status, step.rowsOut])).toEqual([
      ['orders', 'succeeded', 3],
      ['big', 'succeeded', 2],
      ['keep', 'succeeded', 2],
    ]);
    expect(await datasetRows('orders', 'id')).toEqual([
      ['2', '40'],
      ['3', '60'],
    ]);

    await plane.putFile(source, 'orders.csv', 'id,amount\n3,31\n4,40\n');
    const second = await plane.run(pipeline);
    await plane.drain();
    expect(await plane.stored(second.id)).toMatchObject({ status: 'succeeded' });
    expect(await datasetRows('orders', 'id')).toEqual([
      ['2', '40'],
      ['3', '62'],
      ['4', '80'],
    ]);
  });
});
