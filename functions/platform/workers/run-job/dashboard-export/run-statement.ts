import { withGuardedEngine } from '../../../../../shared/data/duckdb/guarded-engine.ts';
import { quoteLiteral } from '../../../../../shared/data/duckdb/quoting.ts';
import type { EngineReply, FileRequest, QueryRequest } from '../../../../../shared/domains/engine/index.ts';
import { DataError } from '../../../../../shared/platform/errors/data-error.ts';
import { ObjectMissing } from '../../../../../shared/platform/objects/object-missing.ts';
import type { JobControl } from '../job-kind.ts';
import type { QueryWorker } from '../query/query-worker.ts';
import { fileOnFiles, queryOnFiles } from './run-on-files.ts';

type Request = QueryRequest | FileRequest;
export type RunStatement = <T>(request: Request) => Promise<EngineReply<T>>;

/**
 * Runs the statements of a job in this process, under the limits of the job instead of those of a request: one at a
 * time, because each may need all of the memory. Waiting counts as time of the statement.
 */
export function statementRunner(
  { cache, objects, engineResources }: Pick<QueryWorker, 'cache' | 'objects' | 'engineResources'>,
  { signal, die }: Pick<JobControl, 'signal' | 'die'>,
): RunStatement {
  let last: Promise<unknown> = Promise.resolve();

  async function answer<T>(request: Request, until: number): Promise<EngineReply<T>> {
    try {
      const limits = { timeoutMs: Math.max(1, until - performance.now()), signal, die };
      const run = await withGuardedEngine(engineResources, limits, async (engine) => {
        await engine.run(`SET TimeZone = ${quoteLiteral(request.timezone ?? 'UTC')}`);
        const at = { engine, objects: cache };
        return request.op === 'file' ? fileOnFiles(request, { ...at, store: objects }) : queryOnFiles(request, at);
      });
      return { ok: true, answer: run as T };
    } catch (error) {
      if (error instanceof DataError)
        return { ok: false, code: error.code, message: error.message, issues: [...error.issues] };
      if (error instanceof ObjectMissing)
        return {
          ok: false,
          code: 'NOT_FOUND',
          message: 'A file of the dataset was replaced. Export again.',
          issues: [],
        };
      throw error;
    }
  }

  return (request) => {
    const until = performance.now() + request.timeoutMs;
    const answered = last.then(() => answer<never>(request, until));
    last = answered.catch(() => undefined);
    return answered;
  };
}
