import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fireSchedule } from '../../../functions/pipelines/workers/run-lifecycle/fire-schedule.ts';
import { announceDue } from '../../../functions/platform/workers/minute-tick/announce-due.ts';
import { repairRuns } from '../../../functions/platform/workers/minute-tick/overdue-work.ts';
import {
  scheduledPipelines,
  spreadSeconds,
} from '../../../functions/platform/workers/minute-tick/scheduled-pipelines.ts';
import type { StoredPipeline } from '../../../shared/domains/pipelines/store/pipeline-record.ts';
import { pipelineRepository } from '../../../shared/domains/pipelines/store/pipeline-store.ts';
import { runRepository } from '../../../shared/domains/pipelines/store/run-store.ts';
import { readTriggers } from '../../../shared/domains/pipelines/store/trigger-records.ts';
import type { WorkMessage } from '../../../shared/domains/pipelines/store/work-queue.ts';
import { dueItems, workOnDue } from '../../../shared/platform/storage/due-items.ts';
import { later, newId } from '../../../shared/platform/storage/ids.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());

const dag = {
  version: 1 as const,
  steps: [{ id: 'a', type: 'transform_sql' as const, config: { sql: 'SELECT 1 AS x' } }],
};
const fail = (failure: object) => {
  throw new Error(JSON.stringify(failure));
};

async function scheduled(rhythm: { everySeconds: number } | { cron: string }) {
  const pipelines = pipelineRepository(setup.context.table);
  const pipeline = await setup.pipeline(dag, { maxConcurrentRuns: 10 });
  const updatedAt = later(pipeline.updatedAt, setup.context.now());
  const next = { ...pipeline, updatedAt, schedule: { ...rhythm, timezone: 'UTC', enabled: true } };
  await pipelines.replace(pipeline, next, 'PIPELINE_CHANGED');
  return next;
}

const hourly = (enabled: boolean) => ({ everySeconds: 3600, timezone: 'UTC', enabled });

/** Changes a pipeline as the API does. */
async function changed(pipeline: StoredPipeline, changes: Partial<StoredPipeline>): Promise<StoredPipeline> {
  const pipelines = pipelineRepository(setup.context.table);
  const current = (await pipelines.get(setup.workspaceId, pipeline.id))!;
  const updatedAt = later(current.updatedAt, setup.context.now());
  return pipelines.replace(current, { ...current, ...changes, updatedAt }, 'PIPELINE_CHANGED');
}

const placeOf = ({ id }: StoredPipeline) => ({ workspaceId: setup.workspaceId, pipelineId: id });
const nextHour = () => Math.ceil(setup.context.now().getTime() / 3_600_000) * 3_600_000;

async function fired(pipeline: StoredPipeline, instant: number): Promise<string> {
  let reported = '';
  const due = { ...placeOf(pipeline), scheduledAt: new Date(instant).toISOString() };
  await fireSchedule(setup.context, due, (outcome) => {
    reported = outcome;
  });
  return reported;
}

const instantsFor = ({ id }: StoredPipeline, sent: readonly { message: WorkMessage }[]) =>
  sent.flatMap(({ message }) =>
    message.kind === 'fire-schedule' && message.pipelineId === id ? [message.scheduledAt] : [],
  );

const announcedFor = async (pipeline: StoredPipeline) => instantsFor(pipeline, await tick());

async function tick(): Promise<{ message: WorkMessage; delaySeconds: number }[]> {
  const sent: { message: WorkMessage; delaySeconds: number }[] = [];
  await announceDue(
    setup.context,
    scheduledPipelines(setup.context.table, { send: async (messages) => void sent.push(...messages) }),
    fail,
  );
  return sent;
}

