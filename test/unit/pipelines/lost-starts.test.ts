import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cancelRun } from '../../../shared/domains/pipelines/runs/cancel-run.ts';
import { repairRun } from '../../../shared/domains/pipelines/runs/repair-run.ts';
import { leaveSlot } from '../../../shared/domains/pipelines/runs/step-queue.ts';
import { takeSlot } from '../../../shared/domains/pipelines/store/step-slots.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import { reportedEvents } from './reported-events.ts';
import { dagOf, sql } from './run-dags.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeEach(async () => {
  setup = await RunSetup.open();
  setup.worker.extra = new Set(['container']);
});
afterEach(() => setup.close());

const twice = { retry: { maxAttempts: 2, initialIntervalMs: 10 } };
const once = { retry: { maxAttempts: 1 } };
const HOUR_MS = 60 * 60_000;
/** A step that is for a container. */
const long = (more: object) =>
  sql('a', 'SELECT 1 AS x', [], { ...more, config: { sql: 'SELECT 1 AS x', timeoutSeconds: 3600 } });

describe('a step whose containers die before they begin with it', () => {
  it('fails an attempt when five in a row have died, and goes on by its retries', async () => {
    let deaths = 0;
    setup.containerDies = async () => ++deaths <= 7;
    const run = await setup.run(await setup.pipeline(dagOf(long(twice))));
    await setup.drain();
    expect(await setup.stored(run.id)).toMatchObject({ status: 'succeeded' });
    // Five for the first attempt, two and the one that lives for the second.
    expect(setup.moved).toHaveLength(8);
    expect(await setup.steps(run.id)).toMatchObject([{ status: 'succeeded', attempt: 2 }]);
    expect(await reportedEvents(setup, 'compute.vm_unreachable')).toMatchObject([{ runId: run.id, stepId: 'a' }]);
    expect(await reportedEvents(setup, 'compute.provision_failing')).toEqual([]);
    expect(setup.open.size).toBe(0);
  });

  it('ends with its run when that is cancelled between two of them', async () => {
    const run = await setup.run(await setup.pipeline(dagOf(long(twice))));
    let deaths = 0;
    setup.containerDies = async () => {
      if (++deaths === 2) await cancelRun(setup.context, setup.place(run.id), 'user');
      return true;
    };
    await setup.drain();
    expect(await setup.stored(run.id)).toMatchObject({ status: 'cancelled' });
    expect(await setup.steps(run.id)).toMatchObject([{ status: 'cancelled', attempt: 0 }]);
    expect(deaths).toBe(2);
  });
});

describe('a step whose containers come after its slot has lapsed', () => {
  it('waits in the queue each time, and loses neither an attempt nor a start', async () => {
    const stepLimits = { perRun: 1, perWorkspace: 1 };
    Object.assign(setup.context, { stepLimits });
    const run = await setup.run(await setup.pipeline(dagOf(long(once))));
    const other = { workspaceId: setup.workspaceId, runId: newId(), epoch: 1, index: 0 };
    let containers = 0;
    setup.containerDies = async () => {
      if (++containers <= 6) {
        setup.aheadMs += 6 * 60_000;
        const holder = { ...other, execution: 'other' };
        expect(await takeSlot(setup.context.table, holder, stepLimits, setup.context.now())).toBe(true);
      }
      return false;
    };
    for (let time = 1; time <= 6; time++) {
      await setup.drain();
      const [step] = await setup.steps(run.id);
      expect(step).toMatchObject({ status: 'ready', attempt: 0 });
      expect(step!.startsLost ?? 0).toBe(0);
      await leaveSlot(setup.context, other, 'other');
    }
    await setup.drain();
    expect(await setup.stored(run.id)).toMatchObject({ status: 'succeeded' });
    expect(await setup.steps(run.id)).toMatchObject([{ status: 'succeeded', attempt: 1 }]);
    expect(setup.moved).toHaveLength(7);
  });
});

describe('a step for which nothing can be started', () => {
  it('is patient for an hour with a lack of containers, and then fails an attempt', async () => {
    setup.hasContainers = () => false;
    // The ids of the events depend on the hour, so the test starts at a full hour.
    setup.aheadMs = HOUR_MS - (Date.now() % HOUR_MS);
    // The hour is nearly over after three tries.
    setup.skewMs = () => (setup.moved.length > 3 ? 58 * 60_000 : 0);
    const pipeline = await setup.pipeline(dagOf(long(once)));
    const run = await setup.run(pipeline);
    await setup.drain();
    expect(await setup.stored(run.id)).toMatchObject({ status: 'failed', error: { code: 'WORKER_UNAVAILABLE' } });
    expect(await setup.steps(run.id)).toMatchObject([{ status: 'failed', attempt: 1, executionSeconds: 0 }]);
    expect(setup.moved).toHaveLength(4);
    const reports = await reportedEvents(setup, 'compute.provision_failing');
    for (const event of reports) expect(event).toMatchObject({ pipelineId: pipeline.id, size: 'container' });
    // Once an hour: the last try may be in the next one.
    expect([1, 2]).toContain(reports.length);
    expect(await reportedEvents(setup, 'compute.vm_unreachable')).toEqual([]);
  });

  it('fails an attempt when for an hour none of its executions was heard of', async () => {
    const run = await setup.run(await setup.pipeline(dagOf(sql('a', 'SELECT 1 AS x', [], once))));
    setup.losesSteps = true;
    await setup.drain();
    for (let minute = 1; minute <= 6; minute++) {
      setup.aheadMs += 61_000;
      await repairRun(setup.context, setup.place(run.id));
    }
    expect(await setup.steps(run.id)).toMatchObject([{ status: 'ready', attempt: 0 }]);
    const [reports] = await reportedEvents(setup, 'compute.provision_failing');
    expect(reports).toMatchObject({ size: null, error: { message: 'No worker can be started for a step.' } });
    setup.aheadMs += 56 * 60_000;
    await repairRun(setup.context, setup.place(run.id));
    expect(await setup.stored(run.id)).toMatchObject({ status: 'failed', error: { code: 'WORKER_UNAVAILABLE' } });
  });
});

describe('a step that functions cannot begin with', () => {
  it('fails an attempt when five in a row have died, and goes on by its retries', async () => {
    let deaths = 0;
    setup.crash = ({ input }) =>
      JSON.stringify(input).includes('"leaseUntil"') && ++deaths <= 5 ? 'before' : undefined;
    const run = await setup.run(await setup.pipeline(dagOf(sql('a', 'SELECT 1 AS x', [], twice))));
    await setup.drain();
    expect(await setup.stored(run.id)).toMatchObject({ status: 'succeeded' });
    expect(await setup.steps(run.id)).toMatchObject([{ status: 'succeeded', attempt: 2 }]);
    expect(await reportedEvents(setup, 'compute.vm_unreachable')).toHaveLength(1);
  });

  it('fails an attempt each time when it cannot be determined what runs it', async () => {
    const issue = new TypeError('no such port');
    setup.worker.athena = {
      database: 'steps',
      bucket: 'data',
      get fromBytes(): number {
        throw issue;
      },
    };
    const run = await setup.run(await setup.pipeline(dagOf(sql('a', 'SELECT 1 AS x', [], twice))));
    await setup.drain();
    expect(await setup.stored(run.id)).toMatchObject({
      status: 'failed',
      error: { code: 'INTERNAL', message: 'Something went wrong on our side (TypeError).' },
    });
    expect(await setup.steps(run.id)).toMatchObject([{ status: 'failed', attempt: 2 }]);
    expect(setup.reported).toEqual([issue, issue]);
  });
});
