import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AttemptLog } from '../../../functions/workers/pipelines/run-step/attempt.ts';
import { UnsettledEnds } from '../../../functions/workers/pipelines/run-step/unsettled-ends.ts';
import type { Step } from '../../../shared/domains/pipelines/definition/dag.ts';
import { beginAttempt } from '../../../shared/domains/pipelines/runs/begin-attempt.ts';
import { cancelRun } from '../../../shared/domains/pipelines/runs/cancel-run.ts';
import { startRun } from '../../../shared/domains/pipelines/runs/start-run.ts';
import { readEvents } from '../../../shared/domains/pipelines/store/run-events.ts';
import { stepKey } from '../../../shared/domains/pipelines/store/run-keys.ts';
import type { StoredRun } from '../../../shared/domains/pipelines/store/run-record.ts';
import { planOf } from '../../../shared/domains/pipelines/store/run-store.ts';
import { updateOf } from '../../../shared/platform/storage/update.ts';
import { isAt } from './crash-points.ts';
import { dagOf, into, load, ONCE, ranOn, sql } from './run-dags.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());

const RETRY = { maxAttempts: 3, initialIntervalMs: 100 };
const again = (id: string, text: string, dependsOn: string[] = [], retry: Step['retry'] = RETRY) =>
  sql(id, text, dependsOn, { retry });

/** How many transactions ended attempts. */
let settled = 0;
beforeEach(() => {
  settled = 0;
  setup.crash = (write) => {
    if (isAt('settle', write)) settled++;
    return undefined;
  };
});

const CHAIN = [
  again('a', 'SELECT 1 AS x'),
  again('b', 'SELECT x + 1 AS x FROM a', ['a']),
  again('c', 'SELECT x + 1 AS x FROM b', ['b']),
];

describe('the ends of light steps', () => {
  it('are stored together, each with its own times, rows, log and events', async () => {
    const { run, steps } = await ranOn(setup, dagOf(...CHAIN));
    expect(settled).toBe(1);
    const [a, b, c] = ['a', 'b', 'c'].map((id) => steps.get(id)!);
    expect([a, b, c]).toMatchObject(Array(3).fill({ status: 'succeeded', attempt: 1, rowsOut: 1 }));
    expect([b!.startedAt, c!.startedAt]).toEqual([a!.finishedAt, b!.finishedAt]);
    expect([a, b, c].map((step) => step!.log1?.includes('Succeeded'))).toEqual([true, true, true]);
    const events = await readEvents(setup.context.table, setup.place(run.id), 0);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1));
    const ofSteps = events.flatMap(({ type, data }) =>
      type === 'step.status' ? [`${data.stepId} ${data.status}`] : [],
    );
    expect(ofSteps).toEqual(['a', 'b', 'c'].flatMap((id) => [`${id} running`, `${id} succeeded`]));
    const sum = [a, b, c].reduce((all, step) => all + step!.executionSeconds, 0);
    expect(run.executionSeconds).toBeCloseTo(sum, 2);
  });

  it('are stored before a load begins', async () => {
    const dag = dagOf(...CHAIN, load('keep', 'c', { target: into('after a chain'), mode: 'append' }));
    const { steps } = await ranOn(setup, dag);
    expect(settled).toBe(2);
    expect(steps.get('keep')).toMatchObject({ status: 'succeeded', rowsMoved: 1 });
  });

  it('are stored at once if the step would not be repeated after a crash', async () => {
    const [a, ...rest] = CHAIN;
    await ranOn(setup, dagOf({ ...a!, retry: ONCE }, ...rest));
    expect(settled).toBe(2);
  });

  it('are stored at once after a crash, which costs only the first of them an attempt', async () => {
    const lost = new Set<string>();
    setup.crash = (write) => {
      if (!isAt('settle', write)) return undefined;
      settled++;
      if (lost.size > 0) return undefined;
      lost.add('first');
      return 'before';
    };
    const { run, steps } = await ranOn(setup, dagOf(...CHAIN));
    expect(run.status).toBe('succeeded');
    expect(['a', 'b', 'c'].map((id) => steps.get(id)!.attempt)).toEqual([2, 1, 1]);
    // The one that was lost, the failed attempt, and each end.
    expect(settled).toBe(1 + 3);
  });

  it('are stored within a second although the next step takes longer, which can then be cancelled', async () => {
    const endless =
      'SELECT count(*) AS n FROM range(1000000) r, range(1000000) s, range(1000000) t, a WHERE r.range = t.range + 1';
    const run = await setup.run(await setup.pipeline(dagOf(CHAIN[0]!, again('slow', endless, ['a']))));
    const drained = setup.drain();
    const states = async () => (await setup.steps(run.id)).map(({ stepId, status }) => `${stepId} ${status}`);
    await vi.waitFor(async () => expect(await states()).toEqual(['a succeeded', 'slow running']), { timeout: 60_000 });
    await cancelRun(setup.context, setup.place(run.id), 'requested');
    await drained;
    expect(await states()).toEqual(['a succeeded', 'slow cancelled']);
    expect(await setup.stored(run.id)).toMatchObject({ status: 'cancelled' });
  });
});

