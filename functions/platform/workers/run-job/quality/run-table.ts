import { type EngineLimits, withGuardedEngine } from '../../../../../shared/data/duckdb/guarded-engine.ts';
import type { Evaluation, NotEvaluated } from '../../../../../shared/data/quality/evaluate.ts';
import { checkTable } from '../../../../../shared/data/quality/evaluate-table.ts';
import type { QualityTest } from '../../../../../shared/data/quality/tests.ts';
import {
  grammarOf,
  latestResult,
  movedField,
  type RunTrigger,
  runIdOf,
  runOf,
  type StoredRun,
  type StoredTest,
  testCopy,
} from '../../../../../shared/domains/quality/index.ts';
import { definitionReader } from '../../../../../shared/domains/semantics/models/index.ts';
import { whyRefused } from '../../../../../shared/domains/semantics/row-rights/index.ts';
import { AppError } from '../../../../../shared/platform/errors/app-error.ts';
import type { StoredJob } from '../../../../../shared/platform/jobs/record.ts';
import type { RefreshWorker } from '../dataset-refresh/refresh-worker.ts';
import type { JobControl } from '../job-kind.ts';
import { withAllowedValues } from './allowed-values.ts';
import type { TableRows, TestsToRun } from './asked-rows.ts';
import { attachTable } from './attach-table.ts';
import { leftUntil, type StatementLimits } from './deadline.ts';
import { notEvaluated } from './not-evaluated.ts';
import { withTableRows } from './table-rows.ts';

/** For all tests of a table that are counted together. */
const TABLE_MS = 5 * 60 * 1000;

export interface TableRun {
  job: StoredJob;
  control: JobControl;
  trigger: RunTrigger;
  /** When the invocation has to be done, by `performance.now()`. */
  deadline: number;
  /** All of one table. */
  tests: readonly StoredTest[];
  /** Of each statement of an author. */
  statement: StatementLimits;
  /** Stores a run before the others, because the process has to end. */
  record(test: StoredTest, run: StoredRun): Promise<void>;
}

type Result = Evaluation | NotEvaluated;
type ReadDataset = Pick<TableRows, 'datasetId' | 'datasetVersion'>;
const NO_DATASET: ReadDataset = { datasetId: null, datasetVersion: null };
const datasetOf = ({ datasetId, datasetVersion }: TableRows): ReadDataset => ({ datasetId, datasetVersion });

interface Running extends TableRun {
  /**
   * Ends the process over tests that cannot be stopped: they end with an error, and the next invocation runs the
   * others.
   */
  abandon(tests: readonly PreparedTest[], dataset?: ReadDataset): NonNullable<EngineLimits['die']>;
}

/** Runs tests of one table, whose rows are read once. Returns the runs in the order of the tests. */
export async function runTable(worker: RefreshWorker, asked: TableRun): Promise<StoredRun[]> {
  const { tests, job, trigger, control } = asked;
  const startedAt = worker.now().toISOString();
  const startMs = performance.now();
  const runsOf = (dataset: ReadDataset) => {
    const shared = { trigger, ...dataset, startedAt, ms: Math.round(performance.now() - startMs) };
    return (test: StoredTest, result: Result) => runOf(test, { id: runIdOf(job.id, test.id), ...shared }, result);
  };
  const abandon: Running['abandon'] =
    (stuck, dataset = NO_DATASET) =>
    ({ message }) =>
      control.dieAndContinue(async () => {
        const runFor = runsOf(dataset);
        for (const { stored } of stuck) await asked.record(stored, runFor(stored, { error: message }));
      });
  const { results, dataset } = await resultsOf(worker, { ...asked, abandon });
  const runFor = runsOf(dataset);
  return tests.map((test, index) => runFor(test, results[index]!));
}

/** A test with the settings to run it with now. */
interface PreparedTest {
  stored: StoredTest;
  test: QualityTest;
}

