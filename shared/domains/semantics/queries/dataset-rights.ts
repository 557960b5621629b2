import { ROWS_TO_KEEP } from '../../../data/duckdb/engine-contract.ts';
import { quoteIdentifier } from '../../../data/duckdb/quoting.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import type { RowRestriction } from '../../engine/index.ts';
import type { Dataset } from '../../warehouse/datasets/index.ts';
import { DATASETS, isSameColumn } from '../models/index.ts';
import {
  emitRows,
  type ReaderRights,
  type Rights,
  type RightsDeps,
  restrictsAny,
  rightsOfCaller,
  type TableRights,
} from '../row-rights/index.ts';

/** What the caller may read of some datasets. */
export interface DatasetRights {
  /** Equal for callers who may read the same; `all` if nothing is restricted. */
  fingerprint: string;
  /** By the name of the dataset; a dataset that is not listed may be read whole. */
  restrictions: Readonly<Record<string, DatasetRestriction>>;
}

/** What the caller may read of a dataset. `rowRestriction` makes it one that the engine can apply. */
export interface DatasetRestriction extends Omit<RowRestriction, 'related'> {
  /** The datasets that `where` reads, each under a name of its own. */
  relatedDatasets: { name: string; id: string }[];
}

/** A dataset by what rights depend on. */
export type Columns = Pick<Dataset, 'name' | 'columns'>;

export function datasetRights(
  { rights: deps }: { rights: RightsDeps },
  principal: Principal,
  datasets: readonly Columns[],
): Promise<DatasetRights> {
  return rightsToDatasets(rightsOfCaller(deps, principal), datasets);
}

/** The same for a caller of whom something was asked before. */
export async function rightsToDatasets(ofCaller: ReaderRights, datasets: readonly Columns[]): Promise<DatasetRights> {
  const tables = datasets.map(({ name, columns }) => ({ schema: '', table: name, columns }));
  return datasetRightsFrom(await ofCaller.to({ sourceId: DATASETS, tables }), datasets);
}

/** The same for rights that are known. */
export function datasetRightsFrom(rights: Rights, datasets: readonly Columns[]): DatasetRights {
  const restricted = datasets.flatMap((dataset) => {
    const found = rights.of({ schema: '', table: dataset.name });
    return found ? [[dataset.name, restrictionOf(dataset, found)] as const] : [];
  });
  // A dataset may be called like a member of every object.
  const restrictions = Object.assign(Object.create(null), Object.fromEntries(restricted));
  return { fingerprint: rights.fingerprint, restrictions };
}

function restrictionOf({ columns }: Columns, rights: TableRights): DatasetRestriction {
  const relatedDatasets = rights.partners.map(({ id, name: dataset }, index) => ({
    name: `#related_${index + 1}`,
    id,
    dataset,
  }));
  const nameOf = ({ table }: { table: string }) =>
    quoteIdentifier(relatedDatasets.find(({ dataset }) => isSameDataset(dataset, table))!.name);
  const { sql: where, params } = emitRows(rights, { dialect: 'duckdb', alias: ROWS_TO_KEEP, nameOf });
  return {
    columns: visibleColumns(columns, rights).map(({ name }) => name),
    where,
    params,
    relatedDatasets: relatedDatasets.map(({ name, id }) => ({ name, id })),
  };
}

const isSameDataset = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

const visibleColumns = <T extends { name: string }>(columns: readonly T[], { hidden }: TableRights): T[] =>
  columns.filter(({ name }) => !hidden.some((each) => isSameColumn(each, name)));

/** The dataset with the columns that the caller may see. */
export function withVisibleColumns<T extends Columns>(dataset: T, { restrictions }: DatasetRights): T {
  const only = restrictions[dataset.name];
  if (!only) return dataset;
  return { ...dataset, columns: dataset.columns.filter(({ name }) => only.columns.includes(name)) };
}

/**
 * Throws `RLS_RAW_SQL` if models protect anything of the source that the caller may not see. A statement can read a
 * table in many ways, such as by a view, so that none is allowed then.
 */
export async function assertRawSql(
  { rights: deps }: { rights: RightsDeps },
  principal: Principal,
  sourceId: string,
): Promise<void> {
  if (await restrictsAny(deps, principal, { sourceIds: [sourceId], datasets: [] })) throw new AppError('RLS_RAW_SQL');
}
