import { readFileSync } from 'node:fs';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readManifest } from '../../../shared/datasets/manifests.ts';
import { datasetRepository } from '../../../shared/datasets/repository.ts';
import { readStorageUsage } from '../../../shared/datasets/storage-usage.ts';
import { openEngine } from '../../../shared/engine/engine.ts';
import { readAdmission } from '../../../shared/pipelines/admission.ts';
import { cancelRun, forceCancel } from '../../../shared/pipelines/cancel-run.ts';
import type { Dag, Step } from '../../../shared/pipelines/dag.ts';
import { repairRun } from '../../../shared/pipelines/repair-run.ts';
import { retryRun } from '../../../shared/pipelines/retry-run.ts';
import { readEvents } from '../../../shared/pipelines/run-events.ts';
import { attemptPrefix, usageKey } from '../../../shared/pipelines/run-keys.ts';
import { beginItem } from '../../../shared/pipelines/settle.ts';
import { startRun } from '../../../shared/pipelines/start-run.ts';
import { readLogTail } from '../../../shared/pipelines/step-logs.ts';
import { idFrom } from '../../../shared/storage/ids.ts';
import { workspaceKey } from '../../../shared/storage/keys.ts';
import { transact } from '../../../shared/storage/transact.ts';
import { RunPlane } from './run-plane.ts';

let plane: RunPlane;
beforeAll(async () => {
  plane = await RunPlane.open();
});
afterAll(() => plane.close());

const ONCE = { maxAttempts: 1 };
const sql = (id: string, text: string, dependsOn: string[] = [], more: Partial<Step> = {}): Step => ({
  id,
  type: 'transform_sql',
  config: { sql: text },
  dependsOn,
  retry: ONCE,
  ...more,
});
const load = (id: string, from: string, config: Record<string, unknown>, more: Partial<Step> = {}): Step => ({
  id,
  type: 'load',
  config,
  dependsOn: [from],
  retry: ONCE,
  ...more,
});
const dagOf = (...steps: Step[]): Dag => ({ version: 1, steps });
const into = (name: string) => ({ kind: 'dataset', name });

const dataset = (name: string) => datasetRepository(plane.context.table).find(plane.workspaceId, name);
const place = (runId: string) => ({ workspaceId: plane.workspaceId, runId });

async function rowsOf(name: string, order: string): Promise<unknown[][]> {
  const found = (await dataset(name))!;
  const manifest = await readManifest(plane.context.table, plane.worker.objects, found);
  const engine = await openEngine({ memoryLimitMb: 500, threads: 1, tempDir: plane.worker.scratchDir });
  try {
    const paths = await Promise.all((manifest?.files ?? []).map((file) => plane.worker.cache.fetch(file)));
    await engine.attach('t', paths, { emptySchema: found.columns });
    return await engine.run(`SELECT * FROM t ORDER BY ${order}`);
  } finally {
    await engine.close();
  }
}

async function ran(dag: Dag, more: Parameters<RunPlane['run']>[1] = {}) {
  const pipeline = await plane.pipeline(dag);
  const run = await plane.run(pipeline, more);
  await plane.drain();
  const steps = await plane.steps(run.id);
  return { pipeline, run: await plane.stored(run.id), steps: new Map(steps.map((step) => [step.stepId, step])) };
}

