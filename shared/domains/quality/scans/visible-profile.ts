import type { StoredColumnProfile, TableProfile } from '../../../data/profiles/profile.ts';
import { isPermitted } from '../../../platform/auth/permissions.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { DATASETS, isSameColumn } from '../../semantics/models/index.ts';
import { type OpaqueDeps, opaqueTables, rightsOfCaller } from '../../semantics/row-rights/index.ts';
import type { CheckedTable } from '../table.ts';

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

/** What one caller may see of a checked table. */
export interface Visibility {
  isRestricted: boolean;
  seesRows: boolean;
  /** Whether values of rows may be shown, and not only counts and means. */
  seesValues: boolean;
  isHidden(columnName: string): boolean;
}

/**
 * Leaves out what the caller may not see. Columns with a label are left out; of a table of which the caller sees some
 * rows only, every figure is, because it is about the others too.
 */
export function visibleProfile(
  profile: TableProfile,
  { isRestricted, seesRows, seesValues, isHidden }: Visibility,
): VisibleProfile {
  const columns = profile.columns.filter(({ name }) => !isHidden(name));
  const drift = profile.driftFromPrevious;
  return {
    rowCount: seesRows ? profile.rowCount : null,
    sampledRows: seesRows ? profile.sampledRows : null,
    isRestricted,
    driftFromPrevious:
      seesRows && drift
        ? {
            ...drift,
            addedColumns: drift.addedColumns.filter((name) => !isHidden(name)),
            removedColumns: drift.removedColumns.filter((name) => !isHidden(name)),
            changedTypes: drift.changedTypes.filter(({ name }) => !isHidden(name)),
          }
        : null,
    columns: columns.map(({ distribution: _internal, ...column }) => {
      if (!seesRows) return { name: column.name, dataType: column.dataType };
      return seesValues ? column : { ...column, ...WITHOUT_VALUES };
    }),
  };
}

const WITHOUT_VALUES = {
  ...{ min: null, max: null, p5: null, p25: null, median: null, p75: null, p95: null },
  ...{ topValues: [], histogram: [], patterns: [] },
};

const NOTHING: Visibility = { isRestricted: true, seesRows: false, seesValues: false, isHidden: () => true };

export async function visibilityOf(deps: OpaqueDeps, principal: Principal, checked: CheckedTable): Promise<Visibility> {
  const { sourceId, schemaName: schema, tableName: table } = checked;
  const { workspaceId } = principal;
  const tables = [{ schema, table }];
  const ofCaller = rightsOfCaller(deps.rights, principal);
  const rights = (await ofCaller.to({ sourceId, tables })).of({ schema, table });
  // Viewers read datasets, but neither tables of data sources nor samples of their rows.
  const seesValues = sourceId === DATASETS || isPermitted('query:run', principal);
  const isOpaque =
    sourceId !== DATASETS && (await opaqueTables(deps, ofCaller, { workspaceId, sourceId, tables })).length > 0;
  if (isOpaque) return NOTHING;
  if (!rights) return { isRestricted: false, seesRows: true, seesValues, isHidden: () => false };
  return {
    isRestricted: true,
    seesRows: rights.rows === 'all',
    seesValues,
    isHidden: (name) => rights.hidden.some((each) => isSameColumn(each, name)),
  };
}
