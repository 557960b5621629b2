import {
  type FailingRowsInput,
  isRun,
  listTests,
  type RunInput,
  recordedRuns,
  recordRun,
  recordScores,
  type StoredRun,
  type StoredTest,
  TRIGGERS,
  testRepository,
} from '../../../../../shared/domains/quality/index.ts';
import type { StoredJob } from '../../../../../shared/platform/jobs/record.ts';
import { nextInstant } from '../../../../../shared/platform/schedule/schedule.ts';
import { MAX_WORK_MS, type RefreshWorker } from '../dataset-refresh/refresh-worker.ts';
import { JobContinues, type JobControl, type JobWork } from '../job-kind.ts';
import { STATEMENT_LIMITS, type StatementLimits } from './deadline.ts';
import { withoutValues } from './not-evaluated.ts';
import { runTable } from './run-table.ts';
import { storeFailingRows } from './store-failing-rows.ts';

/**
 * No further table starts after this time, so that a slow one still has most of the invocation; the next one continues.
 */
const MAX_START_MS = 4 * 60 * 1000;
/** Statements of authors have a minute each, so that not all of a table may fit into one invocation. */
const STATEMENTS_AT_ONCE = 5;

interface RunLimits {
  maxStartMs: number;
  /** For the whole invocation. */
  workMs: number;
  statement: StatementLimits;
}
const RUN_LIMITS: RunLimits = { maxStartMs: MAX_START_MS, workMs: MAX_WORK_MS, statement: STATEMENT_LIMITS };

/** Runs tests of quality, those of one table together. Tests with a stored run are not run again by another attempt. */
export function qualityRun(worker: RefreshWorker, limits: Partial<RunLimits> = {}): JobWork {
  const { maxStartMs, workMs, statement } = { ...RUN_LIMITS, ...limits };
  const tests = testRepository(worker.table);
  return {
    async run(job, control) {
      const startedMs = performance.now();
      const input = job.input as unknown as RunInput | FailingRowsInput;
      if (input.scope === 'rows') return storeFailingRows(worker, { job, control, ...input }).catch(withoutValues);
      const chosen = await chosenTests(tests, job.workspaceId, input);
      const recorded = job.attempt > 1 ? await recordedRuns(worker, job, chosen) : new Map<string, StoredRun>();
      const statuses = [...recorded.values()].map(({ status }) => status);
      const waiting = groupsOf(chosen.filter(({ id }) => !recorded.has(id)));
      for (const [index, group] of waiting.entries()) {
        control.signal.throwIfAborted();
        if (index > 0 && performance.now() - startedMs > maxStartMs) throw new JobContinues();
        const deadline = startedMs + workMs;
        statuses.push(...(await runGroup(worker, { job, control, input, deadline, statement }, group)));
        control.progress({ percent: Math.round((100 * statuses.length) / chosen.length) });
      }
      const tables = new Set(chosen.map(({ tableKey }) => tableKey));
      await recordScores(worker, job.workspaceId, tables);
      return { tables: tables.size, tests: chosen.length, ...countsOf(statuses) };
    },

    dueWaits: true,

    async due({ workspaceId, subjectId: tableKey, scheduledAt, hasWaited }) {
      const input: RunInput = { scope: 'due', tableKey, scheduledAt: scheduledAt.toISOString() };
      const due = await listTests(tests, workspaceId, (test) => isRun(input, test));
      const isCovered = ({ schedule }: StoredTest) => {
        const next = nextInstant(schedule, scheduledAt);
        return next !== undefined && next <= worker.now();
      };
      return due.length === 0 || (hasWaited && due.every(isCovered)) ? undefined : input;
    },
  };
}

/** With a statement of its author, which may be slow. */
const hasStatement = ({ testType, config }: StoredTest): boolean => testType === 'custom_sql' || 'query' in config;

/** The tests of each table, and those with statements a few at a time. */
function groupsOf(tests: readonly StoredTest[]): StoredTest[][] {
  return [...Map.groupBy(tests, ({ tableKey }) => tableKey).values()].flatMap((ofTable) => {
    const [statements, rest] = [true, false].map((isStatement) =>
      ofTable.filter((test) => hasStatement(test) === isStatement),
    ) as [StoredTest[], StoredTest[]];
    const first = [...rest, ...statements.slice(0, STATEMENTS_AT_ONCE)];
    const others = statements.slice(STATEMENTS_AT_ONCE);
    const parts = Array.from({ length: Math.ceil(others.length / STATEMENTS_AT_ONCE) }, (_, i) =>
      others.slice(i * STATEMENTS_AT_ONCE, (i + 1) * STATEMENTS_AT_ONCE),
    );
    return [first, ...parts];
  });
}

function countsOf(statuses: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

async function chosenTests(
  tests: ReturnType<typeof testRepository>,
  workspaceId: string,
  input: RunInput,
): Promise<StoredTest[]> {
  if (input.scope !== 'test') return listTests(tests, workspaceId, (test) => isRun(input, test));
  const test = await tests.get(workspaceId, input.testId);
  return test ? [test] : [];
}

interface Attempt {
  job: StoredJob;
  control: JobControl;
  input: RunInput;
  statement: StatementLimits;
  /** When the invocation has to be done, by `performance.now()`. */
  deadline: number;
}

async function runGroup(worker: RefreshWorker, { input, ...attempt }: Attempt, tests: StoredTest[]) {
  const orderedAt = attempt.job.createdAt;
  const record = (test: StoredTest, run: StoredRun) => recordRun(worker, { test, run, orderedAt });
  const runs = await runTable(worker, { ...attempt, trigger: TRIGGERS[input.scope], tests, record });
  for (const [index, run] of runs.entries()) await record(tests[index]!, run);
  return runs.map(({ status }) => status);
}
