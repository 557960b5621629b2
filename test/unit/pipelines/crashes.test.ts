import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { START_RETRIES } from '../../../functions/workers/pipelines/run-lifecycle/run-machine.ts';
import { prolong } from '../../../functions/workers/pipelines/run-step/watch.ts';
import type { Dag, Step } from '../../../shared/domains/pipelines/definition/dag.ts';
import { readAdmission } from '../../../shared/domains/pipelines/runs/admission.ts';
import { beginAttempt } from '../../../shared/domains/pipelines/runs/begin-attempt.ts';
import { repairRun } from '../../../shared/domains/pipelines/runs/repair-run.ts';
import { retryRun } from '../../../shared/domains/pipelines/runs/retry-run.ts';
import { LEASE_MS } from '../../../shared/domains/pipelines/runs/settle.ts';
import { startRun } from '../../../shared/domains/pipelines/runs/start-run.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import { RunPlane } from './run-plane.ts';

let plane: RunPlane;
beforeAll(async () => {
  plane = await RunPlane.open();
  plane.worker.extra = new Set(['container']);
});
afterAll(() => plane.close());

const FIVE_MINUTES_MS = 5 * 60_000;
const retry = { maxAttempts: 10, initialIntervalMs: 100, backoffCoefficient: 1 };

/** Steps that each wait for some of those before, every third in a container; the last one loads a row into a dataset. */
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
  const statuses = (await plane.steps(runId)).map(({ status }) => status);
  expect(statuses).toEqual(dag.steps.map(() => 'succeeded'));
  expect(await plane.dataset(dataset)).toMatchObject({ rowCount: 1, version: 1 });
  const admission = await readAdmission(plane.context.table, plane.workspaceId, pipelineId);
  expect(admission).toMatchObject({ running: [], waiting: [] });
}

describe('a run whose workers die at any write', () => {
  it.each([{ mayGoOn: true }, { mayGoOn: false }])(
    'ends with every step done after those it waits for, and every row loaded once ($mayGoOn)',
    async ({ mayGoOn }) => {
      await fc.assert(
        fc.asyncProperty(shapes, crashes, async (shape, losses) => {
          const dataset = `rows ${newId()}`;
          const pipeline = await plane.pipeline(dagOf(shape, dataset));
          const run = await plane.run(pipeline);
          const left = [...losses];
          let writes = 0;
          plane.crash = () => {
            if (left.length === 0 || writes++ < left[0]![0]) return undefined;
            writes = 0;
            return left.shift()![1] as 'before' | 'after';
          };
          await plane.drain({ mayGoOn });
          plane.crash = () => undefined;
          expect((await plane.untilOver(run.id, { mayGoOn })).status).toBe('succeeded');
          const steps = await plane.steps(run.id);
          const byId = new Map(steps.map((step) => [step.stepId, step]));
          for (const step of dagOf(shape, dataset).steps) {
            const own = byId.get(step.id)!;
            expect(own.status).toBe('succeeded');
            for (const before of step.dependsOn!) expect(byId.get(before)!.finishedAt! <= own.startedAt!).toBe(true);
          }
          expect(await plane.dataset(dataset)).toMatchObject({ rowCount: 1, version: 1 });
          expect(await readAdmission(plane.context.table, plane.workspaceId, pipeline.id)).toMatchObject({
            running: [],
            waiting: [],
          });
        }),
        { numRuns: 12 },
      );
    },
    120_000,
  );
});

describe('a chain whose worker dies with the service that called it', () => {
  it('is gone on with by the next call, wherever it was, and waits for no tick', async () => {
    plane.notices = 'service';
    for (let death = 1; ; death++) {
      const dataset = `rows ${newId()}`;
      const dag = dagOf([[], [true]], dataset);
      const pipeline = await plane.pipeline(dag);
      const run = await plane.run(pipeline);
      let writes = 0;
      plane.crash = () => (++writes === death ? 'after' : undefined);
      await plane.drain();
      plane.crash = () => undefined;
      expect((await plane.stored(run.id)).status, `write ${death}`).toBe('succeeded');
      await expectLoadedOnce(pipeline.id, run.id, dag, dataset);
      if (writes < death) break;
    }
    plane.notices = 'machine';
  });
});

