import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fireSchedule } from '../../../functions/pipelines/workers/run-lifecycle/fire-schedule.ts';
import { execute } from '../../../functions/pipelines/workers/run-step/execute.ts';
import { announceDue } from '../../../functions/platform/workers/minute-tick/announce-due.ts';
import { scheduledPipelines } from '../../../functions/platform/workers/minute-tick/scheduled-pipelines.ts';
import { readAdmission } from '../../../shared/domains/pipelines/runs/admission.ts';
import { forceCancel } from '../../../shared/domains/pipelines/runs/cancel-run.ts';
import { retryRun } from '../../../shared/domains/pipelines/runs/retry-run.ts';
import { startRun } from '../../../shared/domains/pipelines/runs/start-run.ts';
import type { StepJob } from '../../../shared/domains/pipelines/store/launcher.ts';
import type { StoredPipeline } from '../../../shared/domains/pipelines/store/pipeline-record.ts';
import { pipelineRepository } from '../../../shared/domains/pipelines/store/pipeline-store.ts';
import { readEvents } from '../../../shared/domains/pipelines/store/run-events.ts';
import { runRepository } from '../../../shared/domains/pipelines/store/run-store.ts';
import type { WorkMessage } from '../../../shared/domains/pipelines/store/work-queue.ts';
import { later, newId } from '../../../shared/platform/storage/ids.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { dagOf, into, load, sql } from './run-dags.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterEach(() => {
  setup.skewMs = () => 0;
  setup.messages.splice(0);
  setup.delays.splice(0);
});
afterAll(() => setup.close());

const MINUTE_MS = 60_000;
const FIVE_MINUTES_MS = 5 * MINUTE_MS;
type Due = Extract<WorkMessage, { kind: 'fire-schedule' }>;

const fire = async (due: Due): Promise<string> => {
  let outcome = '';
  await fireSchedule(setup.context, due, (reported) => {
    outcome = reported;
  });
  return outcome;
};

async function scheduled(everySeconds: number): Promise<StoredPipeline> {
  const pipeline = await setup.pipeline(dagOf(sql('a', 'SELECT 1 AS x')), {
    maxConcurrentRuns: 10,
    onOverlap: 'queue',
  });
  const updatedAt = later(pipeline.updatedAt, setup.context.now());
  const schedule = { everySeconds, timezone: 'UTC', enabled: true };
  return pipelineRepository(setup.context.table).replace(
    pipeline,
    { ...pipeline, updatedAt, schedule },
    'PIPELINE_CHANGED',
  );
}

const dueAt = ({ id }: StoredPipeline, instant: number): Due => ({
  kind: 'fire-schedule',
  workspaceId: setup.workspaceId,
  pipelineId: id,
  scheduledAt: new Date(instant).toISOString(),
});

/** The instants for which there is a run, in order. */
async function started({ id }: StoredPipeline): Promise<string[]> {
  const { items } = await runRepository(setup.context.table).list(setup.workspaceId, { limit: 100, offset: 0 }, id);
  return items.map(({ trigger }) => trigger.scheduledAt!).sort();
}

const nextMinute = () => Math.ceil(setup.context.now().getTime() / MINUTE_MS) * MINUTE_MS;

describe('instants of a schedule', () => {
  it('start a run each, with the time that they are for, even if they arrive late and in any order', async () => {
    const pipeline = await scheduled(60);
    const first = nextMinute();
    const instants = [first, first + MINUTE_MS, first + 2 * MINUTE_MS];
    setup.aheadMs += 20 * MINUTE_MS;
    for (const instant of [2, 0, 1, 0, 2].map((index) => instants[index]!)) await fire(dueAt(pipeline, instant));
    expect(await started(pipeline)).toEqual(instants.map((instant) => new Date(instant).toISOString()));
    await setup.drain();
    const { items } = await runRepository(setup.context.table).list(
      setup.workspaceId,
      { limit: 10, offset: 0 },
      pipeline.id,
    );
    for (const run of items) expect(run).toMatchObject({ status: 'succeeded', logicalDate: run.trigger.scheduledAt });
  });

  it('start nothing before their time, which a clock that is ahead takes to be now', async () => {
    const pipeline = await scheduled(3600);
    const instant = Math.ceil(setup.context.now().getTime() / 3_600_000) * 3_600_000;
    setup.aheadMs += instant - setup.context.now().getTime() - 4 * MINUTE_MS;
    expect(await fire(dueAt(pipeline, instant))).toBe('TOO_EARLY');
    expect(await started(pipeline)).toEqual([]);
    expect(setup.messages).toEqual([dueAt(pipeline, instant)]);
    expect(setup.delays[0]).toBeCloseTo(240, 0);
    setup.aheadMs += 240_000;
    for (const _time of [1, 2]) await fire(setup.messages[0] as Due);
    expect(await started(pipeline)).toEqual([new Date(instant).toISOString()]);
    await setup.drain();
  });

  it('start never twice and never early by clocks that are wrong by five minutes, and all of them soon after these are right', async () => {
    const random = seededRandom(7);
    const pipeline = await scheduled(60);
    const waiting: { message: Due; at: number }[] = [];
    const queue = {
      send: async (sent: readonly { message: WorkMessage; delaySeconds: number }[]) => {
        const now = Date.now() + setup.aheadMs;
        for (const { message, delaySeconds } of sent) {
          if (message.kind !== 'fire-schedule' || message.pipelineId !== pipeline.id) continue;
          // As a queue does: it may bring a message twice.
          for (const _time of [1, 2]) waiting.push({ message, at: now + Math.max(0, delaySeconds) * 1000 });
        }
      },
    };
    const own = setup.context.queue;
    setup.context.queue = queue;
    let now = 0;
    for (let minute = 0; minute < 18; minute++) {
      const skew = minute < 8 ? [-FIVE_MINUTES_MS, 0, FIVE_MINUTES_MS][Math.floor(random() * 3)]! : 0;
      setup.skewMs = () => skew;
      await announceDue(setup.context, scheduledPipelines(setup.context.table, queue), (failure) => {
        throw new Error(JSON.stringify(failure));
      });
      setup.skewMs = () => 0;
      setup.aheadMs += MINUTE_MS;
      now = Date.now() + setup.aheadMs;
      for (const due of waiting.splice(0)) {
        if (due.at > now) waiting.push(due);
        else await fire(due.message);
      }
      const runs = await started(pipeline);
      expect(new Set(runs).size).toBe(runs.length);
      expect(Date.parse(runs.at(-1) ?? new Date(0).toISOString())).toBeLessThanOrEqual(now + 1000);
    }
    setup.context.queue = own;
    // Ticks whose clocks jump look like an outage, of which the last instant is made up for.
    const last = Math.floor(now / MINUTE_MS) * MINUTE_MS;
    const newest = [2, 1, 0].map((before) => new Date(last - before * MINUTE_MS).toISOString());
    expect((await started(pipeline)).slice(-3)).toEqual(newest);
    await setup.drain();
  });
});

