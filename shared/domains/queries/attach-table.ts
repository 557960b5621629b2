import type { Engine } from '../../data/duckdb/engine.ts';
import { DataError } from '../../platform/errors/data-error.ts';
import type { TableInput } from '../engine/index.ts';

/** Errors of the machine rather than of the rows. */
const LIMITS: readonly string[] = ['OUT_OF_MEMORY', 'QUERY_TIMEOUT'];

/**
 * Makes the files of a table readable: of a restricted one only the rows and columns that the caller may see, as a copy that is
 * made before the statement of the caller is. Throws `RLS_ERROR` if that fails; the error of the engine could show a value.
 */
export async function attachTable(
  engine: Pick<Engine, 'attach'>,
  { name, columns, only }: Pick<TableInput, 'name' | 'columns' | 'only'>,
  files: readonly string[],
): Promise<void> {
  if (!only) return engine.attach(name, files, { emptySchema: columns });
  try {
    await engine.attach(name, files, { emptySchema: columns, only });
  } catch (error) {
    if (error instanceof DataError && LIMITS.includes(error.code)) throw error;
    throw new DataError('RLS_ERROR', `The row-level security of table "${name}" cannot be evaluated.`);
  }
}
