import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { ALERT_REQUESTS } from '../../../../shared/domains/alerts/rules/index.ts';
import type {
  ScheduleDelivery,
  ScheduleRecord,
  StoredScheduleMail,
} from '../../../../shared/domains/boards/delivery-schedules/index.ts';
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
import { ofKind, TARGET_DELIVERIES } from '../../kinds/registry.ts';
import { alertTargets } from './alert-request.ts';
import { type SendTargetDeps, sendRequest, sendToTarget } from './send-target.ts';

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

const alerts = alertTargets(table);

const send = <S extends ScheduleRecord>(of: ScheduleDelivery<S>, message: TargetMessage) =>
  sendToTarget(
    deps,
    {
      kind: of.kind,
      deliveries: of.deliveries(table),
      runs: deliveryRuns<StoredScheduleMail>(table, of.kind),
      isObjectDeleted: (schedule) => of.isObjectDeleted(table, schedule),
    },
    message,
  );

/** Every message may come twice, and each produces at most one follow-up. */
export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  const failed = await Promise.all(event.Records.map(async (record) => ((await isHandled(record)) ? [] : [record])));
  return { batchItemFailures: failed.flat().map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

async function isHandled({ messageId, body }: SQSRecord): Promise<boolean> {
  try {
    const message = JSON.parse(body) as TargetMessage;
    const seconds =
      message.delivery === ALERT_REQUESTS.name
        ? await sendRequest(deps, alerts, message)
        : await send(ofKind<ScheduleDelivery<ScheduleRecord>>(TARGET_DELIVERIES, message.delivery), message);
    if (seconds !== undefined) await queue.send([{ message, delaySeconds: Math.min(seconds, MAX_DELAY_SECONDS) }]);
    return true;
  } catch (error) {
    log.error('failed to send to a target', { error: error as Error, messageId });
    return false;
  }
}
