import { rm } from 'node:fs/promises';
import { keyedRows, type Side, tableOf } from '../../../../shared/data/blends/join-sql.ts';
import { extractSource } from '../../../../shared/data/connectors/extract-source.ts';
import { type Engine, openEngine } from '../../../../shared/data/duckdb/engine.ts';
import { quoteLiteral } from '../../../../shared/data/duckdb/quoting.ts';
import { checkSelect } from '../../../../shared/data/sql/select-check.ts';
import type { TableInput } from '../../../../shared/domains/engine/index.ts';
import { type BlendRequest, SIDE_LIMITS } from '../../../../shared/domains/semantics/blends/index.ts';
import { attachTable, fetchFiles, neededFiles, sizeOf } from '../../../../shared/domains/semantics/queries/index.ts';
import { type DataSourceRepository, unseal } from '../../../../shared/domains/warehouse/sources/index.ts';
import type { SecretBox } from '../../../../shared/platform/crypto/secret-box.ts';
import { DataError } from '../../../../shared/platform/errors/data-error.ts';
import type { AddressGuard } from '../../../../shared/platform/net/address-guard.ts';
import { AddressBlocked } from '../../../../shared/platform/net/address-guard.ts';
import type { ObjectCache } from '../../../../shared/platform/objects/object-cache.ts';
import { readerOptions } from './limits.ts';
import type { PushedCondition } from './pushed-values.ts';
import { SideFailure } from './side-failure.ts';

export interface SideDeps {
  objects: ObjectCache;
  sources: DataSourceRepository;
  secrets: SecretBox;
  guard: AddressGuard;
  ownBucket: string;
}

export interface ReadSide {
  rows: number;
  /** The size of the files that were read. */
  bytes: number;
  /** Whether the rows were chosen by the keys of the left side. */
  isChosen: boolean;
}

type Request = BlendRequest & { side: Side };

/** Reads a side over datasets into its table. */
export async function readDatasets(
  { engine, objects }: SideDeps & { engine: Engine },
  { side, keys, timezone, ...request }: Request,
): Promise<ReadSide> {
  const { sql, params, from, sampleRows } = request[side];
  const { tables } = from as { tables: TableInput[] };
  const checked = await checkSelect(engine, sql, { tables: tables.map(({ name }) => name) });
  const needed = neededFiles(checked, tables, { params, timezone });
  const copies = await fetchFiles(needed, objects);
  const pathOf = (key: string) => copies.get(key)!;
  for (const table of needed)
    await attachTable(
      engine,
      table,
      table.files.map(({ key }) => pathOf(key)),
      pathOf,
    );
  const limit = sampleRows ?? SIDE_LIMITS.rows + 1;
  const usedBefore = await tableBytes(engine);
  await engine.keep(tableOf(side), keyedRows(checked.sql, side, keys), { params, limit });
  const rows = await assertSize(engine, side, sampleRows);
  if ((await tableBytes(engine)) - usedBefore > SIDE_LIMITS.bytes) throw tooLarge(side, rows);
  return { rows, bytes: sizeOf(needed), isChosen: false };
}

/** Reads a side from its database. The rows arrive as a file: none of them becomes an object here. */
export async function readSource(
  { engine, sources, secrets, guard, ownBucket, signal }: SideDeps & { engine: Engine; signal: AbortSignal },
  { side, keys, workspaceId, timeoutMs, ...request }: Request,
  conditions: PushedCondition | undefined,
): Promise<ReadSide> {
  const { sql, params, from, sampleRows } = request[side];
  const source = await sources.get(workspaceId, (from as { sourceId: string }).sourceId);
  if (!source || source.type === 'file') throw new DataError('CONNECTION_FAILED', 'The data source was deleted.');
  const settings = await unseal(secrets, source);
  const path = engine.temporaryPath('parquet');
  const reader = await openEngine(readerOptions());
  const stop = () => reader.interrupt();
  signal.addEventListener('abort', stop);
  const limit = sampleRows ?? SIDE_LIMITS.rows + 1;
  const given = params as readonly unknown[];
  const extract = (where: PushedCondition | undefined) => {
    const condition = where?.(given.length) ?? { sql: '', values: [] };
    const query = `SELECT * FROM (\n${sql}\n) AS side${condition.sql} LIMIT ${limit}`;
    return extractSource(
      {
        engine: reader,
        options: { guard, schemes: [], ownBucket, timeouts: { connectMs: CONNECT_MS, statementMs: timeoutMs } },
        upload: () => Promise.reject(new DataError('NOT_FOUND', 'A database has no files.')),
      },
      settings,
      { object: { query, params: [...given, ...condition.values] }, maxBytes: SIDE_LIMITS.bytes, signal },
      path,
    );
  };
  try {
    const chosen = conditions && (await extract(conditions).catch(unlessRejected));
    if (!chosen) await extract(undefined);
    await engine.keep(tableOf(side), keyedRows(`SELECT * FROM read_parquet(${quoteLiteral(path)})`, side, keys), {
      limit,
    });
    return { rows: await assertSize(engine, side, sampleRows), bytes: 0, isChosen: chosen !== undefined };
  } catch (error) {
    if (error instanceof AddressBlocked) throw new DataError('ADDRESS_BLOCKED', error.message, { cause: error });
    if (error instanceof DataError && error.code === 'RESULT_TOO_LARGE') throw tooLarge(side, SIDE_LIMITS.rows);
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    await reader.close();
    await rm(path, { force: true });
  }
}

const CONNECT_MS = 8_000;

/** An old server, or one whose texts are not UTF-8, does not know every condition. */
function unlessRejected(error: unknown): undefined {
  if (error instanceof DataError && (error.code === 'SQL_ERROR' || error.code === 'SQL_PARSE')) return undefined;
  throw error;
}

/** Returns how many rows the side has. Throws `SideFailure` for too many. */
async function assertSize(engine: Engine, side: Side, sampleRows: number | undefined): Promise<number> {
  const [[count] = []] = await engine.run(`SELECT count(*) FROM ${tableOf(side)}`);
  const rows = Number(count);
  if (sampleRows === undefined && rows > SIDE_LIMITS.rows) throw tooLarge(side, rows);
  return rows;
}

async function tableBytes(engine: Engine): Promise<number> {
  const [[bytes] = []] = await engine.run(
    "SELECT coalesce(sum(memory_usage_bytes), 0) FROM duckdb_memory() WHERE tag = 'IN_MEMORY_TABLE'",
  );
  return Number(bytes);
}

function tooLarge(side: Side, rows: number): SideFailure {
  const [maxRows, maxMb] = [SIDE_LIMITS.rows.toLocaleString('en'), SIDE_LIMITS.bytes / 1024 ** 2];
  const message = `The ${side} side has more than ${maxRows} rows or ${maxMb} MB.`;
  return new SideFailure(side, undefined, { message, rows });
}
