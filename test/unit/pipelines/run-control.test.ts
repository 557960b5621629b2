import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAdmission } from '../../../shared/pipelines/admission.ts';
import { cancelRun, forceCancel } from '../../../shared/pipelines/cancel-run.ts';
import { repairRun } from '../../../shared/pipelines/repair-run.ts';
import { beginItem } from '../../../shared/pipelines/settle.ts';
import { startRun } from '../../../shared/pipelines/start-run.ts';
import { transact } from '../../../shared/storage/transact.ts';
import { dagOf, sql } from './run-dags.ts';
import { RunPlane } from './run-plane.ts';

let plane: RunPlane;
beforeAll(async () => {
  plane = await RunPlane.open();
});
afterAll(() => plane.close());

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
    await startRun(plane.context, { ...plane.place(run.id), epoch: 1 }, 'token');
    expect(await cancelRun(plane.context, plane.place(run.id), 'requested')).toMatchObject({
      status: 'cancelled',
      cancelReason: 'requested',
    });
    expect((await plane.steps(run.id)).map((step) => step.status)).toEqual(['cancelled', 'cancelled']);
    await expect(cancelRun(plane.context, plane.place(run.id), 'requested')).rejects.toMatchObject({
      code: 'RUN_NOT_ACTIVE',
    });
    await plane.drain();
    expect((await plane.steps(run.id)).map((step) => step.attempt)).toEqual([0, 0]);
  });

  it('fences a worker that does not stop, and ends without it', async () => {
    const pipeline = await plane.pipeline(dagOf(sql('a', 'SELECT 1 AS x'), sql('b', 'SELECT * FROM a', ['a'])));
    const run = await plane.run(pipeline);
    plane.jobs.splice(0);
    const job = { ...plane.place(run.id), epoch: 1 };
    await startRun(plane.context, job, 'token');
    plane.jobs.splice(0);
    const begin = beginItem(
      plane.context.table,
      { ...job, index: 0 },
      { states: ['ready'], attempt: 0 },
      { holder: 'zombie', at: new Date() },
    );
    await transact(plane.context.table, [begin]);
    expect(await cancelRun(plane.context, plane.place(run.id), 'requested')).toMatchObject({ status: 'running' });
    await forceCancel(plane.context, plane.place(run.id));
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
    const job = { ...plane.place(run.id), epoch: 1 };
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
    await repairRun(plane.context, plane.place(run.id));
    await plane.drain();
    expect(await plane.stored(run.id)).toMatchObject({ status: 'succeeded' });
    expect(await plane.steps(run.id)).toMatchObject([{ status: 'succeeded', attempt: 2 }]);
  });
});