async function resultsOf(worker: RefreshWorker, asked: Running) {
  const { tests, control } = asked;
  const found = new Map<string, Result>();
  for (const [id, error] of await movedTests(worker, tests)) found.set(id, { error });
  for (const [id, error] of await refusedTests(worker, tests)) found.set(id, { error });
  const runnable = tests.filter(({ id }) => !found.has(id));
  let dataset = NO_DATASET;
  try {
    const prepared = await preparedTests(worker, asked, runnable, found);
    if (prepared.length > 0) {
      await withPreparedRows(worker, asked, prepared, async (rows, context) => {
        dataset = datasetOf(rows);
        for (const { stored, test } of prepared) {
          const result = rows.results.get(test);
          if (result) found.set(stored.id, result);
        }
        for (const group of groupsOf(prepared.filter(({ test }) => !rows.results.has(test)))) {
          const results = await evaluate(worker, asked, { rows, context }, group);
          for (const [index, { stored }] of group.entries()) found.set(stored.id, results[index]!);
        }
      });
    }
  } catch (error) {
    const reason = notEvaluated(error, control);
    for (const { id } of runnable) if (!found.has(id)) found.set(id, reason);
  }
  return { results: tests.map(({ id }) => found.get(id)!), dataset };
}

/** Leaves out tests whose allowed values cannot be read, and adds the reason to what was found. */
async function preparedTests(
  worker: RefreshWorker,
  { job: { workspaceId }, control: { signal }, deadline, statement, abandon }: Running,
  tests: readonly StoredTest[],
  found: Map<string, Result>,
): Promise<PreparedTest[]> {
  const prepared: PreparedTest[] = [];
  for (const stored of tests) {
    const grammar = grammarOf(stored);
    const control = { signal, die: abandon([{ stored, test: grammar }]) };
    const test = await withAllowedValues(worker, { workspaceId, control, deadline, statement }, grammar);
    if ('error' in test) found.set(stored.id, test);
    else prepared.push({ stored, test });
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
  { control, job: { workspaceId }, deadline, statement, abandon }: Running,
  { rows, context }: { rows: TableRows; context: RunContext },
  group: readonly PreparedTest[],
): Promise<Result[]> {
  const tests = group.map(({ test }) => test);
  const { timeoutMs, graceMs }: StatementLimits = tests[0]!.type === 'custom_sql' ? statement : { timeoutMs: TABLE_MS };
  const limits: EngineLimits = {
    timeoutMs: leftUntil(deadline, timeoutMs),
    graceMs,
    signal: control.signal,
    die: abandon(group, datasetOf(rows)),
  };
  try {
    return await withGuardedEngine(worker.engineResources, limits, async (engine) => {
      const attached = await attachTable(worker, engine, { rows, tests, workspaceId });
      const bindText = (sql: string) => ({ sql, params: [] });
      return checkTable(engine, tests, { ...attached, ...context, bindText });
    });
  } catch (error) {
    const reason = notEvaluated(error, control);
    return group.map(() => reason);
  }
}

/** The rows of the last run that passed: what was wrong since is no measure for others. */
async function previousRows({ table }: RefreshWorker, workspaceId: string, prepared: readonly PreparedTest[]) {
  const counts = new Map<QualityTest, number>();
  for (const { stored, test } of prepared) {
    if (test.type !== 'row_count') continue;
    const rows = (await latestResult(table, workspaceId, stored.id))?.passedRows;
    if (rows !== undefined && rows !== null) counts.set(test, rows);
  }
  return counts;
}

/** Tests from before a policy, which would show counts of rows that their definers may not see. */
async function refusedTests({ copies }: RefreshWorker, tests: readonly StoredTest[]): Promise<Map<string, string>> {
  const reasons = await Promise.all(tests.map((test) => whyRefused(copies, testCopy(test))));
  return new Map(tests.flatMap(({ id }, index) => (reasons[index] === undefined ? [] : [[id, reasons[index]]])));
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