describe('a run', () => {
  it('extracts, transforms and merges into a dataset, version by version', async () => {
    const source = await plane.fileSource({ 'orders.csv': 'id,amount\n1,10\n2,20\n3,30\n' });
    const dag = dagOf(
      { id: 'orders', type: 'extract', config: { sourceId: source, object: { path: 'orders.csv' } } },
      sql('big', 'SELECT id, amount * 2 AS doubled FROM orders WHERE amount > 10', ['orders']),
      load('keep', 'big', { target: into('orders'), mode: 'merge', mergeKey: ['id'] }),
    );
    const { pipeline, run, steps } = await ran(dag);
    expect(run).toMatchObject({ status: 'succeeded', rowsMoved: 2, error: null });
    expect([...steps.values()].map((step) => [step.stepId, step.status, step.rowsIn, step.rowsOut])).toEqual([
      ['orders', 'succeeded', 0, 3],
      ['big', 'succeeded', 3, 2],
      ['keep', 'succeeded', 2, 2],
    ]);
    await plane.putFile(source, 'orders.csv', 'id,amount\n3,31\n4,40\n');
    await plane.run(pipeline);
    await plane.drain();
    expect(await rowsOf('orders', 'id')).toEqual([
      ['2', '40'],
      ['3', '62'],
      ['4', '80'],
    ]);
    expect(await dataset('orders')).toMatchObject({ version: 2, rowCount: 3 });
    expect(plane.woken).toContain(`token-${run.id}-1`);
  });

  it('takes a whole Parquet file over without reading and writing its rows', async () => {
    const engine = await openEngine({ memoryLimitMb: 500, threads: 1, tempDir: plane.worker.scratchDir });
    const path = `${plane.worker.scratchDir}/three.parquet`;
    await engine.copyToParquet('SELECT range AS n FROM range(3)', { path });
    await engine.close();
    const source = await plane.fileSource({ 'three.parquet': readFileSync(path) });
    const { run, steps } = await ran(
      dagOf({ id: 'x', type: 'extract', config: { sourceId: source, object: { path: 'three.parquet' } } }),
    );
    expect(run.status).toBe('succeeded');
    expect(steps.get('x')!.output!.files).toMatchObject([{ key: expect.stringContaining('/part-1.parquet'), rows: 3 }]);
  });

  it('fails with the first error, skips what depended on it, lets the rest go on, and announces it', async () => {
    const { pipeline, run, steps } = await ran(
      dagOf(
        sql('bad', "SELECT CAST('no' AS INTEGER) AS x"),
        sql('after', 'SELECT * FROM bad', ['bad']),
        sql('beside', 'SELECT 1 AS x'),
      ),
    );
    expect(run).toMatchObject({ status: 'failed', error: { code: 'SQL_ERROR', stepId: 'bad' } });
    expect(steps.get('after')).toMatchObject({ status: 'skipped', skipReason: 'upstream_failed' });
    expect(steps.get('beside')).toMatchObject({ status: 'succeeded' });
    const announced = await plane.context.table.db.send(
      new GetCommand({
        TableName: 'table',
        Key: workspaceKey(plane.workspaceId, 'OUTBOX', idFrom('pipeline.run_failed', run.id, 1)),
      }),
    );
    expect(announced.Item).toMatchObject({
      event: 'pipeline.run_failed',
      data: { pipelineId: pipeline.id, runId: run.id, attempt: 1, error: { code: 'SQL_ERROR', stepId: 'bad' } },
    });
  });

  it('retries a failed attempt after its interval and keeps a log of each', async () => {
    const { run, steps } = await ran(
      dagOf(sql('bad', "SELECT CAST('no' AS INTEGER) AS x", [], { retry: { maxAttempts: 2, initialIntervalMs: 100 } })),
    );
    const step = steps.get('bad')!;
    expect(step).toMatchObject({ status: 'failed', attempt: 2, maxAttempts: 2 });
    for (const attempt of [1, 2]) {
      const tail = await readLogTail(plane.worker.objects, attemptPrefix({ ...step, runId: run.id, attempt }));
      const lines = tail!.lines.map((line) => `${line.level} ${line.message}`);
      expect(lines[0]).toContain(`info Attempt ${attempt}`);
      expect(lines.at(-1)).toContain('error Failed with SQL_ERROR');
    }
  });

  it('goes on with a failed run where it failed, and counts its attempts anew', async () => {
    const source = await plane.fileSource({});
    const dag = dagOf(
      sql('first', 'SELECT 1 AS x'),
      {
        id: 'late',
        type: 'extract',
        config: { sourceId: source, object: { path: 'late.csv' } },
        dependsOn: ['first'],
        retry: ONCE,
      },
      sql('last', 'SELECT * FROM late', ['late']),
    );
    const { run, steps } = await ran(dag);
    expect(run).toMatchObject({ status: 'failed', error: { code: 'NOT_FOUND' } });
    await plane.putFile(source, 'late.csv', 'a\n1\n');
    expect(await retryRun(plane.context, place(run.id))).toMatchObject({ status: 'queued', attempt: 2 });
    await plane.drain();
    expect(await plane.stored(run.id)).toMatchObject({ status: 'succeeded', attempt: 2, error: null });
    const after = new Map((await plane.steps(run.id)).map((step) => [step.stepId, step]));
    expect(after.get('first')).toMatchObject({ attempt: 1, finishedAt: steps.get('first')!.finishedAt });
    expect(after.get('late')).toMatchObject({ status: 'succeeded', attempt: 2 });
    await expect(retryRun(plane.context, place(run.id))).rejects.toMatchObject({ code: 'RUN_NOT_FAILED' });
  });

  it('gives each item of a block a step of its own and its rows to those after', async () => {
    const dag: Dag = {
      version: 1,
      steps: [
        sql('one', 'SELECT {{ forEach.n.item }} AS n, {{ params.tag }} AS tag'),
        sql('all', 'SELECT sum(n)::INTEGER AS total, min(tag) AS tag FROM one', ['one']),
        load('keep', 'all', { target: into('items'), mode: 'overwrite' }),
      ],
      parameters: [{ name: 'tag', type: 'string', default: 'x' }],
      forEach: [{ id: 'n', items: [1, 2, 3], steps: ['one'] }],
    };
    const { run } = await ran(dag, { parameters: { tag: "it's" } });
    expect(run.status).toBe('succeeded');
    expect(await rowsOf('items', 'total')).toEqual([[6, "it's"]]);
  });

  it('numbers its events without a gap and ends them with the end', async () => {
    const { run } = await ran(dagOf(sql('a', 'SELECT 1 AS x'), sql('b', 'SELECT * FROM a', ['a'])));
    const events = await readEvents(plane.context.table, place(run.id), 0);
    expect(events.map((event) => event.seq)).toEqual(events.map((_event, index) => index + 1));
    expect(
      events.map(({ type, data }) =>
        type === 'step.status' ? `${data.stepId} ${data.status}` : `${type} ${'status' in data ? data.status : ''}`,
      ),
    ).toEqual([
      'run.status queued',
      'run.status running',
      'a running',
      'a succeeded',
      'b running',
      'b succeeded',
      'run.status succeeded',
      'end succeeded',
    ]);
  });

  it('is billed once per attempt, to the day, the pipeline and the dataset', async () => {
    const name = 'billed';
    const { pipeline, run } = await ran(
      dagOf(sql('a', 'SELECT 1 AS x'), load('keep', 'a', { target: into(name), mode: 'append' })),
    );
    const month = run.finishedAt!.slice(0, 7);
    const part = async (sk: string) =>
      (
        await plane.context.table.db.send(
          new GetCommand({ TableName: 'table', Key: usageKey(plane.workspaceId, month, sk) }),
        )
      ).Item;
    const steps = await plane.steps(run.id);
    const seconds = steps.reduce((sum, step) => sum + step.executionSeconds, 0);
    const used = await part(`PIPELINE#${pipeline.id}`);
    expect(used).toMatchObject({ runs: 1, rows_moved: 1 });
    expect(used!.execution_seconds).toBeCloseTo(seconds, 6);
    expect(run.executionSeconds).toBeCloseTo(seconds, 2);
    expect(await part(`SINK#dataset#${(await dataset(name))!.id}`)).toMatchObject({ rows_moved: 1 });
  });
});

