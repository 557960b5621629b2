import { rm, stat } from 'node:fs/promises';
import type { SettingsOf } from '../../../shared/data-sources/record.ts';
import { dataSourceRepository } from '../../../shared/data-sources/repository.ts';
import { secretTexts, unseal } from '../../../shared/data-sources/unseal.ts';
import { externalLoadItem, findLoad } from '../../../shared/datasets/commit.ts';
import { changeText, MOST_TOLD_CHANGES } from '../../../shared/datasets/schema-change.ts';
import type { Column } from '../../../shared/engine/column-types.ts';
import { quoteIdentifier, quoteLiteral } from '../../../shared/engine/quoting.ts';
import { createAddressGuard } from '../../../shared/net/address-guard.ts';
import type { LoadTableConfig } from '../../../shared/pipelines/configs/load.ts';
import { fenceItem, type StepResult } from '../../../shared/pipelines/settle.ts';
import { timeoutMsOf } from '../../../shared/pipelines/step-configs.ts';
import { loadKeyOf } from '../../../shared/pipelines/watermarks.ts';
import { connectPostgres, postgresTarget } from '../../../shared/sources/postgres-connection.ts';
import { loadIntoPostgres, type PostgresLoad, type PostgresLoaded } from '../../../shared/sources/postgres-load.ts';
import { failedConditions } from '../../../shared/storage/collection.ts';
import { transact } from '../../../shared/storage/transact.ts';
import { type Attempt, StepFailure } from './attempt.ts';
import { watermarkMoves } from './load.ts';
import { attachInput, scratchFile } from './output.ts';

const CONNECT_MS = 15_000;
const MOST_TRIES = 5;

/**
 * Loads the input into a table of a Postgres source. The table's own ledger makes the load take effect once; what the run
 * keeps of it (the load and the watermarks) is written afterwards, and made good by the next attempt if that is cut off.
 */
export async function loadTable(attempt: Attempt): Promise<StepResult> {
  const config = attempt.step.config as unknown as LoadTableConfig;
  const { target } = config;
  const { rows: rowsIn } = await attachInput(attempt, 'input');
  const columns = await attempt.engine.describe('SELECT * FROM input');
  const csv = scratchFile(attempt);
  try {
    await writeCsv(attempt, columns, csv);
    const load: PostgresLoad = {
      loadKey: loadKeyOf(attempt.stored),
      schema: target.schema ?? 'public',
      table: target.table,
      ...(target.partitionBy ? { partitionBy: target.partitionBy } : {}),
      ...(config.onSchemaChange ? { onSchemaChange: config.onSchemaChange } : {}),
      columns,
      csv,
      rows: rowsIn,
      bytes: (await stat(csv)).size,
      how: config,
    };
    const loaded = await connected(attempt, target.sourceId, load);
    const sink = { kind: 'table' as const, id: `${target.sourceId}/${load.schema}.${load.table}` };
    await record(attempt, load, loaded, sink);
    attempt.log('info', `${loaded.repeated ? 'An earlier attempt loaded' : 'Loaded'} ${loaded.rows} rows.`);
    const { rows, bytes, schemaChanges } = loaded;
    for (const change of schemaChanges.slice(0, MOST_TOLD_CHANGES)) attempt.log('warn', changeText(change));
    return { rowsIn, rowsOut: rows, bytesOut: bytes, moved: { rows, bytes, sink }, schemaChanges };
  } finally {
    await rm(csv, { force: true });
  }
}

/** Texts that Postgres reads; only an unquoted empty cell is null. What has parts goes as JSON. */
async function writeCsv(attempt: Attempt, columns: readonly Column[], path: string): Promise<void> {
  const cells = columns.map(({ name, type }) => {
    const value = quoteIdentifier(name);
    if (type === 'binary') return `'\\x' || hex(${value})`;
    return /^(list|struct)|^json$/.test(type) ? `to_json(${value})::VARCHAR` : `${value}::VARCHAR`;
  });
  await attempt.engine.run(
    `COPY (SELECT ${cells.map((cell, i) => `${cell} AS c${i}`).join(', ')} FROM input) TO ${quoteLiteral(path)}
     (FORMAT csv, HEADER false, FORCE_QUOTE *, NULLSTR '')`,
  );
}

async function connected(attempt: Attempt, sourceId: string, load: PostgresLoad): Promise<PostgresLoaded> {
  const { worker, run } = attempt;
  const source = await dataSourceRepository(worker.context.table).get(run.workspaceId, sourceId);
  if (!source) throw new StepFailure('NOT_FOUND', 'The data source does not exist.');
  if (source.type !== 'postgres') {
    throw new StepFailure('NOT_FOUND', `The data source is of type ${source.type}; tables are loaded into Postgres.`);
  }
  const { config, secrets, ...rest } = (await unseal(worker.secrets, source)) as SettingsOf<'postgres'>;
  for (const text of secretTexts({ config, secrets, ...rest })) attempt.hide(text);
  const connection = await connectPostgres(postgresTarget(config, secrets), {
    guard: createAddressGuard({ allowedPrivateCidrs: worker.allowedPrivateCidrs }),
    timeouts: { connectMs: CONNECT_MS, statementMs: timeoutMsOf(attempt.step) },
  });
  const stop = () => void connection.close();
  attempt.signal.addEventListener('abort', stop);
  try {
    return await loadIntoPostgres(connection, load);
  } finally {
    attempt.signal.removeEventListener('abort', stop);
    await connection.close();
  }
}

/** Keeps that the load is done, with the watermarks that move by it. */
async function record(
  attempt: Attempt,
  load: PostgresLoad,
  loaded: PostgresLoaded,
  sink: { kind: 'table'; id: string },
): Promise<void> {
  const { worker, run, node, stored } = attempt;
  const { table } = worker.context;
  const { loadKey } = load;
  const job = { workspaceId: run.workspaceId, runId: run.id, epoch: run.attempt, index: node.index };
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    const done = { loadKey, rowsLoaded: loaded.rows, bytesLoaded: loaded.bytes, sink };
    const moves = await watermarkMoves(attempt);
    try {
      return await transact(table, [
        externalLoadItem(table, run.workspaceId, done),
        fenceItem(table, job, stored.attempt),
        ...moves,
      ]);
    } catch (cause) {
      if (await findLoad(table, run.workspaceId, loadKey)) return;
      const failed = failedConditions(cause);
      if (failed.has(1)) throw new StepFailure('CANCELLED', 'The attempt was given up.');
      // Another load of the same extract was recorded in between: which of them moves the watermark is open again.
      if (failed.size === 0) throw cause;
    }
  }
  throw new StepFailure('INTERNAL', 'Other loads of the same rows were recorded again and again.');
}
