import type { Table } from '../../platform/storage/table.ts';
import { DATASETS, definitionReader } from '../semantics/models/index.ts';
import { isProtectedTable } from '../semantics/row-rights/index.ts';
import type { CheckedTable } from './table.ts';

/**
 * Whether models keep any of the rows or columns from anyone. A table of a data source may be a view of any other of
 * it.
 */
export function isProtected(
  { table }: { table: Table },
  { workspaceId, sourceId, tableName }: { workspaceId: string } & Pick<CheckedTable, 'sourceId' | 'tableName'>,
): Promise<boolean> {
  const place = sourceId === DATASETS ? { schema: '', table: tableName } : 'all';
  return isProtectedTable({ table, definitions: definitionReader(table) }, { workspaceId, sourceId, place });
}
