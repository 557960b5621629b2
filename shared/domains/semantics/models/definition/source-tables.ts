import type { ObjectStore } from '../../../../platform/objects/object-store.ts';
import type { Table } from '../../../../platform/storage/table.ts';
import { listAllDatasets } from '../../../warehouse/datasets/index.ts';
import { readCatalogue, readCataloguePointer } from '../../../warehouse/sources/index.ts';
import { DATASETS } from './datasets-source.ts';
import { isSamePlace, type SourcePlace } from './protected-tables.ts';
import type { ModelRecord, ModelTable } from './records.ts';

export type KnownColumn = NonNullable<ModelTable['columns']>[number];

export interface SourceTable {
  schema: string;
  name: string;
  /** Whether it stores its rows itself, as a view does not. */
  isPlain: boolean;
  /** Other tables that also return its rows; absent if there are none. */
  inherits?: SourcePlace[];
  /** Whether it also returns rows of other tables, of which not all are known. */
  hasParts?: true;
  /** Null where the catalogue knows only the name. */
  columns: (KnownColumn & { isKey: boolean })[] | null;
}

/** The tables of the source of a model, as last discovered. Undefined before the first sync of a data source. */
export type ReadSourceTables = (
  model: Pick<ModelRecord, 'workspaceId' | 'sourceId'>,
) => Promise<SourceTable[] | undefined>;

/** Datasets have no schema; data sources have those of their catalogue. */
export function sourceTables(table: Table, objects: Pick<ObjectStore, 'read'>): ReadSourceTables {
  return async ({ workspaceId, sourceId }) => {
    if (sourceId === DATASETS) return datasetTables(table, workspaceId);
    const pointer = await readCataloguePointer(table, { workspaceId, sourceId });
    if (!pointer) return undefined;
    const { tables } = await readCatalogue(objects, pointer);
    return tables.map(({ schema, name, kind, inherits, hasParts, columns }) => ({
      schema,
      name,
      isPlain: kind === 'table',
      ...(inherits && { inherits }),
      ...(hasParts && { hasParts }),
      columns:
        columns?.map((column) => ({
          name: column.name,
          type: column.type,
          sourceType: column.sourceType,
          isKey: column.primaryKey,
        })) ?? null,
    }));
  };
}

/**
 * Whether reading a table may return rows of others. A view, or a table that is not known, may return those of any. A
 * table returns also those of its parts, and shares rows with all tables that any of these are a part of.
 */
export function sharesRows(
  known: readonly SourceTable[] | undefined,
  place: SourcePlace,
): (other: SourcePlace) => boolean {
  const own = (known ?? []).filter((each) => isSamePlace(sourcePlaceOf(each), place));
  if (own.length === 0 || own.some(({ isPlain }) => !isPlain)) return () => true;
  const parts = (known ?? []).filter(({ inherits = [] }) => inherits.some((above) => isSamePlace(above, place)));
  const read = [...own, ...parts];
  const places = read.flatMap((each) => [sourcePlaceOf(each), ...(each.inherits ?? [])]);
  const hasUnknownParts = read.some(({ hasParts }) => hasParts);
  const isKnown = (other: SourcePlace) => (known ?? []).some((each) => isSamePlace(sourcePlaceOf(each), other));
  return (other) => places.some((each) => isSamePlace(each, other)) || (hasUnknownParts && !isKnown(other));
}

const sourcePlaceOf = ({ schema, name: table }: SourceTable): SourcePlace => ({ schema, table });

async function datasetTables(table: Table, workspaceId: string): Promise<SourceTable[]> {
  const datasets = await listAllDatasets(table, workspaceId);
  return datasets
    .map(({ name, columns }) => ({
      schema: '',
      name,
      isPlain: true,
      columns: columns.map((column) => ({ name: column.name, type: column.type, isKey: false })),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The columns of one table as a model stores them; undefined if the source has no such table. */
export function knownColumns(
  tables: readonly SourceTable[] | undefined,
  named: { sourceSchema: string; sourceTable: string },
): KnownColumn[] | null | undefined {
  if (!tables) return null;
  const found = tables.find(({ schema, name }) => schema === named.sourceSchema && name === named.sourceTable);
  return found && (found.columns?.map(storedColumn) ?? null);
}

/** A column as a model stores it. */
export const storedColumn = ({ isKey: _isKey, ...column }: KnownColumn & { isKey: boolean }): KnownColumn => column;
