import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDownstream, startWaiting } from '../../../functions/pipelines/workers/run-lifecycle/start-waiting.ts';
import { resendUpstreamEnds } from '../../../functions/platform/workers/minute-tick/overdue-work.ts';
import type { Concurrency, Dag } from '../../../shared/domains/pipelines/definition/dag.ts';
import { readAdmission } from '../../../shared/domains/pipelines/runs/admission.ts';
import { openSlots } from '../../../shared/domains/pipelines/runs/open-slots.ts';
import { repairRun } from '../../../shared/domains/pipelines/runs/repair-run.ts';
import { downstreamItems, upstreamEndItem } from '../../../shared/domains/pipelines/store/downstream.ts';
import type { StoredPipeline } from '../../../shared/domains/pipelines/store/pipeline-record.ts';
import { pipelineRepository } from '../../../shared/domains/pipelines/store/pipeline-store.ts';
import { admissionKey } from '../../../shared/domains/pipelines/store/run-keys.ts';
import { runRepository } from '../../../shared/domains/pipelines/store/run-store.ts';
import { START_LIMITS } from '../../../shared/domains/pipelines/store/start-limit-settings.ts';
import { readTriggers } from '../../../shared/domains/pipelines/store/trigger-records.ts';
import type { Failure } from '../../../shared/platform/storage/due-items.ts';
import { later, newId } from '../../../shared/platform/storage/ids.ts';
import { workspaceKey } from '../../../shared/platform/storage/keys.ts';
import { itemsBelow } from '../../../shared/platform/storage/query-items.ts';
import { transact } from '../../../shared/platform/storage/transact.ts';
import { cases } from '../../support/cases.ts';
import { asProcess, Crashed } from '../../support/crash.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());

const quick: Dag = { version: 1, steps: [{ id: 'a', type: 'transform_sql', config: { sql: 'SELECT 1 AS x' } }] };

const placeOf = ({ id }: StoredPipeline) => ({ workspaceId: setup.workspaceId, pipelineId: id });
const admissionOf = ({ id }: StoredPipeline) => ({
  TableName: setup.context.table.name,
  Key: admissionKey(setup.workspaceId, id),
});

async function pair(
  concurrency: Partial<Concurrency> = {},
): Promise<{ upstream: StoredPipeline; mine: StoredPipeline }> {
  const upstream = await setup.pipeline(quick, { maxConcurrentRuns: 5 });
  const dag: Dag = { ...quick, trigger: { kind: 'pipeline', pipelineId: upstream.id, on: 'success' } };
  const mine = await setup.pipeline(dag, concurrency);
  await transact(setup.context.table, downstreamItems(setup.context.table, mine, undefined, dag));
  return { upstream, mine };
}

/** The work queue's part: every message comes twice. */
async function deliver(): Promise<void> {
  for (let message = setup.messages.shift(); message; message = setup.messages.shift()) {
    const { kind } = message;
    if (kind !== 'upstream-end' && kind !== 'start-waiting') continue;
    for (const _time of [1, 2]) {
      const handled = kind === 'upstream-end' ? () => startDownstream(setup.context, message) : () => woken(message);
      await asProcess(handled).catch((error: unknown) => {
        if (!(error instanceof Crashed)) throw error;
      });
    }
  }
}

async function woken(place: { workspaceId: string; pipelineId: string }): Promise<void> {
  await openSlots(setup.context, place);
  await startWaiting(setup.context, place);
}

/** Changes the settings of a pipeline without starting it. */
async function change(pipeline: StoredPipeline, settings: Partial<StoredPipeline>): Promise<StoredPipeline> {
  const next = { ...pipeline, ...settings, updatedAt: later(pipeline.updatedAt, new Date()) };
  return pipelineRepository(setup.context.table).replace(pipeline, next, 'PIPELINE_CHANGED');
}

const fail = (failure: Failure) => {
  throw new Error(JSON.stringify(failure));
};

/** Where the ends that wait for a pipeline are stored. */
const endsOf = ({ id }: StoredPipeline) => workspaceKey(setup.workspaceId, `UPSTREAM-END#${id}`, '');

async function tick(): Promise<void> {
  setup.aheadMs += 61_000;
  await resendUpstreamEnds(setup.context, fail);
  await deliver();
  await setup.drain();
}

const runsOf = async ({ id }: StoredPipeline) =>
  (await runRepository(setup.context.table).list(setup.workspaceId, { limit: 10, offset: 0 }, id)).total;

it('starts once for an upstream run, even if its end is reported late or repeatedly', async () => {
  const { upstream, mine } = await pair();
  await setup.run(upstream);
  await setup.drain();
  setup.messages.splice(0);
  expect(await runsOf(mine)).toBe(0);
  await tick();
  await tick();
  expect(await runsOf(mine)).toBe(1);
});

