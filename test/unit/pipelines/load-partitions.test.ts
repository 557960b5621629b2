import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEngine } from '../../../shared/data/duckdb/engine.ts';
import { readManifest } from '../../../shared/domains/datasets/manifests.ts';
import { emptyDataset } from '../../../shared/domains/datasets/record.ts';
import { datasetRepository } from '../../../shared/domains/datasets/repository.ts';
import type { Dag } from '../../../shared/domains/pipelines/definition/dag.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import { RunPlane } from './run-plane.ts';

let plane: RunPlane;
beforeAll(async () => {
  plane = await RunPlane.open();
});
afterAll(() => plane.close());

/** A dataset that is partitioned by `part`, with three rows of as many partitions. */
async function givenDataset(): Promise<string> {
  const name = `parts ${newId()}`;
  const { workspaceId } = plane;
  const made = emptyDataset({ id: newId(), workspaceId, name, createdBy: null, at: new Date() });
  await datasetRepository(plane.context.table).create({ ...made, partitionBy: { column: 'part' } });
  await plane.run(await plane.pipeline(dagOf(name, "('a', 0), ('b', 0), ('c', 0)", { mode: 'append' })));
  await plane.drain();
  return name;
}

const PARTS = { mode: 'overwrite', scope: 'partition' };

function dagOf(name: string, values: string, how: object = PARTS): Dag {
  const retry = { maxAttempts: 10, initialIntervalMs: 100 };
  const sql = `SELECT * FROM (VALUES ${values}) v(part, id)`;
  return {
    version: 1,
    steps: [
      { id: 'rows', type: 'transform_sql', config: { sql }, retry },
      { id: 'keep', type: 'load', config: { target: { kind: 'dataset', name }, ...how }, dependsOn: ['rows'], retry },
    ],
  };
}

async function stored(name: string): Promise<{ version: number; rows: string[] }> {
  const dataset = (await datasetRepository(plane.context.table).find(plane.workspaceId, name))!;
  const manifest = (await readManifest(plane.context.table, plane.worker.objects, dataset))!;
  const engine = await openEngine({ memoryLimitMb: 256, threads: 1, tempDir: plane.worker.scratchDir });
  try {
    await engine.attach('t', await plane.worker.cache.fetchAll(manifest.files), { emptySchema: manifest.columns });
    const rows = await engine.run('SELECT part || id FROM t ORDER BY 1');
    return { version: dataset.version, rows: rows.map(([row]) => String(row)) };
  } finally {
    await engine.close();
  }
}

describe('an overwrite of partitions of a dataset', () => {
  it('loses nothing of others that commit beside it', async () => {
    const name = await givenDataset();
    for (const values of ["('a', 1)", "('b', 2)", "('c', 3), ('d', 3)"]) {
      await plane.run(await plane.pipeline(dagOf(name, values)));
    }
    await Promise.all([plane.drain(), plane.drain(), plane.drain()]);
    expect(await stored(name)).toEqual({ version: 4, rows: ['a1', 'b2', 'c3', 'd3'] });
  });

  it.each(['before', 'after'] as const)('takes effect once when its worker dies %s any write', async (when) => {
    let survived = 0;
    for (let nth = 4; nth <= 9; nth += 1) {
      const name = await givenDataset();
      const run = await plane.run(await plane.pipeline(dagOf(name, "('a', 1), ('a', 2)")));
      let writes = 0;
      plane.crash = () => (++writes === nth ? when : undefined);
      await plane.drain();
      plane.crash = () => undefined;
      // A run whose start was lost waits for the tick, which is no part of this plane.
      if ((await plane.stored(run.id)).status !== 'succeeded') continue;
      survived += 1;
      expect(await stored(name), `${nth}`).toEqual({ version: 2, rows: ['a1', 'a2', 'b0', 'c0'] });
      expect((await plane.stored(run.id)).rowsMoved).toBe(2);
    }
    expect(survived).toBeGreaterThan(2);
  });
});
