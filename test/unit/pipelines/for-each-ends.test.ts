import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Dag, Step } from '../../../shared/domains/pipelines/definition/dag.ts';
import { readAdmission } from '../../../shared/domains/pipelines/runs/admission.ts';
import { cancelRun } from '../../../shared/domains/pipelines/runs/cancel-run.ts';
import { startRun } from '../../../shared/domains/pipelines/runs/start-run.ts';
import { readEvents } from '../../../shared/domains/pipelines/store/run-events.ts';
import { runKey, stepKey } from '../../../shared/domains/pipelines/store/run-keys.ts';
import type { StoredRun } from '../../../shared/domains/pipelines/store/run-record.ts';
import { readSteps } from '../../../shared/domains/pipelines/store/run-store.ts';
import type { StoredStep } from '../../../shared/domains/pipelines/store/step-record.ts';
import { updateOf } from '../../../shared/platform/storage/update.ts';
import type { Write } from '../../support/crash.ts';
import { isAt } from './crash-points.ts';
import { sql } from './run-dags.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());

let writes: Write[] = [];
beforeEach(() => {
  // A busy machine must not make a step heavy.
  setup.worker.lightMs = 60_000;
  writes = [];
  setup.crash = (write) => {
    writes.push(write);
    return undefined;
  };
});
const countOf = (point: Parameters<typeof isAt>[0]) => writes.filter((write) => isAt(point, write)).length;

const retry = { maxAttempts: 10, initialIntervalMs: 100, backoffCoefficient: 1 };
/** Two workers do two of them. */
const ITEMS = 12;

/** `a`, then a block of `b` and perhaps `c` over the items, then `d`. */
function blockOf(steps: Step[], more: Step[] = []): Dag {
  const items = Array.from({ length: ITEMS }, (_item, index) => index);
  const last = steps.at(-1)!.id;
  return {
    version: 1,
    forEach: [{ id: 'each', items, steps: steps.map(({ id }) => id) }],
    steps: [
      sql('a', 'SELECT 1 AS x', [], { retry }),
      ...steps,
      sql('d', `SELECT sum(x) AS x FROM ${last}`, [last], { retry }),
      ...more,
    ],
  };
}
const B = sql('b', 'SELECT x + {{ forEach.each.item }}::INTEGER AS x FROM a', ['a'], { retry });
const C = sql('c', 'SELECT x FROM b', ['b'], { retry });

async function ran(
  dag: Dag,
  crash = setup.crash,
): Promise<{ run: StoredRun; steps: StoredStep[]; pipelineId: string }> {
  const pipeline = await setup.pipeline(dag);
  const { id } = await setup.run(pipeline);
  writes = [];
  setup.crash = crash;
  await setup.drain();
  const run = await setup.untilOver(id);
  return { run, steps: await setup.steps(id), pipelineId: pipeline.id };
}

/** Every item is done once, each after the item ten places before, and what waits for all of them begins last. */
async function expectOnce({ run, steps, pipelineId }: Awaited<ReturnType<typeof ran>>, others = 0): Promise<void> {
  expect(run.status).toBe('succeeded');
  const of = (id: string, itemIndex: number | null = null) =>
    steps.find((step) => step.kind === 'step' && step.stepId === id && step.itemIndex === itemIndex)!;
  const ids = steps.some(({ stepId }) => stepId === 'c') ? ['b', 'c'] : ['b'];
  for (let item = 0; item < ITEMS; item++) {
    for (const id of ids) {
      expect(of(id, item)).toMatchObject({ status: 'succeeded', rowsOut: 1 });
      expect(of(id, item).finishedAt! <= of('d').startedAt!).toBe(true);
    }
    expect(of('a').finishedAt! <= of('b', item).startedAt!).toBe(true);
    if (item >= 10) expect(of(ids.at(-1)!, item - 10).finishedAt! <= of('b', item).startedAt!).toBe(true);
  }
  // An end that waits for a single node is not written.
  const nodes = await readSteps(setup.context.table, setup.workspaceId, run.id);
  expect(nodes.flatMap(({ kind, pending }) => (kind === 'end' ? [] : [...(pending ?? [])]))).toEqual([]);
  const events = await readEvents(setup.context.table, setup.place(run.id), 0);
  const ends = events.flatMap(({ type, data }) =>
    type === 'step.status' && data.status === 'succeeded' ? [`${data.stepId} ${data.item}`] : [],
  );
  expect(new Set(ends).size).toBe(ends.length);
  expect(ends).toHaveLength(2 + others + ids.length * ITEMS);
  expect(await readAdmission(setup.context.table, setup.workspaceId, pipelineId)).toMatchObject({ running: [] });
}