describe('a load', () => {
  const values = (rows: string) => sql('rows', `SELECT * FROM (VALUES ${rows}) AS v(id, day, name)`);

  it.each([
    ['a key that repeats', "(1, 1, 'a'), (1, 2, 'b')", 'repeat a merge key'],
    ['a key without a value', "(NULL, 1, 'a'), (1, 2, 'b')", 'no value in the merge key'],
  ])('refuses %s', async (_title, rows, message) => {
    const { run } = await ran(
      dagOf(values(rows), load('keep', 'rows', { target: into('keyed'), mode: 'merge', mergeKey: ['id'] })),
    );
    expect(run).toMatchObject({ status: 'failed', error: { code: 'SCHEMA_MISMATCH' } });
    expect(run.error!.message).toContain(message);
    expect(await dataset('keyed')).toBeUndefined();
  });

  it('takes the first row in the given order where a key repeats', async () => {
    const mode = { mode: 'merge', mergeKey: ['id'], dedupeOrderBy: [{ column: 'day', direction: 'desc' }] };
    const { run } = await ran(
      dagOf(
        values("(1, 1, 'a'), (1, 2, 'b'), (2, 1, 'c')"),
        load('keep', 'rows', { target: into('deduped'), ...mode }),
      ),
    );
    expect(run).toMatchObject({ status: 'succeeded', rowsMoved: 2 });
    expect(await rowsOf('deduped', 'id')).toEqual([
      [1, 2, 'b'],
      [2, 1, 'c'],
    ]);
  });

  it('prepares a merge again when another one was faster', async () => {
    const merge = (id: number) =>
      dagOf(
        sql('rows', `SELECT ${id} AS id, 'x' AS name UNION ALL SELECT ${id}, 'y'`),
        load('keep', 'rows', {
          target: into('met'),
          mode: 'merge',
          mergeKey: ['id'],
          dedupeOrderBy: [{ column: 'name' }],
        }),
      );
    await ran(merge(0));
    const ids = [1, 2, 3, 4];
    for (const id of ids) await plane.run(await plane.pipeline(merge(id)));
    await Promise.all(ids.map(() => plane.drain()));
    expect(await rowsOf('met', 'id')).toEqual([0, ...ids].map((id) => [id, 'x']));
    expect(await dataset('met')).toMatchObject({ version: 5, rowCount: 5 });
  });

  it('appends with new columns, overwrites, and refuses another type', async () => {
    const step = (text: string, mode: string) =>
      dagOf(sql('rows', text), load('keep', 'rows', { target: into('grown'), mode }));
    await ran(step('SELECT 1 AS a', 'append'));
    await ran(step("SELECT 2 AS a, 'x' AS b", 'append'));
    expect(await rowsOf('grown', 'a')).toEqual([
      [1, null],
      [2, 'x'],
    ]);
    const { run } = await ran(step("SELECT 'three' AS a", 'append'));
    expect(run).toMatchObject({ status: 'failed', error: { code: 'SCHEMA_MISMATCH' } });
    await ran(step("SELECT 'three' AS a", 'overwrite'));
    expect(await rowsOf('grown', 'a')).toEqual([['three']]);
  });

  it('moves the storage meter with the data', async () => {
    const before = (await readStorageUsage(plane.context.table, plane.workspaceId))?.bytes ?? 0;
    await ran(dagOf(sql('rows', 'SELECT 1 AS a'), load('keep', 'rows', { target: into('metered'), mode: 'append' })));
    const { sizeBytes } = (await dataset('metered'))!;
    const after = (await readStorageUsage(plane.context.table, plane.workspaceId))!;
    expect(sizeBytes).toBeGreaterThan(0);
    expect(after.bytes).toBe(before + sizeBytes);
    expect(after.peakBytes).toBeGreaterThanOrEqual(after.bytes);
  });

  it('moves the watermark of an incremental extract, and only when it commits', async () => {
    const source = await plane.fileSource({ 'log.csv': 'id,day\n1,2026-01-01\n2,2026-01-02\n' });
    const extract = {
      sourceId: source,
      object: { path: 'log.csv' },
      mode: 'incremental',
      incremental: { cursorColumn: 'day' },
    };
    const target = { target: into('log'), mode: 'append' };
    const extracts: Step = { id: 'log', type: 'extract', config: extract, retry: ONCE };
    const failing = sql('check', "SELECT CAST('no' AS INTEGER) AS x FROM log", ['log']);
    const { run } = await ran(dagOf(extracts, failing, load('keep', 'check', target)));
    expect(run.status).toBe('failed');

    const pipeline = await plane.pipeline(dagOf(extracts, load('keep', 'log', target)));
    const again = async () => {
      const next = await plane.run(pipeline);
      await plane.drain();
      return plane.stored(next.id);
    };
    expect(await again()).toMatchObject({ status: 'succeeded', rowsMoved: 2 });
    await plane.putFile(source, 'log.csv', 'id,day\n1,2026-01-01\n2,2026-01-02\n3,2026-01-02\n4,2026-01-03\n');
    expect(await again()).toMatchObject({ status: 'succeeded', rowsMoved: 2 });
    expect(await again()).toMatchObject({ status: 'succeeded', rowsMoved: 0 });
    expect((await rowsOf('log', 'id')).map(([id]) => id)).toEqual(['1', '2', '3', '4']);
  });
});

