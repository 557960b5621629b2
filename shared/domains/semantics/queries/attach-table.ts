import type { Engine } from '../../../data/duckdb/engine.ts';
import { DataError } from '../../../platform/errors/data-error.ts';
import type { RelatedTable, TableInput } from '../../engine/index.ts';

/** Errors of the machine or of a native copy rather than of the rows. */
const OTHER_CAUSES: readonly string[] = ['OUT_OF_MEMORY', 'QUERY_TIMEOUT', 'FILE_UNREADABLE'];

/** All files of a table, also those of the tables by which it is restricted. */
export const filesOf = ({ files, only }: Pick<TableInput, 'files' | 'only'>): RelatedTable['files'] => [
  ...files,
  ...(only?.related ?? []).flatMap((related) => related.files),
];

/**
 * Makes the files of a table readable: of a restricted one only the rows and columns that the caller may see, as a copy
 * that is made before the statement of the caller is. `pathOf` names the copy of a file that its condition reads. A
 * native copy is read instead of the paths; throws `FILE_UNREADABLE` if it is broken. Throws `RLS_ERROR` if copying the
 * rows fails; the error of the engine could show a value.
 */
export async function attachTable(
  engine: Pick<Engine, 'attach'>,
  { name, columns, only }: Pick<TableInput, 'name' | 'columns' | 'only'>,
  paths: readonly string[],
  pathOf: (key: string) => string,
  nativeCopy?: string,
): Promise<void> {
  const options = { emptySchema: columns, ...(nativeCopy === undefined ? {} : { nativeCopy }) };
  if (!only) return engine.attach(name, paths, options);
  const related = only.related.map((each) => ({ ...each, files: each.files.map(({ key }) => pathOf(key)) }));
  try {
    await engine.attach(name, paths, { ...options, only: { ...only, related } });
  } catch (error) {
    if (error instanceof DataError && OTHER_CAUSES.includes(error.code)) throw error;
    throw new DataError('RLS_ERROR', `The row-level security of table "${name}" cannot be evaluated.`);
  }
}
