import { describe, expect, it } from 'vitest';
import { issueRepository } from '../../../shared/domains/quality/issues/repository.ts';
import { idOfPlace } from '../../../shared/domains/quality/issues/rules.ts';
import { runOf } from '../../../shared/domains/quality/runs/of-test.ts';
import {
  issuePlaces,
  latestResult,
  listRuns,
  recordedRuns,
  recordRun,
  runIdOf,
} from '../../../shared/domains/quality/runs/record-run.ts';
import { tableKey } from '../../../shared/domains/quality/table.ts';
import type { StoredTest } from '../../../shared/domains/quality/tests/records.ts';
import { testRepository } from '../../../shared/domains/quality/tests/repository.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import { itemsBelow } from '../../../shared/platform/storage/query-items.ts';
import { useLocalTable } from '../../support/local-table.ts';

const local = useLocalTable();
const NOW = new Date('2026-03-10T12:00:00Z');
const AT = '2026-03-09T12:00:00.000Z';
const orders = { sourceId: 'datasets', schemaName: '', tableName: 'orders' };
const returns = { ...orders, tableName: 'returns' };

async function setup() {
  const deps = { table: local.open(), now: () => NOW };
  const tests = testRepository(deps.table);
  const workspaceId = newId();
  const none = { columnName: null, modelId: null, tableId: null, fieldId: null, schedule: null };
  const test = await tests.create({
    ...{ id: newId(), workspaceId, name: 'Rows', description: '', testType: 'row_count', targetType: 'source_table' },
    ...{ ...orders, tableKey: tableKey(orders), ...none, config: { min: 1 } },
    ...{ runOnSync: false, severity: 'medium', isActive: true, createdBy: 'ada', updatedBy: 'ada' },
    ...{ createdAt: AT, updatedAt: AT, revision: 1 },
  } satisfies StoredTest);
  const frame = { id: newId(), trigger: 'manual', startedAt: AT, ms: 1, datasetVersion: 1, datasetId: null } as const;
  const run = runOf(test, frame, { error: 'The table is gone.' });
  const recorded = async () => ({
    runs: (await listRuns(deps.table, { workspaceId, testId: test.id, limit: 5 })).length,
    hasLatest: (await latestResult(deps.table, workspaceId, test.id)) !== undefined,
    issue: (await issueRepository(deps.table).get(workspaceId, idOfPlace(issuePlaces(test).error)))?.status,
  });
  const record = () => recordRun(deps, { test, run, orderedAt: AT });
  return { deps, tests, test, run, record, recorded };
}

describe('a run of a test', () => {
  it('is stored beside others that end at the same moment', async () => {
    const { deps, test, recorded } = await setup();
    const frame = { trigger: 'manual', ms: 1, datasetVersion: 1, datasetId: null } as const;
    const runs = Array.from({ length: 6 }, (_, i) =>
      runOf(test, { ...frame, id: newId(), startedAt: `2026-03-09T12:00:0${i}.000Z` }, { error: `Broken ${i}` }),
    );
    await Promise.all(runs.map((run) => recordRun(deps, { test, run, orderedAt: run.startedAt })));
    expect(await recorded()).toEqual({ runs: 5, hasLatest: true, issue: 'open' });
    expect((await latestResult(deps.table, test.workspaceId, test.id))?.runId).toBe(runs[5]!.id);
  });

  it('is found by the next attempt of its job, which makes up for the issue that a crash prevented', async () => {
    const { deps, test, recorded } = await setup();
    const job = { id: newId(), createdAt: AT, attempt: 2 };
    expect(await recordedRuns(deps, job, [test])).toEqual(new Map());
    const frame = { trigger: 'run_all', ms: 1, startedAt: AT, datasetVersion: 1, datasetId: null } as const;
    const run = runOf(test, { ...frame, id: runIdOf(job.id, test.id) }, { error: 'The table is gone.' });
    await recordRun(deps, { test, run, orderedAt: AT });
    const issues = issueRepository(deps.table);
    const later = () => new Date(NOW.getTime() + 1000);
    const issue = (await issues.get(test.workspaceId, idOfPlace(issuePlaces(test).error)))!;
    await issues.remove(issue, 'STALE_WRITE');
    expect([...(await recordedRuns({ ...deps, now: later }, job, [test])).values()]).toMatchObject([
      { id: run.id, status: 'error' },
    ]);
    expect(await recorded()).toEqual({ runs: 1, hasLatest: true, issue: 'open' });
  });

  it('is stored with the issue that it opens', async () => {
    const { record, recorded } = await setup();
    await record();
    await record();
    expect(await recorded()).toEqual({ runs: 1, hasLatest: true, issue: 'open' });
  });

  it('expires 90 days after its job was made, and the newest result does not', async () => {
    const { deps, test, record } = await setup();
    await record();
    const { workspaceId, id } = test;
    const [run] = await Array.fromAsync(
      itemsBelow(deps.table, { pk: `W#${workspaceId}#QUALITY-TEST#${id}`, sk: 'RUN#' }),
    );
    expect(run).toMatchObject({ status: 'error', expiresAt: Date.parse('2026-06-07T12:00:00Z') / 1000 });
    expect(await latestResult(deps.table, workspaceId, id)).not.toHaveProperty('expiresAt');
  });

  it('leaves nothing if the test was deleted meanwhile', async () => {
    const { tests, test, record, recorded } = await setup();
    await tests.remove(test, 'STALE_WRITE');
    await record();
    expect(await recorded()).toEqual({ runs: 0, hasLatest: false, issue: undefined });
  });

  it('leaves nothing if the test was moved to another table meanwhile', async () => {
    const { tests, test, record, recorded } = await setup();
    const moved = { ...test, ...returns, tableKey: tableKey(returns), updatedAt: NOW.toISOString() };
    await tests.replace(test, moved, 'STALE_WRITE');
    await record();
    expect(await recorded()).toEqual({ runs: 0, hasLatest: false, issue: undefined });
  });
});
