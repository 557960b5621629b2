import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { StoredJob } from '../../../platform/jobs/record.ts';
import { DAY_MS } from '../../../platform/schedule/durations.ts';
import { idFrom } from '../../../platform/storage/ids.ts';
import { workspaceKey } from '../../../platform/storage/keys.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import { readItems } from '../../../platform/storage/read-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { recordFinding, recordResolved } from '../issues/record-finding.ts';
import type { IssuePlace } from '../issues/rules.ts';
import { columnText, type StoredTest } from '../tests/records.ts';
import { testRepository } from '../tests/repository.ts';
import type { LatestResult, StoredRun } from './records.ts';

export const RUN_DAYS = 90;

const runPrefix = 'RUN#';
const runKey = (workspaceId: string, testId: string, sk: string) =>
  workspaceKey(workspaceId, `QUALITY-TEST#${testId}`, sk);
export const latestKey = (workspaceId: string, testId: string) => workspaceKey(workspaceId, 'QUALITY-RESULT', testId);

/** The same for every attempt of a job. */
export const runIdOf = (jobId: string, testId: string): string => idFrom('quality-run', jobId, testId);

export interface RecordedRun {
  test: StoredTest;
  run: StoredRun;
  /** When the job was made: the place of the run in the list, the same for every attempt. */
  orderedAt: string;
}

/**
 * Stores the run once, however often its job is repeated, and then what it says about the issues of the test. A crash
 * in between is made up for by the next attempt.
 */
export async function recordRun(deps: { table: Table; now(): Date }, recorded: RecordedRun): Promise<void> {
  if (await storeRun(deps.table, recorded)) await updateIssues(deps, recorded);
}

/**
 * The runs that earlier invocations of a job have stored, by their tests. After a crash, their issues are updated
 * again, because it may have happened in between.
 */
export async function recordedRuns(
  deps: { table: Table; now(): Date },
  job: Pick<StoredJob, 'id' | 'createdAt' | 'attempt' | 'continuedAttempt'>,
  tests: readonly StoredTest[],
): Promise<Map<string, StoredRun>> {
  const keys = tests.map(({ workspaceId, id }) => keyOfRun(workspaceId, id, job.createdAt, runIdOf(job.id, id)));
  const found = (await readItems(deps.table, keys)).map((item) => toRecord<StoredRun>(item));
  const runs = new Map(found.map((run) => [run.testId, run]));
  if (job.continuedAttempt === job.attempt - 1) return runs;
  for (const test of tests) {
    const run = runs.get(test.id);
    const isNewest = run && (await latestResult(deps.table, test.workspaceId, test.id))?.runId === run.id;
    if (isNewest) await updateIssues(deps, { test, run, orderedAt: job.createdAt });
  }
  return runs;
}

const keyOfRun = (workspaceId: string, testId: string, orderedAt: string, runId: string) =>
  runKey(workspaceId, testId, `${runPrefix}${orderedAt}#${runId}`);

/**
 * Returns false if the run is not the newest of its test, so that its issues stay as they are. If another run of the
 * test becomes the newest at the same time, both are stored.
 */
async function storeRun(table: Table, recorded: RecordedRun): Promise<boolean> {
  const { test, run, orderedAt } = recorded;
  const { workspaceId } = test;
  const expiresAt = Math.floor((Date.parse(orderedAt) + RUN_DAYS * DAY_MS) / 1000);
  const item = { ...keyOfRun(workspaceId, test.id, orderedAt, run.id), entity: 'quality-run', expiresAt };
  for (;;) {
    const before = await latestResult(table, workspaceId, test.id);
    if (before?.runId === run.id) return true;
    const isNewest = before === undefined || before.startedAt < run.startedAt;
    const items: TransactItem[] = [
      stillTested(table, test),
      { Put: { TableName: table.name, Item: { ...run, ...item } } },
    ];
    if (isNewest) items.push(latestItem(table, test, run, before));
    try {
      await transact(table, items);
      return isNewest;
    } catch (cause) {
      const failed = failedConditions(cause);
      // The test was deleted or moved meanwhile.
      if (failed.has(0)) return false;
      if (!failed.has(LATEST)) throw cause;
    }
  }
}

