import { alertQueue } from '../../../../shared/domains/alerts/evaluations/index.ts';
import { reportQueue } from '../../../../shared/domains/delivery/deliveries/index.ts';
import { delayedMails } from '../../../../shared/domains/delivery/mails/index.ts';
import { captureQueue } from '../../../../shared/domains/pipelines/cdc/index.ts';
import { openRunContext } from '../../../../shared/domains/pipelines/store/index.ts';
import { environment } from '../../../../shared/platform/http/open-group.ts';
import { jobQueue } from '../../../../shared/platform/jobs/queue.ts';
import { jobRepository } from '../../../../shared/platform/jobs/repository.ts';
import { objectStore } from '../../../../shared/platform/objects/object-store.ts';
import { createLogger } from '../../../../shared/platform/observability/logger.ts';
import type { Failure } from '../../../../shared/platform/storage/due-items.ts';
import { openTable } from '../../../../shared/platform/storage/table.ts';
import { DELIVERIES } from '../../../delivery/kinds/registry.ts';
import { announceDue } from './announce-due.ts';
import { cleanUpDatasets } from './clean-up-datasets.ts';
import { cleanUpEnded } from './clean-up-ended.ts';
import { advanceBackfills, recoverJobs, repairRuns, resendUpstreamEnds, startFileBatches } from './overdue-work.ts';
import { runAfterSync } from './run-after-sync.ts';
import { scheduledAlerts, scheduledNotices, scheduledSnoozes } from './scheduled-alerts.ts';
import { scheduledCaptures } from './scheduled-captures.ts';
import { scheduledJobs } from './scheduled-jobs.ts';
import { scheduledMaintenance } from './scheduled-maintenance.ts';
import { resumeAnnouncements, scheduledNotifications } from './scheduled-notifications.ts';
import { scheduledPipelines } from './scheduled-pipelines.ts';
import { scheduledDeliveries, scheduledSweeps } from './scheduled-reports.ts';

const log = createLogger('minute-tick');
const table = openTable(environment('TABLE_NAME'));
const objects = objectStore(environment('DATA_BUCKET'));
const context = openRunContext(table, objects);
const pipelines = scheduledPipelines(table, context.queue);
const queue = jobQueue(environment('JOB_QUEUE_URL'));
const jobs = scheduledJobs(table, queue);
const captures = scheduledCaptures(table, captureQueue(environment('CAPTURE_QUEUE_URL')));
const maintenance = scheduledMaintenance(queue);
const reports = reportQueue(environment('REPORT_QUEUE_URL'));
const deliveries = Object.values(DELIVERIES).map((each) => scheduledDeliveries(table, each, reports));
const sweeps = scheduledSweeps(reports);
const alertMessages = alertQueue(environment('ALERT_QUEUE_URL'));
const notices = scheduledNotices(alertMessages);
const snoozes = scheduledSnoozes(alertMessages);
const notifications = scheduledNotifications(delayedMails(environment('MAIL_QUEUE_URL'), process.env.MAIL_FROM));
const jobContext = { jobs: jobRepository(table), queue, now: context.now };

/**
 * Announcements and clean-up stop after this time; the next tick continues. Each kind has the time that those before it
 * left.
 */
const ANNOUNCE_MS = {
  pipelines: 15_000,
  jobs: 22_000,
  captures: 26_000,
  maintenance: 30_000,
  deliveries: 36_000,
  sweeps: 38_000,
  alerts: 41_000,
  notifications: 43_000,
};
const CLEAN_UP_MS = 30_000;

/**
 * Once a minute: announces the schedules of the next minute, repairs runs and jobs without progress, notifies
 * people whom a request has left, and cleans up datasets and ended access.
 */
export async function handler(): Promise<void> {
  const reportAnnouncement = (failure: Failure) => log.error('a schedule could not be announced', { ...failure });
  const reportRepair = (failure: Failure) => log.error('an overdue item could not be processed', { ...failure });
  const startedAt = Date.now();
  const after = (ms: number) => () => Date.now() >= startedAt + ms;
  const cleanUpUntil = new Date(startedAt + CLEAN_UP_MS);
  const failures = [
    ...(await announceDue(context, pipelines, reportAnnouncement, after(ANNOUNCE_MS.pipelines))),
    ...(await announceDue(context, jobs, reportAnnouncement, after(ANNOUNCE_MS.jobs))),
    ...(await announceDue(context, captures, reportAnnouncement, after(ANNOUNCE_MS.captures))),
    ...(await announceDue(context, maintenance, reportAnnouncement, after(ANNOUNCE_MS.maintenance))),
    ...(await announceDeliveries(reportAnnouncement, startedAt)),
    ...(await announceDue(context, sweeps, reportAnnouncement, after(ANNOUNCE_MS.sweeps))),
    ...(await announceDue(
      context,
      scheduledAlerts(table, alertMessages),
      reportAnnouncement,
      after(ANNOUNCE_MS.alerts),
    )),
    ...(await announceDue(context, notices, reportAnnouncement, after(ANNOUNCE_MS.alerts))),
    ...(await announceDue(context, snoozes, reportAnnouncement, after(ANNOUNCE_MS.alerts))),
    ...(await announceDue(context, notifications, reportAnnouncement, after(ANNOUNCE_MS.notifications))),
    ...(await repairRuns(context, reportRepair)),
    ...(await resendUpstreamEnds(context, reportRepair)),
    ...(await startFileBatches(context, reportRepair)),
    ...(await advanceBackfills(context, reportRepair)),
    ...(await runAfterSync(table, { ...jobContext, alerts: alertMessages }, cleanUpUntil, reportRepair)),
    ...(await recoverJobs(table, jobContext, reportRepair)),
    ...(await resumeAnnouncements(context, cleanUpUntil, reportRepair)),
    ...(await cleanUpEnded(context, cleanUpUntil, reportRepair)),
    ...(await cleanUpDatasets({ table, objects, now: context.now }, cleanUpUntil, reportRepair)),
  ];
  if (failures.length > 0) throw new Error(`${failures.length} items of the tick failed; the next tick retries them`);
}

/** Each kind has its share of the time, so that none waits for the others in vain. */
async function announceDeliveries(report: (failure: Failure) => void, startedAt: number): Promise<Failure[]> {
  const failures: Failure[] = [];
  const shareMs = (ANNOUNCE_MS.deliveries - ANNOUNCE_MS.maintenance) / deliveries.length;
  for (const [index, scheduled] of deliveries.entries()) {
    const isOver = () => Date.now() >= startedAt + ANNOUNCE_MS.maintenance + (index + 1) * shareMs;
    failures.push(...(await announceDue(context, scheduled, report, isOver)));
  }
  return failures;
}
