import { rm } from 'node:fs/promises';
import { withSession } from '../../../../shared/data/connectors/connection/abortable.ts';
import { connectPostgres, postgresTarget } from '../../../../shared/data/connectors/postgres/connection.ts';
import {
  loadIntoPostgres,
  type PostgresLoad,
  type PostgresLoaded,
} from '../../../../shared/data/connectors/postgres/load.ts';
import type { SettingsOf } from '../../../../shared/data/connectors/source-types.ts';
import type { Column } from '../../../../shared/data/duckdb/column-types.ts';
import { growingFile } from '../../../../shared/data/duckdb/growing-file.ts';
import { quoteIdentifier, quoteLiteral } from '../../../../shared/data/duckdb/quoting.ts';
import { changeText } from '../../../../shared/data/tables/schema-change.ts';
import type { LoadTableConfig } from '../../../../shared/domains/pipelines/definition/index.ts';
import type { StepResult } from '../../../../shared/domains/pipelines/runs/index.ts';
import { loadKeyOf } from '../../../../shared/domains/pipelines/store/index.ts';
import type { Attempt } from './attempt.ts';
import { checkLease } from './lease-check.ts';
import { openTarget } from './load-target.ts';
import { attachInput, scratchFile } from './output.ts';
import { recordLoad } from './record-load.ts';
import { type TargetRules, targetMissing, targetNotEmpty, targetRulesOf } from './target-rules.ts';
import { checkOvertaken } from './watermark.ts';

/**
 * Loads the input into a table of a Postgres source. A ledger in the database makes the load take effect once; the run
 * records the load and moves the watermarks afterwards, and the next attempt repeats that if interrupted.
 */
export async function loadTable(attempt: Attempt): Promise<StepResult> {
  const config = attempt.step.config as unknown as LoadTableConfig;
  const { target } = config;
  const { rows: rowsIn } = await attachInput(attempt, 'input');
  const columns = await attempt.engine.describe('SELECT * FROM input');
  const csv = scratchFile(attempt);
  const written: { all?: Promise<unknown> } = {};
  try {
    const load: PostgresLoad = {
      loadKey: loadKeyOf(attempt.stored),
      schema: target.schema ?? 'public',
      table: target.table,
      ...(target.partitionBy ? { partitionBy: target.partitionBy } : {}),
      ...(config.onSchemaChange ? { onSchemaChange: config.onSchemaChange } : {}),
      columns,
      // The server takes the first rows while the engine writes the next ones.
      csv: () => {
        const all = writeCsv(attempt, columns, csv);
        all.catch(() => {});
        written.all = all;
        return growingFile(csv, all);
      },
      rows: rowsIn,
      how: config,
      beforeLoad: rejecting(await targetRulesOf(attempt)),
    };
    const loaded = await connected(attempt, target.sourceId, load);
    const sink = { kind: 'table' as const, id: `${target.sourceId}/${load.schema}.${load.table}` };
    await recordLoad(attempt, { rows: loaded.rows, bytes: loaded.bytes, sink });
    attempt.log('info', `${loaded.repeated ? 'An earlier attempt loaded' : 'Loaded'} ${loaded.rows} rows.`);
    const { rows, bytes, schemaChanges } = loaded;
    for (const change of schemaChanges) attempt.log('warn', changeText(change));
    return { rowsIn, rowsOut: rows, bytesOut: bytes, moved: { rows, bytes, sink }, schemaChanges };
  } catch (error) {
    attempt.engine.interrupt();
    throw error;
  } finally {
    await written.all?.catch(() => undefined);
    await rm(csv, { force: true });
  }
}

const rejecting =
  ({ missing, filled }: TargetRules): NonNullable<PostgresLoad['beforeLoad']> =>
  async ({ exists, hasOtherRows }) => {
    if (!exists && missing) throw targetMissing(missing);
    if (filled && (await hasOtherRows())) throw targetNotEmpty(filled);
  };

/**
 * Writes values as Postgres reads them; only an unquoted empty cell is null. Nested values become JSON. Texts are
 * quoted, because they may be empty; other values never are.
 */
async function writeCsv(attempt: Attempt, columns: readonly Column[], path: string): Promise<void> {
  const cells = columns.map(({ name, type }) => {
    const value = quoteIdentifier(name);
    if (type === 'binary') return `'\\x' || hex(${value})`;
    return /^(list|struct)|^json$/.test(type) ? `to_json(${value})::VARCHAR` : `${value}::VARCHAR`;
  });
  const quoted = columns.flatMap(({ type }, i) => (NEVER_QUOTED.test(type) ? [] : [`c${i}`]));
  await attempt.engine.run(
    `COPY (SELECT ${cells.map((cell, i) => `${cell} AS c${i}`).join(', ')} FROM input) TO ${quoteLiteral(path)}
     (FORMAT csv, HEADER false, NULLSTR '', USE_TMP_FILE false${quoted.length > 0 ? `, FORCE_QUOTE (${quoted.join(', ')})` : ''})`,
  );
}

const NEVER_QUOTED = /^(integer|decimal.*|double|boolean|date|time|timestamp|timestamptz)$/;

async function connected(attempt: Attempt, sourceId: string, load: PostgresLoad): Promise<PostgresLoaded> {
  const { settings, options } = await openTarget(attempt, sourceId, 'postgres', 'tables are loaded into Postgres');
  const { config, secrets } = settings as SettingsOf<'postgres'>;
  const dialled = connectPostgres(postgresTarget(config, secrets), options);
  return withSession(attempt.signal, dialled, (connection) =>
    loadIntoPostgres(connection, load, () => checkOvertaken(attempt).then(() => checkLease(attempt))),
  );
}
