import {
  type BookmarkRepository,
  type CardRecord,
  type DashboardGateReason,
  type DashboardRecord,
  type DashboardRepository,
  type DashboardStore,
  type DashboardVersions,
  dashboardPlaceOf,
  dashboardUseItems,
} from '../../../../shared/domains/boards/dashboards/index.ts';
import type { ObjectGrants, ReceivedGrant } from '../../../../shared/domains/tenancy/grants/index.ts';
import type { StoredMember } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { Cursors } from '../../../../shared/platform/http/cursor.ts';
import type { Ended } from '../../../../shared/platform/storage/clean-ups.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import { withReferences } from '../../../../shared/platform/storage/references.ts';
import type { Table, TransactItem } from '../../../../shared/platform/storage/table.ts';
import { failedConditions } from '../../../../shared/platform/storage/transact.ts';

/** Why the cards of a dashboard cannot show anything. */
export type CheckCards = (principal: Principal, cards: readonly CardRecord[]) => Promise<DashboardGateReason[]>;

export interface DashboardDeps {
  table: Table;
  dashboards: DashboardRepository;
  store: DashboardStore;
  versions: DashboardVersions;
  bookmarks: BookmarkRepository;
  grants: ObjectGrants;
  cursors: Cursors;
  /** All dashboards that are granted to the caller. */
  grantsTo(principal: Principal): Promise<Map<string, ReceivedGrant>>;
  /** The grant of one dashboard. */
  grantOf(principal: Principal, dashboardId: string): Promise<ReceivedGrant | undefined>;
  checkCards: CheckCards;
  mayExport(principal: Principal): Promise<boolean>;
  members(workspaceId: string): Promise<StoredMember[]>;
  /** Those of the saved queries that exist. */
  savedQueries(workspaceId: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  cleanUpItem(ended: Ended, at: Date): TransactItem;
  now(): Date;
}

type Shown = Parameters<typeof dashboardUseItems>[2]['after'];

/** When the clean-up of an unfinished generation of parts is due: no request takes as long. */
export const inTenMinutes = (at: Date): Date => new Date(at.getTime() + 10 * 60_000);

/** Stores a new dashboard with the items. `content` is what it shows. Throws `DASHBOARD_NAME_TAKEN`. */
export function createRecord(
  { table, dashboards }: Pick<DashboardDeps, 'table' | 'dashboards'>,
  record: DashboardRecord,
  items: TransactItem[],
  content: Shown,
): Promise<DashboardRecord> {
  return onNewest('STALE_WRITE', async () =>
    withReferences(
      await dashboardUseItems(table, dashboardPlaceOf(record), { after: content }),
      (uses) => dashboards.create(record, [...items, ...uses]),
      // What it shows was deleted in between.
      (cause) => new AppError('STALE_WRITE', { cause }),
    ),
  );
}

/** Replaces the record in one transaction with the items. Throws `STALE_WRITE` and `DASHBOARD_NAME_TAKEN`. */
export async function replaceRecord(
  { dashboards }: Pick<DashboardDeps, 'dashboards'>,
  before: DashboardRecord,
  next: DashboardRecord,
  items: TransactItem[],
): Promise<DashboardRecord> {
  try {
    return await dashboards.replace(before, next, 'STALE_WRITE', items);
  } catch (cause) {
    // The items depend on the parts, which others may have changed.
    if (failedConditions(cause).size > 0) throw new AppError('STALE_WRITE', { cause });
    throw cause;
  }
}
