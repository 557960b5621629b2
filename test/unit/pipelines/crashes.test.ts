import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { START_RETRIES } from '../../../functions/pipelines/workers/run-lifecycle/run-machine.ts';
import { extendLease } from '../../../functions/pipelines/workers/run-step/watch.ts';
import type { Dag, Step } from '../../../shared/domains/pipelines/definition/dag.ts';
import { readAdmission } from '../../../shared/domains/pipelines/runs/admission.ts';
import { beginAttempt } from '../../../shared/domains/pipelines/runs/begin-attempt.ts';
import { repairRun } from '../../../shared/domains/pipelines/runs/repair-run.ts';
import { retryRun } from '../../../shared/domains/pipelines/runs/retry-run.ts';
import { startRun } from '../../../shared/domains/pipelines/runs/start-run.ts';
import { LEASE_MS } from '../../../shared/domains/pipelines/store/run-store.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import { cases } from '../../support/cases.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
  setup.worker.extra = new Set(['container']);
});
afterAll(() => setup.close());

const FIVE_MINUTES_MS = 5 * 60_000;
const retry = { maxAttempts: 10, initialIntervalMs: 100, backoffCoefficient: 1 };

/**
 * Steps that each wait for some of those before, every third in a container; the last one loads a row into a dataset.
 */
const shapes = fc.array(fc.array(fc.boolean(), { maxLength: 6 }), { minLength: 1, maxLength: 7 });
/** After so many writes, lose one: the write itself or its answer. */
const losses = fc.array(fc.tuple(fc.integer({ min: 0, max: 12 }), fc.constantFrom('before', 'after')), {
  maxLength: 6,
});
/** A run whose start dies with its first two writes as often as its machine repeats it is given up, rightly. */
const crashes = losses.filter(
  (each) => each.slice(0, START_RETRIES + 1).filter(([after]) => after < 2).length <= START_RETRIES,
);

function dagOf(shape: boolean[][], dataset: string): Dag {
  const steps = shape.map(
    (waits, index): Step => ({
      id: `s${index}`,
      type: 'transform_sql',
      config: { sql: 'SELECT 1 AS one', inputs: {}, ...(index % 3 === 1 ? { timeoutSeconds: 3600 } : {}) },
      dependsOn: waits.flatMap((wait, other) => (wait && other < index ? [`s${other}`] : [])),
      retry,
    }),
  );
  const last = `s${steps.length - 1}`;
  const target = { kind: 'dataset', name: dataset };
  const load: Step = {
    id: 'load',
    type: 'load',
    config: { input: last, target, mode: 'append' },
    dependsOn: [last],
    retry,
  };
  return { version: 1, steps: [...steps, load] };
}

async function expectLoadedOnce(pipelineId: string, runId: string, dag: Dag, dataset: string): Promise<void> {
  const statuses = (await setup.steps(runId)).map(({ status }) => status);
  expect(statuses).toEqual(dag.steps.map(() => 'succeeded'));
  expect(await setup.dataset(dataset)).toMatchObject({ rowCount: 1, version: 1 });
  const admission = await readAdmission(setup.context.table, setup.workspaceId, pipelineId);
  expect(admission).toMatchObject({ running: [], waiting: [] });
}

