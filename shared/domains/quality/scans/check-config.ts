import { DATES } from '../../../data/quality/tests.ts';
import { AppError, type Issue } from '../../../platform/errors/app-error.ts';
import { suggestion } from '../../../platform/validation/names.ts';
import { type FoundTable, nameOfTable } from '../table.ts';
import type { FreshnessConfig } from './freshness.ts';
import type { ScanConfig } from './records.ts';

/** Throws `VALIDATION_FAILED` with what does not fit the columns of the table, as far as these are known. */
export function checkScanConfig({ columns = [], freshness }: ScanConfig, table: FoundTable): void {
  const errors: Issue[] = [
    ...columns.flatMap((name, index) => unknownColumn(table, name, `/config/columns/${index}`)),
    ...(freshness ? freshnessIssues(freshness, columns, table) : []),
  ];
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
}

function unknownColumn(table: FoundTable, name: string, pointer: string): Issue[] {
  const known = table.columns?.map((column) => column.name);
  if (!known || known.includes(name)) return [];
  const message = `is not a column of ${nameOfTable(table)}${suggestion(name, known)}`;
  return [{ pointer, code: 'UNKNOWN_COLUMN', message }];
}

function freshnessIssues({ columnName }: FreshnessConfig, scanned: readonly string[], table: FoundTable): Issue[] {
  const pointer = '/config/freshness/columnName';
  const type = table.columns?.find(({ name }) => name === columnName)?.type;
  if (type !== undefined && !DATES.test(type)) {
    return [{ pointer, code: 'COLUMN_TYPE', message: `is ${type}, but must be a column of dates or timestamps` }];
  }
  if (scanned.length > 0 && !scanned.includes(columnName)) {
    return [{ pointer, code: 'CONFLICT', message: 'is not among the columns to profile; add it to `columns`' }];
  }
  return unknownColumn(table, columnName, pointer);
}