describe('overlapping runs', () => {
  const quick = () => dagOf(sql('a', 'SELECT 1 AS x'));

  it('are refused, queue up in order, or replace each other', async () => {
    const skip = await plane.pipeline(quick());
    await plane.run(skip);
    await expect(plane.run(skip)).rejects.toMatchObject({ code: 'RUN_OVERLAP' });

    const queue = await plane.pipeline(quick(), { onOverlap: 'queue' });
    const runs = [await plane.run(queue), await plane.run(queue), await plane.run(queue)];
    await plane.drain();
    const ends = await Promise.all(runs.map(async (run) => plane.stored(run.id)));
    expect(ends.map((run) => run.status)).toEqual(['succeeded', 'succeeded', 'succeeded']);
    expect(ends.map((run) => run.finishedAt)).toEqual(ends.map((run) => run.finishedAt).toSorted());

    const replace = await plane.pipeline(quick(), { onOverlap: 'cancel_previous' });
    const first = await plane.run(replace);
    const second = await plane.run(replace);
    await plane.drain();
    expect(await plane.stored(first.id)).toMatchObject({ status: 'cancelled', cancelReason: 'superseded' });
    expect(await plane.stored(second.id)).toMatchObject({ status: 'succeeded' });
  });

  it('leave nothing behind when the execution plane does not take the run', async () => {
    const pipeline = await plane.pipeline(quick());
    plane.refuses = true;
    const runId = '01999999-0000-7000-8000-00000000000a';
    await expect(plane.run(pipeline, { runId })).rejects.toMatchObject({ code: 'WORKER_UNAVAILABLE' });
    plane.refuses = false;
    expect(await plane.stored(runId)).toBeUndefined();
    expect(await readAdmission(plane.context.table, plane.workspaceId, pipeline.id)).toMatchObject({
      running: [],
      latestRunId: null,
    });
    await plane.run(pipeline);
    await plane.drain();
  });

  it('start once for an occasion that is reported twice', async () => {
    const pipeline = await plane.pipeline(quick(), { maxConcurrentRuns: 5 });
    const occasion = { name: 'schedule#2026-01-01T00:00:00.000Z', keptSeconds: 60 };
    const first = await plane.run(pipeline, { occasion });
    const second = await plane.run(pipeline, { occasion });
    expect(second.id).toBe(first.id);
    await plane.drain();
  });
});

