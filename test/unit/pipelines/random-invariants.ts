import { expect } from 'vitest';
import { openEngine } from '../../../shared/data/duckdb/engine.ts';
import { dependenciesOf } from '../../../shared/domains/pipelines/definition/dag.ts';
import { readAdmission } from '../../../shared/domains/pipelines/runs/admission.ts';
import { drainQueue, readQueue } from '../../../shared/domains/pipelines/runs/step-queue.ts';
import { type NumberedEvent, readEvents } from '../../../shared/domains/pipelines/store/run-events.ts';
import type { StoredRun } from '../../../shared/domains/pipelines/store/run-record.ts';
import { isOver, type StoredStep } from '../../../shared/domains/pipelines/store/step-record.ts';
import { readSlots } from '../../../shared/domains/pipelines/store/step-slots.ts';
import { expectedRun, instanceKey } from './random-outcome.ts';
import { type PlayedPipeline, type RandomPlay, STEP_LIMITS } from './random-runs.ts';
import type { RunSetup } from './run-setup.ts';
import { StepRows } from './step-rows.ts';

const UNKNOWN_COLUMNS = /its columns are unknown until it has run once/;

/**
 * What holds at any time: no limit is exceeded, nothing starts too early, and no worker works on a run that has ended.
 */
export async function expectOrder(setup: RunSetup, play: RandomPlay): Promise<void> {
  for (const played of play.pipelines) {
    const { pipeline, policy, runIds } = played;
    const runs = await Promise.all(runIds.map((runId) => setup.stored(runId)));
    const { running } = await readAdmission(setup.context.table, setup.workspaceId, pipeline.id);
    expect(running.length).toBeLessThanOrEqual(policy.maxConcurrentRuns);
    for (const run of runs) {
      if (run.status === 'running') expect(running).toContain(run.id);
      const steps = await setup.steps(run.id);
      if (isOver(run.status))
        expect(
          steps.filter(({ status }) => !isOver(status)),
          JSON.stringify(run),
        ).toEqual([]);
      expectDependenciesOver(played, steps);
    }
  }
  const { slots } = await readSlots(setup.context.table, setup.workspaceId, setup.context.now());
  expect(Object.keys(slots.held).length).toBeLessThanOrEqual(STEP_LIMITS.perWorkspace);
  for (const held of slots.runs.values()) expect(held.size).toBeLessThanOrEqual(STEP_LIMITS.perRun);
  expect(play.mostAtWork.workspace).toBeLessThanOrEqual(STEP_LIMITS.perWorkspace);
  expect(play.mostAtWork.run).toBeLessThanOrEqual(STEP_LIMITS.perRun);
}

function expectDependenciesOver({ definition: { dag, ordered } }: PlayedPipeline, steps: readonly StoredStep[]): void {
  const blockOf = (id: string) => dag.forEach?.find((block) => block.steps.includes(id));
  for (const step of steps) {
    if (!['running', 'waiting', 'succeeded', 'failed'].includes(step.status)) continue;
    const block = blockOf(step.stepId);
    for (const id of dependenciesOf(ordered.find((one) => one.id === step.stepId)!)) {
      const sameItem = (one: StoredStep) => !block || blockOf(id) !== block || one.itemIndex === step.itemIndex;
      for (const before of steps.filter((one) => one.stepId === id && sameItem(one))) {
        expect(isOver(before.status), `${before.stepId} before ${step.stepId}`).toBe(true);
        if (before.finishedAt) expect(before.finishedAt <= step.startedAt!, `${id} before ${step.stepId}`).toBe(true);
      }
    }
  }
}

/** What holds in the end: every run came to what it had to, once, and all that was taken is given back. */
export async function expectOutcome(setup: RunSetup, play: RandomPlay): Promise<void> {
  for (const played of play.pipelines) {
    const loaded: string[] = [];
    const perhaps: string[] = [];
    for (const runId of played.runIds) {
      const run = await setup.stored(runId);
      const steps = await setup.steps(runId);
      await expectSettledOnce(setup, run, steps);
      const rows = await expectOutputs(setup, played, run, steps);
      loaded.push(...rows.loaded);
      perhaps.push(...rows.perhaps);
    }
    const rows = ((await setup.rows(played.definition.dataset)) ?? []).map(([row]) => String(row));
    expectRows(rows, loaded, perhaps);
    const admission = await readAdmission(setup.context.table, setup.workspaceId, played.pipeline.id);
    expect(admission).toMatchObject({ running: [], waiting: [] });
  }
  await expectNothingHeld(setup, play.runIds());
}

