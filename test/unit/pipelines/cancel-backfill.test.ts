import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { advanceBackfill } from '../../../shared/domains/pipelines/backfills/advance-backfill.ts';
import {
  claimBackfill,
  runsOf as created,
  type StoredBackfill,
  startBackfillRuns,
} from '../../../shared/domains/pipelines/backfills/backfill.ts';
import { cancelBackfill } from '../../../shared/domains/pipelines/backfills/cancel-backfill.ts';
import { readAdmission } from '../../../shared/domains/pipelines/runs/admission.ts';
import { cancelRun, forceCancel } from '../../../shared/domains/pipelines/runs/cancel-run.ts';
import { endRun } from '../../../shared/domains/pipelines/runs/end-run.ts';
import { retryRun } from '../../../shared/domains/pipelines/runs/retry-run.ts';
import { startRun } from '../../../shared/domains/pipelines/runs/start-run.ts';
import { beginItem } from '../../../shared/domains/pipelines/runs/step-items.ts';
import { toRun } from '../../../shared/domains/pipelines/runs/views.ts';
import { readEvents } from '../../../shared/domains/pipelines/store/run-events.ts';
import type { StoredRun } from '../../../shared/domains/pipelines/store/run-record.ts';
import { runRepository } from '../../../shared/domains/pipelines/store/run-store.ts';
import { workspaceKey } from '../../../shared/platform/storage/keys.ts';
import { transact } from '../../../shared/platform/storage/transact.ts';
import { cases } from '../../support/cases.ts';
import { asProcess, Crashed } from '../../support/crash.ts';
import { createBackfill, givenBackfill, placeOf } from './given-backfill.ts';
import { dagOf, sql } from './run-dags.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());
beforeEach(() => {
  setup.jobs.length = 0;
});

const MONTH = { from: '2026-01-01', to: '2026-01-31' };
const inTime = () => new Date(setup.context.now().getTime() + 60_000);
const cancel = (backfill: StoredBackfill, until = inTime()) => cancelBackfill(setup.context, backfill, until);
const tick = (backfill: StoredBackfill, until = inTime()) => advanceBackfill(setup.context, placeOf(backfill), until);
const admission = ({ pipelineId }: StoredBackfill) => readAdmission(setup.context.table, setup.workspaceId, pipelineId);

async function runsOf({ pipelineId }: StoredBackfill): Promise<StoredRun[]> {
  const page = { limit: 400, offset: 0 };
  return (await runRepository(setup.context.table).list(setup.workspaceId, page, pipelineId)).items;
}

async function statuses(backfill: StoredBackfill): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { status } of await runsOf(backfill)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

async function queued(): Promise<number> {
  const { name, db } = setup.context.table;
  const { pk } = workspaceKey(setup.workspaceId, 'QUEUED', '');
  const found = await db.send(
    new QueryCommand({
      TableName: name,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
      ConsistentRead: true,
    }),
  );
  return found.Count ?? 0;
}

async function stored(backfill: StoredBackfill): Promise<{ dueAt: string } | undefined> {
  const { name, db } = setup.context.table;
  const found = await db.send(new GetCommand({ TableName: name, Key: placeOf(backfill), ConsistentRead: true }));
  return found.Item as { dueAt: string } | undefined;
}

/** What everybody may rely on when a cancel is through, however it went. */
async function expectCancelled(backfill: StoredBackfill): Promise<void> {
  const runs = await runsOf(backfill);
  expect(runs).toHaveLength(backfill.days.length);
  for (const run of runs) {
    expect(run).toMatchObject({ status: 'cancelled', cancelReason: 'backfill_cancelled', backfillId: backfill.id });
    expect(run.finishedAt).not.toBeNull();
  }
  const reported = await Promise.all(
    runs.map(async ({ id }) => {
      const events = await readEvents(setup.context.table, setup.place(id), 0);
      return events.map(({ type, data }) => `${type} ${'status' in data ? data.status : ''}`).join(', ');
    }),
  );
  expect(new Set(reported)).toEqual(new Set(['run.status queued, run.status cancelled, end cancelled']));
  expect(await admission(backfill)).toMatchObject({ running: [], waiting: [], backfill: null });
  expect(await queued()).toBe(0);
}

