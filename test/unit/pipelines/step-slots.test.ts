import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { START_RETRIES } from '../../../functions/pipelines/workers/run-lifecycle/run-machine.ts';
import type { Dag, Step } from '../../../shared/domains/pipelines/definition/dag.ts';
import { startRun } from '../../../shared/domains/pipelines/runs/start-run.ts';
import { readQueue } from '../../../shared/domains/pipelines/runs/step-queue.ts';
import { readEvents } from '../../../shared/domains/pipelines/store/run-events.ts';
import { freeSlot, readSlots, STEP_LIMITS, takeSlot } from '../../../shared/domains/pipelines/store/step-slots.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import { cases } from '../../support/cases.ts';
import { asProcess, Crashed } from '../../support/crash.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterEach(() => {
  setup.mostOpen = { run: 0, workspace: 0 };
});
afterAll(() => setup.close());

const retry = { maxAttempts: 10, initialIntervalMs: 100, backoffCoefficient: 1 };
const step = (id: string, dependsOn: string[] = []): Step => ({
  id,
  type: 'transform_sql',
  config: { sql: 'SELECT 1 AS one', inputs: {} },
  dependsOn,
  retry,
});
const wide = (width: number): Dag => ({
  version: 1,
  steps: Array.from({ length: width }, (_step, index) => step(`s${index}`)),
});

/** Several workers at once take what there is to do. */
const drain = (workers: number) =>
  Promise.all(Array.from({ length: workers }, () => setup.drain({ mayContinue: false })));

async function expectNothingLeft(runIds: string[]): Promise<void> {
  setup.aheadMs += 61_000;
  await readSlots(setup.context.table, setup.workspaceId, setup.context.now());
  const { slots } = await readSlots(setup.context.table, setup.workspaceId, setup.context.now());
  expect(slots.held).toEqual({});
  for (const runId of runIds) {
    expect(slots.runs.get(runId)?.size ?? 0).toBe(0);
    expect(await readQueue(setup.context, { workspaceId: setup.workspaceId, runId })).toEqual([]);
  }
}

describe('the steps of a workspace', () => {
  it('work no more at once than the run and the workspace may, and use each slot again', async () => {
    Object.assign(setup.context, { stepLimits: { perRun: 3, perWorkspace: 5 } });
    const runs = [];
    for (const width of [9, 7, 2]) runs.push(await setup.run(await setup.pipeline(wide(width))));
    await drain(4);
    for (const run of runs) expect(await setup.stored(run.id)).toMatchObject({ status: 'succeeded' });
    expect(setup.mostOpen).toEqual({ run: 3, workspace: 5 });
    await expectNothingLeft(runs.map(({ id }) => id));
  });

  it('begin in turn: a run with one step does not wait for all steps of a wide one', async () => {
    Object.assign(setup.context, { stepLimits: { perRun: 2, perWorkspace: 2 } });
    const broad = await setup.run(await setup.pipeline(wide(8)));
    const small = await setup.run(await setup.pipeline(wide(1)));
    await drain(1);
    expect((await setup.stored(small.id)).finishedAt! < (await setup.stored(broad.id)).finishedAt!).toBe(true);
  });

  it('are not held up by another workspace', async () => {
    const at = setup.context.now();
    const limits = { perRun: 2, perWorkspace: 2 };
    const holder = (workspaceId: string, execution: string) => ({ workspaceId, runId: newId(), execution });
    const [busy, idle] = [newId(), newId()];
    const held = [holder(busy, 'a'), holder(busy, 'b')];
    for (const one of held) expect(await takeSlot(setup.context.table, one, limits, at)).toBe(true);
    expect(await takeSlot(setup.context.table, holder(busy, 'c'), limits, at)).toBe(false);
    expect(await takeSlot(setup.context.table, holder(idle, 'c'), limits, at)).toBe(true);
    await freeSlot(setup.context.table, held[0]!);
    expect(await takeSlot(setup.context.table, holder(busy, 'c'), limits, at)).toBe(true);
  });

  it('all begin when they are the first ones and come at once', async () => {
    const at = setup.context.now();
    const [workspaceId, runId] = [newId(), newId()];
    const holders = Array.from({ length: 20 }, (_, index) => ({ workspaceId, runId, execution: `e${index}` }));
    const limits = { perRun: 19, perWorkspace: 100 };
    const taken = await Promise.all(holders.map((holder) => takeSlot(setup.context.table, holder, limits, at)));
    expect(taken.filter(Boolean)).toHaveLength(19);
  });

  it('wait in the queue although the worker that queued them died before it reported that', async () => {
    Object.assign(setup.context, { stepLimits: { perRun: 1, perWorkspace: 1 } });
    const run = await setup.run(await setup.pipeline(wide(3)));
    setup.crash = ({ input }) => (JSON.stringify(input).includes('ADD #line') ? 'before' : undefined);
    const [job] = setup.jobs.splice(0);
    if (job?.kind !== 'run') throw new Error('the run is to be started');
    await expect(asProcess(() => startRun(setup.context, job.job))).rejects.toThrow(Crashed);
    setup.crash = () => undefined;
    expect(await readQueue(setup.context, setup.place(run.id))).toHaveLength(2);
    await drain(1);
    expect(await setup.untilOver(run.id)).toMatchObject({ status: 'succeeded' });
    await expectNothingLeft([run.id]);
  });

  it('leave a slot of a dead worker when its lease is over', async () => {
    const at = setup.context.now();
    const limits = { perRun: 1, perWorkspace: 1 };
    const [workspaceId, runId] = [newId(), newId()];
    expect(await takeSlot(setup.context.table, { workspaceId, runId, execution: 'dead' }, limits, at)).toBe(true);
    const next = { workspaceId, runId, execution: 'next' };
    expect(await takeSlot(setup.context.table, next, limits, new Date(at.getTime() + 59_000))).toBe(false);
    expect(await takeSlot(setup.context.table, next, limits, new Date(at.getTime() + 61_000))).toBe(true);
  });

  it('keep their slots although the clock of another worker is five minutes ahead', async () => {
    const limits = { perRun: 2, perWorkspace: 2 };
    const [workspaceId, runId] = [newId(), newId()];
    const take = async ({ context }: RunSetup, execution: string) =>
      takeSlot(context.table, { workspaceId, runId, execution }, limits, context.now());
    for (const execution of ['a', 'b']) expect(await take(setup, execution)).toBe(true);
    const ahead = setup.withSkew(5 * 60_000);
    // Like the function that starts a step, it has read before.
    await ahead.stored(runId);
    expect(await take(ahead, 'c')).toBe(false);
    const { slots } = await readSlots(ahead.context.table, workspaceId, ahead.context.now());
    expect(Object.keys(slots.held)).toHaveLength(2);
  });

  it('fit into an account with several busy workspaces', () => {
    expect(STEP_LIMITS).toEqual({ perRun: 100, perWorkspace: 200 });
  });
});

