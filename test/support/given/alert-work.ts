import { InvokeCommand } from '@aws-sdk/client-lambda';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { operatorClients } from '../../../infra/operator.ts';
import {
  type AlertMessage,
  type EvaluationDeps,
  type Trigger,
  workOnAlerts,
} from '../../../shared/domains/alerts/evaluations/index.ts';
import { alertRepository, classStates } from '../../../shared/domains/alerts/rules/index.ts';
import { readingWith } from '../../../shared/domains/alerts/sources/index.ts';
import type { TargetMessage } from '../../../shared/domains/delivery/deliveries/index.ts';
import { sourceTables } from '../../../shared/domains/semantics/models/index.ts';
import { openQueries } from '../../../shared/domains/semantics/queries/index.ts';
import { listMembers, readWorkspace } from '../../../shared/domains/tenancy/workspaces/index.ts';
import { MasterSecret } from '../../../shared/platform/crypto/master-secret.ts';
import { objectStore } from '../../../shared/platform/objects/object-store.ts';
import { workspaceKey } from '../../../shared/platform/storage/keys.ts';
import type { Table } from '../../../shared/platform/storage/table.ts';
import type { Api, Caller } from '../api.ts';
import { LOCAL } from '../deployed-table.ts';
import { ALERTS } from './alerts.ts';
import { dataBucket } from './bucket.ts';
import { holdMails } from './notifications.ts';

/** Lets the deployed worker of alerts handle a message, as the queue delivers it. */
export async function workOnAlertMessage(api: Api, message: AlertMessage): Promise<void> {
  const { lambda } = operatorClients(api.endpoint);
  const Payload = JSON.stringify({ Records: [{ messageId: '1', body: JSON.stringify(message) }] });
  const reply = await lambda.send(new InvokeCommand({ FunctionName: 'AnalyticsRuntime-evaluate-alerts', Payload }));
  if (reply.FunctionError) throw new Error(Buffer.from(reply.Payload ?? []).toString());
}

/** Instants in the order of their numbers, of the last hours. */
const START = Date.now() - 12 * 3_600_000;
export const instant = (minutes: number): string => new Date(START + minutes * 60_000).toISOString();

/** The deployed worker evaluates the alerts for the instant, and the platform sends the mails. */
export const evaluateAndMail = (
  { workspaceId, ...api }: Api,
  alerts: readonly { id: string }[],
  minutes: number,
  kind: Trigger['kind'] = 'schedule',
): Promise<void> =>
  workOnAlertMessage({ ...api, workspaceId } as Api, {
    op: 'evaluate',
    workspaceId,
    alertIds: alerts.map(({ id }) => id),
    trigger: { kind, at: instant(minutes) },
  });

/** The same, but the mails wait for a worker of the test. */
export async function evaluate(...given: Parameters<typeof evaluateAndMail>): Promise<void> {
  await evaluateAndMail(...given);
  await holdMails(given[0]);
}

/** A worker in this process, which counts its queries and may run over another table. */
export async function alertWorker(api: Api, table: Table = api.table) {
  const { name } = await dataBucket(api.endpoint);
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: api.endpoint,
    AWS_REGION: LOCAL.region,
    AWS_ACCESS_KEY_ID: LOCAL.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: LOCAL.credentials.secretAccessKey,
    DATA_BUCKET: name,
    ENGINE_FUNCTION: 'AnalyticsRuntime-engine',
  });
  const master = new MasterSecret(async () => ({ version: 1, secret: Buffer.alloc(32, 7) }));
  const queries = openQueries({ table, master, now: table.now });
  const counted = { queries: 0, sent: [] as AlertMessage[], requests: [] as TargetMessage[] };
  const engine = {
    ...queries.engine,
    query: (...given: Parameters<typeof queries.engine.query>) => {
      counted.queries += 1;
      return queries.engine.query(...given);
    },
  };
  const deps: EvaluationDeps = {
    table,
    reading: readingWith(table, {
      ...queries,
      engine,
      definitions: queries.rights.definitions,
      runBlend: () => Promise.reject(new Error('no blend is joined here')),
      readTables: sourceTables(table, objectStore(name, (await dataBucket(api.endpoint)).s3)),
    }),
    alerts: alertRepository(table),
    states: classStates(table),
    queue: { send: async (messages) => void counted.sent.push(...messages.map(({ message }) => message)) },
    targets: { send: async (messages) => void counted.requests.push(...messages.map(({ message }) => message)) },
    workspace: (id) => readWorkspace(table, id),
    admins: async (id) =>
      (await listMembers(table, id)).filter(({ role }) => role === 'admin').map(({ userId }) => userId),
    isOver: () => false,
    report: () => undefined,
  };
  const work = (message: AlertMessage) => workOnAlerts(deps, message);
  const evaluateAt = (alerts: readonly { id: string }[], minutes: number, kind: Trigger['kind'] = 'schedule') =>
    work({
      ...{ op: 'evaluate', workspaceId: api.workspaceId, alertIds: alerts.map(({ id }) => id) },
      trigger: { kind, at: instant(minutes) },
    });
  return { deps, counted, work, evaluateAt };
}

/** What the caller was notified of, oldest first, as `edge group value`. */
export async function feedOf(caller: Caller, alert?: { id: string }): Promise<string[]> {
  const { body } = await caller.get(`${ALERTS}/feed?limit=200`);
  return body.items
    .filter((item: { subject: { id: string } }) => !alert || item.subject.id === alert.id)
    .map(({ alert: fired, text }: { alert: Record<string, unknown> | null; text: string }) =>
      fired ? `${fired.edge}${fired.group === null ? '' : ` ${fired.group}`} ${fired.value}` : text,
    )
    .reverse();
}

/** The events of the workspace for webhooks. */
export async function firedEvents(api: Api): Promise<Record<string, unknown>[]> {
  const { pk } = workspaceKey(api.workspaceId, 'OUTBOX', '');
  const query = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk }, ConsistentRead: true };
  const { Items } = await api.table.db.send(new QueryCommand({ TableName: api.table.name, ...query }));
  return Items!
    .filter(({ event }) => event === 'alert.fired')
    .map(({ data }) => data as Record<string, unknown>)
    .sort((a, b) => (String(a.scheduledFor) < String(b.scheduledFor) ? -1 : 1));
}
