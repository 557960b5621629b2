import { withSession } from '../../../../../shared/data/connectors/connection/abortable.ts';
import { extractSource } from '../../../../../shared/data/connectors/extract-source.ts';
import type { OpenOptions } from '../../../../../shared/data/connectors/open-source.ts';
import { connectPostgres, postgresTarget } from '../../../../../shared/data/connectors/postgres/connection.ts';
import { testInPostgres } from '../../../../../shared/data/connectors/postgres/index.ts';
import type { SettingsOf, SourceSettings } from '../../../../../shared/data/connectors/source-types.ts';
import { type EngineLimits, withGuardedEngine } from '../../../../../shared/data/duckdb/guarded-engine.ts';
import { neededColumns } from '../../../../../shared/data/quality/tests.ts';
import { nameOfTable } from '../../../../../shared/domains/quality/index.ts';
import { dataSourceRepository, unseal } from '../../../../../shared/domains/warehouse/sources/index.ts';
import { DataError } from '../../../../../shared/platform/errors/data-error.ts';
import { webhookSchemes } from '../../../../../shared/platform/net/guard-from-environment.ts';
import type { RefreshWorker } from '../dataset-refresh/refresh-worker.ts';
import { JobFailure } from '../job-kind.ts';
import type { AskedRows, TableRows, TestsToRun } from './asked-rows.ts';
import { leftUntil } from './deadline.ts';

const CONNECT_MS = 15_000;
const EXTRACT_MS = 10 * 60 * 1000;
/** Left of the invocation for the tests, once the rows are copied. */
export const TEST_MS = 3 * 60 * 1000;
/** In which the source has to stop; an engine that works on is stuck. */
const STOP_MS = 10_000;

/** Copies a table of a data source to a file, or only what the tests need that its database cannot run. */
export async function rowsOfSource(worker: RefreshWorker, asked: AskedRows, path: string): Promise<TableRows> {
  const { workspaceId, place, tests } = asked;
  const source = await dataSourceRepository(worker.table).get(workspaceId, place.sourceId);
  if (!source) throw new JobFailure('NOT_FOUND', 'The data source does not exist any more.');
  const settings = await unseal(worker.secrets, source);
  const found = settings.type === 'postgres' && tests && (await byDatabase(worker, asked, settings, tests, path));
  return found || (await copied(worker, asked, settings, path));
}

function limitsOf(worker: RefreshWorker, { control: { signal, die }, deadline }: AskedRows) {
  const sourceMs = leftUntil(deadline - TEST_MS, EXTRACT_MS);
  const options: OpenOptions = {
    guard: worker.guard,
    schemes: webhookSchemes(),
    ownBucket: worker.ownBucket,
    timeouts: { connectMs: CONNECT_MS, statementMs: sourceMs },
  };
  return { options, sourceMs, limits: { timeoutMs: sourceMs + STOP_MS, signal, die } satisfies EngineLimits };
}

/** Stops the source when its time is over: no statement of it may take too long, but all of them together may. */
async function inTime<T>(
  { sourceMs, limits }: ReturnType<typeof limitsOf>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const message = `The data source did not answer within ${Math.round(sourceMs / 1000)} s.`;
  const timer = setTimeout(() => late.abort(new DataError('TIMEOUT', message)), sourceMs);
  try {
    return await work(AbortSignal.any([limits.signal, late.signal]));
  } catch (error) {
    throw late.signal.aborted ? late.signal.reason : error;
  } finally {
    clearTimeout(timer);
  }
}

/** Undefined if the server cannot run the statements. */
async function byDatabase(
  worker: RefreshWorker,
  asked: AskedRows,
  { config, secrets }: SettingsOf<'postgres'>,
  { tests, ...context }: TestsToRun,
  path: string,
): Promise<TableRows | undefined> {
  const { schemaName: schema, tableName: table } = asked.place;
  const limited = limitsOf(worker, asked);
  const request = { schema, table, tests, ...context, maxBytes: worker.limits.bytes };
  try {
    const found = await inTime(limited, (signal) =>
      withGuardedEngine(worker.engineResources, limited.limits, (engine) =>
        withSession(signal, connectPostgres(postgresTarget(config, secrets), limited.options), (session) =>
          testInPostgres(engine, session, request, path),
        ),
      ),
    );
    const results = new Map(
      tests.flatMap((test, index) => {
        const result = found.results[index];
        return result ? [[test, result] as const] : [];
      }),
    );
    const rows = found.copied ? { paths: [path], columns: found.copied } : { paths: [], columns: [] };
    return { ...rows, ...OF_SOURCE, results };
  } catch (error) {
    if (error instanceof DataError && OF_STATEMENT.has(error.code)) return undefined;
    throw error;
  }
}

const OF_STATEMENT: ReadonlySet<string> = new Set(['SQL_ERROR', 'SQL_PARSE', 'SCHEMA_MISMATCH']);
const OF_SOURCE = { datasetId: null, datasetVersion: null } as const;

async function copied(
  worker: RefreshWorker,
  asked: AskedRows,
  settings: SourceSettings,
  path: string,
): Promise<TableRows> {
  const { tests, place } = asked;
  const upload = () => Promise.reject(new JobFailure('NOT_FOUND', `${nameOfTable(place)} is not a table.`));
  const object = { schema: place.schemaName, table: place.tableName };
  const read = (columns: readonly string[] | undefined) => {
    const limited = limitsOf(worker, asked);
    const { options, limits } = limited;
    return inTime(limited, (signal) => {
      const extract = { object, signal, maxBytes: worker.limits.bytes, ...(columns ? { columns } : {}) };
      return withGuardedEngine(worker.engineResources, limits, (engine) =>
        extractSource({ engine, options, upload }, settings, extract, path),
      );
    });
  };
  const needed = tests && neededColumns(tests.tests);
  const { columns } = await read(needed).catch((error: unknown) => {
    // A column that has vanished is an error of its own tests only.
    if (needed && error instanceof DataError && error.code === 'SCHEMA_MISMATCH') return read(undefined);
    throw error;
  });
  return { paths: [path], columns, ...OF_SOURCE, results: new Map() };
}