describe('random definitions under random issues', () => {
  const shapes = fc.array(fc.array(fc.boolean(), { maxLength: 6 }), { minLength: 2, maxLength: 10 });
  const deaths = fc.array(fc.tuple(fc.integer({ min: 0, max: 25 }), fc.constantFrom('before', 'after')), {
    // With one more the machine of a run may give up its start.
    maxLength: START_RETRIES,
  });
  const notices = fc.constantFrom('machine', 'service', 'tick');

  it('keep their order, settle each step once, and never work on more at once than they may', async () => {
    Object.assign(setup.context, { stepLimits: { perRun: 2, perWorkspace: 3 } });
    await fc.assert(
      fc.asyncProperty(shapes, deaths, notices, async (shape, left, noticed) => {
        setup.mostOpen = { run: 0, workspace: 0 };
        const dag: Dag = {
          version: 1,
          steps: shape.map((waits, index) =>
            step(
              `s${index}`,
              waits.flatMap((wait, other) => (wait && other < index ? [`s${other}`] : [])),
            ),
          ),
        };
        const runs = [await setup.run(await setup.pipeline(dag)), await setup.run(await setup.pipeline(dag))];
        let writes = 0;
        const losses = [...left];
        setup.notices = noticed;
        setup.crash = () => {
          if (losses.length === 0 || writes++ < losses[0]![0]) return undefined;
          writes = 0;
          return losses.shift()![1];
        };
        await drain(3);
        setup.crash = () => undefined;
        for (const { id } of runs) {
          expect((await setup.untilOver(id, { mayContinue: false })).status).toBe('succeeded');
          const byId = new Map((await setup.steps(id)).map((one) => [one.stepId, one]));
          for (const { id: stepId, dependsOn = [] } of dag.steps) {
            for (const before of dependsOn) {
              expect(byId.get(before)!.finishedAt! <= byId.get(stepId)!.startedAt!).toBe(true);
            }
          }
          const events = await readEvents(setup.context.table, { workspaceId: setup.workspaceId, runId: id }, 0);
          const ends = events.flatMap(({ type, data }) =>
            type === 'step.status' && data.status === 'succeeded' ? [data.stepId] : [],
          );
          expect(ends.toSorted()).toEqual(dag.steps.map((one) => one.id).toSorted());
        }
        expect(setup.mostOpen.run).toBeLessThanOrEqual(2);
        expect(setup.mostOpen.workspace).toBeLessThanOrEqual(3);
        await expectNothingLeft(runs.map(({ id }) => id));
      }),
      { numRuns: cases(3, 12) },
    );
  });
});
