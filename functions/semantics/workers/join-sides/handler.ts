import { S3Client } from '@aws-sdk/client-s3';
import { warmPool } from '../../../../shared/data/duckdb/warm-pool.ts';
import type { BlendReply, BlendRequest } from '../../../../shared/domains/semantics/blends/index.ts';
import { dataSourceRepository } from '../../../../shared/domains/warehouse/sources/index.ts';
import { MasterSecret, parameterReader } from '../../../../shared/platform/crypto/master-secret.ts';
import { secretBox } from '../../../../shared/platform/crypto/secret-box.ts';
import { DataError, type DataErrorCode } from '../../../../shared/platform/errors/data-error.ts';
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

/** Errors whose messages the platform has written. */
const OWN_MESSAGES: readonly DataErrorCode[] = [
  'QUERY_TIMEOUT',
  'OUT_OF_MEMORY',
  'RLS_ERROR',
  'RESULT_TOO_LARGE',
  'SERVICE_BUSY',
];
const MESSAGES: Partial<Record<DataErrorCode, string>> = {
  TIMEOUT: 'its data source did not answer in time',
  CONNECTION_FAILED: 'its data source cannot be reached',
  AUTH_FAILED: 'its data source rejects the credentials',
  PERMISSION_DENIED: 'its data source denies access',
  ADDRESS_BLOCKED: 'the address of its data source is not allowed',
};

/**
 * Messages of engines and servers can show values of rows, and name hosts and users; neither the statement nor the
 * source is the caller's, so they would not help.
 */
function publicMessage({ code, message }: DataError): string {
  if (OWN_MESSAGES.includes(code)) return message.replace(/\.$/, '');
  return MESSAGES[code] ?? 'its rows cannot be read. Preview the table in its model to see why';
}
