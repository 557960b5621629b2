import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { extractSource } from '../../../../../shared/data/connectors/extract-source.ts';
import { freeName } from '../../../../../shared/data/duckdb/column-names.ts';
import type { Column } from '../../../../../shared/data/duckdb/column-types.ts';
import type { Engine } from '../../../../../shared/data/duckdb/engine.ts';
import { withGuardedEngine } from '../../../../../shared/data/duckdb/guarded-engine.ts';
import { quoteIdentifier } from '../../../../../shared/data/duckdb/quoting.ts';
import type { TestContext } from '../../../../../shared/data/quality/compile.ts';
import { columnsOf, type QualityTest } from '../../../../../shared/data/quality/tests.ts';
import { datasetRepository, readManifest } from '../../../../../shared/domains/datasets/index.ts';
import { DATASETS } from '../../../../../shared/domains/models/index.ts';
import { grammarOf, nameOfTable, type StoredTest } from '../../../../../shared/domains/quality/index.ts';
import { dataSourceRepository, unseal } from '../../../../../shared/domains/sources/index.ts';
import { WEBHOOK_SCHEMES } from '../../../../../shared/platform/net/guard-from-environment.ts';
import type { RefreshWorker } from '../dataset-refresh/refresh-worker.ts';
import { type JobControl, JobFailure } from '../job-kind.ts';

const CONNECT_MS = 15_000;
const EXTRACT_MS = 10 * 60 * 1000;
/** Left of the invocation for the tests, once the rows are copied. */
const TEST_MS = 3 * 60 * 1000;

/** As long as given, or until the deadline by `performance.now()`. */
export const leftUntil = (deadline: number, ms: number): number =>
  Math.max(1, Math.min(ms, Math.round(deadline - performance.now())));

/** The rows of a table, as files that engines read. */
export interface TableRows {
  paths: readonly string[];
  columns: readonly Column[];
  /** Null for tables of data sources, like the version. */
  datasetId: string | null;
  datasetVersion: number | null;
}

interface Asked {
  workspaceId: string;
  /** All of one table. */
  tests: readonly StoredTest[];
  control: JobControl;
  /** Reads all columns, and not only those that the tests need. */
  isWhole?: true;
  /** When the invocation has to be done, by `performance.now()`. */
  deadline: number;
}

/** Fetches the files of a dataset, or copies the tested columns of a table from its source. */
export async function withTableRows<T>(
  worker: RefreshWorker,
  asked: Asked,
  work: (rows: TableRows) => Promise<T>,
): Promise<T> {
  const { sourceId } = asked.tests[0]!;
  if (sourceId === DATASETS) return work(await rowsOfDataset(worker, asked));
  const path = join(worker.engineResources.tempDir, `${randomUUID()}.parquet`);
  try {
    return await work(await rowsOfSource(worker, asked, path));
  } finally {
    await rm(path, { force: true });
  }
}

async function rowsOfDataset(
  { table, objects, cache }: RefreshWorker,
  { workspaceId, tests }: Asked,
): Promise<TableRows> {
  const { tableName } = tests[0]!;
  const dataset = await datasetRepository(table).find(workspaceId, tableName);
  if (dataset?.name !== tableName) throw new JobFailure('NOT_FOUND', `There is no dataset ${tableName} any more.`);
  const manifest = await readManifest(table, objects, dataset);
  if (!manifest) throw new JobFailure('NOT_FOUND', `The dataset ${tableName} has never been loaded.`);
  const paths = await cache.fetchAll(manifest.files);
  return { paths, columns: manifest.columns, datasetId: dataset.id, datasetVersion: manifest.version };
}

