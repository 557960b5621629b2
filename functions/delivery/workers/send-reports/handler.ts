import type { SQSEvent } from 'aws-lambda';
import {
  continueRun,
  type Delivery,
  type DeliveryDeps,
  deliveryRuns,
  type ReportMessage,
  reportQueue,
  runDueDelivery,
  type StoredMail,
  targetQueue,
} from '../../../../shared/domains/delivery/deliveries/index.ts';
import { mailQueue } from '../../../../shared/domains/delivery/mails/index.ts';
import { blendFunction } from '../../../../shared/domains/semantics/blends/index.ts';
import { sweepStore } from '../../../../shared/domains/semantics/metric-reports/index.ts';
import { metricRepository } from '../../../../shared/domains/semantics/metrics/index.ts';
import { sourceTables } from '../../../../shared/domains/semantics/models/index.ts';
import { openQueries } from '../../../../shared/domains/semantics/queries/index.ts';
import { certifications, isInForce } from '../../../../shared/domains/tenancy/certifications/index.ts';
import { listMembers, readPeople, readWorkspace } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { MasterSecret, parameterReader } from '../../../../shared/platform/crypto/master-secret.ts';
import { environment } from '../../../../shared/platform/http/open-group.ts';
import { objectStore } from '../../../../shared/platform/objects/object-store.ts';
import { createLogger } from '../../../../shared/platform/observability/logger.ts';
import { openTable } from '../../../../shared/platform/storage/table.ts';
import { DELIVERIES, OPENERS, ofKind } from '../../kinds/registry.ts';
import { anomalyDetected } from './anomaly-event.ts';
import { type SweepDeps, sweepMetric } from './sweep-metric.ts';

const log = createLogger('send-reports');
const table = openTable(environment('TABLE_NAME'));
const master = new MasterSecret(parameterReader(environment('MASTER_SECRET_PARAMETER')));
const queries = openQueries({ table, master, now: table.now });
const metrics = metricRepository(table);
const certified = certifications(table);
const objects = objectStore(environment('DATA_BUCKET'));

/** After this time, the rest of the work is left to the next message. */
const WORK_MS = 200_000;

const questions = {
  ...queries,
  definitions: queries.rights.definitions,
  readTables: sourceTables(table, objects),
  runBlend: blendFunction(environment('BLEND_FUNCTION')),
};

const workspace = async (id: string) => {
  const found = await readWorkspace(table, id);
  return found && !found.deletesAt ? found : undefined;
};

const sweeps: SweepDeps = {
  ...questions,
  sweeps: sweepStore(table),
  async isCertified({ workspaceId, id }) {
    const certification = await certified.find({ workspaceId, type: 'metric', id }, { type: 'metric', id });
    return isInForce(certification, table.now());
  },
  metric: (workspaceId, id) => metrics.get(workspaceId, id),
  workspace,
  event: anomalyDetected(table),
};

/** Throws for an unknown kind. */
function deliveriesOf(name: string, startedAt: number): DeliveryDeps<Delivery, StoredMail> {
  const { kind, deliveries } = ofKind(DELIVERIES, name);
  return {
    kind,
    deliveries: deliveries(table),
    runs: deliveryRuns(table, kind),
    ...ofKind(OPENERS, name)({ table, objects, questions, log }),
    workspace,
    members: (workspaceId, userIds) => readPeople(table, workspaceId, userIds),
    admins: async (workspaceId) =>
      (await listMembers(table, workspaceId)).filter(({ role }) => role === 'admin').map(({ userId }) => userId),
    mails: mailQueue(environment('MAIL_QUEUE_URL'), process.env.MAIL_FROM),
    targets: targetQueue(environment('TARGET_QUEUE_URL')),
    queue: reportQueue(environment('REPORT_QUEUE_URL')),
    now: table.now,
    isOver: () => performance.now() - startedAt > WORK_MS,
  };
}

/** Driven by the queue of reports, one message at a time. Every message may come twice. */
export async function handler(event: SQSEvent): Promise<void> {
  for (const { body } of event.Records) {
    const message = JSON.parse(body) as ReportMessage;
    log.appendKeys({ workspaceId: message.workspaceId });
    const startedAt = performance.now();
    if (message.op === 'sweep') await sweepMetric(sweeps, message);
    else if (message.op === 'delivery-due') await runDueDelivery(deliveriesOf(message.kind, startedAt), message);
    else await continueRun(deliveriesOf(message.kind, startedAt), message);
  }
}
