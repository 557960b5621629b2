import type { SQSEvent } from 'aws-lambda';
import {
  type AlertMessage,
  alertQueue,
  type EvaluationDeps,
  workOnAlerts,
} from '../../../../shared/domains/alerts/evaluations/index.ts';
import { alertRepository, classStates } from '../../../../shared/domains/alerts/rules/index.ts';
import { readingWith } from '../../../../shared/domains/alerts/sources/index.ts';
import { targetQueue } from '../../../../shared/domains/delivery/deliveries/index.ts';
import { blendFunction } from '../../../../shared/domains/semantics/blends/index.ts';
import { sourceTables } from '../../../../shared/domains/semantics/models/index.ts';
import { openQueries } from '../../../../shared/domains/semantics/queries/index.ts';
import { listMembers, readWorkspace } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { MasterSecret, parameterReader } from '../../../../shared/platform/crypto/master-secret.ts';
import { environment } from '../../../../shared/platform/http/open-group.ts';
import { objectStore } from '../../../../shared/platform/objects/object-store.ts';
import { createLogger } from '../../../../shared/platform/observability/logger.ts';
import { openTable } from '../../../../shared/platform/storage/table.ts';

const log = createLogger('evaluate-alerts');
const table = openTable(environment('TABLE_NAME'));
const master = new MasterSecret(parameterReader(environment('MASTER_SECRET_PARAMETER')));
const queries = openQueries({ table, master, now: table.now });

/** After this time, the rest of the work is left to the next message. */
const WORK_MS = 200_000;

const deps: Omit<EvaluationDeps, 'isOver'> = {
  table,
  reading: readingWith(table, {
    ...queries,
    definitions: queries.rights.definitions,
    readTables: sourceTables(table, objectStore(environment('DATA_BUCKET'))),
    runBlend: blendFunction(environment('BLEND_FUNCTION')),
  }),
  alerts: alertRepository(table),
  states: classStates(table),
  queue: alertQueue(environment('ALERT_QUEUE_URL')),
  targets: targetQueue(environment('TARGET_QUEUE_URL')),
  async workspace(id) {
    const found = await readWorkspace(table, id);
    return found && !found.deletesAt ? found : undefined;
  },
  admins: async (workspaceId) =>
    (await listMembers(table, workspaceId)).filter(({ role }) => role === 'admin').map(({ userId }) => userId),
  report: (error, alertId) => log.error('an alert could not be evaluated', { error, alertId }),
};

/** Driven by the queue of alerts, one message at a time. Every message may come twice. */
export async function handler(event: SQSEvent): Promise<void> {
  for (const { body } of event.Records) {
    const message = JSON.parse(body) as AlertMessage;
    log.appendKeys({ workspaceId: message.workspaceId });
    const startedAt = performance.now();
    await workOnAlerts({ ...deps, isOver: () => performance.now() - startedAt > WORK_MS }, message);
  }
}