describe('the items of a block', () => {
  it('are done one after the other by ten workers, which store their ends together', async () => {
    const done = await ran(blockOf([B]));
    await expectOnce(done);
    // One of each worker, of `a` and of `d`.
    expect(countOf('settle')).toBe(10 + 2);
    // The first item of each worker, the barrier after its last one, and `d`. The end waits only for `d`.
    expect(countOf('release')).toBe(10 + 10 + 1);
  });

  it('are done by the worker of the item before even if a block has several steps', async () => {
    const done = await ran(blockOf([B, C]));
    await expectOnce(done);
    expect(countOf('settle')).toBe(10 + 2);
    // The first step, and all workers of the block but the one that goes on from it.
    expect(countOf('launch')).toBe(1 + 9);
  });

  it('are stored and released at once where another step waits for a part of the block', async () => {
    const done = await ran(blockOf([B, C], [sql('e', 'SELECT sum(x) AS x FROM b', ['b'], { retry })]));
    await expectOnce(done, 1);
    expect(done.steps.find(({ stepId }) => stepId === 'e')).toMatchObject({ status: 'succeeded', rowsOut: 1 });
    // Each `b` with the beginning of its `c`, and each `c` with the next `b` that begins, if there is one.
    expect(countOf('settle')).toBe(ITEMS + 10 + 3);
  });

  it('are done after an item that failed', async () => {
    const failing = sql(
      'b',
      "SELECT (CASE {{ forEach.each.item }}::INTEGER WHEN 1 THEN 'one' ELSE '1' END)::INTEGER AS x",
      [],
      {
        retry: { maxAttempts: 1 },
      },
    );
    const { run, steps } = await ran(blockOf([failing]));
    expect(run.status).toBe('failed');
    const statuses = steps.filter(({ kind, stepId }) => kind === 'step' && stepId === 'b').map(({ status }) => status);
    expect(statuses).toEqual(Array.from({ length: ITEMS }, (_item, index) => (index === 1 ? 'failed' : 'succeeded')));
    expect(steps.find(({ stepId }) => stepId === 'd')).toMatchObject({ skipReason: 'upstream_failed' });
  });

  it('are all skipped after a step that failed', async () => {
    const { steps } = await ran(
      blockOf([sql('b', 'SELECT x FROM fails', ['fails'], { retry })], [sql('fails', "SELECT 'one'::INTEGER AS x")]),
    );
    const skipped = steps.filter(({ kind, skipReason }) => kind === 'step' && skipReason === 'upstream_failed');
    expect(skipped.map(({ stepId }) => stepId)).toEqual([...Array(ITEMS).fill('b'), 'd']);
  });

  it('are done in a run that was created when each item waited for all dependencies of its step', async () => {
    const { id } = await setup.run(await setup.pipeline(blockOf([B])));
    const { table } = setup.context;
    const earlier = updateOf(table, runKey(setup.workspaceId, id), { remove: ['planVersion'] });
    await table.db.send(new UpdateCommand(earlier));
    await setup.drain();
    expect(await setup.stored(id)).toMatchObject({ status: 'succeeded' });
    expect(countOf('release')).toBeGreaterThan(ITEMS + 10);
  });

  it('begin after everything they depend on, even if a step of the item ten places earlier was skipped', async () => {
    const slow = sql('w', 'SELECT 1 AS x', [], { retry });
    const dag: Dag = {
      ...blockOf([
        sql('a2', 'SELECT x FROM w', ['w'], { retry }),
        sql('x', 'SELECT x FROM a2', ['a2'], { retry, when: { param: 'extra', op: 'truthy' } }),
        sql('b', 'SELECT x FROM a UNION ALL SELECT x FROM x', ['a', 'x'], { retry }),
      ]),
      parameters: [{ name: 'extra', type: 'boolean', default: false }],
    };
    // The last one to begin.
    dag.steps.push(slow);
    const { run, steps } = await ran(dag);
    expect(run.status).toBe('succeeded');
    const w = steps.find(({ stepId }) => stepId === 'w')!;
    const items = steps.filter(({ kind, stepId }) => kind === 'step' && stepId === 'a2');
    expect(items.map(({ rowsOut }) => rowsOut)).toEqual(Array(ITEMS).fill(1));
    expect(items.filter(({ startedAt }) => startedAt! < w.finishedAt!)).toEqual([]);
  });

  it('keep the attempt of the step that has begun when a release fails', async () => {
    const retry = { maxAttempts: 1 };
    const dag: Dag = {
      version: 1,
      forEach: [{ id: 'each', items: [0, 1, 2], steps: ['b', 'c'] }],
      steps: [
        sql('b', 'SELECT 1 AS x', [], { retry }),
        sql('c', 'SELECT x FROM b', ['b'], { retry }),
        sql('e', 'SELECT sum(x) AS x FROM b', ['b'], { retry }),
      ],
    };
    let releases = 0;
    const { run } = await ran(dag, (write) => (isAt('release', write) && ++releases === 1 ? 'refused' : undefined));
    expect(run.status).toBe('succeeded');
    expect(setup.reported.splice(0)).toHaveLength(1);
  });

  it('are released when another version of the code started the run and let them wait for other nodes', async () => {
    const fails = sql(
      'b',
      "SELECT x + (CASE {{ forEach.each.item }}::INTEGER WHEN 1 THEN 'one' ELSE '1' END)::INTEGER AS x FROM a",
      ['a'],
    );
    const { id } = await setup.run(await setup.pipeline(blockOf([fails])));
    setup.jobs.splice(0);
    await startRun(setup.context, { ...setup.place(id), epoch: 1 });
    const { table } = setup.context;
    const nodes = await readSteps(table, setup.workspaceId, id);
    const first = nodes.find(({ stepId }) => stepId === 'a')!.index;
    for (const { index, pending } of nodes.filter(({ itemIndex }) => itemIndex !== null && itemIndex >= 10)) {
      const waits = { set: { pending: new Set([...(pending ?? []), first]) }, remove: ['sawSuccess'] };
      await table.db.send(new UpdateCommand(updateOf(table, stepKey(setup.workspaceId, id, index), waits)));
    }
    await setup.untilOver(id);
    const states = (await setup.steps(id)).filter(({ stepId, kind }) => stepId === 'b' && kind === 'step');
    expect(states.map(({ status }) => status)).toEqual(
      Array.from({ length: ITEMS }, (_item, index) => (index === 1 ? 'failed' : 'succeeded')),
    );
  });

  it('are not begun any more once the run is cancelled', async () => {
    const { id } = await setup.run(await setup.pipeline(blockOf([B])));
    let ended = 0;
    setup.crash = (write) => {
      if (isAt('settle', write) && ++ended === 4) void cancelRun(setup.context, setup.place(id), 'requested');
      return undefined;
    };
    await setup.drain();
    expect((await setup.untilOver(id)).status).toBe('cancelled');
    const steps = await setup.steps(id);
    const states = steps.map(({ status }) => status);
    expect(states.filter((status) => !['succeeded', 'cancelled'].includes(status))).toEqual([]);
    expect(steps.find(({ stepId }) => stepId === 'd')).toMatchObject({ status: 'cancelled' });
  });
});

describe('a worker of a block that dies', () => {
  /** Which of these writes fails. Each comes from the worker that does `a` and then two items of the block. */
  const DEATHS = { claim: 2, stage: 2, settle: 2, release: 10 + 1, ready: 2, launch: 3 } as const;
  const POINTS = Object.keys(DEATHS) as (keyof typeof DEATHS)[];
  it.each(POINTS.flatMap((point) => (['before', 'after'] as const).map((when) => ({ point, when }))))(
    '$when it writes $point leaves nothing undone, and nothing done twice',
    async ({ point, when }) => {
      let count = 0;
      const dies = (write: Write) => (isAt(point, write) && ++count === DEATHS[point] ? when : undefined);
      const done = await ran(blockOf([B, C]), dies);
      expect(count).toBeGreaterThanOrEqual(DEATHS[point]);
      await expectOnce(done);
    },
    60_000,
  );
});
