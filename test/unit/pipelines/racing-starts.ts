import { expect } from 'vitest';
import type { Step } from '../../../shared/domains/pipelines/definition/dag.ts';
import { readAdmission } from '../../../shared/domains/pipelines/runs/admission.ts';
import type { StoredPipeline } from '../../../shared/domains/pipelines/store/pipeline-record.ts';
import { admissionKey } from '../../../shared/domains/pipelines/store/run-keys.ts';
import { runRepository } from '../../../shared/domains/pipelines/store/run-store.ts';
import type { AppError } from '../../../shared/platform/errors/app-error.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import { dagOf } from './run-dags.ts';
import type { RunSetup } from './run-setup.ts';

/** A step that no run takes: what is tried here is which runs there are, and not their work. */
const LEFT_OUT: Step = {
  id: 'a',
  type: 'transform_sql',
  config: { sql: 'SELECT 1 AS x' },
  when: { param: 'never', op: 'truthy' },
};
const AT_ONCE = 20;
const LIMIT = 3;

/** Starts so many runs at once, while workers end those that have a slot; answers the ids of those that were taken. */
async function startTogether(setup: RunSetup, pipeline: StoredPipeline, workers: number): Promise<string[]> {
  // A minute takes sixty starts.
  setup.aheadMs += 61_000;
  const taken: string[] = [];
  const asked = Array.from({ length: AT_ONCE }, async () => {
    const runId = newId();
    for (;;) {
      const code = await setup.run(pipeline, { runId }).then(
        () => 'TAKEN',
        (error: unknown) => (error as AppError).code,
      );
      if (code === 'TAKEN') taken.push(runId);
      // A client that is rejected for too many at once tries again.
      if (code !== 'SERVICE_BUSY') return expect(['TAKEN', 'RUN_OVERLAP']).toContain(code);
    }
  });
  const worked = Array.from({ length: workers }, async () => {
    for (let turn = 0; turn < AT_ONCE; turn++) {
      await setup.drain();
      await new Promise(setImmediate);
    }
  });
  await Promise.all([...asked, ...worked]);
  return taken;
}

/** The most runs that ever had a slot, by the writes to the table. */
function watchSlots(setup: RunSetup, pipeline: StoredPipeline): () => number {
  const { pk, sk } = admissionKey(setup.workspaceId, pipeline.id);
  let most = 0;
  setup.crash = ({ input }) => {
    const { TransactItems: items = [] } = input as { TransactItems?: { Put?: { Item?: Record<string, unknown> } }[] };
    for (const { Put } of items) {
      if (Put?.Item?.pk === pk && Put.Item.sk === sk) most = Math.max(most, (Put.Item.running as string[]).length);
    }
    return undefined;
  };
  return () => most;
}

async function expectAllOver(setup: RunSetup, pipeline: StoredPipeline, taken: readonly string[]): Promise<void> {
  await setup.drain();
  const runs = runRepository(setup.context.table);
  const { total } = await runs.list(setup.workspaceId, { limit: 1, offset: 0 }, pipeline.id);
  expect(total).toBe(taken.length);
  for (const run of await runs.getMany(setup.workspaceId, taken)) expect(run.status).toBe('succeeded');
  const admission = await readAdmission(setup.context.table, setup.workspaceId, pipeline.id);
  expect(admission).toMatchObject({ running: [], waiting: [] });
}

/** Runs that queue are all done, and never more at once than may be. */
export async function raceIntoQueue(setup: RunSetup, starts: number): Promise<void> {
  const pipeline = await setup.pipeline(dagOf(LEFT_OUT), { maxConcurrentRuns: LIMIT, onOverlap: 'queue' });
  const most = watchSlots(setup, pipeline);
  const taken: string[] = [];
  while (taken.length < starts) taken.push(...(await startTogether(setup, pipeline, 3)));
  expect(new Set(taken).size).toBe(starts);
  await expectAllOver(setup, pipeline, taken);
  expect(most()).toBe(LIMIT);
}

/** Runs that skip are taken while there is a slot, and refused otherwise. */
export async function raceForSlots(setup: RunSetup, starts: number): Promise<void> {
  const pipeline = await setup.pipeline(dagOf(LEFT_OUT), { maxConcurrentRuns: LIMIT, onOverlap: 'skip' });
  const most = watchSlots(setup, pipeline);
  const taken: string[] = [];
  for (let asked = 0; asked < starts; asked += 2 * AT_ONCE) {
    const alone = await startTogether(setup, pipeline, 0);
    expect(alone).toHaveLength(LIMIT);
    await setup.drain();
    const beside = await startTogether(setup, pipeline, 3);
    expect(beside.length).toBeGreaterThanOrEqual(LIMIT);
    await setup.drain();
    taken.push(...alone, ...beside);
  }
  await expectAllOver(setup, pipeline, taken);
  expect(most()).toBe(LIMIT);
}
