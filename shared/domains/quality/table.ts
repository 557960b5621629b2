import type { Column } from '../../data/duckdb/column-types.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { idFrom } from '../../platform/storage/ids.ts';
import { suggestion } from '../../platform/validation/names.ts';
import { DATASETS, type ReadSourceTables } from '../semantics/models/index.ts';
import type { DataSourceRepository } from '../warehouse/sources/index.ts';

/** The identity of a checked table: a dataset by its name, or a table of a data source. */
export interface CheckedTable {
  /** The id of a data source, or `datasets`. */
  sourceId: string;
  /** Empty for datasets. */
  schemaName: string;
  tableName: string;
}

/** How a caller names a table: `tableName` is a dataset, a table of `schemaName`, or `schema.table`. */
export interface NamedTable {
  tableName: string;
  schemaName?: string | null | undefined;
  sourceId?: string | null | undefined;
}

export interface FoundTable extends CheckedTable {
  /** As last discovered; null where only the name is known. */
  columns: Column[] | null;
}

export interface TableDeps {
  /** Whether errors may suggest names of tables of data sources; absent if they may. */
  suggestsSources?: boolean;
  sources: Pick<DataSourceRepository, 'list' | 'get'>;
  readTables: ReadSourceTables;
}

/** The same id for every mention of a table of the workspace. */
export const tableKey = ({ sourceId, schemaName, tableName }: CheckedTable): string =>
  idFrom('quality-table', sourceId, schemaName, tableName);

/** As people name it: `orders`, or `public.orders`. */
export const nameOfTable = ({ schemaName, tableName }: Pick<CheckedTable, 'schemaName' | 'tableName'>): string =>
  schemaName === '' ? tableName : `${schemaName}.${tableName}`;

/** The condition of a list that is filtered by such a name; undefined without a filter. */
export const ofTable = (name: string | undefined) =>
  name === undefined
    ? undefined
    : (record: Pick<CheckedTable, 'schemaName' | 'tableName'>) => nameOfTable(record) === name;

/** Without a source, tables are looked up in at most so many data sources. */
const MAX_SOURCES = 50;

/**
 * Finds a dataset, or a table in the catalogue of a data source. Throws `QUALITY_TABLE_NOT_FOUND` with the nearest
 * name, and `DATA_SOURCE_NOT_FOUND`; `VALIDATION_FAILED` if several data sources have such a table.
 */
export async function findTable(deps: TableDeps, workspaceId: string, named: NamedTable): Promise<FoundTable> {
  const known: string[] = [];
  const found: FoundTable[] = [];
  for (const sourceId of await candidates(deps, workspaceId, named)) {
    const tables = (await deps.readTables({ workspaceId, sourceId })) ?? [];
    for (const { schema: schemaName, name: tableName, columns } of tables) {
      if (sourceId === DATASETS || deps.suggestsSources !== false) known.push(nameOfTable({ schemaName, tableName }));
      if (!isNamed({ schemaName, tableName }, named)) continue;
      found.push({
        sourceId,
        schemaName,
        tableName,
        columns: columns?.map(({ name, type }) => ({ name, type })) ?? null,
      });
    }
    // A dataset wins over tables of data sources.
    if (sourceId === DATASETS && found.length > 0) break;
  }
  const [table, other] = found;
  if (!table) throw notFound(named, known);
  if (other) throw ambiguous(named, found);
  return table;
}

async function candidates(deps: TableDeps, workspaceId: string, { sourceId, schemaName }: NamedTable) {
  if (sourceId === DATASETS) return [DATASETS];
  if (sourceId) {
    if (!(await deps.sources.get(workspaceId, sourceId))) throw new AppError('DATA_SOURCE_NOT_FOUND');
    return [sourceId];
  }
  const { items } = await deps.sources.list(workspaceId, { limit: MAX_SOURCES, offset: 0 });
  return [...(schemaName ? [] : [DATASETS]), ...items.map(({ id }) => id)];
}

function isNamed(table: Pick<CheckedTable, 'schemaName' | 'tableName'>, named: NamedTable): boolean {
  if (named.schemaName) return table.schemaName === named.schemaName && table.tableName === named.tableName;
  return nameOfTable(table) === named.tableName;
}

function notFound({ tableName, schemaName }: NamedTable, known: readonly string[]): AppError {
  const wanted = nameOfTable({ tableName, schemaName: schemaName ?? '' });
  const message = `is not a dataset or a known table${suggestion(wanted, known)}`;
  return new AppError('QUALITY_TABLE_NOT_FOUND', {
    errors: [{ pointer: '/tableName', code: 'UNKNOWN_TABLE', message }],
  });
}

function ambiguous({ tableName }: NamedTable, found: readonly CheckedTable[]): AppError {
  const places = found.map((table) => `${nameOfTable(table)} of ${table.sourceId}`).join(', ');
  const message = `is the name of several tables (${places}); give \`sourceId\` and \`schemaName\``;
  return new AppError('VALIDATION_FAILED', {
    detail: `Several tables are called ${tableName}.`,
    errors: [{ pointer: '/sourceId', code: 'AMBIGUOUS', message }],
  });
}