/** Each attempt begins once and each instance ends once in every attempt of the run, as its events report. */
async function expectSettledOnce(setup: RunSetup, run: StoredRun, steps: readonly StoredStep[]): Promise<void> {
  const begun = new Map<string, number>();
  let ends = new Map<string, string[]>();
  for (const event of await allEvents(setup, run.id)) {
    if (event.type === 'run.status' && event.data.status === 'queued') ends = new Map();
    if (event.type !== 'step.status') continue;
    const { stepId, item, attempt, status } = event.data;
    const instance = `${stepId} ${item ?? ''}`;
    if (status === 'running') begun.set(`${instance} ${attempt}`, (begun.get(`${instance} ${attempt}`) ?? 0) + 1);
    else if (status !== 'queued') ends.set(instance, [...(ends.get(instance) ?? []), status]);
    for (const statuses of ends.values()) expect(statuses.length, instance).toBe(1);
  }
  for (const [attempt, times] of begun) expect(times, attempt).toBe(1);
  expectReported(run, steps, begun, ends);
}

function expectReported(
  run: StoredRun,
  steps: readonly StoredStep[],
  begun: ReadonlyMap<string, number>,
  ends: ReadonlyMap<string, string[]>,
): void {
  for (const step of steps) {
    const instance = `${step.stepId} ${step.item ?? ''}`;
    for (let attempt = 1; attempt <= step.attempt; attempt++) expect(begun.has(`${instance} ${attempt}`)).toBe(true);
    // What the start of the run knows to be skipped has no event of its own, and what stays was reported by the earlier
    // attempt.
    if (step.epoch === run.attempt && step.status !== 'skipped') expect(ends.get(instance)).toEqual([step.status]);
  }
}

async function allEvents(setup: RunSetup, runId: string): Promise<NumberedEvent[]> {
  const events: NumberedEvent[] = [];
  for (;;) {
    const page = await readEvents(setup.context.table, setup.place(runId), events.at(-1)?.seq ?? 0);
    if (page.length === 0) return events;
    events.push(...page);
  }
}

/** Every step has read exactly what those before it left, and the run ended as it had to unless it was cancelled. */
async function expectOutputs(
  setup: RunSetup,
  { definition }: PlayedPipeline,
  run: StoredRun,
  steps: readonly StoredStep[],
): Promise<{ loaded: string[]; perhaps: string[] }> {
  const found = (stepId: string) => steps.find((step) => step.stepId === stepId)?.status !== 'failed';
  const expected = expectedRun(definition, run, found);
  // When a run is cancelled is chance, and which columns a skipped step would have had follows from earlier runs.
  const fatesAreFree =
    run.status === 'cancelled' || steps.some(({ error }) => UNKNOWN_COLUMNS.test(error?.message ?? ''));
  if (!fatesAreFree) {
    expect(run.status, JSON.stringify(run.error)).toBe(expected.status);
    expect(steps.length).toBe(expected.steps.size);
  }
  const [loaded, perhaps]: [string[], string[]] = [[], []];
  const left = await StepRows.open(setup, run.id);
  const engine = await openEngine({ memoryLimitMb: 200, threads: 1, tempDir: setup.worker.scratchDir });
  try {
    for (const step of steps) {
      const key = instanceKey(step.stepId, step.itemIndex);
      const { rows, ...fate } = expected.steps.get(key)!;
      if (!fatesAreFree) expect({ status: step.status, skipReason: step.skipReason }, key).toMatchObject(pick(fate));
      if (step.type === 'load') {
        if (step.status === 'succeeded') loaded.push(...rows);
        // Its commit may have come before the end of the run, but not the word of it.
        else if (step.status === 'cancelled') perhaps.push(...rows);
      } else if (step.status === 'succeeded') {
        await left.attach(engine, 'made', step.output ? [step.output] : []);
        expect((await engine.run('SELECT t FROM made ORDER BY t')).flat(), key).toEqual(rows.toSorted());
      }
    }
  } finally {
    await engine.close();
  }
  return { loaded, perhaps };
}

const pick = ({ status, skipReason }: { status: string; skipReason: string | null }) => ({ status, skipReason });

/** Exactly the rows that must be there, and of those that may be there none twice. */
function expectRows(rows: readonly string[], loaded: readonly string[], perhaps: readonly string[]): void {
  const left = rows.toSorted();
  for (const row of loaded) {
    const at = left.indexOf(row);
    expect(at, `row ${row} is lost`).toBeGreaterThanOrEqual(0);
    left.splice(at, 1);
  }
  const allowed = [...perhaps];
  for (const row of left) {
    const at = allowed.indexOf(row);
    expect(at, `row ${row} is one too many`).toBeGreaterThanOrEqual(0);
    allowed.splice(at, 1);
  }
}

async function expectNothingHeld(setup: RunSetup, runIds: readonly string[]): Promise<void> {
  setup.aheadMs += 61_000;
  // An entry that a crashed worker left in the queue is removed at the next release, and starts nothing.
  await drainQueue(setup.context, setup.workspaceId);
  expect(setup.jobs).toEqual([]);
  await readSlots(setup.context.table, setup.workspaceId, setup.context.now());
  const { slots } = await readSlots(setup.context.table, setup.workspaceId, setup.context.now());
  expect(slots.held).toEqual({});
  expect(slots.queues).toEqual(new Map());
  for (const runId of runIds) {
    expect(slots.runs.get(runId)?.size ?? 0).toBe(0);
    expect(await readQueue(setup.context, setup.place(runId))).toEqual([]);
  }
}
