import { AppError, type Issue } from '../../platform/errors/app-error.ts';
import { suggestion } from '../../platform/validation/names.ts';
import type { ScanConfig } from './scan-records.ts';
import { type FoundTable, nameOfTable } from './table.ts';

/** Throws `VALIDATION_FAILED` with the columns that the table does not have, as far as its columns are known. */
export function checkScanConfig({ columns: wanted = [] }: ScanConfig, table: FoundTable): void {
  const known = table.columns?.map(({ name }) => name);
  if (!known) return;
  const errors: Issue[] = wanted.flatMap((name, index) => {
    if (known.includes(name)) return [];
    const message = `is not a column of ${nameOfTable(table)}${suggestion(name, known)}`;
    return [{ pointer: `/config/columns/${index}`, code: 'UNKNOWN_COLUMN', message }];
  });
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
}