describe('the minute tick', () => {
  it('announces the instants of the minute to come, each once over two ticks', async () => {
    const pipeline = await scheduled({ everySeconds: 15 });
    const first = await tick();
    const mine = instantsFor(pipeline, first);
    expect(mine.length).toBeGreaterThanOrEqual(5);
    expect(first.every(({ delaySeconds }) => delaySeconds >= 0 && delaySeconds <= 75)).toBe(true);
    setup.aheadMs += 60_000;
    const second = (await tick()).flatMap(({ message }) =>
      message.kind === 'fire-schedule' ? [message.scheduledAt] : [],
    );
    expect(second.length).toBeGreaterThan(0);
    expect(second.filter((instant) => mine.includes(instant))).toEqual([]);
    expect(Math.min(...second.map(Date.parse)) - Math.max(...mine.map(Date.parse))).toBe(15_000);
  });

  it('spreads what a clock starts at a full hour over five seconds, and gives the run the hour', async () => {
    const hour = new Date('2026-01-01T08:00:00Z');
    const given = (schedule: object) => ({ id: newId(), schedule: { timezone: 'UTC', enabled: true, ...schedule } });
    const hourly = Array.from({ length: 500 }, () => given({ cron: '0 * * * *' }));
    const spread = hourly.map((pipeline) => spreadSeconds(pipeline, hour));
    expect(spread).toEqual(hourly.map((pipeline) => spreadSeconds(pipeline, hour)));
    expect([...new Set(spread)].sort()).toEqual([0, 1, 2, 3, 4, 5]);
    const past = new Date('2026-01-01T08:01:00Z');
    expect(hourly.map((pipeline) => spreadSeconds(pipeline, past)).every((seconds) => seconds === 0)).toBe(true);
    const counted = Array.from({ length: 20 }, () => spreadSeconds(given({ everySeconds: 3600 }), hour));
    expect(counted.every((seconds) => seconds === 0)).toBe(true);

    // The minute before an hour.
    setup.aheadMs += 3_570_000 - (setup.context.now().getTime() % 3_600_000);
    const pipeline = await scheduled({ cron: '0 * * * *' });
    const sent = (await tick()).filter(
      ({ message }) => message.kind === 'fire-schedule' && message.pipelineId === pipeline.id,
    );
    const next = new Date(Math.ceil(setup.context.now().getTime() / 3_600_000) * 3_600_000);
    expect(sent).toMatchObject([{ message: { scheduledAt: next.toISOString() } }]);
    const early = (next.getTime() - setup.context.now().getTime()) / 1000;
    expect(Math.round(sent[0]!.delaySeconds - early)).toBe(spreadSeconds(pipeline, next));
  });

  it('lets workspaces take turns, and leaves what an expensive schedule delays to the next tick', async () => {
    const due = (workspaceId: string, second: number) => ({
      pk: `W#${workspaceId}#PIPELINE`,
      sk: `${second}`,
      dueAt: new Date(second * 1000).toISOString(),
    });
    const items = [...[0, 1, 2, 3].map((second) => due('busy', second)), due('small', 9)];
    const order: string[] = [];
    let started = 0;
    await workOnDue(
      items,
      async ({ pk, sk }) => void order.push(`${pk.split('#')[1]} ${sk}`),
      fail,
      () => started++ === 4,
    );
    expect(order).toEqual(['busy 0', 'small 9', 'busy 1', 'busy 2']);
  });

  it('ends the computing of one workspace after two seconds and announces the others', async () => {
    const [partition, other] = [`schedules-${newId()}`, newId()];
    const put = (workspaceId: string, sk: string) =>
      setup.context.table.db.send(
        new PutCommand({
          TableName: setup.context.table.name,
          Item: { pk: `W#${workspaceId}#X`, sk, due: partition, dueAt: setup.context.now().toISOString() },
        }),
      );
    for (let index = 0; index < 12; index++) await put(setup.workspaceId, `slow ${index}`);
    await put(other, 'quick');
    const sent: string[] = [];
    const slowly = (after: Date) => {
      const until = performance.now() + 500;
      while (performance.now() < until);
      return new Date(after.getTime() + 60_000);
    };
    const scheduled = {
      partitions: [partition],
      queue: {
        send: async (messages: readonly { message: string }[]) =>
          void sent.push(...messages.map((each) => each.message)),
      },
      find: async ({ sk }: { sk: string }) => ({
        next: sk === 'quick' ? (after: Date) => new Date(after.getTime() + 60_000) : slowly,
        message: () => sk,
      }),
    };
    expect(await announceDue(setup.context, scheduled, fail)).toEqual([]);
    expect(sent).toContain('quick');
    const left = await Array.fromAsync(dueItems(setup.context.table, partition, setup.context.now()));
    expect(left.length).toBeGreaterThan(6);
    expect(left.every(({ sk }) => sk.startsWith('slow'))).toBe(true);
  });

  it('starts one run for an instant, even if it fires repeatedly, and none for one that is no longer planned', async () => {
    const pipeline = await scheduled({ everySeconds: 60 });
    const scheduledAt = new Date((Math.floor(setup.context.now().getTime() / 60_000) + 1) * 60_000).toISOString();
    const due = { workspaceId: setup.workspaceId, pipelineId: pipeline.id, scheduledAt };
    const outcomes: string[] = [];
    setup.aheadMs += Date.parse(scheduledAt) - setup.context.now().getTime();
    for (const _time of [1, 2]) await fireSchedule(setup.context, due, (outcome) => outcomes.push(outcome));
    expect(outcomes[0]).toBe(outcomes[1]);
    await setup.drain();
    expect(await setup.stored(outcomes[0]!)).toMatchObject({
      status: 'succeeded',
      trigger: { kind: 'schedule', scheduledAt },
      logicalDate: scheduledAt,
    });
    const odd = new Date(Date.parse(scheduledAt) + 1000).toISOString();
    await fireSchedule(setup.context, { ...due, scheduledAt: odd }, (outcome) => outcomes.push(outcome));
    expect(outcomes[2]).toBe('NOT_PLANNED');
    const { total } = await runRepository(setup.context.table).list(
      setup.workspaceId,
      { limit: 9, offset: 0 },
      pipeline.id,
    );
    expect(total).toBe(1);
  });

  describe('of a pipeline that is not to run', () => {
    const HOUR_MS = 3_600_000;
    const off: [string, Partial<StoredPipeline>, Partial<StoredPipeline>][] = [
      ['is paused', { status: 'paused' }, { status: 'active' }],
      ['has its schedule turned off', { schedule: hourly(false) }, { schedule: hourly(true) }],
    ];

    it.each(off)(
      'announces and starts nothing while it %s, and makes up for nothing after',
      async (_what, stop, go) => {
        const pipeline = await scheduled({ everySeconds: 3600 });
        const reported = nextHour();
        const stopped = await changed(pipeline, stop);
        setup.aheadMs += reported - setup.context.now().getTime() + 1000;
        expect(await announcedFor(pipeline)).toEqual([]);
        // It was announced before it was stopped.
        expect(await fired(pipeline, reported)).toBe('NOT_PLANNED');
        expect(await readTriggers(setup.context.table, placeOf(pipeline), 10)).toEqual([]);
        setup.aheadMs += 5.5 * HOUR_MS;
        expect(await announcedFor(pipeline)).toEqual([]);

        await changed(stopped, go);
        expect(await announcedFor(pipeline)).toEqual([]);
        const next = nextHour();
        setup.aheadMs += next - setup.context.now().getTime() - 30_000;
        expect(await announcedFor(pipeline)).toEqual([new Date(next).toISOString()]);
      },
    );

    it('makes up for the last of the instants that an outage has left out, and for none once it was edited', async () => {
      const [kept, edited] = [await scheduled({ everySeconds: 3600 }), await scheduled({ everySeconds: 3600 })];
      setup.aheadMs += nextHour() - setup.context.now().getTime() + 2.5 * HOUR_MS;
      const last = new Date(nextHour() - HOUR_MS).toISOString();
      await changed(edited, { schedule: { everySeconds: 7200, timezone: 'UTC', enabled: true } });
      const sent = await tick();
      expect(instantsFor(kept, sent)).toEqual([last]);
      expect(instantsFor(edited, sent)).toEqual([]);
    });
  });

  it('leaves a record of the instant that it passed over because a run was active, once', async () => {
    const pipeline = await changed(await scheduled({ everySeconds: 3600 }), {
      concurrency: { maxConcurrentRuns: 1, onOverlap: 'skip' },
    });
    const active = await setup.run(pipeline);
    const instant = nextHour();
    setup.aheadMs += instant - setup.context.now().getTime();
    for (const _time of [1, 2]) expect(await fired(pipeline, instant)).toBe('RUN_OVERLAP');
    const scheduledAt = new Date(instant).toISOString();
    expect(await readTriggers(setup.context.table, placeOf(pipeline), 10)).toEqual([
      {
        at: expect.any(String),
        kind: 'schedule',
        scheduledAt,
        upstreamRunId: null,
        outcome: 'skipped',
        reason: 'RUN_OVERLAP',
        runId: null,
        activeRunIds: [active.id],
      },
    ]);
    await setup.drain();
  });

  it('takes up a run whose start was lost, and leaves runs alone that are over', async () => {
    const pipeline = await setup.pipeline(dag);
    const run = await setup.run(pipeline);
    setup.jobs.splice(0);
    setup.aheadMs += 61_000;
    await repairRuns(setup.context, fail);
    await setup.drain();
    expect(await setup.stored(run.id)).toMatchObject({ status: 'succeeded' });
    const item = await setup.context.table.db.send(
      new GetCommand({ TableName: 'table', Key: { pk: `W#${setup.workspaceId}#RUN#${run.id}`, sk: 'META' } }),
    );
    expect(item.Item).not.toHaveProperty('due');
  });
});
