import { withGuardedEngine } from '../../../../../shared/data/duckdb/guarded-engine.ts';
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
import type { TableRows, TestsToRun } from './asked-rows.ts';
import { attachTable } from './attach-table.ts';
import { leftUntil } from './deadline.ts';
import { withTableRows } from './table-rows.ts';

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

/** A test with the settings to run it with now. */
interface PreparedTest {
  id: string;
  test: QualityTest;
}

async function resultsOf(worker: RefreshWorker, asked: TableRun) {
  const { tests, control } = asked;
  const found = new Map<string, Result>();
  for (const [id, error] of await movedTests(worker, tests)) found.set(id, { error });
  const runnable = tests.filter(({ id }) => !found.has(id));
  let dataset: Pick<TableRows, 'datasetId' | 'datasetVersion'> = { datasetId: null, datasetVersion: null };
  try {
    const prepared = await preparedTests(worker, asked, runnable, found);
    if (prepared.length > 0) {
      await withPreparedRows(worker, asked, prepared, async (rows, context) => {
        dataset = { datasetId: rows.datasetId, datasetVersion: rows.datasetVersion };
        for (const { id, test } of prepared) if (rows.results.has(test)) found.set(id, rows.results.get(test)!);
        for (const group of groupsOf(prepared.filter(({ test }) => !rows.results.has(test)))) {
          const results = await evaluate(worker, asked, { rows, context }, group);
          for (const [index, { id }] of group.entries()) found.set(id, results[index]!);
        }
      });
    }
  } catch (error) {
    const reason = reasonOf(error, control);
    for (const { id } of runnable) if (!found.has(id)) found.set(id, reason);
  }
  return { results: tests.map(({ id }) => found.get(id)!), ...dataset };
}

/** Leaves out tests whose allowed values cannot be read, and adds the reason to what was found. */
async function preparedTests(
  worker: RefreshWorker,
  { job: { workspaceId }, control, deadline }: TableRun,
  tests: readonly StoredTest[],
  found: Map<string, Result>,
): Promise<PreparedTest[]> {
  const prepared: PreparedTest[] = [];
  for (const stored of tests) {
    const test = await withAllowedValues(worker, { workspaceId, control, deadline }, grammarOf(stored));
    if ('error' in test) found.set(stored.id, test);
    else prepared.push({ id: stored.id, test });
  }
  return prepared;
}

type RunContext = Pick<TestsToRun, 'now' | 'previousRows'>;

async function withPreparedRows(
  worker: RefreshWorker,
  { tests, job, control, deadline }: TableRun,
  prepared: readonly PreparedTest[],
  work: (rows: TableRows, context: RunContext) => Promise<void>,
): Promise<void> {
  const { workspaceId } = job;
  const previous = await previousRows(worker, workspaceId, prepared);
  // Every attempt checks as of the same moment.
  const context = { now: new Date(job.createdAt), previousRows: (test: QualityTest) => previous.get(test) };
  const toRun = { tests: prepared.map(({ test }) => test), ...context };
  const asked = { workspaceId, place: tests[0]!, tests: toRun, control, deadline };
  await withTableRows(worker, asked, (rows) => work(rows, context));
}

/** Statements of authors run one by one, so that one that never ends does not stop the other tests. */
function groupsOf(prepared: readonly PreparedTest[]): PreparedTest[][] {
  const own = prepared.filter(({ test }) => test.type === 'custom_sql').map((each) => [each]);
  const rest = prepared.filter(({ test }) => test.type !== 'custom_sql');
  return rest.length === 0 ? own : [rest, ...own];
}

async function evaluate(
  worker: RefreshWorker,
  { control, job: { workspaceId }, deadline }: TableRun,
  { rows, context }: { rows: TableRows; context: RunContext },
  group: readonly PreparedTest[],
): Promise<Result[]> {
  const { signal, die } = control;
  const tests = group.map(({ test }) => test);
  try {
    const timeoutMs = leftUntil(deadline, tests[0]!.type === 'custom_sql' ? STATEMENT_MS : TABLE_MS);
    return await withGuardedEngine(worker.engineResources, { timeoutMs, signal, die }, async (engine) => {
      const attached = await attachTable(worker, engine, { rows, tests, workspaceId });
      const bindText = (sql: string) => ({ sql, params: [] });
      return checkTable(engine, tests, { ...attached, ...context, bindText });
    });
  } catch (error) {
    const reason = reasonOf(error, control);
    return group.map(() => reason);
  }
}

/** The rows of the last run that passed: what was wrong since is no measure for others. */
async function previousRows({ table }: RefreshWorker, workspaceId: string, prepared: readonly PreparedTest[]) {
  const counts = new Map<QualityTest, number>();
  for (const { id, test } of prepared) {
    if (test.type !== 'row_count') continue;
    const rows = (await latestResult(table, workspaceId, id))?.passedRows;
    if (rows !== undefined && rows !== null) counts.set(test, rows);
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
