import { isSamePlace, type ReadSourceTables, type SourcePlace, type SourceTable, sharesRows } from '../models/index.ts';
import type { ReaderRights, RightsDeps } from './table-rights.ts';

export interface OpaqueDeps {
  rights: RightsDeps;
  /** The tables of a source, as last discovered. */
  readTables: ReadSourceTables;
}

/**
 * The tables of a data source, among these, that may show rows or columns of other tables that are kept from the
 * caller, so that the rights to the table itself are not enough. A view with policies of its own is not one: these
 * decide what it shows.
 */
export async function opaqueTables<Place extends SourcePlace>(
  { readTables }: Pick<OpaqueDeps, 'readTables'>,
  rights: ReaderRights,
  { workspaceId, sourceId, tables }: { workspaceId: string; sourceId: string; tables: readonly Place[] },
): Promise<Place[]> {
  const { restricted } = await rights.to({ sourceId, tables: 'all' });
  if (restricted.length === 0) return [];
  const known = await readTables({ workspaceId, sourceId });
  return tables.filter((table) => {
    const shares = sharesRows(known, table);
    const isOwn = ({ place }: { place: SourcePlace }) => isSamePlace(place, table);
    const isFiltered = restricted.some(isOwn) && (known === undefined || isView(known, table));
    return !isFiltered && restricted.some((each) => !isOwn(each) && shares(each.place));
  });
}

function isView(known: readonly SourceTable[], table: SourcePlace): boolean {
  const found = known.filter(({ schema, name }) => isSamePlace({ schema, table: name }, table));
  return found.length > 0 && found.every(({ isPlain }) => !isPlain);
}
