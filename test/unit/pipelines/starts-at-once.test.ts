import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeRun } from '../../../functions/pipelines/workers/run-lifecycle/close-run.ts';
import { cancelRun } from '../../../shared/domains/pipelines/runs/cancel-run.ts';
import { repairRun } from '../../../shared/domains/pipelines/runs/repair-run.ts';
import { retryRun } from '../../../shared/domains/pipelines/runs/retry-run.ts';
import { startRun } from '../../../shared/domains/pipelines/runs/start-run.ts';
import { readMonth } from '../../../shared/domains/pipelines/store/read-usage.ts';
import { readEvents } from '../../../shared/domains/pipelines/store/run-events.ts';
import { queuedKey } from '../../../shared/domains/pipelines/store/run-keys.ts';
import type { StoredRun } from '../../../shared/domains/pipelines/store/run-record.ts';
import { queryItems } from '../../../shared/platform/storage/query-items.ts';
import { dagOf, sql } from './run-dags.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());

const ONE = dagOf(sql('a', 'SELECT 1 AS x'));

/** The runs of the workspace that are stored as queued. */
async function queuedRuns(): Promise<string[]> {
  const { pk } = queuedKey({ workspaceId: setup.workspaceId, id: '', createdAt: '' });
  const items = queryItems(setup.context.table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
  });
  return Array.fromAsync(items, ({ runId }) => runId as string);
}

const statusesOf = async ({ id }: StoredRun) =>
  (await readEvents(setup.context.table, setup.place(id), 0)).flatMap(({ seq, type, data }) =>
    type === 'run.status' ? [[seq, data.status]] : [],
  );

const runsCounted = async () => {
  const month = setup.context.now().toISOString().slice(0, 7);
  return (await readMonth(setup.context.table, setup.workspaceId, month)).runs;
};

describe('a run that has a slot when it is created', () => {
  it('is not stored as queued, and its events are complete once it starts', async () => {
    const run = await setup.run(await setup.pipeline(ONE));
    expect(await queuedRuns()).toEqual([]);
    expect(await statusesOf(run)).toEqual([]);
    await setup.drain();
    expect(await statusesOf(run)).toEqual([
      [1, 'queued'],
      [2, 'running'],
      [5, 'succeeded'],
    ]);
    expect(await setup.stored(run.id)).not.toHaveProperty('startsAtOnce');
  });

  it('is stored as queued if it has no machine after a minute, until it starts', async () => {
    const run = await setup.run(await setup.pipeline(ONE));
    setup.jobs.splice(0);
    for (const _minute of [1, 2]) {
      setup.aheadMs += 61_000;
      await repairRun(setup.context, setup.place(run.id));
      expect(await queuedRuns()).toEqual([run.id]);
      expect(await statusesOf(run)).toEqual([[1, 'queued']]);
    }
    await setup.drain();
    expect(await queuedRuns()).toEqual([]);
    expect((await statusesOf(run)).map(([, status]) => status)).toEqual(['queued', 'running', 'succeeded']);
  });

  it('leaves nothing behind if it is cancelled before it starts, and does not count', async () => {
    const counted = await runsCounted();
    const run = await setup.run(await setup.pipeline(ONE));
    await cancelRun(setup.context, setup.place(run.id), 'requested');
    await setup.drain();
    expect(await setup.stored(run.id)).toMatchObject({ status: 'cancelled', startedAt: null });
    expect(await statusesOf(run)).toEqual([[1, 'cancelled']]);
    expect(await queuedRuns()).toEqual([]);
    expect(await runsCounted()).toBe(counted);
  });

  it('is stored as queued if it has to wait, until it starts or is cancelled', async () => {
    const pipeline = await setup.pipeline(ONE, { onOverlap: 'queue' });
    const [, second, third] = [await setup.run(pipeline), await setup.run(pipeline), await setup.run(pipeline)];
    expect(await queuedRuns()).toEqual([second.id, third.id]);
    expect(await statusesOf(second)).toEqual([[1, 'queued']]);
    await cancelRun(setup.context, setup.place(third.id), 'requested');
    expect(await queuedRuns()).toEqual([second.id]);
    await setup.drain();
    expect(await setup.stored(second.id)).toMatchObject({ status: 'succeeded' });
    expect(await queuedRuns()).toEqual([]);
  });
});

describe('the start of a run', () => {
  it('succeeds although the minute tick repairs the run at the same moment', async () => {
    const run = await setup.run(await setup.pipeline(ONE));
    setup.jobs.splice(0);
    let isFound = false;
    const { db } = setup.context.table;
    db.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          if (commandName === 'TransactWriteItemsCommand' && !isFound) {
            isFound = true;
            setup.refuses = true;
            await expect(repairRun(setup.context, setup.place(run.id))).rejects.toThrow();
            setup.refuses = false;
          }
          return next(args);
        },
      { step: 'initialize', name: 'meanwhile' },
    );
    await startRun(setup.context, { ...setup.place(run.id), epoch: 1 });
    db.middlewareStack.remove('meanwhile');
    expect(await setup.stored(run.id)).not.toHaveProperty('startsAtOnce');
    expect(await statusesOf(run)).toEqual([
      [1, 'queued'],
      [2, 'running'],
    ]);
    expect(await queuedRuns()).toEqual([]);
    await setup.drain();
    expect(await setup.stored(run.id)).toMatchObject({ status: 'succeeded' });
  });
});

describe('a run that has started', () => {
  it('counts once, when it ends, however it ends and however often it is retried', async () => {
    const counted = await runsCounted();
    const failing = await setup.run(await setup.pipeline(dagOf(sql('a', 'SELECT nothing'))));
    expect(await runsCounted()).toBe(counted);
    await setup.drain();
    expect(await runsCounted()).toBe(counted + 1);
    await retryRun(setup.context, setup.place(failing.id));
    await setup.drain();
    expect(await setup.stored(failing.id)).toMatchObject({ status: 'failed', attempt: 2 });
    await setup.run(await setup.pipeline(ONE));
    await setup.drain();
    expect(await runsCounted()).toBe(counted + 2);
  });

  it('counts although its first attempt never started', async () => {
    const counted = await runsCounted();
    const run = await setup.run(await setup.pipeline(ONE));
    setup.jobs.splice(0);
    await closeRun(setup.context, { ...setup.place(run.id), epoch: 1 });
    expect(await setup.stored(run.id)).toMatchObject({ status: 'failed', startedAt: null });
    await retryRun(setup.context, setup.place(run.id));
    await setup.drain();
    expect(await setup.stored(run.id)).toMatchObject({ status: 'succeeded', attempt: 2 });
    expect(await runsCounted()).toBe(counted + 1);
  });
});