describe('a run whose workers die at any write', () => {
  it.each([{ mayContinue: true }, { mayContinue: false }])(
    'ends with every step done after those it waits for, and every row loaded once ($mayContinue)',
    async ({ mayContinue }) => {
      await fc.assert(
        fc.asyncProperty(shapes, crashes, async (shape, losses) => {
          const dataset = `rows ${newId()}`;
          const pipeline = await setup.pipeline(dagOf(shape, dataset));
          const run = await setup.run(pipeline);
          const left = [...losses];
          let writes = 0;
          setup.crash = () => {
            if (left.length === 0 || writes++ < left[0]![0]) return undefined;
            writes = 0;
            return left.shift()![1] as 'before' | 'after';
          };
          await setup.drain({ mayContinue });
          setup.crash = () => undefined;
          expect((await setup.untilOver(run.id, { mayContinue })).status).toBe('succeeded');
          const steps = await setup.steps(run.id);
          const byId = new Map(steps.map((step) => [step.stepId, step]));
          for (const step of dagOf(shape, dataset).steps) {
            const own = byId.get(step.id)!;
            expect(own.status).toBe('succeeded');
            for (const before of step.dependsOn!) expect(byId.get(before)!.finishedAt! <= own.startedAt!).toBe(true);
          }
          expect(await setup.dataset(dataset)).toMatchObject({ rowCount: 1, version: 1 });
          expect(await readAdmission(setup.context.table, setup.workspaceId, pipeline.id)).toMatchObject({
            running: [],
            waiting: [],
          });
        }),
        { numRuns: cases(4, 12) },
      );
    },
    120_000,
  );
});

describe('a chain whose worker dies with the service that called it', () => {
  it('is gone on with by the next call, wherever it was, and waits for no tick', async () => {
    setup.notices = 'service';
    for (let death = 1; ; death++) {
      const dataset = `rows ${newId()}`;
      const dag = dagOf([[], [true]], dataset);
      const pipeline = await setup.pipeline(dag);
      const run = await setup.run(pipeline);
      let writes = 0;
      setup.crash = () => (++writes === death ? 'after' : undefined);
      await setup.drain();
      setup.crash = () => undefined;
      expect((await setup.stored(run.id)).status, `write ${death}`).toBe('succeeded');
      await expectLoadedOnce(pipeline.id, run.id, dag, dataset);
      if (writes < death) break;
    }
    setup.notices = 'machine';
  });
});

