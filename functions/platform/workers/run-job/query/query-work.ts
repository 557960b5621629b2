import type { Engine } from '../../../../../shared/data/duckdb/engine.ts';
import { withGuardedEngine } from '../../../../../shared/data/duckdb/guarded-engine.ts';
import {
  type QueryJobCommand,
  type QueryJobKeys,
  type QueryJobReport,
  queryJobKeys,
} from '../../../../../shared/domains/semantics/queries/index.ts';
import { DataError } from '../../../../../shared/platform/errors/data-error.ts';
import type { StoredJob } from '../../../../../shared/platform/jobs/record.ts';
import { JobFailure, type JobWork } from '../job-kind.ts';
import { queryDatasets } from './from-datasets.ts';
import { querySource } from './from-source.ts';
import { type QueryAttempt, type QueryWorker, TOO_HEAVY } from './query-worker.ts';

/** One crash may have another cause than the query, so the query is tried twice. */
const MAX_CRASHES = 2;

/** Runs a statement for longer than a request may take, and stores its rows for a day. */
export function queryWork(worker: QueryWorker): JobWork {
  return {
    async run(job, control) {
      const keys = queryJobKeys(job.workspaceId, job.id);
      if ((await countCrashes(worker, job, keys)) >= MAX_CRASHES)
        throw new JobFailure(TOO_HEAVY.code, TOO_HEAVY.message);
      const command = JSON.parse((await worker.objects.read(keys.command)).toString('utf8')) as QueryJobCommand;
      const asOf = worker.now().toISOString();
      const attempt: QueryAttempt = {
        job,
        command,
        keys,
        control,
        withEngine: (timeoutMs, work) => withEngine(worker, { job, keys, control }, timeoutMs, work),
      };
      const outcome =
        command.sourceId === undefined
          ? await queryDatasets(worker, attempt)
          : await querySource(worker, attempt, command.sourceId);
      const report: QueryJobReport = { ...outcome, rights: command.rights, asOf };
      await worker.objects.write(keys.report, Buffer.from(JSON.stringify(report)), 'application/json');
      return { rowCount: report.rowCount, truncated: report.truncated };
    },
  };
}

async function countCrashes({ objects }: QueryWorker, job: StoredJob, keys: QueryJobKeys): Promise<number> {
  const earlier = Array.from({ length: job.attempt - 1 }, (_, i) => objects.find(keys.attemptMarker(i + 1)));
  return (await Promise.all(earlier)).filter((found) => found !== undefined).length;
}

async function withEngine<T>(
  worker: QueryWorker,
  { job, keys, control }: Pick<QueryAttempt, 'job' | 'keys' | 'control'>,
  timeoutMs: number,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  const mark = keys.attemptMarker(job.attempt);
  await worker.objects.write(mark, Buffer.from(''), 'text/plain');
  try {
    const limits = { timeoutMs, signal: control.signal, die: () => control.die(TOO_HEAVY) };
    return await withGuardedEngine(worker.engineResources, limits, work);
  } catch (error) {
    if (error instanceof DataError && error.code === 'OUT_OF_MEMORY')
      throw new JobFailure(TOO_HEAVY.code, error.message, { cause: error });
    throw error;
  } finally {
    await worker.objects.remove([mark]);
  }
}
