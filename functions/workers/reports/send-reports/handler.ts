import type { SQSEvent } from 'aws-lambda';
import { isProtectedSource } from '../../../../shared/domains/charts/index.ts';
import {
  DASHBOARDS,
  type ScheduleRecord,
  scheduleRepository,
  type StoredScheduleMail,
  sentStates,
} from '../../../../shared/domains/dashboard-schedules/index.ts';
import { dashboardStore, dashboardVersions } from '../../../../shared/domains/dashboards/index.ts';
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
} from '../../../../shared/domains/deliveries/index.ts';
import { levelFor } from '../../../../shared/domains/grants/index.ts';
import { mailQueue } from '../../../../shared/domains/mails/index.ts';
import {
  DIGESTS,
  type DigestRecord,
  digestRepository,
  type StoredDigestMail,
  sweepStore,
} from '../../../../shared/domains/metric-reports/index.ts';
import { metricRepository, publicReader } from '../../../../shared/domains/metrics/index.ts';
import { sourceTables } from '../../../../shared/domains/models/index.ts';
import { openQueries } from '../../../../shared/domains/queries/index.ts';
import { savedQueryRepository } from '../../../../shared/domains/saved-queries/index.ts';
import { memberPrincipal, readMembers, readUser, readWorkspace } from '../../../../shared/domains/workspaces/index.ts';
import { MasterSecret, parameterReader } from '../../../../shared/platform/crypto/master-secret.ts';
import { environment } from '../../../../shared/platform/http/open-group.ts';
import { objectStore } from '../../../../shared/platform/objects/object-store.ts';
import { createLogger } from '../../../../shared/platform/observability/logger.ts';
import { openTable } from '../../../../shared/platform/storage/table.ts';
import { type DashboardDeps, openDashboard } from './deliver-dashboard.ts';
import { type DigestDeps, openDigest } from './deliver-digest.ts';
import { anomalyDetected, digestSent } from './events.ts';
import { memberFigure, publishedMetrics, type ValueDeps } from './metric-values.ts';
import { type SweepDeps, sweepMetric } from './sweep-metric.ts';

const log = createLogger('send-reports');
const table = openTable(environment('TABLE_NAME'));
const master = new MasterSecret(parameterReader(environment('MASTER_SECRET_PARAMETER')));
const queries = openQueries({ table, master, now: table.now });
const metrics = metricRepository(table);

/** What is left after this time is for the next message. */
const WORK_MS = 200_000;

const values: ValueDeps = {
  ...queries,
  definitions: queries.rights.definitions,
  readTables: sourceTables(table, objectStore(environment('DATA_BUCKET'))),
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
  members: (workspaceId: string, userIds: readonly string[]) => readMembers(table, workspaceId, userIds),
  mails: mailQueue(environment('MAIL_QUEUE_URL'), process.env.MAIL_FROM),
  queue: reportQueue(environment('REPORT_QUEUE_URL')),
  now: table.now,
  isOver: () => performance.now() - startedAt > WORK_MS,
});

const { savedQueries, ...charts } = { ...values, savedQueries: savedQueryRepository(table).queries, metrics };
const dashboardDeps: DashboardDeps = {
  ...charts,
  savedQueries,
  store: dashboardStore(table),
  versions: dashboardVersions(table),
  grantOf: async (principal, id) => {
    const level = await levelFor(table, principal, { type: 'dashboard', id });
    return level === undefined ? undefined : { level, via: 'grant' };
  },
  states: sentStates(table),
  member: async (place) => {
    const [principal, user] = await Promise.all([memberPrincipal(table, place), readUser(table, place.userId)]);
    return user?.active ? principal : undefined;
  },
  outsider: async (place) => publicReader(place),
  deliveryDomains: async (id) => (await readWorkspace(table, id))?.deliveryDomains ?? [],
  isProtectedSource: (place, source) => isProtectedSource({ ...charts, savedQueries }, place, source),
  file: async () => undefined,
  report: (error, { id }) => log.error('the file of a delivery could not be made', { error: error as Error, scheduleId: id }),
};

const dashboards = (startedAt: number): DeliveryDeps<ScheduleRecord, StoredScheduleMail> => ({
  ...frame(startedAt),
  kind: DASHBOARDS,
  deliveries: scheduleRepository(table),
  runs: deliveryRuns(table, DASHBOARDS),
  open: (run) => openDashboard(dashboardDeps, run),
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
    else await deliver(dashboards(startedAt), message);
  }
}

const deliver = <D extends Delivery, Mail extends StoredMail>(
  deps: DeliveryDeps<D, Mail>,
  message: DeliveryMessage,
): Promise<void> => (message.op === 'delivery-due' ? runDueDelivery(deps, message) : continueRun(deps, message));