describe('a run on a cloud that is not itself', () => {
  it('ends right while Step Functions accepts every other start and every other callback', async () => {
    const refusals = fc.infiniteStream(fc.boolean());
    await fc.assert(
      fc.asyncProperty(shapes, refusals, async (shape, refuses) => {
        const dataset = `rows ${newId()}`;
        const dag = dagOf(shape, dataset);
        const pipeline = await setup.pipeline(dag);
        const run = await setup.run(pipeline);
        setup.crash = ({ command }) => (command === 'StartExecution' && refuses.next().value ? 'refused' : undefined);
        await setup.drain({ mayContinue: false });
        setup.crash = () => undefined;
        expect((await setup.untilOver(run.id)).status).toBe('succeeded');
        await expectLoadedOnce(pipeline.id, run.id, dag, dataset);
      }),
      { numRuns: cases(2, 6) },
    );
  });

  it('works on what has begun although the start of one step is refused until the machine of the run gives up', async () => {
    const dataset = `rows ${newId()}`;
    const dag = dagOf([[], [], []], dataset);
    const pipeline = await setup.pipeline(dag);
    const run = await setup.run(pipeline);
    setup.crash = ({ command, input }) =>
      command === 'StartExecution' && 'index' in input && input.index === 1 ? 'refused' : undefined;
    await setup.drain();
    setup.crash = () => undefined;
    expect((await setup.stored(run.id)).status).toBe('running');
    expect((await setup.steps(run.id)).map(({ status }) => status)).toEqual([
      'succeeded',
      'ready',
      'succeeded',
      'succeeded',
    ]);
    // The first minute tick starts the step.
    setup.aheadMs += 61_000;
    await repairRun(setup.context, setup.place(run.id));
    await setup.drain();
    expect((await setup.stored(run.id)).status).toBe('succeeded');
    await expectLoadedOnce(pipeline.id, run.id, dag, dataset);
  });

  it('fails when its start dies as often as the machine repeats it, and can be retried', async () => {
    const dataset = `rows ${newId()}`;
    const dag = dagOf([[]], dataset);
    const pipeline = await setup.pipeline(dag);
    const run = await setup.run(pipeline);
    let deaths = 0;
    setup.crash = () => (deaths++ <= START_RETRIES ? 'before' : undefined);
    await setup.drain();
    setup.crash = () => undefined;
    const error = { code: 'INTERNAL', message: 'The run could not be started.', stepId: null };
    expect(await setup.stored(run.id)).toMatchObject({ status: 'failed', error, startedAt: null });
    await retryRun(setup.context, setup.place(run.id));
    await setup.drain();
    expect((await setup.stored(run.id)).status).toBe('succeeded');
    await expectLoadedOnce(pipeline.id, run.id, dag, dataset);
  });

  it('ends right while clocks are wrong by five minutes, each in its own way', async () => {
    const skews = fc.infiniteStream(fc.constantFrom(-FIVE_MINUTES_MS, 0, FIVE_MINUTES_MS));
    await fc.assert(
      fc.asyncProperty(shapes, skews, async (shape, skew) => {
        const dataset = `rows ${newId()}`;
        const dag = dagOf(shape, dataset);
        const pipeline = await setup.pipeline(dag);
        const run = await setup.run(pipeline);
        setup.skewMs = () => skew.next().value!;
        const place = setup.place(run.id);
        // The tick checks the run while workers are in the middle of it.
        await Promise.all([
          setup.drain(),
          setup.drain(),
          repairRun(setup.context, place),
          repairRun(setup.context, place),
        ]);
        expect((await setup.untilOver(run.id)).status).toBe('succeeded');
        setup.skewMs = () => 0;
        await expectLoadedOnce(pipeline.id, run.id, dag, dataset);
      }),
      { numRuns: cases(2, 6) },
    );
  });

  it('loses no attempt by machines whose clocks are wrong by five minutes', async () => {
    await fc.assert(
      fc.asyncProperty(shapes, async (shape) => {
        const dataset = `rows ${newId()}`;
        const dag = dagOf(shape, dataset);
        const pipeline = await setup.pipeline(dag);
        const run = await setup.run(pipeline);
        const [behind, right, ahead] = [-FIVE_MINUTES_MS, 0, FIVE_MINUTES_MS].map((skewMs) => setup.withSkew(skewMs));
        let isOver = false;
        const working = Promise.all([behind!, right!, ahead!].map((machine) => machine.drain())).finally(() => {
          isOver = true;
        });
        // Ticks check the run at every moment.
        for (let tick = 0; !isOver; tick++) {
          await repairRun([ahead!, behind!][tick % 2]!.context, setup.place(run.id));
        }
        await working;
        await setup.drain();
        expect((await setup.stored(run.id)).status).toBe('succeeded');
        expect((await setup.steps(run.id)).map(({ attempt }) => attempt)).toEqual(dag.steps.map(() => 1));
        await expectLoadedOnce(pipeline.id, run.id, dag, dataset);
      }),
      { numRuns: cases(2, 6) },
    );
  });

  it('believes a worker to be alive whose sign of life comes from a machine five minutes behind, and dead when none comes', async () => {
    const run = await setup.run(await setup.pipeline(dagOf([[]], `rows ${newId()}`)));
    const start = setup.jobs.shift()!.job;
    const [behind, ahead] = [setup.withSkew(-FIVE_MINUTES_MS), setup.withSkew(FIVE_MINUTES_MS)];
    await startRun(behind.context, start);
    setup.jobs.splice(0);
    const job = { ...start, index: 0 };
    const [step] = await setup.steps(run.id);
    await beginAttempt(behind.context, job, step!, 'alive');
    await extendLease(behind.context, job, 1);
    await repairRun(ahead.context, setup.place(run.id));
    expect((await setup.steps(run.id))[0]).toMatchObject({ status: 'running', attempt: 1 });
    setup.aheadMs += LEASE_MS + 11_000;
    await repairRun(ahead.context, setup.place(run.id));
    expect((await setup.steps(run.id))[0]).toMatchObject({ status: 'waiting', error: { code: 'WORKER_LOST' } });
    expect((await setup.untilOver(run.id)).status).toBe('succeeded');
  });
});