it('waits for its turn while a run is active, and loses no end', async () => {
  const { upstream, mine } = await pair();
  const active = await setup.run(mine);
  const held = setup.jobs.splice(0);
  for (const _time of [1, 2]) await setup.run(upstream);
  await setup.drain();
  await deliver();
  await tick();
  expect(await runsOf(mine)).toBe(1);
  const place = { workspaceId: setup.workspaceId, pipelineId: mine.id };
  const skipped = await readTriggers(setup.context.table, place, 10);
  expect(skipped).toHaveLength(2);
  expect(skipped[0]).toMatchObject({ outcome: 'skipped', reason: 'RUN_OVERLAP', activeRunIds: [active.id] });

  setup.jobs.push(...held);
  await setup.drain();
  await tick();
  await tick();
  expect(await runsOf(mine)).toBe(3);
  const started = await readTriggers(setup.context.table, place, 10);
  expect(started.filter(({ outcome }) => outcome === 'started')).toHaveLength(2);
});

/** The upstream runs whose ends started the runs of a pipeline, the first run first. */
async function startsOf({ id }: StoredPipeline): Promise<(string | null)[]> {
  const page = { limit: 50, offset: 0, sort: 'createdAt' } as const;
  const { items } = await runRepository(setup.context.table).list(setup.workspaceId, page, id);
  return items.flatMap(({ trigger }) => (trigger.kind === 'pipeline' ? [trigger.upstreamRunId] : []));
}

/** A busy pipeline for which the ends of some upstream runs wait. */
async function backlog(ends: number, concurrency: Partial<Concurrency> = {}) {
  const { upstream, mine } = await pair(concurrency);
  const active = [];
  for (let slot = 0; slot < mine.concurrency.maxConcurrentRuns; slot++) active.push(await setup.run(mine));
  const held = setup.jobs.splice(0);
  const ids: string[] = [];
  for (let end = 0; end < ends; end++) {
    ids.push((await setup.run(upstream)).id);
    await setup.drain();
  }
  await deliver();
  return { upstream, mine, ids, active, held };
}

it('starts what waits as soon as a slot is free, the oldest end first, without the tick', async () => {
  const { mine, ids, held } = await backlog(6);
  expect(await startsOf(mine)).toEqual([]);
  setup.jobs.push(...held);
  await setup.drain();
  expect(await startsOf(mine)).toEqual(ids);
  const { items } = await runRepository(setup.context.table).list(setup.workspaceId, { limit: 10, offset: 0 }, mine.id);
  expect(items.every(({ status }) => status === 'succeeded')).toBe(true);
  const records = await readTriggers(setup.context.table, placeOf(mine), 50);
  expect(records.filter(({ outcome }) => outcome === 'started')).toHaveLength(6);
  expect(records.filter(({ outcome }) => outcome === 'skipped')).toHaveLength(6);
});

it('costs the tick few writes while it waits for long, and is woken by each tick', async () => {
  const { mine, ids } = await backlog(6);
  const dueTimes = () => Array.fromAsync(itemsBelow(setup.context.table, endsOf(mine)), ({ dueAt }) => dueAt);
  let [wakes, writes] = [0, 0];
  for (let minute = 0; minute < 30; minute++) {
    const before = await dueTimes();
    setup.aheadMs += 61_000;
    await resendUpstreamEnds(setup.context, fail);
    wakes += setup.messages.splice(0).length;
    writes += (await dueTimes()).filter((dueAt, index) => dueAt !== before[index]).length;
  }
  expect(wakes).toBe(30);
  // One each minute for the first end, and few for the others, whose pauses grow.
  expect(writes).toBeLessThanOrEqual(30 + 7 * (ids.length - 1));
  expect(await startsOf(mine)).toEqual([]);
});

it('gives a newer end no slot while an older one waits', async () => {
  const { upstream, mine, ids, active } = await backlog(2);
  // The worker that frees the slot crashes before it starts anything, and a newer end arrives.
  await setup.context.table.db.send(new DeleteCommand(admissionOf(mine)));
  expect(active).toHaveLength(1);
  const newest = await setup.run(upstream);
  await setup.drain();
  await deliver();
  await setup.drain();
  expect(await startsOf(mine)).toEqual([...ids, newest.id]);
});

it('keeps as many runs active as there are slots', async () => {
  const { mine, ids, held } = await backlog(8, { maxConcurrentRuns: 3 });
  setup.jobs.push(...held);
  await setup.drain();
  expect(new Set(await startsOf(mine))).toEqual(new Set(ids));
  expect((await readAdmission(setup.context.table, setup.workspaceId, mine.id)).running).toEqual([]);
});

it('drains more inputs in a minute than users may start runs', async () => {
  const { mine, ids, held } = await backlog(5);
  setup.context.startLimits = { ...START_LIMITS, perPipeline: 1 };
  setup.jobs.push(...held);
  await setup.drain();
  delete setup.context.startLimits;
  expect(await startsOf(mine)).toEqual(ids);
});

it('fills further slots when the limit is raised', async () => {
  const { mine, ids } = await backlog(3);
  await change(mine, { concurrency: { ...mine.concurrency, maxConcurrentRuns: 3 } });
  await woken(placeOf(mine));
  expect(await startsOf(mine)).toEqual(ids.slice(0, 2));
});