describe('starts of executions', () => {
  const place = (runId: string) => setup.place(runId);

  async function loading(): Promise<{ pipeline: StoredPipeline; runId: string; dataset: string }> {
    const dataset = `rows ${newId()}`;
    const pipeline = await setup.pipeline(
      dagOf(sql('a', 'SELECT 1 AS x'), load('keep', 'a', { target: into(dataset), mode: 'append' })),
    );
    const run = await setup.run(pipeline);
    return { pipeline, runId: run.id, dataset };
  }

  const settledOnce = async (runId: string) =>
    (await readEvents(setup.context.table, place(runId), 0)).flatMap(({ type, data }) =>
      type === 'step.status' && data.status === 'succeeded' ? [data.stepId] : type === 'end' ? ['end'] : [],
    );

  it('of one step that meet, or come when it is over, do its work once', async () => {
    const { pipeline, runId, dataset } = await loading();
    const run = { ...place(runId), epoch: 1 };
    setup.jobs.splice(0);
    // The machine of the run comes twice as well.
    await Promise.all([startRun(setup.context, run), startRun(setup.context, run)]);
    setup.jobs.splice(0);
    const job: StepJob = { ...run, index: 0 };
    const begin = (execution: string) => execute(setup.worker, job, execution, () => true);
    await Promise.all([begin('one'), begin('two'), begin('three')]);
    expect(await setup.stored(runId)).toMatchObject({ status: 'succeeded' });
    for (const execution of ['one', 'late']) expect(await begin(execution)).toEqual({ kind: 'done' });
    expect(await execute(setup.worker, { ...job, index: 1 }, 'other', () => true)).toEqual({ kind: 'done' });
    await startRun(setup.context, run);
    expect(setup.jobs).toEqual([]);
    expect(await settledOnce(runId)).toEqual(['a', 'keep', 'end']);
    expect(await setup.dataset(dataset)).toMatchObject({ rowCount: 1, version: 1 });
    expect(await readAdmission(setup.context.table, setup.workspaceId, pipeline.id)).toMatchObject({ running: [] });
  });

  it('of an attempt of the run that is over change nothing in the next one', async () => {
    const pipeline = await setup.pipeline(
      dagOf(
        sql('a', 'SELECT 1 AS x'),
        load('keep', 'a', { target: { kind: 'dataset', datasetId: newId() }, mode: 'append' }),
      ),
    );
    const run = await setup.run(pipeline);
    await setup.drain();
    expect(await setup.stored(run.id)).toMatchObject({ status: 'failed', attempt: 1 });
    await retryRun(setup.context, place(run.id));
    const stale = { ...place(run.id), epoch: 1 };
    for (const index of [0, 1])
      expect(await execute(setup.worker, { ...stale, index }, 'stale', () => true)).toEqual({ kind: 'done' });
    await startRun(setup.context, stale);
    expect(await setup.stored(run.id)).toMatchObject({ status: 'queued', attempt: 2 });
    await setup.drain();
    expect(await setup.stored(run.id)).toMatchObject({ status: 'failed', attempt: 2 });
  });
});

describe('the deadline of a cancel', () => {
  it('for a run that is not being cancelled, or has ended, changes nothing', async () => {
    const run = await setup.run(await setup.pipeline(dagOf(sql('a', 'SELECT 1 AS x'))));
    await startRun(setup.context, { ...setup.place(run.id), epoch: 1 });
    await forceCancel(setup.context, setup.place(run.id));
    expect(await setup.stored(run.id)).toMatchObject({ status: 'running' });
    await setup.drain();
    for (const _time of [1, 2]) await forceCancel(setup.context, setup.place(run.id));
    expect(await setup.stored(run.id)).toMatchObject({ status: 'succeeded', cancelReason: null });
    await forceCancel(setup.context, { workspaceId: setup.workspaceId, runId: newId() });
  });
});