describe('a worker with ends that are not stored', () => {
  const log: AttemptLog = { text: '', store: async () => undefined };

  /** A run whose worker has ended its first step, and works on the second, with nothing of that stored. */
  async function between(): Promise<{ run: StoredRun; unsettled: UnsettledEnds }> {
    const { id } = await setup.run(await setup.pipeline(dagOf(...CHAIN)));
    setup.jobs.splice(0);
    const job = { ...setup.place(id), epoch: 1 };
    await startRun(setup.context, job, 'token');
    setup.jobs.splice(0);
    const [first] = await setup.steps(id);
    const step = (await beginAttempt(setup.context, { ...job, index: 0 }, first!, 'worker'))!;
    const run = await setup.stored(id);
    const plan = await planOf(setup.context, run);
    const unsettled = new UnsettledEnds(setup.context, run);
    const at = setup.context.now();
    const result = { rowsIn: 0, rowsOut: 1, bytesOut: 10 };
    unsettled.add({ step, end: { kind: 'succeeded', result }, at, billed: true }, log, {
      node: plan.nodes[1]!,
      holder: 'worker',
      at,
    });
    return { run, unsettled };
  }
  const statesOf = async (run: StoredRun) => (await setup.steps(run.id)).map(({ status }) => status);

  it('stores them once, with the beginning of its attempt', async () => {
    const { run, unsettled } = await between();
    expect(await Promise.all([unsettled.store(), unsettled.store()])).toEqual([undefined, undefined]);
    expect(unsettled.dueInMs()).toBeUndefined();
    expect(settled).toBe(1);
    expect(await statesOf(run)).toEqual(['succeeded', 'running', 'pending']);
  });

  it('learns that a cancel has settled the step it works on', async () => {
    const { run, unsettled } = await between();
    await cancelRun(setup.context, setup.place(run.id), 'requested');
    expect(await statesOf(run)).toEqual(['running', 'cancelled', 'cancelled']);
    const over = await unsettled.store();
    expect(over).toMatchObject({ kind: 'settled', index: 0, run: { cancelRequestedAt: expect.any(String) } });
    expect(await unsettled.idle()).toBe(over);
    expect(await statesOf(run)).toEqual(['succeeded', 'cancelled', 'cancelled']);
  });

  it('stores what ended before the steps that a cancel has settled', async () => {
    const { run, unsettled } = await between();
    await cancelRun(setup.context, setup.place(run.id), 'requested');
    const second = { ...(await setup.steps(run.id))[1]!, attempt: 1, startedAt: new Date().toISOString() };
    const end = { kind: 'succeeded', result: { rowsIn: 1, rowsOut: 1, bytesOut: 10 } } as const;
    const { over, begunAt } = await unsettled.settleWith({ step: second, end, billed: true }, log);
    expect([over, begunAt]).toMatchObject([{ kind: 'settled', index: 0 }, undefined]);
    expect(await statesOf(run)).toEqual(['succeeded', 'cancelled', 'cancelled']);
  });

  it('stores nothing after another worker has taken the first step over', async () => {
    const { run, unsettled } = await between();
    const { table } = setup.context;
    const key = stepKey(run.workspaceId, run.id, 0);
    await table.db.send(new UpdateCommand(updateOf(table, key, { set: { attempt: 2 } })));
    expect(await unsettled.store()).toEqual({ kind: 'fenced' });
    expect(await statesOf(run)).toEqual(['running', 'pending', 'pending']);
  });
});
