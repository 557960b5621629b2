import type { SQSEvent } from 'aws-lambda';
import { dashboardStore, dashboardVersions } from '../../../../shared/domains/boards/dashboards/index.ts';
import {
  DASHBOARDS,
  type DashboardSchedule,
  REPORTS,
  type ReportSchedule,
  type ScheduleRecord,
  type StoredScheduleMail,
  scheduleRepository,
} from '../../../../shared/domains/boards/delivery-schedules/index.ts';
import { reportRepository } from '../../../../shared/domains/boards/reports/index.ts';
import { themeRepository } from '../../../../shared/domains/boards/themes/index.ts';
import {
  continueRun,
  type Delivery,
  type DeliveryDeps,
  type DeliveryMessage,
  deliveryRuns,
  type ReportMessage,
  reportQueue,
  runDueDelivery,
  type StoredMail,
  targetQueue,
} from '../../../../shared/domains/delivery/deliveries/index.ts';
import { mailQueue } from '../../../../shared/domains/delivery/mails/index.ts';
import {
  DIGESTS,
  type DigestRecord,
  digestRepository,
  type StoredDigestMail,
  sweepStore,
} from '../../../../shared/domains/semantics/metric-reports/index.ts';
import { metricRepository } from '../../../../shared/domains/semantics/metrics/index.ts';
import { sourceTables } from '../../../../shared/domains/semantics/models/index.ts';
import { openQueries } from '../../../../shared/domains/semantics/queries/index.ts';
import { savedQueryRepository } from '../../../../shared/domains/semantics/saved-queries/index.ts';
import { grantReader } from '../../../../shared/domains/tenancy/grants/index.ts';
import { listMembers, readPeople, readWorkspace } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { MasterSecret, parameterReader } from '../../../../shared/platform/crypto/master-secret.ts';
import { environment } from '../../../../shared/platform/http/open-group.ts';
import { objectStore } from '../../../../shared/platform/objects/object-store.ts';
import { createLogger } from '../../../../shared/platform/observability/logger.ts';
import { openTable } from '../../../../shared/platform/storage/table.ts';
import { dashboardContent } from './dashboard-content.ts';
import { type DigestDeps, openDigest } from './deliver-digest.ts';
import { type Content, openSchedule } from './deliver-schedule.ts';
import { anomalyDetected, digestSent, reportDelivered } from './events.ts';
import { mailedFiles } from './mailed-file.ts';
import { memberFigure, publishedMetrics, type ValueDeps } from './metric-values.ts';
import { failedReport, type ReportContentDeps, reportContent } from './report-content.ts';
import { scheduleDeps } from './schedule-deps.ts';
import { type SweepDeps, sweepMetric } from './sweep-metric.ts';

const log = createLogger('send-reports');
const table = openTable(environment('TABLE_NAME'));
const master = new MasterSecret(parameterReader(environment('MASTER_SECRET_PARAMETER')));
const queries = openQueries({ table, master, now: table.now });
const metrics = metricRepository(table);
const objects = objectStore(environment('DATA_BUCKET'));

/** After this time, the rest of the work is left to the next message. */
const WORK_MS = 200_000;

const values: ValueDeps = {
  ...queries,
  definitions: queries.rights.definitions,
  readTables: sourceTables(table, objects),
  report: (error, { id }) => log.error('a metric of a digest could not be computed', { error, metricId: id }),
};

const workspace = async (id: string) => {
  const found = await readWorkspace(table, id);
  return found && !found.deletesAt ? found : undefined;
};

const sweeps: SweepDeps = {
  ...values,
  sweeps: sweepStore(table),
  metric: (workspaceId, id) => metrics.get(workspaceId, id),
  workspace,
  event: anomalyDetected(table),
};

const digestDeps: DigestDeps = {
  metrics: (workspaceId, ids) => metrics.getMany(workspaceId, ids),
  figure: (metric, reader) => memberFigure(values, metric, reader),
  published: (found, companyId, at) => publishedMetrics(values, found, companyId, at),
  event: digestSent(table),
  now: table.now,
};