describe('cancelling a backfill', () => {
  it('half-way through 366 days leaves what is done, ends the rest, and lets another one start', async () => {
    const backfill = await givenBackfill(setup, { from: '2025-01-01', to: '2026-01-01' });
    await createBackfill(setup, backfill);
    // Each run that is over lets the next one start.
    for (let days = 0; days < 12; days++) {
      const next = setup.jobs.shift();
      if (next?.kind !== 'run') throw new Error('a day was to start');
      await startRun(setup.context, next.job);
    }
    await cancel(backfill);
    expect(await statuses(backfill)).toEqual({ succeeded: 12, cancelled: 354 });
    expect(await admission(backfill)).toMatchObject({ running: [], waiting: [], backfill: null });
    expect(await queued()).toBe(0);
    await expect(cancel(backfill)).rejects.toMatchObject({ code: 'BACKFILL_NOT_ACTIVE' });
    // The day that was about to start does not.
    await setup.drain();
    expect(await statuses(backfill)).toEqual({ succeeded: 12, cancelled: 354 });

    const again = {
      ...(await givenBackfill(setup, MONTH)),
      pipelineId: backfill.pipelineId,
      pipeline: backfill.pipeline,
    };
    await createBackfill(setup, again);
    expect((await admission(again)).backfill).toMatchObject({ id: again.id });
    await cancel(again);
  });

  it.each(['before', 'after'] as const)(
    'that dies %s any of its writes is ended by the tick, each day once',
    async (side) => {
      for (let write = 1; ; write += cases(2, 1)) {
        const backfill = await givenBackfill(setup, MONTH, { maxConcurrentRuns: 3 });
        await createBackfill(setup, backfill);
        let count = 0;
        setup.crash = () => (++count === write ? side : undefined);
        const died = await asProcess(() => cancel(backfill)).then(
          () => false,
          (error: unknown) => {
            if (!(error instanceof Crashed)) throw error;
            return true;
          },
        );
        setup.crash = () => undefined;
        // Before the first write nothing was asked for.
        if (died && write === 1 && side === 'before') await cancel(backfill);
        await tick(backfill);
        await setup.drain();
        await expectCancelled(backfill);
        if (!died) break;
      }
    },
  );

  it('out of time has stopped what is at work, and is ended by the ticks that follow, out of time too', async () => {
    const backfill = await givenBackfill(setup, { from: '2026-01-01', to: '2026-03-31' });
    await createBackfill(setup, backfill);
    const over = setup.context.now();
    await cancel(backfill, over);
    // A transaction holds two dozen of them.
    expect(await statuses(backfill)).toEqual({ cancelled: 25, queued: 65 });
    const { dueAt } = (await stored(backfill))!;
    await tick(backfill, over);
    expect(await statuses(backfill)).toEqual({ cancelled: 49, queued: 41 });
    expect((await stored(backfill))!.dueAt).toBe(dueAt);
    await tick(backfill, over);
    await tick(backfill, over);
    await expectCancelled(backfill);
    expect((await stored(backfill))!.dueAt > dueAt).toBe(true);
  });

  it('starts a run that gets a slot by it', async () => {
    const backfill = await givenBackfill(setup, MONTH, { onOverlap: 'queue' });
    const [first, second] = [await setup.run(backfill.pipeline), await setup.run(backfill.pipeline)];
    const concurrency = { ...backfill.pipeline.concurrency, maxConcurrentRuns: 2 };
    // Its creator died with the first write.
    const died = { ...backfill, pipeline: { ...backfill.pipeline, concurrency } };
    await claimBackfill(setup.context, died);
    await cancel(died);
    expect(setup.jobs.map(({ job }) => job.runId)).toEqual([first.id, second.id]);
    await setup.drain();
    expect(await statuses(died)).toEqual({ cancelled: 31, succeeded: 2 });
  });

  it('whose creator has died ends also the days that were never stored', async () => {
    const backfill = await givenBackfill(setup, MONTH);
    await claimBackfill(setup.context, backfill);
    await cancel(backfill);
    // The creator was only slow.
    await createBackfill(setup, backfill);
    await setup.drain();
    await expectCancelled(backfill);
  });

  it('ends a day that starts just then, once', async () => {
    for (let round = 0; round < 5; round++) {
      const backfill = await givenBackfill(setup, MONTH, { maxConcurrentRuns: 4 });
      await createBackfill(setup, backfill);
      await Promise.all([
        cancel(backfill),
        cancel(backfill).catch((error: { code?: string }) => expect(error.code).toBe('BACKFILL_NOT_ACTIVE')),
        setup.drain(),
        startBackfillRuns(setup.context, backfill),
      ]);
      await setup.drain();
      expect(await admission(backfill)).toMatchObject({ running: [], waiting: [], backfill: null });
      const ended = await statuses(backfill);
      expect((ended.succeeded ?? 0) + (ended.cancelled ?? 0)).toBe(31);
      expect(ended.cancelled).toBeGreaterThan(0);
      expect(await queued()).toBe(0);
    }
  });

  it('meets a single cancel of one of its days', async () => {
    const backfill = await givenBackfill(setup, MONTH);
    await createBackfill(setup, backfill);
    const one = (await runsOf(backfill)).find(({ logicalDate }) => logicalDate?.startsWith('2026-01-20'))!;
    await Promise.all([
      cancel(backfill),
      cancelRun(setup.context, setup.place(one.id), 'requested').catch((error: { code?: string }) =>
        expect(error.code).toBe('RUN_NOT_ACTIVE'),
      ),
    ]);
    expect(await statuses(backfill)).toEqual({ cancelled: 31 });
    expect(await admission(backfill)).toMatchObject({ running: [], backfill: null });
    expect(await queued()).toBe(0);
  });

  it('ends a day that was retried meanwhile, and waits with the other runs', async () => {
    const backfill = await givenBackfill(setup, { from: '2026-05-01', to: '2026-05-04' });
    await createBackfill(setup, backfill);
    setup.jobs.length = 0;
    const [{ id }] = created(backfill) as [StoredRun];
    await endRun(setup.context, { ...setup.place(id), epoch: 1 }, { status: 'failed' });
    const retried = await retryRun(setup.context, setup.place(id));
    expect(toRun(retried, await admission(backfill))).toMatchObject({ status: 'queued', queuePosition: 1 });
    await cancel(backfill);
    await setup.drain();
    expect(await statuses(backfill)).toEqual({ cancelled: 4 });
    expect(await admission(backfill)).toMatchObject({ running: [], waiting: [], backfill: null });
    expect(await queued()).toBe(0);
  });

  it('leaves other runs alone: one that waits gets the slot that becomes free', async () => {
    const backfill = await givenBackfill(setup, MONTH, { onOverlap: 'queue' });
    await createBackfill(setup, backfill);
    const live = await setup.run(backfill.pipeline);
    await cancel(backfill);
    await setup.drain();
    expect(await setup.stored(live.id)).toMatchObject({ status: 'succeeded' });
    expect(await statuses(backfill)).toEqual({ cancelled: 31, succeeded: 1 });
  });

  it('asks a day that is at work to stop, and keeps the lane until it has', async () => {
    const backfill = await givenBackfill(setup, MONTH);
    const pipeline = await setup.pipeline(dagOf(sql('a', 'SELECT 1 AS x')));
    const atWork = { ...backfill, pipelineId: pipeline.id, pipeline };
    await createBackfill(setup, atWork);
    const next = setup.jobs.shift();
    if (next?.kind !== 'run') throw new Error('a day was to start');
    await startRun(setup.context, next.job);
    const at = new Date();
    const held = beginItem(
      setup.context.table,
      { ...next.job, index: 0 },
      { states: ['ready'], attempt: 0 },
      { holder: 'worker', at },
    );
    await transact(setup.context.table, [held]);
    await cancel(atWork);
    expect(await setup.stored(next.job.runId)).toMatchObject({
      status: 'running',
      cancelReason: 'backfill_cancelled',
    });
    expect(await statuses(atWork)).toEqual({ running: 1, cancelled: 30 });
    expect(setup.messages.at(-1)).toMatchObject({ kind: 'cancel-deadline', runId: next.job.runId });
    // Asked again it answers the same, and a backfill that is to follow still waits.
    await cancel(atWork);
    const after = await givenBackfill(setup, { from: '2026-03-01', to: '2026-03-02' });
    const following = { ...after, pipelineId: pipeline.id, pipeline };
    await expect(createBackfill(setup, following)).rejects.toMatchObject({ code: 'BACKFILL_ACTIVE' });
    await forceCancel(setup.context, setup.place(next.job.runId));
    expect(await statuses(atWork)).toEqual({ cancelled: 31 });
    await createBackfill(setup, following);
    await cancel(following);
  });
});