describe('a run on a cloud that is not itself', () => {
  it('ends right while Step Functions takes one start in two and one waking in two', async () => {
    const refusals = fc.infiniteStream(fc.boolean());
    await fc.assert(
      fc.asyncProperty(shapes, refusals, async (shape, refuses) => {
        const dataset = `rows ${newId()}`;
        const dag = dagOf(shape, dataset);
        const pipeline = await plane.pipeline(dag);
        const run = await plane.run(pipeline);
        plane.crash = ({ command }) =>
          /^StartExecution|SendTaskSuccess/.test(command) && refuses.next().value ? 'refused' : undefined;
        await plane.drain({ mayGoOn: false });
        plane.crash = () => undefined;
        expect((await plane.untilOver(run.id)).status).toBe('succeeded');
        await expectLoadedOnce(pipeline.id, run.id, dag, dataset);
      }),
      { numRuns: 4 },
    );
  }, 120_000);

  it('works on what has begun although the start of one step is refused until the machine of the run gives up', async () => {
    const dataset = `rows ${newId()}`;
    const dag = dagOf([[], [], []], dataset);
    const pipeline = await plane.pipeline(dag);
    const run = await plane.run(pipeline);
    plane.crash = ({ command, input }) =>
      command === 'StartExecution' && 'index' in input && input.index === 1 ? 'refused' : undefined;
    await plane.drain();
    plane.crash = () => undefined;
    expect((await plane.stored(run.id)).status).toBe('running');
    expect((await plane.steps(run.id)).map(({ status }) => status)).toEqual([
      'succeeded',
      'ready',
      'succeeded',
      'succeeded',
    ]);
    // The first minute tick starts the step.
    plane.aheadMs += 61_000;
    await repairRun(plane.context, plane.place(run.id));
    await plane.drain();
    expect((await plane.stored(run.id)).status).toBe('succeeded');
    await expectLoadedOnce(pipeline.id, run.id, dag, dataset);
  });

  it('fails when its start dies as often as the machine repeats it, and can be retried', async () => {
    const dataset = `rows ${newId()}`;
    const dag = dagOf([[]], dataset);
    const pipeline = await plane.pipeline(dag);
    const run = await plane.run(pipeline);
    let deaths = 0;
    plane.crash = () => (deaths++ <= START_RETRIES ? 'before' : undefined);
    await plane.drain();
    plane.crash = () => undefined;
    const error = { code: 'INTERNAL', message: 'The run could not be started.', stepId: null };
    expect(await plane.stored(run.id)).toMatchObject({ status: 'failed', error, startedAt: null });
    await retryRun(plane.context, plane.place(run.id));
    await plane.drain();
    expect((await plane.stored(run.id)).status).toBe('succeeded');
    await expectLoadedOnce(pipeline.id, run.id, dag, dataset);
  });

  it('ends right while clocks are wrong by five minutes, each in its own way', async () => {
    const skews = fc.infiniteStream(fc.constantFrom(-FIVE_MINUTES_MS, 0, FIVE_MINUTES_MS));
    await fc.assert(
      fc.asyncProperty(shapes, skews, async (shape, skew) => {
        const dataset = `rows ${newId()}`;
        const dag = dagOf(shape, dataset);
        const pipeline = await plane.pipeline(dag);
        const run = await plane.run(pipeline);
        plane.skewMs = () => skew.next().value!;
        const place = plane.place(run.id);
        // The tick looks after the run while workers are in the middle of it.
        await Promise.all([
          plane.drain(),
          plane.drain(),
          repairRun(plane.context, place),
          repairRun(plane.context, place),
        ]);
        expect((await plane.untilOver(run.id)).status).toBe('succeeded');
        plane.skewMs = () => 0;
        await expectLoadedOnce(pipeline.id, run.id, dag, dataset);
      }),
      { numRuns: 4 },
    );
  }, 120_000);

  it('loses no attempt by machines whose clocks are wrong by five minutes', async () => {
    await fc.assert(
      fc.asyncProperty(shapes, async (shape) => {
        const dataset = `rows ${newId()}`;
        const dag = dagOf(shape, dataset);
        const pipeline = await plane.pipeline(dag);
        const run = await plane.run(pipeline);
        const [behind, right, ahead] = [-FIVE_MINUTES_MS, 0, FIVE_MINUTES_MS].map((skewMs) => plane.withSkew(skewMs));
        let isOver = false;
        const working = Promise.all([behind!, right!, ahead!].map((machine) => machine.drain())).finally(() => {
          isOver = true;
        });
        // Ticks of all machines look after the run at every moment.
        for (let tick = 0; !isOver; tick++) {
          await repairRun([ahead!, behind!][tick % 2]!.context, plane.place(run.id));
        }
        await working;
        await plane.drain();
        expect((await plane.stored(run.id)).status).toBe('succeeded');
        expect((await plane.steps(run.id)).map(({ attempt }) => attempt)).toEqual(dag.steps.map(() => 1));
        await expectLoadedOnce(pipeline.id, run.id, dag, dataset);
      }),
      { numRuns: 4 },
    );
  }, 120_000);

  it('believes a worker to be alive whose sign of life comes from a machine five minutes behind, and dead when none comes', async () => {
    const run = await plane.run(await plane.pipeline(dagOf([[]], `rows ${newId()}`)));
    const start = plane.jobs.shift()!.job;
    const [behind, ahead] = [plane.withSkew(-FIVE_MINUTES_MS), plane.withSkew(FIVE_MINUTES_MS)];
    await startRun(behind.context, start, 'token');
    plane.jobs.splice(0);
    const job = { ...start, index: 0 };
    const [step] = await plane.steps(run.id);
    await beginAttempt(behind.context, job, step!, 'alive');
    await prolong(behind.context, job, 1);
    await repairRun(ahead.context, plane.place(run.id));
    expect((await plane.steps(run.id))[0]).toMatchObject({ status: 'running', attempt: 1 });
    plane.aheadMs += LEASE_MS + 11_000;
    await repairRun(ahead.context, plane.place(run.id));
    expect((await plane.steps(run.id))[0]).toMatchObject({ status: 'waiting', error: { code: 'WORKER_LOST' } });
    expect((await plane.untilOver(run.id)).status).toBe('succeeded');
  });
});
