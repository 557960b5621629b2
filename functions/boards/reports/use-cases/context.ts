import type { ChartDeps } from '../../../../shared/domains/boards/charts/index.ts';
import type { ReportRepository } from '../../../../shared/domains/boards/reports/index.ts';
import type { ObjectGrants, ReceivedGrant } from '../../../../shared/domains/tenancy/grants/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import type { Cursors } from '../../../../shared/platform/http/cursor.ts';
import type { Ended } from '../../../../shared/platform/storage/clean-ups.ts';
import type { Table, TransactItem } from '../../../../shared/platform/storage/table.ts';

export interface ReportDeps extends ChartDeps {
  table: Table;
  reports: ReportRepository;
  grants: ObjectGrants;
  cursors: Cursors;
  /** All reports that are granted to the caller. */
  grantsTo(principal: Principal): Promise<Map<string, ReceivedGrant>>;
  /** The grant of one report. */
  grantOf(principal: Principal, reportId: string): Promise<ReceivedGrant | undefined>;
  cleanUpItem(ended: Ended, at: Date): TransactItem;
}

/** A report as its editor names it. */
export interface NamedReport {
  principal: Principal;
  id: string;
}
