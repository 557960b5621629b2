import type { Catalogue, StoredDataSource } from '../../../../shared/domains/warehouse/sources/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { ColumnList, TableList } from '../schemas.ts';

/** The result of a source's last sync. */
export interface SyncedCatalogue {
  syncedAt: string;
  read(): Promise<Catalogue>;
}

export interface Catalogues {
  /** Undefined before the first successful sync. */
  of(source: Pick<StoredDataSource, 'workspaceId' | 'id'>): Promise<SyncedCatalogue | undefined>;
}

/** A page of the catalogue's tables or files, in the order of the source. */
export async function syncedTables(
  synced: SyncedCatalogue | undefined,
  query: { schema?: string; limit: number; after?: string },
): Promise<TableList> {
  if (!synced) throw new AppError('DATA_SOURCE_NOT_SYNCED');
  const { defaultSchema, tables } = await synced.read();
  const schema = query.schema ?? defaultSchema;
  const after = Buffer.from(query.after ?? '');
  const found = tables.filter((table) => table.schema === schema && Buffer.from(table.name).compare(after) > 0);
  const items = found.slice(0, query.limit).map(({ columns: _columns, ...table }) => table);
  return { items, next: found.length > items.length ? items.at(-1)!.name : null, syncedAt: synced.syncedAt };
}

/** Throws `TABLE_NOT_FOUND` if the catalogue does not contain the columns. */
export async function syncedColumns(
  synced: SyncedCatalogue | undefined,
  query: { schema?: string; table: string },
): Promise<ColumnList> {
  if (!synced) throw new AppError('DATA_SOURCE_NOT_SYNCED');
  const { defaultSchema, tables } = await synced.read();
  const schema = query.schema ?? defaultSchema;
  const items = tables.find((table) => table.schema === schema && table.name === query.table)?.columns;
  if (!items)
    throw new AppError('TABLE_NOT_FOUND', {
      detail: 'The catalog has no columns of this table. Start a sync, or omit `from` to read the source itself.',
    });
  return { items };
}
