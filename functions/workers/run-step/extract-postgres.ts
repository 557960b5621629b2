import type { DataSource, PostgresSecrets } from '../../../shared/data-sources/record.ts';
import { createAddressGuard } from '../../../shared/net/address-guard.ts';
import type { ExtractConfig } from '../../../shared/pipelines/configs/extract.ts';
import type { StepOutput } from '../../../shared/pipelines/records.ts';
import { fillTemplate } from '../../../shared/pipelines/references.ts';
import { timeoutMsOf } from '../../../shared/pipelines/step-configs.ts';
import type { Cursor } from '../../../shared/sources/incremental.ts';
import { connectPostgres } from '../../../shared/sources/postgres-connection.ts';
import { extractToParquet, type PostgresExtract } from '../../../shared/sources/postgres-extract.ts';
import { bindTemplates } from '../../../shared/sql/templates.ts';
import type { Attempt } from './attempt.ts';
import { scratchFile, storeOutput } from './output.ts';
import { outputWatermark } from './watermark.ts';

const CONNECT_MS = 15_000;

/** Reads a table or a query in one read-only transaction. The password is masked in everything that the attempt logs. */
export async function extractPostgres(
  attempt: Attempt,
  source: Extract<DataSource, { type: 'postgres' }> & { sealedSecrets?: string },
  config: ExtractConfig,
  cursor: Cursor | undefined,
): Promise<StepOutput> {
  const { worker } = attempt;
  const secrets = JSON.parse(
    await worker.secrets.open(source.workspaceId, source.sealedSecrets ?? ''),
  ) as PostgresSecrets;
  attempt.hide(secrets.password);
  attempt.log('info', `Connecting to ${source.config.host}:${source.config.port}/${source.config.database}.`);
  const connection = await connectPostgres(
    { ...source.config, password: secrets.password },
    {
      guard: createAddressGuard({ allowedPrivateCidrs: worker.allowedPrivateCidrs }),
      timeouts: { connectMs: CONNECT_MS, statementMs: timeoutMsOf(attempt.step) },
    },
  );
  const stop = () => void connection.close();
  attempt.signal.addEventListener('abort', stop);
  try {
    const out = scratchFile(attempt);
    const extract: PostgresExtract = {
      from: originOf(attempt, config),
      ...(config.columns ? { columns: config.columns } : {}),
      ...(config.filter ? { filter: config.filter } : {}),
      ...(cursor ? { cursor } : {}),
    };
    const written = await extractToParquet(attempt.engine, connection, extract, out);
    for (const { column, rows } of written.lossyValues) {
      attempt.log('warn', `${rows} values of ${column} cannot be held exactly and are null or rounded.`);
    }
    const output = await storeOutput(attempt, out, written);
    return { ...output, ...(await outputWatermark(attempt, cursor, written.watermark)) };
  } finally {
    attempt.signal.removeEventListener('abort', stop);
    await connection.close();
  }
}

function originOf(attempt: Attempt, { object }: ExtractConfig): PostgresExtract['from'] {
  if ('query' in object) {
    const bound = bindTemplates(object.query, attempt.values);
    return { query: bound.sql, params: bound.params };
  }
  if (!('table' in object)) throw new TypeError('a file is no object of a database');
  return {
    schema: fillTemplate(object.schema ?? 'public', attempt.values),
    table: fillTemplate(object.table, attempt.values),
  };
}
