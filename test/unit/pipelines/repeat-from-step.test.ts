import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Dag, Step } from '../../../shared/domains/pipelines/definition/dag.ts';
import { cancelRun } from '../../../shared/domains/pipelines/runs/cancel-run.ts';
import { repairRun } from '../../../shared/domains/pipelines/runs/repair-run.ts';
import { retryRun } from '../../../shared/domains/pipelines/runs/retry-run.ts';
import { runKey, stepKey } from '../../../shared/domains/pipelines/store/run-keys.ts';
import { MAX_RUN_MS } from '../../../shared/domains/pipelines/store/run-record.ts';
import { readWatermark } from '../../../shared/domains/pipelines/store/watermarks.ts';
import { updateOf } from '../../../shared/platform/storage/update.ts';
import { into, load, ONCE } from './run-dags.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());

const sql = (id: string, text: string, dependsOn: string[] = []): Step => ({
  id,
  type: 'transform_sql',
  config: { sql: text },
  dependsOn,
  retry: ONCE,
});

let names = 0;
const freshName = () => `target ${++names}`;

async function ended(steps: Step[]) {
  const pipeline = await setup.pipeline({ version: 1, steps } as Dag);
  const { id } = await setup.run(pipeline);
  await setup.drain();
  return { pipeline, id };
}

async function repeat(runId: string, fromStep: string) {
  await retryRun(setup.context, { ...setup.place(runId), fromStep });
  await setup.drain();
  const steps = await setup.steps(runId);
  return {
    run: await setup.stored(runId),
    attempts: Object.fromEntries(steps.map((step) => [step.stepId, step.attempt])),
  };
}

const chain = (target: string): Step[] => [
  sql('rows', 'SELECT 1 AS id, 0.1 AS v'),
  sql('mid', 'SELECT id, v FROM input', ['rows']),
  load('keep', 'mid', { target: into(target), mode: 'overwrite' }),
  sql('side', 'SELECT 1 AS x'),
];

