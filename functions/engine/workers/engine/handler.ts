import { S3Client } from '@aws-sdk/client-s3';
import type { EngineReply, EngineRequest } from '../../../../shared/domains/engine/index.ts';
import type { DefinitionRequest } from '../../../../shared/domains/pipelines/checks/index.ts';
import { DataError } from '../../../../shared/platform/errors/data-error.ts';
import { environment } from '../../../../shared/platform/http/open-group.ts';
import { ObjectMissing } from '../../../../shared/platform/objects/object-missing.ts';
import { objectStore } from '../../../../shared/platform/objects/object-store.ts';
import { createLogger } from '../../../../shared/platform/observability/logger.ts';
import { check, checkCode } from './check.ts';
import { columnIssues } from './column-issues.ts';
import { describe } from './describe.ts';
import { engines } from './engines.ts';
import { inspect } from './inspect.ts';
import { clearScratch } from './limits.ts';
import { lineage } from './lineage.ts';
import { openFiles, removeGone } from './open-files.ts';
import { portable } from './portable.ts';
import { query, queryFile } from './query.ts';
import { runCode } from './run-code.ts';
import { statements } from './statements.ts';

clearScratch();
const log = createLogger('engine');
const s3 = new S3Client({});
const bucket = environment('DATA_BUCKET');
const store = objectStore(bucket, s3);
const files = openFiles({
  s3,
  bucket,
  report: (event) => log.info('native copy of a table', { ...event }),
  reportKept: (event) => log.info('kept instance', { ...event }),
});
const { objects, natives, kept } = files;

// The first call finds an engine that is open, or about to be.
engines.prepare();

const CHECKED_EVERY_MS = 20_000;
// Between two calls, Lambda stops the process; what is due then runs with the next call.
setInterval(() => {
  removeGone(files, store).catch((error: unknown) => log.warn('native copies were not checked', error as Error));
}, CHECKED_EVERY_MS).unref();

/** Errors of the SQL or of the file become part of the reply; only internal errors are thrown. */
export async function handler(request: EngineRequest | DefinitionRequest): Promise<EngineReply<unknown>> {
  try {
    return { ok: true, answer: await natives.during(() => run(request)) };
  } catch (error) {
    if (error instanceof DataError) {
      return { ok: false, code: error.code, message: error.message, issues: [...error.issues] };
    }
    if (error instanceof ObjectMissing) {
      return { ok: false, code: 'FILE_NOT_FOUND', message: 'The file was deleted or replaced.', issues: [] };
    }
    log.error('unexpected failure', { op: request.op, error: error as Error });
    throw error;
  } finally {
    // After the reply, so that the caller does not wait for it.
    setImmediate(() => {
      engines.prepare();
      void natives.makeWanted();
      void kept.openWanted();
    });
  }
}

function run(request: EngineRequest | DefinitionRequest): Promise<unknown> {
  switch (request.op) {
    case 'start':
      return Promise.resolve({});
    case 'check':
      return check(request);
    case 'check-code':
      return checkCode(request);
    case 'run-code':
      return runCode(request, objects);
    case 'describe':
      return describe(request);
    case 'statements':
      return statements(request);
    case 'query':
      return query(request, files);
    case 'file':
      return queryFile(request, files, store);
    case 'inspect':
      return inspect(request, objects);
    case 'lineage':
      return lineage(request);
    case 'columns':
      return columnIssues(request);
    case 'portable':
      return portable(request);
  }
}
