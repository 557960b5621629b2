import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fireSchedule } from '../../../functions/workers/run-lifecycle/fire-schedule.ts';
import { announceDue } from '../../../functions/workers/schedule-tick/announce-due.ts';
import { careForRuns } from '../../../functions/workers/schedule-tick/care-for-runs.ts';
import { scheduledPipelines } from '../../../functions/workers/schedule-tick/scheduled-pipelines.ts';
import { pipelineRepository } from '../../../shared/pipelines/pipeline-store.ts';
import { runRepository } from '../../../shared/pipelines/run-store.ts';
import type { WorkMessage } from '../../../shared/pipelines/work-queue.ts';
import { later } from '../../../shared/storage/ids.ts';
import { RunPlane } from './run-plane.ts';

let plane: RunPlane;
beforeAll(async () => {
  plane = await RunPlane.open();
});
afterAll(() => plane.close());

const dag = {
  version: 1 as const,
  steps: [{ id: 'a', type: 'transform_sql' as const, config: { sql: 'SELECT 1 AS x' } }],
};
const fail = (failure: object) => {
  throw new Error(JSON.stringify(failure));
};

async function scheduled(everySeconds: number) {
  const pipelines = pipelineRepository(plane.context.table);
  const pipeline = await plane.pipeline(dag, { maxConcurrentRuns: 10 });
  const updatedAt = later(pipeline.updatedAt, plane.context.now());
  const next = { ...pipeline, updatedAt, schedule: { everySeconds, timezone: 'UTC', enabled: true } };
  await pipelines.replace(pipeline, next, 'PIPELINE_CHANGED');
  return next;
}

async function tick(): Promise<{ message: WorkMessage; delaySeconds: number }[]> {
  const sent: { message: WorkMessage; delaySeconds: number }[] = [];
  await announceDue(
    plane.context,
    scheduledPipelines(plane.context.table, { send: async (messages) => void sent.push(...messages) }),
    fail,
  );
  return sent;
}

describe('the minute tick', () => {
  it('announces the instants of the minute to come, each once over two ticks', async () => {
    const pipeline = await scheduled(15);
    const first = await tick();
    const mine = first.flatMap(({ message }) =>
      message.kind === 'fire-schedule' && message.pipelineId === pipeline.id ? [message.scheduledAt] : [],
    );
    expect(mine.length).toBeGreaterThanOrEqual(5);
    expect(first.every(({ delaySeconds }) => delaySeconds >= 0 && delaySeconds <= 75)).toBe(true);
    plane.aheadMs += 60_000;
    const second = (await tick()).flatMap(({ message }) =>
      message.kind === 'fire-schedule' ? [message.scheduledAt] : [],
    );
    expect(second.length).toBeGreaterThan(0);
    expect(second.filter((instant) => mine.includes(instant))).toEqual([]);
    expect(Math.min(...second.map(Date.parse)) - Math.max(...mine.map(Date.parse))).toBe(15_000);
  });

  it('starts one run for an instant, however often it is told, and none for one that is not planned any more', async () => {
    const pipeline = await scheduled(60);
    const scheduledAt = new Date((Math.floor(plane.context.now().getTime() / 60_000) + 1) * 60_000).toISOString();
    const due = { workspaceId: plane.workspaceId, pipelineId: pipeline.id, scheduledAt };
    const outcomes: string[] = [];
    plane.aheadMs += Date.parse(scheduledAt) - plane.context.now().getTime();
    for (const _time of [1, 2]) await fireSchedule(plane.context, due, (outcome) => outcomes.push(outcome));
    expect(outcomes[0]).toBe(outcomes[1]);
    await plane.drain();
    expect(await plane.stored(outcomes[0]!)).toMatchObject({
      status: 'succeeded',
      trigger: { kind: 'schedule', scheduledAt },
      logicalDate: scheduledAt,
    });
    const odd = new Date(Date.parse(scheduledAt) + 1000).toISOString();
    await fireSchedule(plane.context, { ...due, scheduledAt: odd }, (outcome) => outcomes.push(outcome));
    expect(outcomes[2]).toBe('NOT_PLANNED');
    const { total } = await runRepository(plane.context.table).list(
      plane.workspaceId,
      { limit: 9, offset: 0 },
      pipeline.id,
    );
    expect(total).toBe(1);
  });

  it('takes up a run whose start was lost, and leaves runs alone that are over', async () => {
    const pipeline = await plane.pipeline(dag);
    const run = await plane.run(pipeline);
    plane.jobs.splice(0);
    plane.aheadMs += 61_000;
    await careForRuns(plane.context, fail);
    await plane.drain();
    expect(await plane.stored(run.id)).toMatchObject({ status: 'succeeded' });
    const item = await plane.context.table.db.send(
      new GetCommand({ TableName: 'table', Key: { pk: `W#${plane.workspaceId}#RUN#${run.id}`, sk: 'META' } }),
    );
    expect(item.Item).not.toHaveProperty('due');
  });
});
