import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeRun } from '../../../functions/pipelines/workers/run-lifecycle/close-run.ts';
import { execute } from '../../../functions/pipelines/workers/run-step/execute.ts';
import { readAdmission } from '../../../shared/domains/pipelines/runs/admission.ts';
import { cancelRun } from '../../../shared/domains/pipelines/runs/cancel-run.ts';
import { runTotals } from '../../../shared/domains/pipelines/runs/end-run.ts';
import { repairRun } from '../../../shared/domains/pipelines/runs/repair-run.ts';
import { startRun } from '../../../shared/domains/pipelines/runs/start-run.ts';
import type { StoredPipeline } from '../../../shared/domains/pipelines/store/pipeline-record.ts';
import { usageCounters } from '../../../shared/domains/pipelines/store/read-usage.ts';
import { readEvents } from '../../../shared/domains/pipelines/store/run-events.ts';
import { queuedKey } from '../../../shared/domains/pipelines/store/run-keys.ts';
import { isOver } from '../../../shared/domains/pipelines/store/step-record.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import { itemsBelow } from '../../../shared/platform/storage/query-items.ts';
import { cases } from '../../support/cases.ts';
import { dagOf, into, load, sql } from './run-dags.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
/** Set within the start and the work of the run that is observed, and not within what happens beside it. */
const observed = new AsyncLocalStorage<{ command(side: Side): Promise<void> } | undefined>();
beforeAll(async () => {
  setup = await RunSetup.open();
  setup.context.table.db.middlewareStack.add(
    (next) => async (args) => {
      const run = observed.getStore();
      await run?.command('before');
      const reply = await next(args);
      await run?.command('after');
      return reply;
    },
    { step: 'initialize' },
  );
});
afterAll(() => setup.close());

const SIDES = ['before', 'after'] as const;
type Side = (typeof SIDES)[number];
const EXECUTION = 'the execution';
/** Takes each so many-th command. */
const EVERY = cases(19, 1);
const retry = { maxAttempts: 5, initialIntervalMs: 100 };

const jobOf = (runId: string) => ({ ...setup.place(runId), epoch: 1 });
const work = (runId: string, execution: string) =>
  execute(setup.worker, { ...jobOf(runId), index: 0 }, execution, () => true);

const ACTIONS: Record<string, (runId: string, pipeline: StoredPipeline) => Promise<unknown>> = {
  'a cancel': (runId) => cancelRun(setup.context, setup.place(runId), 'requested'),
  'a check': (runId) => repairRun(setup.context, setup.place(runId)),
  'a check after every lease': (runId) => {
    setup.aheadMs += 61_000;
    return repairRun(setup.context, setup.place(runId));
  },
  'another start': (runId) => startRun(setup.context, jobOf(runId)),
  'a close': (runId) => closeRun(setup.context, jobOf(runId)),
  'a repeated invocation': (runId) => work(runId, EXECUTION),
  'another execution': (runId) => work(runId, 'another execution'),
  'another run': (_runId, pipeline) => setup.run(pipeline),
  'everything that waits': () => setup.drain(),
};

/** Plays a run with the action at this command; returns whether the run came so far. */
async function play(action: string, side: Side, at: number): Promise<boolean> {
  const dataset = `rows ${newId()}`;
  const keep = load('keep', 'a', { target: into(dataset), mode: 'append' }, { retry });
  const dag = dagOf(sql('a', 'SELECT 1 AS x', [], { retry }), keep);
  const pipeline = await setup.pipeline(dag, { onOverlap: 'queue' });
  const { id: runId } = await setup.run(pipeline);
  const runIds = [runId];
  setup.jobs.splice(0);
  const commands = { before: 0, after: 0 };
  const command = async (now: Side) => {
    if (commands[now]++ !== at || now !== side) return;
    // What the action answers is not the matter here: it may come too late.
    const made = await observed.run(undefined, () => ACTIONS[action]!(runId, pipeline)).catch(() => undefined);
    if (action === 'another run') runIds.push((made as { id: string }).id);
  };
  await observed.run({ command }, async () => {
    await startRun(setup.context, jobOf(runId));
    if (action !== 'everything that waits') setup.jobs.splice(0);
    await work(runId, EXECUTION);
  });
  for (const id of runIds) await setup.untilOver(id);
  await expectWhole(pipeline, runIds, `${action} ${side} command ${at}`);
  // Each run that succeeds has loaded its row once; one that is cancelled may have.
  const runs = await Promise.all(runIds.map((id) => setup.stored(id)));
  const rows = (await setup.dataset(dataset))?.rowCount ?? 0;
  expect(rows).toBeGreaterThanOrEqual(runs.filter(({ status }) => status === 'succeeded').length);
  expect(rows).toBeLessThanOrEqual(runs.filter(({ startedAt }) => startedAt !== null).length);
  return commands[side] > at;
}

async function expectWhole({ id }: StoredPipeline, runIds: readonly string[], label: string): Promise<void> {
  const { workspaceId } = setup;
  const { table } = setup.context;
  const used = { runs: 0, seconds: 0 };
  for (const runId of runIds) {
    const run = await setup.stored(runId);
    const steps = await setup.steps(runId);
    const events = await readEvents(table, setup.place(runId), 0);
    expect(isOver(run.status), label).toBe(true);
    expect(run, label).toMatchObject(runTotals(steps));
    for (const name of ['startsAtOnce', 'admittedAt', 'due', 'cancelRequestedAt']) expect(run).not.toHaveProperty(name);
    const numbers = events.map(({ seq }) => seq);
    expect(new Set(numbers).size, label).toBe(numbers.length);
    expect(numbers.at(-1), label).toBeLessThanOrEqual(run.seq);
    expect(events.map(({ type }) => type).indexOf('end'), label).toBe(events.length - 1);
    const statuses = events.flatMap(({ type, data }) => (type === 'run.status' ? [data.status] : []));
    if (run.startedAt) expect(statuses, label).toEqual(['queued', 'running', run.status]);
    else expect(statuses.at(-1), label).toBe(run.status);
    used.runs += run.startedAt ? 1 : 0;
    used.seconds += steps.reduce((sum, { executionSeconds }) => sum + executionSeconds, 0);
  }
  const month = setup.context.now().toISOString().slice(0, 7);
  const counted = (await usageCounters(table, workspaceId, month, 'PIPELINE#')).find(({ part }) => part === id)?.usage;
  expect(counted?.runs ?? 0, label).toBe(used.runs);
  expect(counted?.execution_seconds ?? 0, label).toBeCloseTo(used.seconds, 2);
  const queue = queuedKey({ workspaceId, id: '', createdAt: '' });
  expect(await Array.fromAsync(itemsBelow(table, { pk: queue.pk, sk: '' })), label).toEqual([]);
  expect(await readAdmission(table, workspaceId, id), label).toMatchObject({ running: [], waiting: [] });
}

describe('a run beside which something else happens at any command', () => {
  const names = Object.keys(ACTIONS);
  it.each(names.flatMap((action) => SIDES.map((side) => ({ action, side }))))(
    'ends whole: $action $side',
    async ({ action, side }) => {
      // Together, the actions meet every command.
      for (let at = (2 * names.indexOf(action)) % EVERY; await play(action, side, at); at += EVERY);
    },
    300_000,
  );
});
