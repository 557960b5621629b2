import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { repairRuns } from '../../../functions/platform/workers/minute-tick/overdue-work.ts';
import { repairRun } from '../../../shared/domains/pipelines/runs/repair-run.ts';
import { MAX_RUN_MS } from '../../../shared/domains/pipelines/store/run-record.ts';
import { workspaceRecordKey } from '../../../shared/domains/tenancy/workspaces/keys.ts';
import { companyKey } from '../../../shared/platform/storage/keys.ts';
import { reportedEvents } from './reported-events.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());

const quick = {
  version: 1 as const,
  steps: [{ id: 'a', type: 'transform_sql' as const, config: { sql: 'SELECT 1 AS x' } }],
};

/** The events of one name about a pipeline in the outbox. */
async function reports(event: string, about: string): Promise<Record<string, unknown>[]> {
  return (await reportedEvents(setup, event)).filter((data) => JSON.stringify(data).includes(about));
}

async function check(): Promise<void> {
  setup.aheadMs += 61_000;
  await repairRuns(setup.context, (failure) => {
    throw new Error(JSON.stringify(failure));
  });
}

it('reports each attempt whose worker was lost exactly once', async () => {
  const pipeline = await setup.pipeline(quick);
  const run = await setup.run(pipeline);
  let writes = 0;
  setup.crash = () => {
    writes += 1;
    return writes === 6 ? 'after' : undefined;
  };
  await setup.drain();
  setup.crash = () => undefined;
  for (let minute = 0; minute < 4; minute++) {
    await check();
    await setup.drain();
  }
  const steps = await setup.steps(run.id);
  expect((await setup.stored(run.id)).status).toBe('succeeded');
  const lost = await reports('compute.vm_unreachable', run.id);
  expect(lost).toHaveLength(steps[0]!.attempt - 1);
  for (const data of lost) expect(data).toMatchObject({ stepId: 'a', pipelineId: pipeline.id });
});

it('reports once that a run with a slot has not been taken up for minutes', async () => {
  const pipeline = await setup.pipeline(quick);
  const run = await setup.run(pipeline);
  for (let minute = 0; minute < 4; minute++) await check();
  expect(await reports('compute.queue_stuck', run.id)).toEqual([]);
  for (let minute = 0; minute < 4; minute++) await check();
  const stuck = await reports('compute.queue_stuck', pipeline.id);
  expect(stuck).toMatchObject([{ pipelineId: pipeline.id, waitingRuns: 1 }]);
  await setup.drain();
  expect((await setup.stored(run.id)).status).toBe('succeeded');
});

it('reports a run with a slot that cannot be started, and fails it after a day', async () => {
  const run = await setup.run(await setup.pipeline(quick));
  setup.jobs.length = 0;
  setup.refuses = true;
  for (const aheadMs of [61_000, 6 * 60_000]) {
    setup.aheadMs += aheadMs;
    await expect(repairRun(setup.context, setup.place(run.id))).rejects.toThrow('the execution setup does not answer');
  }
  expect(await reports('compute.queue_stuck', run.id)).toHaveLength(1);
  setup.aheadMs += MAX_RUN_MS;
  await repairRun(setup.context, setup.place(run.id));
  setup.refuses = false;
  expect(await setup.stored(run.id)).toMatchObject({ status: 'failed', error: { code: 'WORKER_UNAVAILABLE' } });
});

it('reports once an hour that no run can be started', async () => {
  const pipeline = await setup.pipeline(quick);
  setup.refuses = true;
  for (const _time of [1, 2]) {
    await expect(setup.run(pipeline)).rejects.toMatchObject({ code: 'WORKER_UNAVAILABLE' });
  }
  setup.refuses = false;
  expect(await reports('compute.provision_failing', pipeline.id)).toMatchObject([
    { pipelineName: pipeline.name, error: { code: 'WORKER_UNAVAILABLE' } },
  ]);
});

it('reports once a month that the budget is used up', async () => {
  const companyId = '00000000-0000-7000-8000-00000000beef';
  const put = (Item: Record<string, unknown>) =>
    setup.context.table.db.send(new PutCommand({ TableName: 'table', Item }));
  await put({ ...workspaceRecordKey(setup.workspaceId), companyId });
  const plan = { product: 'pipelines', planKey: 'tiny', overageOptIn: true, draft: false, allowance: 1e-9 };
  await put({ ...companyKey(companyId, 'ENTITLEMENT#PLAN#pipelines'), ...plan });
  const pipeline = await setup.pipeline(quick, { maxConcurrentRuns: 3 });
  for (const _time of [1, 2]) {
    await setup.run(pipeline);
    await setup.drain();
  }
  expect(await reports('usage.budget_exceeded', 'execution_seconds')).toMatchObject([
    { product: 'pipelines', hardCap: false, month: expect.stringMatching(/^\d{4}-\d{2}$/) },
  ]);
});