describe('a raised limit', () => {
  /** Three runs of a pipeline with one slot: one has it, the others wait. */
  async function queued() {
    const mine = await setup.pipeline(quick, { onOverlap: 'queue' });
    const runs = [await setup.run(mine), await setup.run(mine), await setup.run(mine)];
    setup.jobs.splice(0);
    const ids = runs.map(({ id }) => id);
    await change(mine, { concurrency: { ...mine.concurrency, maxConcurrentRuns: 2 } });
    return { mine, ids };
  }
  const slotsOf = async (pipeline: StoredPipeline) =>
    (await readAdmission(setup.context.table, setup.workspaceId, pipeline.id)).running;

  it('starts the runs that wait longest, once', async () => {
    const { mine, ids } = await queued();
    await woken(placeOf(mine));
    await woken(placeOf(mine));
    expect(await slotsOf(mine)).toEqual(ids.slice(0, 2));
    await setup.drain();
    expect((await setup.stored(ids[1]!)).status).toBe('succeeded');
  });

  it('gives slots through the repair of waiting runs, if its message is lost', async () => {
    const { mine, ids } = await queued();
    await repairRun(setup.context, { workspaceId: setup.workspaceId, runId: ids[2]! });
    expect(await slotsOf(mine)).toEqual(ids.slice(0, 2));
  });
});

it('waits while the pipeline is paused, the newest hundred ends, and starts with the oldest of them', async () => {
  const { mine, held: jobs } = await backlog(3);
  const paused = await change(mine, { status: 'paused' });
  const { table } = setup.context;
  const older = Array.from({ length: 100 }, (_, index) => ({
    ...placeOf(mine),
    upstreamRunId: newId(),
    upstreamAttempt: 1,
    endedAt: new Date(Date.UTC(2020, 0, 1, 0, index)).toISOString(),
  }));
  for (const end of older) await transact(table, [upstreamEndItem(table, end)]);
  setup.jobs.push(...jobs);
  await setup.drain();
  await woken(placeOf(mine));
  const waiting = () =>
    Array.fromAsync(itemsBelow(table, workspaceKey(setup.workspaceId, `UPSTREAM-END#${mine.id}`, '')));
  const held = await waiting();
  expect(held).toHaveLength(100);
  const inAnHour = setup.context.now().getTime() + 59 * 60_000;
  expect(held.every(({ dueAt }) => Date.parse(dueAt as string) > inAnHour)).toBe(true);
  expect(await startsOf(mine)).toEqual([]);
  expect(await readTriggers(table, placeOf(mine), 200)).toContainEqual(
    expect.objectContaining({ outcome: 'refused', reason: 'PIPELINE_PAUSED' }),
  );

  await change(paused, { status: 'active' });
  await woken(placeOf(mine));
  expect(await startsOf(mine)).toEqual([older[3]!.upstreamRunId]);
  setup.jobs.splice(0);
  // They would be due again and again in the hours that pass in later tests.
  for (const { pk, sk } of await waiting()) {
    await table.db.send(new DeleteCommand({ TableName: table.name, Key: { pk, sk } }));
  }
});

/** What the minute tick does for pipelines, and for runs that no worker continues, until nothing waits. */
async function recover(pipeline: StoredPipeline): Promise<void> {
  for (let minute = 0; minute < 8; minute++) {
    await tick();
    const { items } = await runRepository(setup.context.table).list(
      setup.workspaceId,
      { limit: 50, offset: 0 },
      pipeline.id,
    );
    for (const { id } of items) await repairRun(setup.context, setup.place(id));
    await setup.drain();
    await deliver();
  }
}

it.each(['before', 'after'] as const)(
  'loses, repeats and reorders no end when a worker dies %s any write between the end of a run and the next start',
  async (side) => {
    let writes = Number.POSITIVE_INFINITY;
    for (let write = 1; write <= writes; write += cases(3, 1)) {
      const { mine, ids, held } = await backlog(2);
      let count = 0;
      setup.crash = () => {
        count += 1;
        return count === write ? side : undefined;
      };
      setup.jobs.push(...held);
      await setup.drain();
      await deliver();
      setup.crash = () => undefined;
      writes = Math.min(writes, count);
      await recover(mine);
      expect(await startsOf(mine), `write ${write}`).toEqual(ids);
      const { items } = await runRepository(setup.context.table).list(
        setup.workspaceId,
        { limit: 10, offset: 0 },
        mine.id,
      );
      expect(
        items.map(({ status }) => status),
        `write ${write}`,
      ).toEqual(Array(3).fill('succeeded'));
    }
    expect(writes).toBeGreaterThan(8);
  },
  300_000,
);

it.each(['before', 'after'] as const)('starts once when its starter dies %s any one of its writes', async (side) => {
  for (let write = 1; write <= 3; write++) {
    const { upstream, mine } = await pair();
    await setup.run(upstream);
    await setup.drain();
    let count = 0;
    setup.crash = () => {
      count += 1;
      return count === write ? side : undefined;
    };
    await deliver();
    setup.crash = () => undefined;
    await setup.drain();
    await tick();
    await tick();
    expect(await runsOf(mine), `write ${write}`).toBe(1);
  }
});
