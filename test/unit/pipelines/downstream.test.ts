import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDownstream } from '../../../functions/workers/pipelines/run-lifecycle/start-downstream.ts';
import { resendUpstreamEnds } from '../../../functions/workers/pipelines/schedule-tick/overdue-work.ts';

import type { Dag } from '../../../shared/domains/pipelines/definition/dag.ts';
import { downstreamItems } from '../../../shared/domains/pipelines/store/downstream.ts';
import type { StoredPipeline } from '../../../shared/domains/pipelines/store/records.ts';
import { runRepository } from '../../../shared/domains/pipelines/store/run-store.ts';
import { readTriggers } from '../../../shared/domains/pipelines/store/trigger-records.ts';
import { transact } from '../../../shared/platform/storage/transact.ts';
import { asProcess, Crashed } from '../../support/crash.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());

const quick: Dag = { version: 1, steps: [{ id: 'a', type: 'transform_sql', config: { sql: 'SELECT 1 AS x' } }] };

async function pair(): Promise<{ upstream: StoredPipeline; mine: StoredPipeline }> {
  const upstream = await setup.pipeline(quick, { maxConcurrentRuns: 5 });
  const dag: Dag = { ...quick, trigger: { kind: 'pipeline', pipelineId: upstream.id, on: 'success' } };
  const mine = await setup.pipeline(dag);
  await transact(setup.context.table, downstreamItems(setup.context.table, mine, undefined, dag));
  return { upstream, mine };
}

/** The work queue's part: every message comes twice. */
async function deliver(): Promise<void> {
  for (let message = setup.messages.shift(); message; message = setup.messages.shift()) {
    if (message.kind !== 'upstream-end') continue;
    for (const _time of [1, 2]) {
      await asProcess(() => startDownstream(setup.context, message)).catch((error: unknown) => {
        if (!(error instanceof Crashed)) throw error;
      });
    }
  }
}

async function tick(): Promise<void> {
  setup.aheadMs += 61_000;
  await resendUpstreamEnds(setup.context, (failure) => {
    throw new Error(JSON.stringify(failure));
  });
  await deliver();
  await setup.drain();
}

const runsOf = async ({ id }: StoredPipeline) =>
  (await runRepository(setup.context.table).list(setup.workspaceId, { limit: 10, offset: 0 }, id)).total;

it('starts once for an upstream run, however often and late it is told', async () => {
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

it.each(['before', 'after'] as const)('starts once when who starts it dies %s any one of its writes', async (side) => {
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
