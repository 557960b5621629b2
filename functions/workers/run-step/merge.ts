import type { DataFile, Dataset, DatasetColumn } from '../../../shared/datasets/record.ts';
import { quoteIdentifier } from '../../../shared/engine/quoting.ts';
import type { LoadConfig } from '../../../shared/pipelines/configs/load.ts';
import { type Attempt, StepFailure } from './attempt.ts';
import { copyInto, datasetFileKey, type Prepared } from './load.ts';
import { attachInput, scratchFile } from './output.ts';

interface Target {
  dataset: Dataset;
  /** Files of the current version. */
  files: readonly DataFile[];
  columns: DatasetColumn[];
}

/**
 * Upserts the batch by its key. A batch may hold a key once, or say by `dedupeOrderBy` which row wins; a key is never
 * null. Into an empty dataset a clean batch goes as it is.
 */
export async function mergeBatch(attempt: Attempt, config: LoadConfig, target: Target): Promise<Prepared> {
  if (config.mode !== 'merge') throw new TypeError('not a merge');
  const { engine } = attempt;
  const batch = attempt.inputs.input ?? [];
  const missing = config.mergeKey.find((name) => !target.columns.some((column) => column.name === name));
  if (missing) throw new StepFailure('SCHEMA_MISMATCH', `The merge key ${missing} is no column of the rows to load.`);
  const { rows } = await attachInput(attempt, 'input');
  const keys = config.mergeKey.map(quoteIdentifier);
  const { nulls, repeated } = await findRepeatedKeys(attempt, keys);
  if (nulls > 0) {
    throw new StepFailure('SCHEMA_MISMATCH', `${nulls} of ${rows} rows have no value in the merge key.`);
  }
  if (repeated > 0 && !config.dedupeOrderBy) {
    const message = `${repeated} rows repeat a merge key, and without dedupeOrderBy none of them is the right one.`;
    throw new StepFailure('SCHEMA_MISMATCH', message);
  }
  const bytesLoaded = batch.reduce((sum, output) => sum + output.bytes, 0);
  if (target.files.length === 0 && repeated === 0) {
    const added = await copyInto(
      attempt,
      target.dataset,
      batch.flatMap((output) => output.files),
    );
    return { kept: [], added, columns: target.columns, rowsLoaded: rows, bytesLoaded };
  }
  if (rows === 0) return { kept: target.files, added: [], columns: target.columns, rowsLoaded: 0, bytesLoaded: 0 };

  const order = (config.dedupeOrderBy ?? []).map(
    ({ column, direction }) => `${quoteIdentifier(column)} ${direction === 'desc' ? 'DESC' : 'ASC'} NULLS LAST`,
  );
  // Only rows whose key is repeated compete; to rank all rows would take most of the step's time.
  const winners = [
    `SELECT * FROM input ANTI JOIN repeated_keys USING (${keys.join(', ')})`,
    `SELECT * FROM input SEMI JOIN repeated_keys USING (${keys.join(', ')})
     QUALIFY row_number() OVER (PARTITION BY ${keys.join(', ')} ORDER BY ${order.join(', ')}) = 1`,
  ];
  const kept = await currentRows(attempt, target, keys);
  const path = scratchFile(attempt);
  const columns = target.columns.map((column) => quoteIdentifier(column.name)).join(', ');
  const merged = `SELECT ${columns} FROM (${[...kept, ...(repeated === 0 ? ['SELECT * FROM input'] : winners)].join('\nUNION ALL BY NAME\n')})`;
  const written = await engine.copyToParquet(merged, { path });
  const key = datasetFileKey(attempt, target.dataset, 1);
  await attempt.worker.objects.upload(key, path);
  await attempt.worker.cache.adopt({ key }, path);
  return {
    kept: [],
    added: [{ key, rows: written.rows, sizeBytes: written.bytes }],
    columns: written.columns,
    rowsLoaded: rows - repeated,
    bytesLoaded,
  };
}

/** Leaves the keys that several rows have in `repeated_keys`; answers how many rows are too many, and how many have no key. */
async function findRepeatedKeys(attempt: Attempt, keys: readonly string[]) {
  const isNull = keys.map((key) => `${key} IS NULL`).join(' OR ');
  await attempt.engine.run(`
    CREATE OR REPLACE TEMP TABLE repeated_keys AS
    SELECT ${keys.join(', ')}, count(*) AS "rows of the key" FROM input GROUP BY ${keys.join(', ')} HAVING count(*) > 1 OR ${isNull}`);
  const [[nulls, repeated] = []] = await attempt.engine.run(`
    SELECT coalesce(sum("rows of the key") FILTER (${isNull}), 0)::BIGINT, coalesce(sum("rows of the key" - 1), 0)::BIGINT
    FROM repeated_keys`);
  return { nulls: Number(nulls), repeated: Number(repeated) };
}

/** The rows of the current version that the batch does not replace. */
async function currentRows(attempt: Attempt, target: Target, keys: readonly string[]): Promise<string[]> {
  if (target.files.length === 0) return [];
  const paths = await attempt.worker.cache.fetchAll(target.files);
  await attempt.engine.attach('current', paths);
  return [`SELECT * FROM "current" ANTI JOIN input USING (${keys.join(', ')})`];
}
