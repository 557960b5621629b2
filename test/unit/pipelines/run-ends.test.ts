import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endRun } from '../../../shared/domains/pipelines/runs/end-run.ts';
import { startRun } from '../../../shared/domains/pipelines/runs/start-run.ts';
import type { RunJob } from '../../../shared/domains/pipelines/store/launcher.ts';
import { readEvents } from '../../../shared/domains/pipelines/store/run-events.ts';
import { runKey } from '../../../shared/domains/pipelines/store/run-keys.ts';
import type { StoredRun } from '../../../shared/domains/pipelines/store/run-record.ts';
import { reserveEvents } from '../../../shared/domains/pipelines/store/run-store.ts';
import { updateOf } from '../../../shared/platform/storage/update.ts';
import { dagOf, sql } from './run-dags.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());

/** A run that has started, as the worker of its last step sees it. */
async function started(): Promise<{ job: RunJob; seen: StoredRun }> {
  const { id } = await setup.run(await setup.pipeline(dagOf(sql('a', 'SELECT 1 AS x'))));
  const job = { ...setup.place(id), epoch: 1 };
  await startRun(setup.context, job);
  setup.jobs.splice(0);
  return { job, seen: await setup.stored(id) };
}

/** The numbers of the events, and the last two of them. */
async function eventsOf({ runId }: RunJob) {
  const events = await readEvents(setup.context.table, setup.place(runId), 0);
  return { numbers: events.map(({ seq }) => seq), last: events.slice(-2).map(({ data }) => data) };
}

describe('the end of a run as its last worker saw it', () => {
  it('takes the next numbers if nothing has changed since', async () => {
    const { job, seen } = await started();
    const { numbers } = await eventsOf(job);
    const commands: string[] = [];
    setup.crash = ({ command }) => {
      commands.push(command);
      return undefined;
    };
    await endRun(setup.context, job, { status: 'succeeded', seen });
    setup.crash = () => undefined;
    // No write of the run comes before.
    expect(commands).toEqual(['TransactWriteItemsCommand']);
    expect(await setup.stored(job.runId)).toMatchObject({ status: 'succeeded', seq: seen.seq + 2 });
    expect((await eventsOf(job)).numbers).toEqual([...numbers, seen.seq + 1, seen.seq + 2]);
  });

  it('leaves numbers to others that have reserved them since', async () => {
    const { job, seen } = await started();
    await reserveEvents(setup.context.table, job, 1);
    await endRun(setup.context, job, { status: 'succeeded', seen });
    expect(await setup.stored(job.runId)).toMatchObject({ status: 'succeeded' });
    const { numbers, last } = await eventsOf(job);
    expect(numbers).not.toContain(seen.seq + 1);
    expect(last).toMatchObject([{ status: 'succeeded' }, { status: 'succeeded' }]);
  });

  it('is that of a cancelled run if a cancel came since', async () => {
    const { job, seen } = await started();
    const { table } = setup.context;
    const cancel = { set: { cancelRequestedAt: new Date().toISOString() } };
    await table.db.send(new UpdateCommand(updateOf(table, runKey(job.workspaceId, job.runId), cancel)));
    await endRun(setup.context, job, { status: 'succeeded', seen });
    expect(await setup.stored(job.runId)).toMatchObject({ status: 'cancelled' });
  });

  it('is written once by two workers', async () => {
    const { job, seen } = await started();
    const end = { status: 'succeeded', seen } as const;
    await Promise.all([endRun(setup.context, job, end), endRun(setup.context, job, end)]);
    await endRun(setup.context, job, end);
    const { numbers } = await eventsOf(job);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers.filter((number) => number > seen.seq)).toHaveLength(2);
  });
});
