import { withGuardedEngine } from '../../../../../shared/data/duckdb/guarded-engine.ts';
import type { TestContext } from '../../../../../shared/data/quality/compile.ts';
import type { Evaluation, NotEvaluated } from '../../../../../shared/data/quality/evaluate.ts';
import { checkTable } from '../../../../../shared/data/quality/evaluate-table.ts';
import type { QualityTest } from '../../../../../shared/data/quality/tests.ts';
import { definitionReader } from '../../../../../shared/domains/models/index.ts';
import {
  grammarOf,
  latestResult,
  movedField,
  type RunTrigger,
  runIdOf,
  runOf,
  type StoredRun,
  type StoredTest,
} from '../../../../../shared/domains/quality/index.ts';
import { AppError } from '../../../../../shared/platform/errors/app-error.ts';
import { DataError } from '../../../../../shared/platform/errors/data-error.ts';
import type { StoredJob } from '../../../../../shared/platform/jobs/record.ts';
import type { RefreshWorker } from '../dataset-refresh/refresh-worker.ts';
import { type JobControl, JobFailure } from '../job-kind.ts';
import { withAllowedValues } from './allowed-values.ts';
import { attachTable, leftUntil, type TableRows, withTableRows } from './table-rows.ts';

/** For all tests of a table that are counted together, and for each statement of an author. */
const TABLE_MS = 5 * 60 * 1000;
const STATEMENT_MS = 60 * 1000;

export interface TableRun {
  job: StoredJob;
  control: JobControl;
  trigger: RunTrigger;
  /** When the invocation has to be done, by `performance.now()`. */
  deadline: number;
  /** All of one table. */
  tests: readonly StoredTest[];
}

type Result = Evaluation | NotEvaluated;

/** Runs tests of one table, whose rows are read once. Returns the runs in the order of the tests. */
export async function runTable(worker: RefreshWorker, asked: TableRun): Promise<StoredRun[]> {
  const { tests, job, trigger } = asked;
  const startedAt = worker.now();
  const startMs = performance.now();
  const { results, ...dataset } = await resultsOf(worker, asked);
  const ms = Math.round(performance.now() - startMs);
  const shared = { trigger, ...dataset, startedAt: startedAt.toISOString(), ms };
  return tests.map((test, index) => runOf(test, { id: runIdOf(job.id, test.id), ...shared }, results[index]!));
}

async function resultsOf(worker: RefreshWorker, asked: TableRun) {
  const { tests, control, job, deadline } = asked;
  const moved = await movedTests(worker, tests);
  const runnable = tests.filter((test) => !moved.has(test.id));
  let dataset: Pick<TableRows, 'datasetId' | 'datasetVersion'> = { datasetId: null, datasetVersion: null };
  const found = new Map<string, Result>();
  try {
    if (runnable.length > 0) {
      await withTableRows(
        worker,
        { workspaceId: job.workspaceId, tests: runnable, control, deadline },
        async (rows) => {
          dataset = { datasetId: rows.datasetId, datasetVersion: rows.datasetVersion };
          for (const group of groupsOf(runnable)) {
            const results = await evaluate(worker, asked, rows, group);
            for (const [index, test] of group.entries()) found.set(test.id, results[index]!);
          }
        },
      );
    }
  } catch (error) {
    const reason = reasonOf(error, control);
    for (const { id } of runnable) if (!found.has(id)) found.set(id, reason);
  }
  return { results: tests.map(({ id }) => found.get(id) ?? { error: moved.get(id)! }), ...dataset };
}

/** Statements of authors run one by one, so that one that never ends does not stop the other tests. */
function groupsOf(tests: readonly StoredTest[]): StoredTest[][] {
  const own = tests.filter(({ testType }) => testType === 'custom_sql').map((test) => [test]);
  const rest = tests.filter(({ testType }) => testType !== 'custom_sql');
  return rest.length === 0 ? own : [rest, ...own];
}

async function evaluate(
  worker: RefreshWorker,
  { control, job, deadline }: TableRun,
  rows: TableRows,
  group: readonly StoredTest[],
): Promise<Result[]> {
  const { signal, die } = control;
  const { workspaceId } = job;
  const asked = { workspaceId, control, deadline };
  try {
    const prepared: (QualityTest | NotEvaluated)[] = [];
    for (const test of group) prepared.push(await withAllowedValues(worker, asked, grammarOf(test)));
    const tests = prepared.filter((test): test is QualityTest => !('error' in test));
    const previous = await previousRows(worker, group, prepared);
    const timeoutMs = leftUntil(deadline, group[0]!.testType === 'custom_sql' ? STATEMENT_MS : TABLE_MS);
    const results = await withGuardedEngine(worker.engineResources, { timeoutMs, signal, die }, async (engine) => {
      const attached = await attachTable(worker, engine, { rows, tests, workspaceId });
      const context: TestContext = {
        ...attached,
        // Every attempt checks as of the same moment.
        now: new Date(job.createdAt),
        previousRows: (test) => previous.get(test),
        bindText: (sql) => ({ sql, params: [] }),
      };
      return checkTable(engine, tests, context);
    });
    return prepared.map((test) => ('error' in test ? test : results[tests.indexOf(test)]!));
  } catch (error) {
    const reason = reasonOf(error, control);
    return group.map(() => reason);
  }
}

/** The rows of the last run that passed: what was wrong since is no measure for others. */
async function previousRows(
  { table }: RefreshWorker,
  group: readonly StoredTest[],
  tests: readonly (QualityTest | NotEvaluated)[],
) {
  const counts = new Map<QualityTest, number>();
  for (const [index, { workspaceId, id, testType }] of group.entries()) {
    if (testType !== 'row_count') continue;
    const rows = (await latestResult(table, workspaceId, id))?.passedRows;
    if (rows !== undefined && rows !== null) counts.set(tests[index] as QualityTest, rows);
  }
  return counts;
}

/** Why tests could not be run; throws errors of the machine, and those of a worker that has to stop. */
function reasonOf(error: unknown, { signal }: JobControl): NotEvaluated {
  signal.throwIfAborted();
  const isKnown = error instanceof DataError || error instanceof JobFailure || error instanceof AppError;
  if (!isKnown) throw error;
  return { error: error.message };
}

/** Tests of fields that no longer lead to the column that was checked when they were saved. */
export async function movedTests(
  { table }: Pick<RefreshWorker, 'table'>,
  tests: readonly StoredTest[],
): Promise<Map<string, string>> {
  const moved = new Map<string, string>();
  const definitions = definitionReader(table);
  for (const test of tests) {
    if (test.modelId === null) continue;
    const { workspaceId, modelId } = test;
    const reason = await definitions
      .read({ workspaceId, modelId })
      .then((definition) => movedField(definition, test), goneModel);
    if (reason !== undefined) moved.set(test.id, reason);
  }
  return moved;
}

function goneModel(error: unknown): string {
  if (error instanceof AppError && error.code === 'MODEL_NOT_FOUND') return 'The model does not exist any more.';
  throw error;
}
