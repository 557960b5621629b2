import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findDagIssues } from '../../../shared/domains/pipelines/definition/dag-issues.ts';
import { repairRun } from '../../../shared/domains/pipelines/runs/repair-run.ts';
import { reportedEvents } from './reported-events.ts';
import { dagOf, sql } from './run-dags.ts';
import { RunSetup } from './run-setup.ts';

const CONTAINER = { engine: 'container' };
const HOUR_MS = 60 * 60_000;
let setup: RunSetup;
beforeEach(async () => {
  setup = await RunSetup.open();
  setup.worker.extra = new Set(['container']);
});
afterEach(() => setup.close());

/** A step that may take longer than a function lives. */
const long = (...parameters: Parameters<typeof sql>) => {
  const step = sql(...parameters);
  return { ...step, config: { ...step.config, timeoutSeconds: 3600 } };
};

describe('a step that may take longer than a function lives', () => {
  it('is worked on in a container, together with such steps behind it; the others go back to functions', async () => {
    const dag = dagOf(
      sql('a', 'SELECT 1 AS x'),
      long('b', 'SELECT x + 1 AS x FROM a', ['a']),
      long('c', 'SELECT x + 1 AS x FROM b', ['b']),
      sql('d', 'SELECT x + 1 AS x FROM c', ['c']),
    );
    const run = await setup.run(await setup.pipeline(dag));
    await setup.drain();
    expect(await setup.stored(run.id)).toMatchObject({ status: 'succeeded' });
    expect(setup.moved).toEqual([CONTAINER]);
    expect((await setup.steps(run.id)).map(({ status, attempt }) => [status, attempt])).toEqual(
      Array.from({ length: 4 }, () => ['succeeded', 1]),
    );
    expect(setup.open.size).toBe(0);
  });

  it('is tried again when its container was killed, which counts as one attempt', async () => {
    const retry = { maxAttempts: 2, initialIntervalMs: 10 };
    const run = await setup.run(await setup.pipeline(dagOf(long('a', 'SELECT 1 AS x', [], { retry }))));
    let ends = 0;
    setup.crash = ({ input }) => {
      const isEnd = setup.atWorkInContainers > 0 && JSON.stringify(input).includes('"succeeded"');
      return isEnd && ends++ === 0 ? 'before' : undefined;
    };
    await setup.drain();
    expect(await setup.stored(run.id)).toMatchObject({ status: 'succeeded' });
    expect(setup.moved).toEqual([CONTAINER, CONTAINER]);
    expect(await setup.steps(run.id)).toMatchObject([{ status: 'succeeded', attempt: 2 }]);
    expect(await reportedEvents(setup, 'compute.vm_unreachable')).toMatchObject([{ runId: run.id, stepId: 'a' }]);
    expect(await reportedEvents(setup, 'compute.provision_failing')).toEqual([]);
  });

  it('is tried again by an execution of its own when it failed behind another one in a container', async () => {
    const retry = { maxAttempts: 2, initialIntervalMs: 30_000 };
    const dag = dagOf(long('a', 'SELECT 1 AS x'), long('b', 'SELECT * FROM a', ['a'], { retry }));
    let attempts = 0;
    setup.worker.checkAllowance = async () => {
      if (++attempts === 2) throw new Error('the second attempt of all is unlucky');
    };
    const run = await setup.run(await setup.pipeline(dag));
    await setup.drain();
    expect(await setup.steps(run.id)).toMatchObject([
      { stepId: 'a', status: 'succeeded', attempt: 1 },
      { stepId: 'b', status: 'succeeded', attempt: 2 },
    ]);
    expect(setup.moved).toEqual([CONTAINER, CONTAINER]);
    expect(setup.open.size).toBe(0);
  });

  it('waits for a container that cannot be started without losing an attempt', async () => {
    const pipeline = await setup.pipeline(dagOf(long('a', 'SELECT 1 AS x')));
    setup.hasContainers = () => setup.moved.length > 2;
    // An hour has one event at the most, so the test starts at a full hour.
    setup.aheadMs = HOUR_MS - (Date.now() % HOUR_MS);
    const run = await setup.run(pipeline);
    await setup.drain();
    expect(await setup.stored(run.id)).toMatchObject({ status: 'succeeded' });
    expect(setup.moved).toEqual([CONTAINER, CONTAINER, CONTAINER]);
    expect(await setup.steps(run.id)).toMatchObject([{ status: 'succeeded', attempt: 1 }]);
    expect(await reportedEvents(setup, 'compute.provision_failing')).toMatchObject([
      { pipelineId: pipeline.id, size: 'container', error: { code: 'WORKER_UNAVAILABLE' } },
    ]);
  });

  it('is left for five minutes to the container that is on its way', async () => {
    setup.hasContainers = () => setup.moved.length > 1;
    setup.notices = 'tick';
    const run = await setup.run(await setup.pipeline(dagOf(long('a', 'SELECT 1 AS x'))));
    await setup.drain();
    for (let minute = 1; minute <= 4; minute++) {
      setup.aheadMs += 61_000;
      await repairRun(setup.context, setup.place(run.id));
      expect(setup.jobs).toEqual([]);
    }
    expect(await setup.untilOver(run.id)).toMatchObject({ status: 'succeeded' });
    expect(setup.moved).toEqual([CONTAINER, CONTAINER]);
  });
});

describe('a definition', () => {
  const issues = (seconds: number, extra: ReadonlySet<'container'>) => {
    const step = sql('a', 'SELECT 1 AS x');
    return findDagIssues(dagOf({ ...step, config: { ...step.config, timeoutSeconds: seconds } }), extra);
  };

  it('has steps of up to a day where there are containers', () => {
    const containers = new Set(['container'] as const);
    expect(issues(86_400, containers)).toEqual([]);
    expect(issues(86_401, containers)).toMatchObject([{ pointer: '/dag/steps/0/config/timeoutSeconds' }]);
  });

  it('has steps of up to 840 seconds where there are none', () => {
    expect(issues(840, new Set())).toEqual([]);
    expect(issues(841, new Set())).toMatchObject([
      { pointer: '/dag/steps/0/config/timeoutSeconds', code: 'SETTING_NOT_AVAILABLE' },
    ]);
  });
});
