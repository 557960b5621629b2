import { CreateStateMachineCommand, DeleteStateMachineCommand, SFNClient } from '@aws-sdk/client-sfn';
import { describe, expect, it } from 'vitest';
import { executionIssue } from '../../../functions/pipelines/pipelines/execution-services.ts';
import { pipelinesOf } from '../../../functions/pipelines/pipelines/repository.ts';
import { workersStatus } from '../../../functions/pipelines/pipelines/use-cases/workers-status.ts';
import { retryRun } from '../../../shared/domains/pipelines/runs/retry-run.ts';
import { dagStore } from '../../../shared/domains/pipelines/store/dag-store.ts';
import { queuedKey } from '../../../shared/domains/pipelines/store/run-keys.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import { transact } from '../../../shared/platform/storage/transact.ts';
import { LOCAL_ACCESS, useLocalTable } from '../../support/local-table.ts';
import { createBackfill, givenBackfill } from './given-backfill.ts';
import { dagOf, sql } from './run-dags.ts';
import { RunSetup } from './run-setup.ts';

const local = useLocalTable();
const NOW = new Date('2026-06-01T12:00:00.000Z');

/** The status while runs have waited for so many seconds. */
async function statusOf(waiting: readonly number[], issue: string | null = null) {
  const [table, workspaceId] = [local.open(), newId()];
  for (const seconds of waiting) {
    const createdAt = new Date(NOW.getTime() - seconds * 1000).toISOString();
    const Item = { ...queuedKey({ workspaceId, id: newId(), createdAt }), entity: 'queued-run' };
    await transact(table, [{ Put: { TableName: table.name, Item } }]);
  }
  const pipelines = pipelinesOf(table, dagStore(table, {} as never));
  return workersStatus({ pipelines, now: () => NOW, executionIssue: async () => issue }, { workspaceId });
}

describe('the status of the workers', () => {
  it.each([
    [[], { state: 'available', reason: null, queuedRuns: 0, oldestQueuedSeconds: null }],
    [[10, 299], { state: 'available', reason: null, queuedRuns: 2, oldestQueuedSeconds: 299 }],
    [[300], { state: 'available', reason: null, queuedRuns: 1, oldestQueuedSeconds: 300 }],
    [[301, 2], { state: 'degraded', reason: expect.any(String), queuedRuns: 2, oldestQueuedSeconds: 301 }],
    // A clock that is behind.
    [[-5], { state: 'available', reason: null, queuedRuns: 1, oldestQueuedSeconds: 0 }],
  ])('is degraded once a run has waited for more than five minutes (%j)', async (waiting, reported) => {
    expect(await statusOf(waiting)).toEqual({ ...reported, checkedAt: NOW.toISOString() });
  });

  it('ignores runs that were retried late, and the days of a backfill', async () => {
    const setup = await RunSetup.open();
    try {
      const failed = await setup.run(await setup.pipeline(dagOf(sql('a', 'SELECT nothing'))));
      await setup.drain();
      const backfill = await givenBackfill(setup, { from: '2026-01-01', to: '2026-01-05' });
      await createBackfill(setup, backfill);
      setup.aheadMs += 24 * 60 * 60 * 1000;
      await retryRun(setup.context, setup.place(failed.id));
      const { table, dags, now } = setup.context;
      const deps = { pipelines: pipelinesOf(table, dags), now, executionIssue: async () => null };
      const status = await workersStatus(deps, setup);
      expect(status).toMatchObject({ state: 'available', queuedRuns: 6 });
      expect(status.oldestQueuedSeconds).toBeLessThan(60);
      await setup.drain();
      expect(await workersStatus(deps, setup)).toMatchObject({ oldestQueuedSeconds: null });
    } finally {
      await setup.close();
    }
  });

  it('is unavailable while nothing can be started, whatever waits', async () => {
    const reason = 'The state machines that run pipelines do not respond.';
    for (const waiting of [[], [400]]) {
      expect(await statusOf(waiting, reason)).toMatchObject({ state: 'unavailable', reason });
    }
  });

  it('reports a missing state machine, and a service that does not respond', async () => {
    const client = new SFNClient({ endpoint: local.cloud.endpoint, ...LOCAL_ACCESS, maxAttempts: 1 });
    const machine = async (name: string) => {
      const definition = JSON.stringify({
        QueryLanguage: 'JSONata',
        StartAt: 'Done',
        States: { Done: { Type: 'Succeed' } },
      });
      const roleArn = 'arn:aws:iam::000000000000:role/machine';
      return (await client.send(new CreateStateMachineCommand({ name, roleArn, definition }))).stateMachineArn!;
    };
    const machines = { run: await machine('run'), step: await machine('step') };
    expect(await executionIssue(client, machines)).toBeNull();
    const unreachable = new SFNClient({ endpoint: 'http://127.0.0.1:9', ...LOCAL_ACCESS, maxAttempts: 1 });
    expect(await executionIssue(unreachable, machines)).toBe('The state machines that run pipelines do not respond.');
    await client.send(new DeleteStateMachineCommand({ stateMachineArn: machines.step }));
    await expect
      .poll(() => executionIssue(client, machines))
      .toBe('The state machines that run pipelines do not respond.');
  });
});
