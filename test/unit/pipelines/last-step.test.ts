import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Dag } from '../../../shared/domains/pipelines/definition/dag.ts';
import { changeAdmission, readAdmission } from '../../../shared/domains/pipelines/runs/admission.ts';
import { cancelRun } from '../../../shared/domains/pipelines/runs/cancel-run.ts';
import { runTotals } from '../../../shared/domains/pipelines/runs/end-run.ts';
import { usageCounters } from '../../../shared/domains/pipelines/store/read-usage.ts';
import { readEvents } from '../../../shared/domains/pipelines/store/run-events.ts';
import { readSteps } from '../../../shared/domains/pipelines/store/run-store.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import { transact } from '../../../shared/platform/storage/transact.ts';
import type { Write } from '../../support/crash.ts';
import { isAt } from './crash-points.ts';
import { dagOf, into, load, sql } from './run-dags.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterEach(() => {
  setup.crash = () => undefined;
});
afterAll(() => setup.close());

const ONE = dagOf(sql('a', 'SELECT 1 AS x'));

/**
 * Runs a definition; `meanwhile` comes once, before the write that ends the run. Returns the writes that end it or its
 * steps.
 */
async function ran(dag: Dag, meanwhile: (runId: string, write: Write) => Promise<unknown> = async () => undefined) {
  const run = await setup.run(await setup.pipeline(dag));
  const ends: string[] = [];
  let isDone = false;
  setup.crash = (write) => {
    const names = (['settle', 'end'] as const).filter((point) => isAt(point, write));
    if (names.length > 0) ends.push(names.join(' and '));
    return undefined;
  };
  const { db } = setup.context.table;
  const before = { step: 'initialize', name: 'meanwhile', override: true } as const;
  db.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const write = { command: commandName, input: args.input };
        if (isAt('end', write) && !isDone) {
          isDone = true;
          await meanwhile(run.id, write);
        }
        return next(args);
      },
    before,
  );
  await setup.drain();
  db.middlewareStack.remove('meanwhile');
  return { run: await setup.stored(run.id), ends };
}

const eventsOf = async (runId: string) =>
  (await readEvents(setup.context.table, setup.place(runId), 0)).map(({ seq, type, data }) => [
    seq,
    type,
    'status' in data ? data.status : undefined,
  ]);

