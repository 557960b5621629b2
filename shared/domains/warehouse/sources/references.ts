import { type Referrer, references } from '../../../platform/storage/references.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { dataSourceRepository } from './repository.ts';

/** The referrers of data sources. */
export const sourceReferences = (table: Table) => references(table, 'DATA-SOURCE', dataSourceRepository(table).key);

/** See `References.items`. */
export const sourceReferenceItems = (
  table: Table,
  referrer: Referrer,
  before: readonly string[],
  after: readonly string[],
): TransactItem[] => sourceReferences(table).items(referrer, before, after);

/** See `References.removeItem`. */
export const removeReferencesItem = (table: Table, workspaceId: string, sourceId: string): TransactItem =>
  sourceReferences(table).removeItem(workspaceId, sourceId);

/** The referrers of one source. */
export const readReferrers = (table: Table, workspaceId: string, sourceId: string) =>
  sourceReferences(table).read(workspaceId, sourceId);
