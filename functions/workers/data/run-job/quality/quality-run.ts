import {
  isRun,
  listTests,
  type RunInput,
  recordRun,
  recordScores,
  type StoredTest,
  TRIGGERS,
  testRepository,
} from '../../../../../shared/domains/quality/index.ts';
import type { StoredJob } from '../../../../../shared/platform/jobs/record.ts';
import type { RefreshWorker } from '../dataset-refresh/refresh-worker.ts';
import type { JobControl, JobWork } from '../job-kind.ts';
import { runTable } from './run-table.ts';

/** Runs tests of quality, those of one table together. */
export function qualityRun(worker: RefreshWorker): JobWork {
  const tests = testRepository(worker.table);
  return {
    async run(job, control) {
      const input = job.input as unknown as RunInput;
      const chosen = await chosenTests(tests, job.workspaceId, input);
      const counts: Record<string, number> = { tests: chosen.length };
      const tables = Map.groupBy(chosen, ({ tableKey }) => tableKey);
      let done = 0;
      for (const group of tables.values()) {
        control.signal.throwIfAborted();
        for (const status of await runGroup(worker, { job, control, input }, group)) {
          counts[status] = (counts[status] ?? 0) + 1;
        }
        done += group.length;
        control.progress({ percent: Math.round((100 * done) / chosen.length) });
      }
      await recordScores(worker, job.workspaceId, new Set(tables.keys()));
      return { tables: tables.size, ...counts };
    },

    async due(workspaceId, tableKey, scheduledAt) {
      const input: RunInput = { scope: 'due', tableKey, scheduledAt: scheduledAt.toISOString() };
      const due = await listTests(tests, workspaceId, (test) => isRun(input, test));
      return due.length > 0 ? input : undefined;
    },
  };
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
}

async function runGroup(worker: RefreshWorker, { job, control, input }: Attempt, group: StoredTest[]) {
  const runs = await runTable(worker, { job, control, trigger: TRIGGERS[input.scope], tests: group });
  for (const [index, run] of runs.entries()) {
    await recordRun(worker, { test: group[index]!, run, orderedAt: job.createdAt });
  }
  return runs.map(({ status }) => status);
}
