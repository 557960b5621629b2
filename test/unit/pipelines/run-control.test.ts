import { isDeepStrictEqual } from 'node:util';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeCrashReport } from '../../../functions/pipelines/workers/run-step/crash-report.ts';
import { execute } from '../../../functions/pipelines/workers/run-step/execute.ts';
import { recover } from '../../../functions/pipelines/workers/run-step/recover.ts';
import { DEFAULT_COMPUTE } from '../../../shared/domains/pipelines/definition/compute.ts';
import { readAdmission } from '../../../shared/domains/pipelines/runs/admission.ts';
import { cancelRun, forceCancel } from '../../../shared/domains/pipelines/runs/cancel-run.ts';
import { repairRun } from '../../../shared/domains/pipelines/runs/repair-run.ts';
import { retryRun } from '../../../shared/domains/pipelines/runs/retry-run.ts';
import { startRun } from '../../../shared/domains/pipelines/runs/start-run.ts';
import { beginItem } from '../../../shared/domains/pipelines/runs/step-items.ts';
import type { StoredPipeline } from '../../../shared/domains/pipelines/store/pipeline-record.ts';
import { admissionKey } from '../../../shared/domains/pipelines/store/run-keys.ts';
import type { RunContext } from '../../../shared/domains/pipelines/store/run-store.ts';
import { readTriggers } from '../../../shared/domains/pipelines/store/trigger-records.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import { transact } from '../../../shared/platform/storage/transact.ts';
import { updateOf } from '../../../shared/platform/storage/update.ts';
import { asProcess, Crashed } from '../../support/crash.ts';
import { reportedEvents } from './reported-events.ts';
import { dagOf, sql } from './run-dags.ts';
import { RunSetup } from './run-setup.ts';

/** What the service says of a worker that was killed. */
const KILLED = { compute: DEFAULT_COMPUTE, crash: { Error: 'Runtime.ExitError', Cause: 'signal: killed' } };

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());

/** Starts a run whose first step is begun by a worker that is never heard of again. */
async function begunElsewhere(runId: string): Promise<void> {
  setup.jobs.splice(0);
  const job = { ...setup.place(runId), epoch: 1 };
  await startRun(setup.context, job);
  setup.jobs.splice(0);
  const begin = beginItem(
    setup.context.table,
    { ...job, index: 0 },
    { states: ['ready'], attempt: 0 },
    { holder: 'gone', at: setup.context.now() },
  );
  await transact(setup.context.table, [begin]);
}

/** A context in which another writer changes the slots of a pipeline after each read of them. */
function amidOthers({ id }: StoredPipeline): RunContext {
  const { table } = setup.context;
  const Key = admissionKey(setup.workspaceId, id);
  const send = async (command: GetCommand) => {
    const reply = await table.db.send(command);
    if (command instanceof GetCommand && isDeepStrictEqual(command.input.Key, Key)) {
      await table.db.send(new UpdateCommand(updateOf(table, Key, { add: { version: 1 } })));
    }
    return reply;
  };
  return { ...setup.context, table: { ...table, db: { send } as unknown as RunContext['table']['db'] } };
}

describe('overlapping runs', () => {
  const quick = () => dagOf(sql('a', 'SELECT 1 AS x'));

  it('are refused, queue up in order, or replace each other', async () => {
    const skip = await setup.pipeline(quick());
    await setup.run(skip);
    await expect(setup.run(skip)).rejects.toMatchObject({ code: 'RUN_OVERLAP' });

    const queue = await setup.pipeline(quick(), { onOverlap: 'queue' });
    const runs = [await setup.run(queue), await setup.run(queue), await setup.run(queue)];
    await setup.drain();
    const ends = await Promise.all(runs.map(async (run) => setup.stored(run.id)));
    expect(ends.map((run) => run.status)).toEqual(['succeeded', 'succeeded', 'succeeded']);
    expect(ends.map((run) => run.finishedAt)).toEqual(ends.map((run) => run.finishedAt).toSorted());

    const replace = await setup.pipeline(quick(), { onOverlap: 'cancel_previous' });
    const first = await setup.run(replace);
    const second = await setup.run(replace);
    await setup.drain();
    expect(await setup.stored(first.id)).toMatchObject({ status: 'cancelled', cancelReason: 'superseded' });
    expect(await setup.stored(second.id)).toMatchObject({ status: 'succeeded' });
  });

  it('leave nothing behind when the execution setup does not take the run', async () => {
    const pipeline = await setup.pipeline(quick());
    setup.refuses = true;
    const runId = '01999999-0000-7000-8000-00000000000a';
    const trigger = { kind: 'webhook', scheduledAt: null, upstreamRunId: null, actor: null } as const;
    await expect(setup.run(pipeline, { runId, trigger })).rejects.toMatchObject({ code: 'WORKER_UNAVAILABLE' });
    setup.refuses = false;
    expect(await setup.stored(runId)).toBeUndefined();
    expect(await readAdmission(setup.context.table, setup.workspaceId, pipeline.id)).toMatchObject({
      running: [],
      latestRunId: null,
    });
    expect(await readTriggers(setup.context.table, { ...pipeline, pipelineId: pipeline.id }, 10)).toEqual([]);
    await setup.run(pipeline);
    await setup.drain();
  });

  it('start once for an occasion that is reported twice', async () => {
    const pipeline = await setup.pipeline(quick(), { maxConcurrentRuns: 5 });
    const occasion = { name: 'schedule#2026-01-01T00:00:00.000Z', retentionSeconds: 60 };
    const first = await setup.run(pipeline, { occasion });
    const second = await setup.run(pipeline, { occasion });
    expect(second.id).toBe(first.id);
    await setup.drain();
  });
});

