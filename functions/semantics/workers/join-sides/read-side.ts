import { rm } from 'node:fs/promises';
import { keyedRows, rowCount, type Side, type SideView, tableOf } from '../../../../shared/data/blends/join-sql.ts';
import { extractSource } from '../../../../shared/data/connectors/extract-source.ts';
import { type Engine, openEngine } from '../../../../shared/data/duckdb/engine.ts';
import { quoteLiteral } from '../../../../shared/data/duckdb/quoting.ts';
import { mentionedWords } from '../../../../shared/data/sql/mentioned-names.ts';
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
  sources: Pick<DataSourceRepository, 'get'>;
  secrets: SecretBox;
  guard: AddressGuard;
  ownBucket: string;
}

export interface ReadSide {
  /** The rows where they lie; absent if they are in the table of the side. */
  view?: SideView;
  /** How many rows the table of the side has; absent for a view. */
  rows?: number;
  /** The size of the files that were read. */
  bytes: number;
  /** Whether the rows were chosen by the keys of the left side. */
  isChosen: boolean;
}

type Request = BlendRequest & { side: Side };

/**
 * Attaches the files of a side over datasets, of which the join reads only the columns that it uses. What the caller
 * may see of a restricted dataset is copied, in the columns that the statements mention.
 */
export async function attachDatasets(
  { engine, objects }: SideDeps & { engine: Engine },
  { side, keys, timezone, ...request }: Request,
): Promise<ReadSide> {
  const { sql, params, from, sampleRows } = request[side];
  const { tables } = from as { tables: TableInput[] };
  const checked = await checkSelect(engine, sql, { tables: tables.map(({ name }) => name) });
  const needed = neededFiles(checked, tables, { params, timezone }).map((table) => sharedTable(table, request));
  const copies = await fetchFiles(needed, objects);
  const pathOf = (key: string) => copies.get(key)!;
  for (const table of needed)
    await attachTable(
      engine,
      table,
      table.files.map(({ key }) => pathOf(key)),
      pathOf,
    );
  const view = { sql: keyedRows(checked.sql, side, keys), params };
  const read = { bytes: sizeOf(needed), isChosen: false };
  if (sampleRows !== undefined) return { ...read, rows: await keepView(engine, side, view, sampleRows) };
  if ('statement' in request.result) {
    // Both the statistics and the statement read the groups, which are computed once.
    const rows = await keepView(engine, side, view, SIDE_LIMITS.rows + 1);
    assertRows(side, rows);
    return { ...read, rows };
  }
  // The statistics of the join count all rows, which would take long for many more than are allowed.
  const stored = needed
    .flatMap(({ files }) => files)
    .reduce((sum, { rows = Number.POSITIVE_INFINITY }) => sum + rows, 0);
  if (stored > SIDE_LIMITS.rows) {
    const counting = rowCount({ sql: checked.sql, params }, SIDE_LIMITS.rows + 1);
    const [[rows] = []] = await engine.run(counting.sql, counting.params);
    assertRows(side, Number(rows));
  }
  return { ...read, view };
}

/**
 * The table as both sides can read it, because it is attached once: with all its files, of which one side alone might
 * need only some, and with the columns that either side mentions.
 */
function sharedTable(needed: TableInput, { left, right }: Pick<BlendRequest, Side>): TableInput {
  const sides = [left, right].filter(({ from }) => tableIn(from, needed.name));
  const table = sides.length === 2 ? tableIn(sides[0]!.from, needed.name)! : needed;
  if (!table.only) return table;
  const words = mentionedWords(sides.map(({ sql }) => sql).join(';'));
  const columns = table.only.columns.filter((column) => words.has(column.toLowerCase()));
  // Statements that mention no column still count the rows.
  return { ...table, only: { ...table.only, columns: columns.length > 0 ? columns : table.only.columns.slice(0, 1) } };
}

const tableIn = (from: BlendRequest[Side]['from'], name: string): TableInput | undefined =>
  'tables' in from ? from.tables.find((table) => table.name === name) : undefined;

/** Copies the rows of a view into the table of its side; returns how many there are. */
export async function keepView(engine: Engine, side: Side, { sql, params }: SideView, limit: number): Promise<number> {
  await engine.keep(tableOf(side), sql, { params, limit });
  return countRows(engine, side);
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
    const rows = await countRows(engine, side);
    if (sampleRows === undefined) assertRows(side, rows);
    return { rows, bytes: 0, isChosen: chosen !== undefined };
  } catch (error) {
    if (error instanceof AddressBlocked) throw new DataError('ADDRESS_BLOCKED', error.message, { cause: error });
    if (error instanceof DataError && error.code === 'RESULT_TOO_LARGE') {
      throw tooLarge(side, SIDE_LIMITS.rows, ` or ${SIDE_LIMITS.bytes / 1024 ** 2} MB`);
    }
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

async function countRows(engine: Engine, side: Side): Promise<number> {
  const [[count] = []] = await engine.run(`SELECT count(*) FROM ${tableOf(side)}`);
  return Number(count);
}

/** Throws `SideFailure` for too many. */
export function assertRows(side: Side, rows: number): void {
  if (rows > SIDE_LIMITS.rows) throw tooLarge(side, rows);
}

function tooLarge(side: Side, rows: number, orBytes = ''): SideFailure {
  const message = `The ${side} side has more than ${SIDE_LIMITS.rows.toLocaleString('en')} rows${orBytes}.`;
  return new SideFailure(side, undefined, { message, rows });
}