const frame = (startedAt: number) => ({
  workspace,
  members: (workspaceId: string, userIds: readonly string[]) => readPeople(table, workspaceId, userIds),
  admins: async (workspaceId: string) =>
    (await listMembers(table, workspaceId)).filter(({ role }) => role === 'admin').map(({ userId }) => userId),
  mails: mailQueue(environment('MAIL_QUEUE_URL'), process.env.MAIL_FROM),
  targets: targetQueue(environment('TARGET_QUEUE_URL')),
  queue: reportQueue(environment('REPORT_QUEUE_URL')),
  now: table.now,
  isOver: () => performance.now() - startedAt > WORK_MS,
});

const themes = themeRepository(table);
const charts = { ...values, savedQueries: savedQueryRepository(table).queries, metrics };

const files = mailedFiles({
  objects,
  workspace: (id) => readWorkspace(table, id),
  newId: values.newId,
  report: (error, { id: scheduleId }) =>
    log.error('a card of a mailed file could not be read', { error: error as Error, scheduleId }),
});

const dashboards = dashboardContent(
  {
    ...charts,
    ...{ objects, themes },
    store: dashboardStore(table),
    versions: dashboardVersions(table),
    grantOf: grantReader(table, 'dashboard'),
  },
  files,
);

const reportDeps: ReportContentDeps = {
  ...charts,
  ...{ objects, themes },
  reports: reportRepository(table),
  grantOf: grantReader(table, 'report'),
  delivered: reportDelivered(table),
};

function schedules<S extends ScheduleRecord>(
  content: Content<S>,
  startedAt: number,
): DeliveryDeps<S, StoredScheduleMail> {
  const { kind } = content;
  return {
    ...frame(startedAt),
    kind,
    deliveries: scheduleRepository(table, kind),
    runs: deliveryRuns(table, kind),
    open: (run) => openSchedule(scheduleDeps({ table, charts, themes, objects, log }, kind), content, run),
  };
}

const dashboardSchedules = (startedAt: number): DeliveryDeps<DashboardSchedule, StoredScheduleMail> =>
  schedules(dashboards, startedAt);

const reportSchedules = (startedAt: number): DeliveryDeps<ReportSchedule, StoredScheduleMail> => ({
  ...schedules(reportContent(reportDeps, files), startedAt),
  failed: (delivery, run) => failedReport(reportDeps, { delivery, run }),
});

const digests = (startedAt: number): DeliveryDeps<DigestRecord, StoredDigestMail> => ({
  ...frame(startedAt),
  kind: DIGESTS,
  deliveries: digestRepository(table),
  runs: deliveryRuns(table, DIGESTS),
  open: (run) => openDigest(digestDeps, run),
});

/** Driven by the queue of reports, one message at a time. Every message may come twice. */
export async function handler(event: SQSEvent): Promise<void> {
  for (const { body } of event.Records) {
    const message = JSON.parse(body) as ReportMessage;
    log.appendKeys({ workspaceId: message.workspaceId });
    const startedAt = performance.now();
    if (message.op === 'sweep') await sweepMetric(sweeps, message);
    else if (message.kind === DIGESTS.name) await deliver(digests(startedAt), message);
    else if (message.kind === REPORTS.name) await deliver(reportSchedules(startedAt), message);
    else if (message.kind === DASHBOARDS.name) await deliver(dashboardSchedules(startedAt), message);
    else throw new Error(`there are no deliveries of the kind "${message.kind}"`);
  }
}

const deliver = <D extends Delivery, Mail extends StoredMail>(
  deps: DeliveryDeps<D, Mail>,
  message: DeliveryMessage,
): Promise<void> => (message.op === 'delivery-due' ? runDueDelivery(deps, message) : continueRun(deps, message));