describe('cancelling', () => {
  it('ends a run at once that no worker has in hand', async () => {
    const pipeline = await plane.pipeline(dagOf(sql('a', 'SELECT 1 AS x'), sql('b', 'SELECT * FROM a', ['a'])));
    const run = await plane.run(pipeline);
    // Started, but its first step lies untouched.
    await startRun(plane.context, { ...place(run.id), epoch: 1 }, 'token');
    expect(await cancelRun(plane.context, place(run.id), 'requested')).toMatchObject({
      status: 'cancelled',
      cancelReason: 'requested',
    });
    expect((await plane.steps(run.id)).map((step) => step.status)).toEqual(['cancelled', 'cancelled']);
    await expect(cancelRun(plane.context, place(run.id), 'requested')).rejects.toMatchObject({
      code: 'RUN_NOT_ACTIVE',
    });
    await plane.drain();
    expect((await plane.steps(run.id)).map((step) => step.attempt)).toEqual([0, 0]);
  });

  it('fences a worker that does not stop, and ends without it', async () => {
    const pipeline = await plane.pipeline(dagOf(sql('a', 'SELECT 1 AS x'), sql('b', 'SELECT * FROM a', ['a'])));
    const run = await plane.run(pipeline);
    plane.jobs.splice(0);
    const job = { ...place(run.id), epoch: 1 };
    await startRun(plane.context, job, 'token');
    plane.jobs.splice(0);
    const begin = beginItem(
      plane.context.table,
      { ...job, index: 0 },
      { states: ['ready'], attempt: 0 },
      { holder: 'zombie', at: new Date() },
    );
    await transact(plane.context.table, [begin]);
    expect(await cancelRun(plane.context, place(run.id), 'requested')).toMatchObject({ status: 'running' });
    await forceCancel(plane.context, place(run.id));
    expect(await plane.stored(run.id)).toMatchObject({ status: 'cancelled' });
    expect((await plane.steps(run.id)).map((step) => step.status)).toEqual(['cancelled', 'cancelled']);
  });
});

describe('the reconciler', () => {
  it('gives a step to another worker when its own is gone', async () => {
    const pipeline = await plane.pipeline(
      dagOf(sql('a', 'SELECT 1 AS x', [], { retry: { maxAttempts: 2, initialIntervalMs: 100 } })),
    );
    const run = await plane.run(pipeline);
    const job = { ...place(run.id), epoch: 1 };
    plane.jobs.splice(0);
    await startRun(plane.context, job, 'token');
    plane.jobs.splice(0);
    const begin = beginItem(
      plane.context.table,
      { ...job, index: 0 },
      { states: ['ready'], attempt: 0 },
      { holder: 'dead', at: new Date() },
    );
    await transact(plane.context.table, [begin]);
    plane.aheadMs += 120_000;
    await repairRun(plane.context, place(run.id));
    await plane.drain();
    expect(await plane.stored(run.id)).toMatchObject({ status: 'succeeded' });
    expect(await plane.steps(run.id)).toMatchObject([{ status: 'succeeded', attempt: 2 }]);
  });
});