describe('runs that replace each other', () => {
  it('cancel the oldest that is at work, wait for its slot, and give way to the next', async () => {
    const policy = { maxConcurrentRuns: 2, onOverlap: 'cancel_previous' } as const;
    const pipeline = await setup.pipeline(dagOf(sql('a', 'SELECT 1 AS x')), policy);
    const [oldest, other] = [await setup.run(pipeline), await setup.run(pipeline)];
    for (const run of [oldest, other]) await begunElsewhere(run.id);
    const superseded = await setup.run(pipeline);
    const latest = await setup.run(pipeline);
    expect(setup.jobs).toEqual([]);
    const flags = async () =>
      (await Promise.all([oldest, other, superseded, latest].map(({ id }) => setup.stored(id)))).map(
        ({ status, cancelReason }) => `${status} ${cancelReason}`,
      );
    expect(await flags()).toEqual(['running superseded', 'running null', 'cancelled superseded', 'queued null']);

    await forceCancel(setup.context, setup.place(oldest.id));
    expect(setup.jobs).toMatchObject([{ kind: 'run', job: { runId: latest.id } }]);
    await setup.drain();
    expect(await flags()).toEqual(['cancelled superseded', 'running null', 'cancelled superseded', 'succeeded null']);
    await cancelRun(setup.context, setup.place(other.id), 'requested');
    await forceCancel(setup.context, setup.place(other.id));
  });

  const replacing = { onOverlap: 'cancel_previous' } as const;
  /** One that is at work and one that waits for it to stop. */
  async function twoOf(pipeline: StoredPipeline) {
    const atWork = await setup.run(pipeline);
    await begunElsewhere(atWork.id);
    return { atWork, waits: await setup.run(pipeline) };
  }
  /** The tick checks the runs, and the steps that it starts are executed. */
  async function minutes(count: number, runIds: readonly string[]): Promise<void> {
    for (let minute = 0; minute < count; minute++) {
      setup.aheadMs += 61_000;
      for (const runId of runIds) await repairRun(setup.context, setup.place(runId));
      await setup.drain();
    }
  }

  it('give way to one that is retried, too', async () => {
    const pipeline = await setup.pipeline(dagOf(sql('a', 'SELECT nothing')), replacing);
    const failed = await setup.run(pipeline);
    await setup.drain();
    const { atWork, waits } = await twoOf(pipeline);
    const retried = await retryRun(setup.context, setup.place(failed.id));
    expect(retried).toMatchObject({ status: 'queued', attempt: 2 });
    expect(await setup.stored(waits.id)).toMatchObject({ status: 'cancelled', cancelReason: 'superseded' });
    expect(await setup.stored(atWork.id)).toMatchObject({ status: 'running', cancelReason: 'superseded' });
    await forceCancel(setup.context, setup.place(atWork.id));
    await setup.drain();
    expect(await setup.stored(failed.id)).toMatchObject({ status: 'failed', attempt: 2 });
    expect(await readAdmission(setup.context.table, setup.workspaceId, pipeline.id)).toMatchObject({
      running: [],
      waiting: [],
    });
  });

  it.each([
    ['and no other run waits', 'none'],
    ['and one waits', 'waits'],
    ['and the waiting run is cancelled', 'cancelled'],
  ])('do so although the function that starts the next one crashes at any write, %s', async (_title, before) => {
    let deaths = 0;
    for (let write = 1; write <= deaths + 1; write++) {
      const pipeline = await setup.pipeline(dagOf(sql('a', 'SELECT 1 AS x')), replacing);
      const replaced = [await setup.run(pipeline)];
      await begunElsewhere(replaced[0]!.id);
      if (before !== 'none') replaced.push(await setup.run(pipeline));
      const occasion = { name: `schedule#${write}`, retentionSeconds: 3600 };
      const start = (runId: string) => asProcess(() => setup.run(pipeline, { runId, occasion }));
      let writes = 0;
      setup.crash = () => (++writes === write ? 'after' : undefined);
      const died = await start(newId()).then(
        () => false,
        (error: unknown) => error instanceof Crashed,
      );
      setup.crash = () => undefined;
      if (died) deaths = write;
      const last = setup.place(replaced.at(-1)!.id);
      if (before === 'cancelled') await cancelRun(setup.context, last, 'requested').catch(() => undefined);
      const latest = await start(newId());
      const runs = [...replaced, latest];
      await repairRun(setup.context, setup.place(latest.id));
      await minutes(
        2,
        runs.map(({ id }) => id),
      );
      const stored = await Promise.all(runs.map(({ id }) => setup.stored(id)));
      const fates = stored.map(({ status }) => status);
      expect(fates, `write ${write}`).toEqual([...replaced.map(() => 'cancelled'), 'succeeded']);
      expect(await readAdmission(setup.context.table, setup.workspaceId, pipeline.id)).toMatchObject({
        running: [],
        waiting: [],
      });
    }
    expect(deaths).toBeGreaterThan(2);
  });
});

