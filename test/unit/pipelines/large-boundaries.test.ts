import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_BOUNDARY_ROWS } from '../../../shared/data/connectors/extract/incremental.ts';
import { openEngine } from '../../../shared/data/duckdb/engine.ts';
import { watermarkKey } from '../../../shared/domains/pipelines/store/run-keys.ts';
import { readWatermark } from '../../../shared/domains/pipelines/store/watermarks.ts';
import { openTestEngine } from '../data/engine/open-test-engine.ts';
import { dagOf, into, load, ONCE } from './run-dags.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());

/** Rows of one day, of which no cursor tells one from the other. */
const day = (rows: number) => `id,day\n${Array.from({ length: rows }, (_, id) => `${id},2026-01-01\n`).join('')}`;

async function given(name: string, path: string, content: string | Buffer, more: object = {}) {
  const sourceId = await setup.fileSource({ [path]: content });
  const extract = { sourceId, object: { path }, mode: 'incremental', incremental: { cursorColumn: 'day' }, ...more };
  const dagWith = (mode: string) =>
    dagOf(
      { id: 'read', type: 'extract', config: extract, retry: ONCE },
      load('keep', 'read', { target: into(name), mode }),
    );
  return {
    put: (changed: string | Buffer) => setup.putFile(sourceId, path, changed),
    pipeline: (mode = 'append') => setup.pipeline(dagWith(mode)),
  };
}

async function ran(pipeline: Awaited<ReturnType<RunSetup['pipeline']>>) {
  const run = await setup.run(pipeline);
  await setup.drain();
  return setup.stored(run.id);
}

const placeOf = ({ id }: { id: string }) => ({
  workspaceId: setup.workspaceId,
  pipelineId: id,
  stepId: 'read',
  itemIndex: null,
});
const boundariesOf = ({ id }: { id: string }) => setup.worker.objects.list(`W/${setup.workspaceId}/watermarks/${id}/`);

describe('an incremental extract with many rows at the watermark', () => {
  it('brings an append each of them once', async () => {
    const { pipeline: made, put } = await given('many', 'log.csv', day(10_001));
    const pipeline = await made();
    const moved = [await ran(pipeline), await ran(pipeline)].map(({ rowsMoved }) => rowsMoved);
    await put(`${day(10_001)}10001,2026-01-01\n10002,2026-01-02\n`);
    expect([...moved, (await ran(pipeline)).rowsMoved, (await ran(pipeline)).rowsMoved]).toEqual([10_001, 0, 2, 0]);
    expect((await setup.dataset('many'))?.rowCount).toBe(10_003);
  });

  it('brings an append each of them once also when the source gains and loses columns', async () => {
    const { pipeline: made, put } = await given('altered', 'log.csv', day(600), { onSchemaChange: 'ignore' });
    const pipeline = await made();
    const moved = [(await ran(pipeline)).rowsMoved];
    const wider = day(600).replaceAll('\n', ',1\n').replace('day,1', 'day,more');
    for (const content of [wider, `${wider}-1,2026-01-01,1\n`, `${day(600)}-1,2026-01-01\n`]) {
      await put(content);
      moved.push((await ran(pipeline)).rowsMoved);
    }
    expect(moved).toEqual([600, 0, 1, 0]);
  });

  it('refuses to append rows that it cannot know again without a column that is gone', async () => {
    const { engine, dir } = await openTestEngine();
    const file = async (columns: string) => {
      const path = `${dir}/${columns}`;
      await engine.copyToParquet(`SELECT ${columns}, DATE '2026-01-01' AS day FROM range(350000) t(id)`, { path });
      return readFile(path);
    };
    const { pipeline: made, put } = await given('lost', 'lost.parquet', await file('id, id AS a'), {
      onSchemaChange: 'ignore',
    });
    const pipeline = await made();
    expect((await ran(pipeline)).rowsMoved).toBe(350_000);
    await put(await file('id'));
    expect(await ran(pipeline)).toMatchObject({
      status: 'failed',
      error: {
        code: 'RESULT_TOO_LARGE',
        message: expect.stringMatching(/^The column a no longer exists, .* in mode merge/),
      },
    });
    expect((await setup.dataset('lost'))?.rowCount).toBe(350_000);
  });

  it('keeps the boundary that it goes on from, and lets the ones before go', async () => {
    const { pipeline: made, put } = await given('kept', 'log.csv', day(1000));
    const pipeline = await made();
    await ran(pipeline);
    const [first] = await boundariesOf(pipeline);
    expect(await readWatermark(setup.context.table, placeOf(pipeline))).toMatchObject({
      to: '2026-01-01',
      boundaryObject: first!.key,
    });
    for (const rows of [1001, 1002]) {
      setup.aheadMs += 2 * 60 * 60 * 1000;
      await put(day(rows));
      expect((await ran(pipeline)).rowsMoved).toBe(1);
    }
    const keys = (await boundariesOf(pipeline)).map(({ key }) => key);
    expect(keys).toHaveLength(2);
    expect(keys).not.toContain(first!.key);
  });

  it('leaves nothing on the disk when it fails', async () => {
    const { pipeline: made, put } = await given('left', 'log.csv', day(600), { onSchemaChange: 'fail' });
    const pipeline = await made();
    await ran(pipeline);
    await put(day(600).replaceAll('\n', ',1\n').replace('day,1', 'day,more'));
    expect(await ran(pipeline)).toMatchObject({ status: 'failed', error: { code: 'SCHEMA_MISMATCH' } });
    expect((await readdir(setup.worker.scratchDir)).filter((name) => name.endsWith('.boundary'))).toEqual([]);
  });

  it('goes on from a watermark that was stored without its boundary, and knows the rows from then on', async () => {
    const { pipeline: made } = await given('before', 'log.csv', day(600));
    const pipeline = await made();
    await ran(pipeline);
    const Item = {
      ...watermarkKey(setup.workspaceId, pipeline.id, 'read', null),
      ...{ entity: 'watermark', column: 'day', to: '2026-01-01', boundary: null },
    };
    await setup.context.table.db.send(new PutCommand({ TableName: setup.context.table.name, Item }));
    expect([(await ran(pipeline)).rowsMoved, (await ran(pipeline)).rowsMoved]).toEqual([600, 0]);
  });

  it('refuses to append what it could not know again, and lets it be replaced', async () => {
    const path = join(setup.worker.scratchDir, 'large.parquet');
    const engine = await openEngine({ memoryLimitMb: 500, threads: 1, tempDir: setup.worker.scratchDir });
    const rows = MAX_BOUNDARY_ROWS + 1;
    await engine.copyToParquet(`SELECT 1 AS id, DATE '2026-01-01' AS day FROM range(${rows})`, { path });
    await engine.close();
    const { pipeline } = await given('refused', 'large.parquet', await readFile(path));
    const refused = await ran(await pipeline());
    expect(refused).toMatchObject({ status: 'failed', error: { code: 'RESULT_TOO_LARGE', stepId: 'read' } });
    expect(refused.error!.message).toMatch(/1,000,000 rows have day 2026-01-01, .* keep would append .* in mode merge/);
    expect(await setup.dataset('refused')).toBeUndefined();
    expect(await ran(await pipeline('overwrite'))).toMatchObject({ status: 'succeeded', rowsMoved: rows });
  });
});
