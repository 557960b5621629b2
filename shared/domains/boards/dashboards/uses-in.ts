import { AppError } from '../../../platform/errors/app-error.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { type Use, type UseChange, useItems } from '../../../platform/storage/uses.ts';
import { sourceReferences } from './files/sources.ts';
import type { DashboardPlace } from './keys.ts';

type Referring = Parameters<typeof sourceReferences>[0];

/** What cards and the theme show. */
export const usesIn = (content: Referring): Use[] => sourceReferences(content).map(({ kind, id }) => ({ kind, id }));

interface ShownChange extends Pick<UseChange, 'room'> {
  before?: Referring;
  after: Referring;
  /** Whether saved queries that cards name must exist. */
  needsQueries?: boolean;
}

/** For the transaction that stores other cards or another theme; see `useItems`. Throws `SAVED_QUERY_NOT_FOUND`. */
export const dashboardUseItems = (
  table: Table,
  { workspaceId, dashboardId: id }: DashboardPlace,
  { before, after, needsQueries = false, ...change }: ShownChange,
): Promise<TransactItem[]> =>
  useItems(
    table,
    { workspaceId, type: 'dashboard', id },
    {
      ...change,
      before: before ? usesIn(before) : [],
      after: usesIn(after),
      rejectMissing: (missing) => {
        const queries = new Set(after.cards?.flatMap(({ savedQueryId }) => savedQueryId ?? []));
        const isNeeded = needsQueries && missing.some(({ kind, id }) => kind === 'savedQuery' && queries.has(id));
        if (isNeeded) throw new AppError('SAVED_QUERY_NOT_FOUND');
      },
    },
  );