describe('errors that are not to be retried', () => {
  it.each([
    [['SQL_ERROR'], 1],
    [['SQL_*'], 1],
    [['TIMEOUT', 'SQL'], 3],
  ])('are those that %j names: a step with wrong SQL is tried %i times', async (nonRetryableErrors, attempts) => {
    const retry = { maxAttempts: 3, initialIntervalMs: 100, nonRetryableErrors };
    const run = await setup.run(await setup.pipeline(dagOf(sql('a', 'SELECT nothing', [], { retry }))));
    await setup.drain();
    expect(await setup.steps(run.id)).toMatchObject([
      { status: 'failed', attempt: attempts, error: { code: 'SQL_ERROR' } },
    ]);
  });
});

describe('cancelling', () => {
  it('waits for the worker that is at work, although an invocation for another step comes twice', async () => {
    // All that the end of the run waits for is cancelled at once; who is at work is before it.
    const pipeline = await setup.pipeline(dagOf(sql('a', 'SELECT 1 AS x'), sql('b', 'SELECT * FROM a', ['a'])));
    const run = await setup.run(pipeline);
    await begunElsewhere(run.id);
    await cancelRun(setup.context, setup.place(run.id), 'requested');
    const cancelled = (await setup.steps(run.id)).find(({ status }) => status === 'cancelled')!;
    const job = { workspaceId: setup.workspaceId, runId: run.id, epoch: 1, index: cancelled.index };
    expect(await execute(setup.worker, job, 'late', () => true)).toEqual({ kind: 'done' });
    expect(await setup.stored(run.id)).toMatchObject({ status: 'running' });
    await forceCancel(setup.context, setup.place(run.id));
    expect(await setup.stored(run.id)).toMatchObject({ status: 'cancelled' });
  });

  it('of a waiting run leaves its end to a worker while other runs of the pipeline start and end all the time', async () => {
    const pipeline = await setup.pipeline(dagOf(sql('a', 'SELECT 1 AS x')), { onOverlap: 'queue' });
    const { id: active } = await setup.run(pipeline);
    const { id } = await setup.run(pipeline);
    setup.jobs.splice(0);
    setup.messages.splice(0);
    const cancelled = await cancelRun(amidOthers(pipeline), setup.place(id), 'requested');
    expect(cancelled).toMatchObject({ status: 'queued', cancelReason: 'requested' });
    expect(setup.messages).toMatchObject([{ kind: 'cancel-deadline', runId: id }]);
    await forceCancel(setup.context, setup.place(id));
    expect(await setup.stored(id)).toMatchObject({ status: 'cancelled', cancelReason: 'requested' });
    const { running, waiting } = await readAdmission(setup.context.table, setup.workspaceId, pipeline.id);
    expect([running, waiting]).toEqual([[active], []]);
  });

  it('ends a run at once that no worker has in hand', async () => {
    const pipeline = await setup.pipeline(dagOf(sql('a', 'SELECT 1 AS x'), sql('b', 'SELECT * FROM a', ['a'])));
    const run = await setup.run(pipeline);
    // Started, but its first step lies untouched.
    await startRun(setup.context, { ...setup.place(run.id), epoch: 1 });
    expect(await cancelRun(setup.context, setup.place(run.id), 'requested')).toMatchObject({
      status: 'cancelled',
      cancelReason: 'requested',
    });
    expect((await setup.steps(run.id)).map((step) => step.status)).toEqual(['cancelled', 'cancelled']);
    await expect(cancelRun(setup.context, setup.place(run.id), 'requested')).rejects.toMatchObject({
      code: 'RUN_NOT_ACTIVE',
    });
    await setup.drain();
    expect((await setup.steps(run.id)).map((step) => step.attempt)).toEqual([0, 0]);
  });

  it('ends a run whose step waits for another attempt, and the attempt never begins', async () => {
    const retry = { maxAttempts: 3, initialIntervalMs: 60_000 };
    const run = await setup.run(await setup.pipeline(dagOf(sql('a', 'SELECT nothing', [], { retry }))));
    setup.jobs.splice(0);
    const job = { ...setup.place(run.id), epoch: 1 };
    await startRun(setup.context, job);
    setup.jobs.splice(0);
    const waits = await execute(setup.worker, { ...job, index: 0 }, 'execution', () => true);
    expect(waits).toMatchObject({ kind: 'again', waitSeconds: 60 });
    expect(await cancelRun(setup.context, setup.place(run.id), 'requested')).toMatchObject({ status: 'cancelled' });
    setup.aheadMs += 60_000;
    expect(await execute(setup.worker, { ...job, index: 0 }, 'execution', () => true)).toEqual({ kind: 'done' });
    expect(await setup.steps(run.id)).toMatchObject([{ status: 'cancelled', attempt: 1 }]);
  });

  it('ends within 40 seconds without a worker that does not stop', async () => {
    const pipeline = await setup.pipeline(dagOf(sql('a', 'SELECT 1 AS x'), sql('b', 'SELECT * FROM a', ['a'])));
    const run = await setup.run(pipeline);
    await begunElsewhere(run.id);
    setup.messages.splice(0);
    setup.delays.splice(0);
    expect(await cancelRun(setup.context, setup.place(run.id), 'requested')).toMatchObject({ status: 'running' });
    const { cancelRequestedAt } = await setup.stored(run.id);
    expect(setup.messages).toEqual([{ kind: 'cancel-deadline', ...setup.place(run.id) }]);
    setup.aheadMs += setup.delays[0]! * 1000;
    await forceCancel(setup.context, setup.place(run.id));
    const over = await setup.stored(run.id);
    expect(over).toMatchObject({ status: 'cancelled', cancelReason: 'requested' });
    expect(Date.parse(over.finishedAt!) - Date.parse(cancelRequestedAt!)).toBeLessThan(40_000);
    expect((await setup.steps(run.id)).map((step) => step.status)).toEqual(['cancelled', 'cancelled']);
  });

  it('needs no deadline without a worker', async () => {
    const run = await setup.run(await setup.pipeline(dagOf(sql('a', 'SELECT 1 AS x'))));
    setup.jobs.splice(0);
    setup.messages.splice(0);
    await startRun(setup.context, { ...setup.place(run.id), epoch: 1 });
    setup.jobs.splice(0);
    await cancelRun(setup.context, setup.place(run.id), 'requested');
    expect(setup.messages).toEqual([]);
  });
});

