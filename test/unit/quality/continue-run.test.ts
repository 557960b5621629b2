import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RefreshWorker } from '../../../functions/platform/workers/run-job/dataset-refresh/refresh-worker.ts';
import { qualityRun } from '../../../functions/platform/workers/run-job/quality/quality-run.ts';
import { listRuns } from '../../../shared/domains/quality/runs/record-run.ts';
import { tableKey } from '../../../shared/domains/quality/table.ts';
import type { StoredTest } from '../../../shared/domains/quality/tests/records.ts';
import { testRepository } from '../../../shared/domains/quality/tests/repository.ts';
import { rightsDeps } from '../../../shared/domains/semantics/row-rights/index.ts';
import { startJob } from '../../../shared/platform/jobs/jobs.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import { JobSetup } from '../platform/jobs/job-setup.ts';

let setup: JobSetup;
beforeAll(async () => {
  setup = await JobSetup.open();
});
afterAll(() => setup.close());

const AT = '2026-03-09T12:00:00.000Z';

/** Tests of tables that are gone, whose runs end with an error without an engine. */
async function givenTests(tables: number, perTable: number): Promise<StoredTest[]> {
  const tests = testRepository(setup.table);
  const none = { columnName: null, modelId: null, tableId: null, fieldId: null, schedule: null };
  return Promise.all(
    Array.from({ length: tables * perTable }, (_, i) => {
      const place = { sourceId: 'datasets', schemaName: '', tableName: `t${i % tables}` };
      const id = newId();
      return tests.create({
        ...{ id, workspaceId: setup.workspaceId, name: id, description: '', testType: 'row_count' },
        ...{ targetType: 'source_table', ...place, tableKey: tableKey(place), ...none, config: { min: 1 } },
        ...{ runOnSync: false, severity: 'medium', isActive: true, createdBy: 'ada', updatedBy: 'ada' },
        ...{ createdAt: AT, updatedAt: AT, revision: 1 },
      } satisfies StoredTest);
    }),
  );
}

describe('a run of all tests that does not fit into one invocation', () => {
  it('continues in the next ones, also after a crash, with one run of each test', async () => {
    const tests = await givenTests(6, 2);
    const now = () => setup.context.now();
    const readTables = async () => [];
    const copies = { ...rightsDeps(setup.table, now), readTables };
    const worker = { table: setup.table, now, copies } as unknown as RefreshWorker;
    // Every invocation tests one table.
    const work = qualityRun(worker, { maxStartMs: -1 });
    const { workspaceId } = setup;
    const trigger = { kind: 'manual', scheduledAt: null, actor: null } as const;
    const input = { scope: 'all' };
    const job = await startJob(
      setup.context,
      { id: newId(), workspaceId, kind: 'quality_run', subjectId: 'all', trigger, input },
      'JOB_ACTIVE',
    );
    // Each run of a test is stored, and then its issue: the second invocation dies after its first test.
    let stored = 0;
    setup.crash = ({ command }) => {
      if (!command.startsWith('Transact')) return undefined;
      stored += 1;
      return stored === 6 ? 'after' : undefined;
    };
    await setup.drain(work);
    expect(setup.reported).toHaveLength(1);
    const ended = await setup.stored(job);
    expect(ended).toMatchObject({ status: 'succeeded', result: { tables: 6, tests: 12, error: 12 } });
    // Each of the six invocations counts as an attempt, and so does the one that crashed.
    expect(ended.attempt).toBe(7);
    for (const test of tests) {
      const runs = await listRuns(setup.table, { workspaceId, testId: test.id, limit: 10 });
      expect(runs).toMatchObject([{ status: 'error', message: `There is no dataset ${test.tableName} any more.` }]);
    }
  });
});