/** The place of the newest result among the items of a run. */
const LATEST = 2;

/**
 * A test that was deleted during its run does not come back, and one that was moved has no results of its old table.
 */
const stillTested = (table: Table, { workspaceId, id, tableKey }: StoredTest): TransactItem => ({
  ConditionCheck: {
    TableName: table.name,
    Key: testRepository(table).key(workspaceId, id),
    ConditionExpression: 'tableKey = :tested',
    ExpressionAttributeValues: { ':tested': tableKey },
  },
});

function latestItem(table: Table, test: StoredTest, run: StoredRun, before: LatestResult | undefined): TransactItem {
  const { status, passRate, evaluatedRows, failedRows, startedAt } = run;
  const latest: LatestResult = {
    testId: test.id,
    tableKey: test.tableKey,
    runId: run.id,
    ...{ status, passRate, evaluatedRows, failedRows, startedAt },
    errors: status === 'error' ? (before?.errors ?? 0) + 1 : 0,
    passedRows: status === 'passed' ? evaluatedRows : (before?.passedRows ?? null),
  };
  return {
    Put: {
      TableName: table.name,
      Item: { ...latestKey(test.workspaceId, test.id), entity: 'quality-result', ...latest },
      ConditionExpression: before ? 'runId = :seen' : 'attribute_not_exists(pk)',
      ...(before ? { ExpressionAttributeValues: { ':seen': before.runId } } : {}),
    },
  };
}

export async function latestResult(table: Table, workspaceId: string, testId: string) {
  const Key = latestKey(workspaceId, testId);
  const found = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  return found.Item && toRecord<LatestResult>(found.Item);
}

/** The newest results of all tests of a workspace. */
export async function latestResults(table: Table, workspaceId: string): Promise<Map<string, LatestResult>> {
  const { pk } = latestKey(workspaceId, '');
  const found = await Array.fromAsync(itemsBelow(table, { pk, sk: '' }), (item) => toRecord<LatestResult>(item));
  return new Map(found.map((result) => [result.testId, result]));
}

/** The newest runs of a test; they are kept for 90 days. */
export async function listRuns(
  table: Table,
  { workspaceId, testId, limit }: { workspaceId: string; testId: string; limit: number },
): Promise<StoredRun[]> {
  const items = itemsBelow(table, runKey(workspaceId, testId, runPrefix), { newestFirst: true, atMost: limit });
  return Array.fromAsync(items, (item) => toRecord<StoredRun>(item));
}

/** Part of the deletion of a test. */
export const removeLatestItem = (table: Table, { workspaceId, id }: StoredTest): TransactItem => ({
  Delete: { TableName: table.name, Key: latestKey(workspaceId, id) },
});

export const issuePlaces = (test: StoredTest): { failure: IssuePlace; error: IssuePlace } => {
  const { workspaceId, sourceId, schemaName, tableName, id: testId } = test;
  const place = { workspaceId, table: { sourceId, schemaName, tableName }, columnName: columnText(test), testId };
  return { failure: { ...place, issueType: 'test_failed' }, error: { ...place, issueType: 'execution_error' } };
};

/** An error says nothing about the rows, and a warning neither opens nor fixes an issue. */
async function updateIssues(deps: { table: Table; now(): Date }, { test, run }: RecordedRun): Promise<void> {
  const { failure, error } = issuePlaces(test);
  const { severity, name: title } = test;
  const finding = { severity, title, message: run.message, findingId: run.id };
  if (run.status === 'error') return recordFinding(deps, { ...error, ...finding });
  await recordResolved(deps, error);
  if (run.status === 'failed') await recordFinding(deps, { ...failure, ...finding });
  else if (run.status === 'passed') await recordResolved(deps, failure);
}
