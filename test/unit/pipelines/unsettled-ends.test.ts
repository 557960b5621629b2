import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AttemptLog } from '../../../functions/pipelines/workers/run-step/attempt.ts';
import { UnsettledEnds } from '../../../functions/pipelines/workers/run-step/unsettled-ends.ts';
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
/** How many ended together at the most. */
let ends = 0;
beforeEach(() => {
  // A busy machine must not make a step heavy.
  setup.worker.lightMs = 60_000;
  [settled, ends] = [0, 0];
  setup.crash = (write) => {
    if (!isAt('settle', write)) return undefined;
    settled++;
    ends = Math.max(ends, JSON.stringify(write.input).match(/"#finishedAt":"finishedAt"/g)?.length ?? 0);
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

  it('are stored at once if the step was repeated already', async () => {
    const { checkAllowance } = setup.worker;
    let attempts = 0;
    setup.worker.checkAllowance = async () => {
      if (++attempts === 1) throw new Error('the first attempt is unlucky');
    };
    const { steps } = await ranOn(setup, dagOf(...CHAIN));
    setup.worker.checkAllowance = checkAllowance;
    expect(['a', 'b', 'c'].map((id) => steps.get(id)!.attempt)).toEqual([2, 1, 1]);
    // The failed attempt, the second one, and the two ends that follow.
    expect(settled).toBe(3);
  });

  it.each<[string, Step['retry'], object]>([
    ['runs out of memory', { ...RETRY, nonRetryableErrors: ['OUT_OF_MEMORY'] }, {}],
    ['exceeds its time limit', { ...RETRY, nonRetryableErrors: ['TIME*'] }, {}],
    ['is noticed after its short time limit', RETRY, { timeoutSeconds: 59 }],
  ])('are stored at once if the step would fail for good when its worker %s', async (_crash, retry, config) => {
    const [a, ...rest] = CHAIN;
    await ranOn(setup, dagOf({ ...a!, retry, config: { ...a!.config, ...config } }, ...rest));
    expect(settled).toBe(2);
  });

  it('are stored twenty at a time', async () => {
    const ids = Array.from({ length: 30 }, (_, index) => `s${index}`);
    const dag = dagOf(
      ...ids.map((id, index) =>
        index === 0 ? again(id, 'SELECT 1 AS x') : again(id, `SELECT * FROM ${ids[index - 1]}`, [ids[index - 1]!]),
      ),
    );
    const { run } = await ranOn(setup, dag);
    expect(run.status).toBe('succeeded');
    expect(settled).toBeGreaterThanOrEqual(2);
    expect(ends).toBeLessThanOrEqual(20);
  });

  it('leave no object that another worker of the same attempt stores, too', async () => {
    const stored: string[] = [];
    setup.crash = (write) => {
      if (write.command === 'PutObjectCommand') stored.push((write.input as { Key: string }).Key);
      if (!isAt('settle', write)) return undefined;
      settled++;
      return settled === 1 ? 'before' : undefined;
    };
    const written = CHAIN.map((step) => ({ ...step, config: { ...step.config, materialize: 'always' } }));
    const { steps } = await ranOn(setup, dagOf(...written));
    expect(steps.get('b')!.attempt).toBe(1);
    const ofB = stored.filter((key) => key.includes('/b/') && key.endsWith('.parquet'));
    expect(ofB).toHaveLength(2);
    expect(new Set(ofB).size).toBe(2);
    expect(steps.get('b')!.output!.files.map(({ key }) => key)).toEqual([ofB[1]]);
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
    delete setup.worker.lightMs;
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
    await startRun(setup.context, job);
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
    expect([unsettled.takeStored(), unsettled.takeStored()]).toEqual([[{ index: 0, begun: 1 }], []]);
    expect(settled).toBe(1);
    expect(await statesOf(run)).toEqual(['succeeded', 'running', 'pending']);
  });

  it('learns that a cancel has settled the step it works on', async () => {
    const { run, unsettled } = await between();
    await cancelRun(setup.context, setup.place(run.id), 'requested');
    expect(await statesOf(run)).toEqual(['running', 'cancelled', 'cancelled']);
    const over = await unsettled.store();
    expect(over).toMatchObject({ kind: 'settled', run: { cancelRequestedAt: expect.any(String) } });
    expect(unsettled.takeStored()).toEqual([{ index: 0, begun: undefined }]);
    expect(await unsettled.idle()).toBe(over);
    expect(await statesOf(run)).toEqual(['succeeded', 'cancelled', 'cancelled']);
  });

  it('stores what ended before the steps that a cancel has settled', async () => {
    const { run, unsettled } = await between();
    await cancelRun(setup.context, setup.place(run.id), 'requested');
    const second = { ...(await setup.steps(run.id))[1]!, attempt: 1, startedAt: new Date().toISOString() };
    const end = { kind: 'succeeded', result: { rowsIn: 1, rowsOut: 1, bytesOut: 10 } } as const;
    const { over, begunAt } = await unsettled.settleWith({ step: second, end, billed: true }, log);
    expect([over, begunAt]).toMatchObject([{ kind: 'settled' }, undefined]);
    expect(unsettled.takeStored()).toEqual([{ index: 0, begun: undefined }]);
    expect(await statesOf(run)).toEqual(['succeeded', 'cancelled', 'cancelled']);
  });

  it('fails if it cannot know whether they are stored, so that its steps are recovered', async () => {
    const { run, unsettled } = await between();
    setup.crash = (write) => {
      if (!isAt('settle', write)) return undefined;
      setup.crash = () => undefined;
      return 'after';
    };
    await expect(unsettled.store()).rejects.toThrow();
    expect(await statesOf(run)).toEqual(['succeeded', 'running', 'pending']);
    await expect(unsettled.store()).rejects.toThrow();
    const end = { kind: 'succeeded', result: { rowsIn: 1, rowsOut: 1, bytesOut: 10 } } as const;
    const second = { ...(await setup.steps(run.id))[1]!, startedAt: new Date().toISOString() };
    await expect(unsettled.settleWith({ step: second, end, billed: true }, log)).rejects.toThrow();
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
