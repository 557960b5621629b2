import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { failedConditions } from '../storage/collection.ts';
import { type Referrer, references } from '../storage/references.ts';
import type { Table, TransactItem } from '../storage/table.ts';
import { dataSourceRepository } from './repository.ts';

/** What refers to data sources. */
export const sourceReferences = (table: Table) => references(table, 'DATA-SOURCE', dataSourceRepository(table).key);

/** See `References.items`. */
export const sourceReferenceItems = (
  table: Table,
  referrer: Referrer,
  before: readonly string[],
  after: readonly string[],
): TransactItem[] => sourceReferences(table).items(referrer, before, after);

/** Writes with the items at the end of its transaction; throws what `gone` makes when a record is not there any more. */
export async function keepingSources<T>(
  items: TransactItem[],
  write: (items: TransactItem[]) => Promise<T>,
  gone: (cause: unknown) => Error,
): Promise<T> {
  try {
    return await write(items);
  } catch (cause) {
    if (!(cause instanceof TransactionCanceledException)) throw cause;
    const first = (cause.CancellationReasons?.length ?? 0) - items.length;
    if ([...failedConditions(cause)].some((position) => position >= first)) throw gone(cause);
    throw cause;
  }
}

/** See `References.removeItem`. */
export const removeReferencesItem = (table: Table, workspaceId: string, sourceId: string): TransactItem =>
  sourceReferences(table).removeItem(workspaceId, sourceId);

/** What refers to a source. */
export const readReferrers = (table: Table, workspaceId: string, sourceId: string) =>
  sourceReferences(table).read(workspaceId, sourceId);
