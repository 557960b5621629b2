import { S3Client } from '@aws-sdk/client-s3';
import { warmPool } from '../../../../shared/data/duckdb/warm-pool.ts';
import type { BlendReply, BlendRequest } from '../../../../shared/domains/semantics/blends/index.ts';
import { dataSourceRepository } from '../../../../shared/domains/warehouse/sources/index.ts';
import { MasterSecret, parameterReader } from '../../../../shared/platform/crypto/master-secret.ts';
import { secretBox } from '../../../../shared/platform/crypto/secret-box.ts';
import { DataError } from '../../../../shared/platform/errors/data-error.ts';
import { environment } from '../../../../shared/platform/http/open-group.ts';
import { guardFromEnvironment } from '../../../../shared/platform/net/guard-from-environment.ts';
import { ObjectCache } from '../../../../shared/platform/objects/object-cache.ts';
import { createLogger } from '../../../../shared/platform/observability/logger.ts';
import { openTable } from '../../../../shared/platform/storage/table.ts';
import { clearScratch, ENGINE, OBJECTS } from './limits.ts';
import { runBlend } from './run-blend.ts';
import { SideFailure } from './side-failure.ts';

clearScratch();
const log = createLogger('join-sides');
const bucket = environment('DATA_BUCKET');
const engines = warmPool(ENGINE);
const deps = {
  engines,
  objects: new ObjectCache({ s3: new S3Client({}), bucket, ...OBJECTS }),
  sources: dataSourceRepository(openTable(environment('TABLE_NAME'))),
  secrets: secretBox(new MasterSecret(parameterReader(environment('MASTER_SECRET_PARAMETER')))),
  guard: guardFromEnvironment(),
  ownBucket: bucket,
};

/** Errors of a side or of the join become part of the reply; only internal errors are thrown. */
export async function handler(request: BlendRequest): Promise<BlendReply> {
  try {
    return { ok: true, answer: await runBlend(deps, request) };
  } catch (error) {
    const [side, cause] = error instanceof SideFailure ? [error.side, error.cause] : [null, error];
    if (error instanceof SideFailure && error.rows !== undefined)
      return { ok: false, side, code: 'SIDE_TOO_LARGE', message: error.message, rows: error.rows };
    if (cause instanceof DataError) return { ok: false, side, code: cause.code, message: publicMessage(cause) };
    log.error('unexpected failure', { error: error as Error });
    throw error;
  } finally {
    // After the reply, so that the caller does not wait for it.
    setImmediate(() => engines.prepare());
  }
}

/** Messages of statements can show values of rows; the statement is not the caller's, so they would not help. */
function publicMessage({ code, message }: DataError): string {
  return code === 'SQL_ERROR' || code === 'SQL_PARSE' || code === 'SCHEMA_MISMATCH' || code === 'NOT_FOUND'
    ? 'its rows cannot be read. Preview the table in its model to see why'
    : message.replace(/\.$/, '');
}
