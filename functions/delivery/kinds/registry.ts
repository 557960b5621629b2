import { dashboardSchedules, reportSchedules } from '../../../shared/domains/boards/delivery-schedules/index.ts';
import type { Delivery, RegisteredDelivery, StoredMail } from '../../../shared/domains/delivery/deliveries/index.ts';
import { digestDelivery } from '../../../shared/domains/semantics/metric-reports/index.ts';
import { storySchedules } from '../../../shared/domains/stories/story-schedules/index.ts';
import { composeDigest } from './digests/digest-mail.ts';
import { openDigests } from './digests/open-digests.ts';
import { openDashboardSchedules } from './schedules/dashboard-content.ts';
import { openReportSchedules } from './schedules/report-content.ts';
import { composeDashboard, composeReport, composeStory } from './schedules/schedule-mail.ts';
import { openStorySchedules } from './schedules/story-content.ts';
import type { Composer, Opener } from './stages.ts';

/**
 * Every kind of delivery, by its name. The stages stand in tables of their own, because each worker is bundled with the
 * stage that it works on; the compiler demands a kind in each of them.
 */
export const DELIVERIES = {
  digest: digestDelivery,
  dashboard: dashboardSchedules,
  report: reportSchedules,
  story: storySchedules,
} satisfies Record<string, RegisteredDelivery>;

type Stage<T> = Readonly<Record<keyof typeof DELIVERIES, T>>;

export const OPENERS: Stage<Opener<Delivery, StoredMail>> = {
  digest: openDigests,
  dashboard: openDashboardSchedules,
  report: openReportSchedules,
  story: openStorySchedules,
};

export const COMPOSERS: Stage<Composer<StoredMail>> = {
  digest: composeDigest,
  dashboard: composeDashboard,
  report: composeReport,
  story: composeStory,
};

/** The kinds that also send to webhooks and chat channels. */
export const TARGET_DELIVERIES = { dashboard: dashboardSchedules, report: reportSchedules, story: storySchedules };

/** The entry of the kind that a message names. Throws for an unknown one. */
export function ofKind<T>(entries: Readonly<Record<string, T>>, name: string): T {
  if (!Object.hasOwn(entries, name)) throw new Error(`there are no deliveries of the kind "${name}"`);
  return entries[name]!;
}
