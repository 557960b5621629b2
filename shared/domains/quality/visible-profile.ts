import type { StoredColumnProfile, TableProfile } from '../../data/profiles/profile.ts';
import type { Principal } from '../../platform/auth/principal.ts';
import { isSameColumn } from '../models/index.ts';
import { type RightsDeps, readerOf, type TableRights, tableRights } from '../row-rights/index.ts';
import type { CheckedTable } from './table.ts';

/** A profile as one caller may see it. */
export interface VisibleProfile {
  rowCount: number | null;
  sampledRows: number | null;
  /** Whether row-level security or sensitivity labels keep a part from the caller. */
  isRestricted: boolean;
  driftFromPrevious: TableProfile['driftFromPrevious'];
  columns: VisibleColumn[];
}

/** Every figure of a column is null if the caller may not see all rows of the table. */
export type VisibleColumn = Omit<StoredColumnProfile, 'distribution'> | WithheldColumn;
type WithheldColumn = Pick<StoredColumnProfile, 'name' | 'dataType'>;

/**
 * Leaves out what the caller may not see. Columns with a label are left out; of a table of which the caller sees some rows
 * only, every figure is, because it is about the others too.
 */
export function visibleProfile(profile: TableProfile, rights: TableRights | undefined): VisibleProfile {
  const isHidden = (name: string) => rights?.hidden.some((each) => isSameColumn(each, name)) ?? false;
  const seesRows = !rights || rights.rows === 'all';
  const columns = profile.columns.filter(({ name }) => !isHidden(name));
  const drift = profile.driftFromPrevious;
  return {
    rowCount: seesRows ? profile.rowCount : null,
    sampledRows: seesRows ? profile.sampledRows : null,
    isRestricted: rights !== undefined,
    driftFromPrevious:
      seesRows && drift
        ? {
            ...drift,
            addedColumns: drift.addedColumns.filter((name) => !isHidden(name)),
            removedColumns: drift.removedColumns.filter((name) => !isHidden(name)),
            changedTypes: drift.changedTypes.filter(({ name }) => !isHidden(name)),
          }
        : null,
    columns: columns.map(({ distribution: _internal, ...column }) =>
      seesRows ? column : { name: column.name, dataType: column.dataType },
    ),
  };
}

/** What the caller may see of a checked table; undefined for all of it. */
export async function rightsTo(
  deps: RightsDeps,
  principal: Principal,
  { sourceId, schemaName: schema, tableName: table }: CheckedTable,
): Promise<TableRights | undefined> {
  const rights = await tableRights(deps, {
    workspaceId: principal.workspaceId,
    sourceId,
    tables: [{ schema, table }],
    reader: () => readerOf(deps.table, principal),
  });
  return rights.of({ schema, table });
}
