import { freeName } from '../../../../../shared/data/duckdb/column-names.ts';
import type { Engine } from '../../../../../shared/data/duckdb/engine.ts';
import { NAMES_OF_PLACES } from '../../../../../shared/data/duckdb/parquet-source.ts';
import { quoteIdentifier } from '../../../../../shared/data/duckdb/quoting.ts';
import type { TestContext } from '../../../../../shared/data/quality/compile.ts';
import type { QualityTest } from '../../../../../shared/data/quality/tests.ts';
import { datasetRepository, readManifest } from '../../../../../shared/domains/warehouse/datasets/index.ts';
import type { RefreshWorker } from '../dataset-refresh/refresh-worker.ts';
import type { TableRows } from './asked-rows.ts';

/**
 * Makes the rows readable as `input`, and with a number each as `numbered`, with the datasets that foreign keys refer
 * to; locks the engine, which can still write `outputs`.
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
  if (columns.some(({ name }) => NAMES_OF_PLACES.has(name.toLowerCase()))) {
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
 * Attaches datasets that tests refer to, under names of their own unless `nameOf` has others, and returns their tables
 * by their names. Missing and empty datasets are left out.
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
