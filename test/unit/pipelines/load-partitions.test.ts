import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEngine } from '../../../shared/data/duckdb/engine.ts';
import type { Dag } from '../../../shared/domains/pipelines/definition/dag.ts';
import { readManifest } from '../../../shared/domains/warehouse/datasets/manifests.ts';
import { emptyDataset } from '../../../shared/domains/warehouse/datasets/record.ts';
import { datasetRepository } from '../../../shared/domains/warehouse/datasets/repository.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());

/** A dataset that is partitioned by `part`, with three rows of as many partitions. */
async function givenDataset(): Promise<string> {
  const name = `parts ${newId()}`;
  const { workspaceId } = setup;
  const made = emptyDataset({ id: newId(), workspaceId, name, createdBy: null, at: new Date() });
  await datasetRepository(setup.context.table).create({ ...made, partitionBy: { column: 'part' } });
  await setup.run(await setup.pipeline(dagOf(name, "('a', 0), ('b', 0), ('c', 0)", { mode: 'append' })));
  await setup.drain();
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
  const dataset = (await datasetRepository(setup.context.table).find(setup.workspaceId, name))!;
  const manifest = (await readManifest(setup.context.table, setup.worker.objects, dataset))!;
  const engine = await openEngine({ memoryLimitMb: 256, threads: 1, tempDir: setup.worker.scratchDir });
  try {
    await engine.attach('t', await setup.worker.cache.fetchAll(manifest.files), { emptySchema: manifest.columns });
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
      await setup.run(await setup.pipeline(dagOf(name, values)));
    }
    await Promise.all([setup.drain(), setup.drain(), setup.drain()]);
    expect(await stored(name)).toEqual({ version: 4, rows: ['a1', 'b2', 'c3', 'd3'] });
  });

  it.each(['before', 'after'] as const)('takes effect once when its worker dies %s any write', async (when) => {
    let survived = 0;
    for (let nth = 4; nth <= 9; nth += 1) {
      const name = await givenDataset();
      const run = await setup.run(await setup.pipeline(dagOf(name, "('a', 1), ('a', 2)")));
      let writes = 0;
      setup.crash = () => (++writes === nth ? when : undefined);
      await setup.drain();
      setup.crash = () => undefined;
      // A run whose start was lost waits for the tick, which is no part of this setup.
      if ((await setup.stored(run.id)).status !== 'succeeded') continue;
      survived += 1;
      expect(await stored(name), `${nth}`).toEqual({ version: 2, rows: ['a1', 'a2', 'b0', 'c0'] });
      expect((await setup.stored(run.id)).rowsMoved).toBe(2);
    }
    expect(survived).toBeGreaterThan(2);
  });
});
