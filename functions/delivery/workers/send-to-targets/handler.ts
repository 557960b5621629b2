import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { dashboardRepository } from '../../../../shared/domains/boards/dashboards/index.ts';
import {
  DASHBOARDS,
  type DashboardSchedule,
  REPORTS,
  type ReportSchedule,
  type ScheduleKind,
  type ScheduleRecord,
  type StoredScheduleMail,
  scheduleRepository,
} from '../../../../shared/domains/boards/delivery-schedules/index.ts';
import { reportRepository } from '../../../../shared/domains/boards/reports/index.ts';
import { deliveryRuns, type TargetMessage, targetQueue } from '../../../../shared/domains/delivery/deliveries/index.ts';
import { MAX_DELAY_SECONDS } from '../../../../shared/domains/events/webhooks/index.ts';
import { downloadLinks } from '../../../../shared/domains/semantics/queries/index.ts';
import { readWorkspace } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { MasterSecret, parameterReader } from '../../../../shared/platform/crypto/master-secret.ts';
import { secretBox } from '../../../../shared/platform/crypto/secret-box.ts';
import { environment } from '../../../../shared/platform/http/open-group.ts';
import { guardFromEnvironment } from '../../../../shared/platform/net/guard-from-environment.ts';
import { createLogger } from '../../../../shared/platform/observability/logger.ts';
import { openTable } from '../../../../shared/platform/storage/table.ts';
import { type SendTargetDeps, sendToTarget, type TargetDeliveries } from './send-target.ts';

const log = createLogger('send-to-targets');
const table = openTable(environment('TABLE_NAME'));
const queue = targetQueue(environment('TARGET_QUEUE_URL'));

const deps: SendTargetDeps = {
  secrets: secretBox(new MasterSecret(parameterReader(environment('MASTER_SECRET_PARAMETER')))),
  guard: guardFromEnvironment(),
  links: downloadLinks(environment('DATA_BUCKET'), table.now),
  async deliveryDomains(workspaceId) {
    const workspace = await readWorkspace(table, workspaceId);
    return workspace && !workspace.deletesAt ? (workspace.deliveryDomains ?? []) : [];
  },
  now: table.now,
  random: Math.random,
  timeoutMs: Number(environment('TARGET_TIMEOUT_MS')),
  backoffSeconds: environment('WEBHOOK_BACKOFF_SECONDS').split(',').map(Number),
};

const schedules = <S extends ScheduleRecord>(kind: ScheduleKind<S>) => ({
  kind,
  deliveries: scheduleRepository(table, kind),
  runs: deliveryRuns<StoredScheduleMail>(table, kind),
});

const dashboardsTable = dashboardRepository(table);
const dashboards: TargetDeliveries<DashboardSchedule> = {
  ...schedules(DASHBOARDS),
  isDeleted: async ({ workspaceId, dashboardId }) =>
    (await dashboardsTable.get(workspaceId, dashboardId))?.deletedAt !== null,
  pageOf: ({ apiUrl, dashboardId }) => `${apiUrl}/d/${dashboardId}`,
};

const reportsTable = reportRepository(table);
const reports: TargetDeliveries<ReportSchedule> = {
  ...schedules(REPORTS),
  isDeleted: async ({ workspaceId, reportId }) => (await reportsTable.read(workspaceId, reportId))?.deletedAt !== null,
  // Reports have no page for members.
  pageOf: () => null,
};

/** Every message may come twice, and each produces at most one follow-up. */
export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  const failed = await Promise.all(event.Records.map(async (record) => ((await isHandled(record)) ? [] : [record])));
  return { batchItemFailures: failed.flat().map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

async function isHandled({ messageId, body }: SQSRecord): Promise<boolean> {
  try {
    const message = JSON.parse(body) as TargetMessage;
    const seconds =
      message.delivery === REPORTS.name
        ? await sendToTarget(deps, reports, message)
        : await sendToTarget(deps, dashboards, message);
    if (seconds !== undefined) await queue.send([{ message, delaySeconds: Math.min(seconds, MAX_DELAY_SECONDS) }]);
    return true;
  } catch (error) {
    log.error('failed to send to a target', { error: error as Error, messageId });
    return false;
  }
}