describe('the reconciler', () => {
  it('gives a step to another worker when its own is gone', async () => {
    const pipeline = await setup.pipeline(
      dagOf(sql('a', 'SELECT 1 AS x', [], { retry: { maxAttempts: 2, initialIntervalMs: 100 } })),
    );
    const run = await setup.run(pipeline);
    await begunElsewhere(run.id);
    setup.aheadMs += 120_000;
    await repairRun(setup.context, setup.place(run.id));
    await setup.drain();
    expect(await setup.stored(run.id)).toMatchObject({ status: 'succeeded' });
    expect(await setup.steps(run.id)).toMatchObject([{ status: 'succeeded', attempt: 2 }]);
  });

  it.each<[string, (runId: string) => Promise<unknown>]>([
    ['machine', (runId) => recover(setup.worker, { ...setup.place(runId), epoch: 1, index: 0 }, 'gone', KILLED)],
    ['minute tick', (runId) => repairRun(setup.context, setup.place(runId))],
  ])('and the %s find what a worker that ended itself has failed with', async (_who, recoverSteps) => {
    const retry = { maxAttempts: 2, nonRetryableErrors: ['OUT_OF_MEMORY'] };
    const run = await setup.run(await setup.pipeline(dagOf(sql('a', 'SELECT 1 AS x', [], { retry }))));
    await begunElsewhere(run.id);
    const error = { code: 'OUT_OF_MEMORY', message: 'The query needs more memory than it may use.' } as const;
    await writeCrashReport(setup.context, (await setup.steps(run.id))[0]!, error);
    setup.aheadMs += 61_000;
    await recoverSteps(run.id);
    const [step] = await setup.steps(run.id);
    expect(step).toMatchObject({ status: 'failed', attempt: 1, error });
    expect(step!.crashReport).toBeUndefined();
    expect(step!.executionSeconds).toBeGreaterThan(60);
    expect(JSON.stringify(await reportedEvents(setup, 'compute.vm_unreachable'))).not.toContain(run.id);
  });
});