describe('the last step of a run', () => {
  it('ends with its run in one transaction', async () => {
    const { run, ends } = await ran(ONE);
    expect(ends).toEqual(['settle and end']);
    expect(run).toMatchObject({ status: 'succeeded', seq: 6 });
    expect(await eventsOf(run.id)).toEqual([
      [1, 'run.status', 'queued'],
      [2, 'run.status', 'running'],
      [3, 'step.status', 'running'],
      [4, 'step.status', 'succeeded'],
      [5, 'run.status', 'succeeded'],
      [6, 'end', 'succeeded'],
    ]);
  });

  it('leaves the run with the totals of all its steps', async () => {
    const steps = [sql('a', 'SELECT 1 AS x'), load('keep', 'a', { input: 'a', target: into('kept'), mode: 'append' })];
    const { run, ends } = await ran(dagOf(...steps));
    expect(ends.at(-1)).toBe('settle and end');
    const stored = await readSteps(setup.context.table, setup.workspaceId, run.id);
    expect(run).toMatchObject({ ...runTotals(stored), rowsMoved: 1 });
    expect(run.bytesMoved).toBeGreaterThan(0);
    expect(run.executionSeconds).toBeGreaterThan(0);
  });

  it('is billed with the steps whose ends are stored with it', async () => {
    const { checkAllowance } = setup.worker;
    // The end of a step waits only if the step is repeated after a crash.
    const retry = { maxAttempts: 2 };
    setup.worker.checkAllowance = async () => {
      setup.aheadMs += 100;
    };
    const of = (id: string, before: string) => sql(id, `SELECT x FROM ${before}`, [before]);
    const { run, ends } = await ran(dagOf(sql('a', 'SELECT 1 AS x', [], { retry }), of('b', 'a'), of('c', 'b')));
    setup.worker.checkAllowance = checkAllowance;
    expect(ends).toEqual(['settle and end']);
    const seconds = (await setup.steps(run.id)).reduce((sum, { executionSeconds }) => sum + executionSeconds, 0);
    expect(seconds).toBeGreaterThan(0.3);
    const month = run.finishedAt!.slice(0, 7);
    const counters = await usageCounters(setup.context.table, setup.workspaceId, month, 'PIPELINE#');
    const used = counters.find(({ part }) => part === run.pipelineId)?.usage;
    expect(used).toMatchObject({ runs: 1, execution_seconds: expect.closeTo(seconds, 6) });
  });

  it('ends before its run if others may still be at work', async () => {
    const { run, ends } = await ran(dagOf(sql('a', 'SELECT 1 AS x'), sql('b', 'SELECT 2 AS x')));
    expect(run).toMatchObject({ status: 'succeeded' });
    expect(ends).toEqual(['settle', 'settle', 'end']);
  });

  it('ends before its run if there is too much to store with it', async () => {
    const gates = Array.from({ length: 20 }, (_gate, index) => ({ id: `g${index}`, type: 'not_null', column: 'x' }));
    const retry = { maxAttempts: 2 };
    const chain = Array.from({ length: 12 }, (_step, index) =>
      index === 0
        ? sql('s0', 'SELECT 1 AS x', [], { retry })
        : sql(`s${index}`, `SELECT x FROM s${index - 1}`, [`s${index - 1}`]),
    );
    const last = sql('last', '', ['s11'], { config: { sql: 'SELECT x FROM s11', gates } });
    setup.worker.lightMs = 60_000;
    const { run, ends } = await ran(dagOf(...chain, last));
    delete setup.worker.lightMs;
    expect(run).toMatchObject({ status: 'succeeded' });
    expect(ends).toEqual(['settle', 'end']);
  });

  it('ends before its run if it has failed', async () => {
    const { run, ends } = await ran(dagOf(sql('a', 'SELECT nothing')));
    expect(run).toMatchObject({ status: 'failed', error: { stepId: 'a' } });
    expect(ends).toEqual(['settle', 'end']);
  });

  it('succeeds although its run is cancelled at the same moment', async () => {
    const { run, ends } = await ran(ONE, (runId) => cancelRun(setup.context, setup.place(runId), 'requested'));
    expect(run).toMatchObject({ status: 'cancelled', cancelReason: 'requested' });
    expect(ends[0]).toBe('settle and end');
    expect(ends[1]).toBe('settle');
    expect((await setup.steps(run.id)).map(({ status }) => status)).toEqual(['succeeded']);
    expect((await eventsOf(run.id)).slice(-2)).toMatchObject([
      [expect.any(Number), 'run.status', 'cancelled'],
      [expect.any(Number), 'end', 'cancelled'],
    ]);
  });

  it.each(['"STEP#"', '#DOWNSTREAM#', '"admission"'])(
    'keeps its attempt if the end of the run fails (%s)',
    async (what) => {
      const dataset = `kept ${newId()}`;
      const { db } = setup.context.table;
      let failures = 0;
      db.middlewareStack.add(
        (next, { commandName = '' }) =>
          async (args) => {
            const isHit = /Query|Transact/.test(commandName) && JSON.stringify(args.input).includes(what);
            // The first transaction with an admission ends the run; the start has none.
            if (isHit && isLoading && failures++ === 0) throw new Error('throttled on purpose');
            return next(args);
          },
        { step: 'initialize', name: 'fault' },
      );
      let isLoading = false;
      const keep = load('keep', 'a', { input: 'a', target: into(dataset), mode: 'append' });
      const run = await setup.run(await setup.pipeline(dagOf(sql('a', 'SELECT 1 AS x'), keep)));
      setup.crash = (write) => {
        isLoading ||= isAt('commit', write);
        return undefined;
      };
      await setup.drain();
      db.middlewareStack.remove('fault');
      expect(failures).toBeGreaterThan(0);
      expect(await setup.untilOver(run.id)).toMatchObject({ status: 'succeeded' });
      expect((await setup.steps(run.id)).map(({ attempt }) => attempt)).toEqual([1, 1]);
      expect(await setup.dataset(dataset)).toMatchObject({ rowCount: 1 });
    },
  );

  it('ends with its run although another run of the pipeline starts at the same moment', async () => {
    const { run, ends } = await ran(ONE, async (runId) => {
      const { pipelineId } = await setup.stored(runId);
      await changeAdmission(setup.context.table, { ...setup.place(runId), pipelineId }, async (next) => ({
        next,
        position: 0,
        result: undefined,
        write: (admission) => transact(setup.context.table, [admission]),
      }));
    });
    expect(run).toMatchObject({ status: 'succeeded', seq: 6 });
    expect(ends).toEqual(['settle and end', 'settle and end']);
    const { running } = await readAdmission(setup.context.table, setup.workspaceId, run.pipelineId);
    expect(running).toEqual([]);
  });
});