async function rowsOfSource(
  worker: RefreshWorker,
  { workspaceId, tests, control, deadline, isWhole }: Asked,
  path: string,
): Promise<TableRows> {
  const { sourceId, schemaName: schema, tableName: table } = tests[0]!;
  const source = await dataSourceRepository(worker.table).get(workspaceId, sourceId);
  if (!source) throw new JobFailure('NOT_FOUND', 'The data source does not exist any more.');
  const settings = await unseal(worker.secrets, source);
  const timeoutMs = leftUntil(deadline - TEST_MS, EXTRACT_MS);
  const options = {
    guard: worker.guard,
    schemes: WEBHOOK_SCHEMES,
    ownBucket: worker.ownBucket,
    timeouts: { connectMs: CONNECT_MS, statementMs: timeoutMs },
  };
  const upload = () => Promise.reject(new JobFailure('NOT_FOUND', `${nameOfTable(tests[0]!)} is not a table.`));
  const columns = isWhole ? undefined : neededColumns(tests.map(grammarOf));
  const { signal, die } = control;
  const { columns: read } = await withGuardedEngine(worker.engineResources, { timeoutMs, signal, die }, (engine) =>
    extractSource(
      { engine, options, upload },
      settings,
      { object: { schema, table }, signal, maxBytes: worker.limits.bytes, ...(columns ? { columns } : {}) },
      path,
    ),
  );
  return { paths: [path], columns: read, datasetId: null, datasetVersion: null };
}

/** The columns that the tests name; undefined for all, since the SQL of an author may name any. */
function neededColumns(tests: readonly QualityTest[]): string[] | undefined {
  const names = new Set(tests.flatMap(columnsOf));
  const readsAll = tests.some((test) => test.type === 'custom_sql' || test.config.where !== undefined);
  return readsAll || names.size === 0 ? undefined : [...names];
}

const NAMES_OF_PLACES: readonly string[] = ['file_index', 'file_row_number'];

/**
 * Makes the rows readable as `input`, and with a number each as `numbered`, with the datasets that foreign keys refer to; locks the
 * engine, which can still write `outputs`.
 */
export async function attachTable(
  worker: RefreshWorker,
  engine: Engine,
  {
    rows,
    tests,
    workspaceId,
    outputs,
  }: { rows: TableRows; tests: readonly QualityTest[]; workspaceId: string; outputs?: readonly string[] },
): Promise<Pick<TestContext, 'columns' | 'rowNumber' | 'references'>> {
  const { paths, columns } = rows;
  const rowNumber = freeName('number of the row', columns);
  const number = quoteIdentifier(rowNumber);
  const emptySchema = [...columns];
  // A column may be called like the place of a row in its file.
  if (columns.some(({ name }) => NAMES_OF_PLACES.includes(name.toLowerCase()))) {
    await engine.attach('input', paths, { emptySchema });
    await engine.run(`CREATE VIEW numbered AS SELECT *, row_number() OVER () AS ${number} FROM input`);
  } else {
    await engine.attach('numbered', paths, { emptySchema, numbered: rowNumber });
    await engine.run(`CREATE VIEW input AS SELECT * EXCLUDE (${number}) FROM numbered`);
  }
  const names = new Set(tests.flatMap((test) => (test.type === 'foreign_key' ? [test.config.refTable] : [])));
  const references = await attachDatasets(worker, engine, { workspaceId, names });
  await engine.lock(outputs);
  return { columns: await engine.describe('SELECT * FROM input'), rowNumber, references };
}

/**
 * Attaches datasets that tests refer to, under names of their own unless `nameOf` has others, and returns their tables by their
 * names. Missing and empty datasets are left out.
 */
export async function attachDatasets(
  { table, objects, cache }: Pick<RefreshWorker, 'table' | 'objects' | 'cache'>,
  engine: Engine,
  {
    names,
    workspaceId,
    nameOf,
  }: { names: ReadonlySet<string>; workspaceId: string; nameOf?: (dataset: string) => string },
): Promise<Map<string, string>> {
  const attached = new Map<string, string>();
  for (const refTable of names) {
    const dataset = await datasetRepository(table).find(workspaceId, refTable);
    if (!dataset || dataset.columns.length === 0) continue;
    const manifest = await readManifest(table, objects, dataset);
    const name = nameOf?.(refTable) ?? `referenced ${attached.size}`;
    await engine.attach(name, await cache.fetchAll(manifest?.files ?? []), { emptySchema: dataset.columns });
    attached.set(refTable, name);
  }
  return attached;
}