describe('a run that is repeated from a step on', () => {
  it('repeats that step and those after it with the stored rows of the others, after any end', async () => {
    const target = freshName();
    const { id } = await ended(chain(target));
    const before = await setup.rows(target);
    // Another pipeline overwrites the dataset.
    await ended([
      sql('rows', 'SELECT 9 AS id, 0.5 AS v'),
      load('keep', 'rows', { target: into(target), mode: 'overwrite' }),
    ]);
    expect(await setup.rows(target)).not.toEqual(before);
    const { run, attempts } = await repeat(id, 'mid');
    expect(run).toMatchObject({ status: 'succeeded', attempt: 2 });
    expect(attempts).toEqual({ rows: 1, mid: 2, keep: 2, side: 1 });
    expect(await setup.rows(target)).toEqual(before);
    expect((await repeat(id, 'keep')).attempts).toEqual({ rows: 1, mid: 2, keep: 3, side: 1 });
  });

  it('repeats also what had succeeded before a failure, and goes on after a cancel', async () => {
    const failing = await ended([
      ...chain(freshName()).slice(0, 2),
      sql('bad', "SELECT CAST('x' AS INTEGER) AS n", ['mid']),
    ]);
    expect((await setup.stored(failing.id)).status).toBe('failed');
    expect((await repeat(failing.id, 'mid')).attempts).toEqual({ rows: 1, mid: 2, bad: 2 });
    const pipeline = await setup.pipeline({ version: 1, steps: chain(freshName()) } as Dag);
    const { id } = await setup.run(pipeline);
    await cancelRun(setup.context, setup.place(id), 'requested');
    setup.jobs.splice(0);
    const { run, attempts } = await repeat(id, 'side');
    expect(run).toMatchObject({ status: 'succeeded', cancelReason: null });
    expect(attempts).toEqual({ rows: 1, mid: 1, keep: 1, side: 1 });
  });

  it('has a day of its own, however old the run is', async () => {
    const { id } = await ended(chain(freshName()));
    const aheadMs = setup.aheadMs;
    setup.aheadMs += 3 * MAX_RUN_MS;
    await repeat(id, 'keep');
    // As if a worker were still at it.
    const running = updateOf(setup.context.table, runKey(setup.workspaceId, id), { set: { status: 'running' } });
    await setup.context.table.db.send(new UpdateCommand(running));
    await repairRun(setup.context, setup.place(id));
    expect(await setup.stored(id)).toMatchObject({ cancelReason: null });
    await setup.context.table.db.send(new UpdateCommand(running));
    setup.aheadMs += MAX_RUN_MS + 1000;
    await repairRun(setup.context, setup.place(id));
    expect(await setup.stored(id)).toMatchObject({ cancelReason: 'time_limit' });
    setup.aheadMs = aheadMs;
  });

  it('is still repeated from the step by a retry after an attempt that never started', async () => {
    const { id } = await ended(chain(freshName()));
    const aheadMs = setup.aheadMs;
    await retryRun(setup.context, { ...setup.place(id), fromStep: 'keep' });
    setup.jobs.length = 0;
    setup.refuses = true;
    setup.aheadMs += 61_000;
    await expect(repairRun(setup.context, setup.place(id))).rejects.toThrow('does not answer');
    setup.aheadMs += 2 * MAX_RUN_MS;
    await repairRun(setup.context, setup.place(id)).finally(() => {
      setup.refuses = false;
    });
    expect(await setup.stored(id)).toMatchObject({ status: 'failed', error: { code: 'WORKER_UNAVAILABLE' } });
    await retryRun(setup.context, setup.place(id));
    await setup.drain();
    const attempts = Object.fromEntries((await setup.steps(id)).map((step) => [step.stepId, step.attempt]));
    expect(attempts).toMatchObject({ rows: 1, mid: 1, keep: 2 });
    setup.aheadMs = aheadMs;
  });

  it('is rejected before a load that may have appended, whatever its end', async () => {
    const failing = await ended([
      sql('rows', 'SELECT 1 AS id'),
      load('keep', 'rows', { target: into(freshName()), mode: 'append' }),
    ]);
    const [, keep] = await setup.steps(failing.id);
    // As if the answer of the target had been lost on the last try.
    const lost = { set: { status: 'failed', error: { code: 'CONNECTION_FAILED', message: 'lost' } } };
    const update = updateOf(setup.context.table, stepKey(setup.workspaceId, failing.id, keep!.index), lost);
    await setup.context.table.db.send(new UpdateCommand(update));
    await expect(repeat(failing.id, 'rows')).rejects.toMatchObject({ code: 'LOAD_NOT_REPEATABLE' });
  });

  it('is rejected for unknown steps, active runs, appended rows and expired outputs', async () => {
    const { id } = await ended(chain(freshName()));
    await expect(repeat(id, 'mit')).rejects.toMatchObject({ code: 'RUN_STEP_UNKNOWN' });
    const appended = await ended([
      sql('rows', 'SELECT 1 AS id'),
      load('keep', 'rows', { target: into(freshName()), mode: 'append' }),
    ]);
    await expect(repeat(appended.id, 'rows')).rejects.toMatchObject({ code: 'LOAD_NOT_REPEATABLE' });
    const active = await setup.run(await setup.pipeline({ version: 1, steps: chain(freshName()) } as Dag));
    await expect(repeat(active.id, 'rows')).rejects.toMatchObject({ code: 'RUN_NOT_ENDED' });
    await setup.drain();
    const aheadMs = setup.aheadMs;
    setup.aheadMs += 31 * 24 * 60 * 60 * 1000;
    await expect(repeat(id, 'keep')).rejects.toMatchObject({ code: 'RUN_EXPIRED' });
    setup.aheadMs = aheadMs;
  });

  it('loads incremental rows again while no other run has loaded later ones, and moves the watermark once', async () => {
    const target = freshName();
    const sourceId = await setup.fileSource({ 'a.csv': 'id,at\n1,2026-01-01\n2,2026-01-02\n' });
    const steps: Step[] = [
      {
        id: 'read',
        type: 'extract',
        config: { sourceId, object: { path: 'a.csv' }, mode: 'incremental', incremental: { cursorColumn: 'at' } },
        retry: ONCE,
      },
      load('keep', 'read', { target: into(target), mode: 'merge', mergeKey: ['id'] }),
    ];
    const { pipeline, id } = await ended(steps);
    const place = { workspaceId: setup.workspaceId, pipelineId: pipeline.id, stepId: 'read', itemIndex: null };
    const before = await readWatermark(setup.context.table, place);
    expect((await repeat(id, 'keep')).run).toMatchObject({ status: 'succeeded', rowsMoved: 2 });
    expect(await readWatermark(setup.context.table, place)).toEqual(before);
    expect(await setup.rows(target, 'id')).toHaveLength(2);

    await setup.putFile(sourceId, 'a.csv', 'id,at\n1,2026-01-01\n2,2026-01-02\n3,2026-01-03\n');
    const later = await setup.run(pipeline);
    await setup.drain();
    expect((await setup.stored(later.id)).status).toBe('succeeded');
    expect((await repeat(id, 'keep')).run).toMatchObject({ status: 'failed', error: { code: 'OVERTAKEN' } });
    expect((await repeat(id, 'read')).run.status).toBe('succeeded');
    expect(await setup.rows(target, 'id')).toHaveLength(3);
  });
});
