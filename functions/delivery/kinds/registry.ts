import { dashboardSchedules, reportSchedules } from '../../../shared/domains/boards/delivery-schedules/index.ts';
import type { Delivery, RegisteredDelivery, StoredMail } from '../../../shared/domains/delivery/deliveries/index.ts';
import { digestDelivery } from '../../../shared/domains/semantics/metric-reports/index.ts';
import { composeDigest } from './digests/digest-mail.ts';
import { openDigests } from './digests/open-digests.ts';
import { openDashboardSchedules } from './schedules/dashboard-content.ts';
import { openReportSchedules } from './schedules/report-content.ts';
import { composeDashboard, composeReport } from './schedules/schedule-mail.ts';
import type { Composer, Opener } from './stages.ts';

/**
 * Every kind of delivery, by its name. The stages stand in tables of their own, because each worker is bundled with the
 * stage that it works on; the compiler demands a kind in each of them.
 */
export const DELIVERIES = {
  digest: digestDelivery,
  dashboard: dashboardSchedules,
  report: reportSchedules,
} satisfies Record<string, RegisteredDelivery>;

type Stage<T> = Readonly<Record<keyof typeof DELIVERIES, T>>;

export const OPENERS: Stage<Opener<Delivery, StoredMail>> = {
  digest: openDigests,
  dashboard: openDashboardSchedules,
  report: openReportSchedules,
};

export const COMPOSERS: Stage<Composer<StoredMail>> = {
  digest: composeDigest,
  dashboard: composeDashboard,
  report: composeReport,
};

/** The kinds that also send to webhooks and chat channels. */
export const TARGET_DELIVERIES = { dashboard: dashboardSchedules, report: reportSchedules };

/** The entry of the kind that a message names. Throws for an unknown one. */
export function ofKind<T>(entries: Readonly<Record<string, T>>, name: string): T {
  if (!Object.hasOwn(entries, name)) throw new Error(`there are no deliveries of the kind "${name}"`);
  return entries[name]!;
}
