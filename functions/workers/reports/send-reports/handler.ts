import type { SQSEvent } from 'aws-lambda';
import {
  DASHBOARDS,
  type ScheduleRecord,
  type StoredScheduleMail,
  scheduleRepository,
} from '../../../../shared/domains/dashboard-schedules/index.ts';
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
import { mailQueue } from '../../../../shared/domains/mails/index.ts';
import {
  DIGESTS,
  type DigestRecord,
  digestRepository,
  type StoredDigestMail,
  sweepStore,
} from '../../../../shared/domains/metric-reports/index.ts';
import { metricRepository } from '../../../../shared/domains/metrics/index.ts';
import { sourceTables } from '../../../../shared/domains/models/index.ts';
import { openQueries } from '../../../../shared/domains/queries/index.ts';
import { readMembers, readWorkspace } from '../../../../shared/domains/workspaces/index.ts';
import { MasterSecret, parameterReader } from '../../../../shared/platform/crypto/master-secret.ts';
import { environment } from '../../../../shared/platform/http/open-group.ts';
import { objectStore } from '../../../../shared/platform/objects/object-store.ts';
import { createLogger } from '../../../../shared/platform/observability/logger.ts';
import { openTable } from '../../../../shared/platform/storage/table.ts';
import { openDashboards } from './dashboard-deps.ts';
import { openDashboard } from './deliver-dashboard.ts';
import { type DigestDeps, openDigest } from './deliver-digest.ts';
import { anomalyDetected, digestSent } from './events.ts';
import { memberFigure, publishedMetrics, type ValueDeps } from './metric-values.ts';
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
  members: (workspaceId: string, userIds: readonly string[]) => readMembers(table, workspaceId, userIds),
  mails: mailQueue(environment('MAIL_QUEUE_URL'), process.env.MAIL_FROM),
  queue: reportQueue(environment('REPORT_QUEUE_URL')),
  now: table.now,
  isOver: () => performance.now() - startedAt > WORK_MS,
});

const dashboardDeps = openDashboards({ table, values, objects, metrics, log });

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
