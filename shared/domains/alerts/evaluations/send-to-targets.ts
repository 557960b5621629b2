import { inParallel } from '../../../platform/concurrency/in-parallel.ts';
import type { Table } from '../../../platform/storage/table.ts';
import {
  type DeliveryRuns,
  deliveryRuns,
  type StoredMail,
  type TargetMessage,
} from '../../delivery/deliveries/index.ts';
import type { Edge } from '../conditions/index.ts';
import { ALERT_REQUESTS, type AlertRecord, addressesIn, type PendingEdge } from '../rules/index.ts';
import type { EvaluationDeps } from './deps.ts';
import { isPublic } from './fired-event.ts';

/** A request to a target; it says what the notice says. */
export type StoredRequest = StoredMail<{ noticeId: string }>;

export const alertRequests = (table: Table): DeliveryRuns<StoredRequest> =>
  deliveryRuns<StoredRequest>(table, ALERT_REQUESTS);

const SENT: readonly Edge[] = ['fire', 'repeat', 'recover', 'woke'];
const AT_ONCE = 5;

interface SentEdge {
  alert: AlertRecord;
  companyId: string;
  classKey: string;
  pending: PendingEdge;
}

/** Whether targets and addresses outside the workspace are notified: of what the owner sees, unless it is protected. */
export async function isForOutside(
  { reading }: EvaluationDeps,
  { alert, companyId, classKey, pending: { edge, isOwners } }: SentEdge,
): Promise<boolean> {
  const { targets = [], channels, notifyOnRecover } = alert;
  if (targets.length + addressesIn(channels).length === 0 || !isOwners || !SENT.includes(edge)) return false;
  if (edge === 'recover' && !notifyOnRecover) return false;
  return isPublic(reading, { alert, companyId, classKey });
}

/** Has each target get a request with the notice, once. May be repeated. */
export async function sendToTargets(
  { table, targets: queue }: EvaluationDeps,
  { workspaceId, id: deliveryId, targets = [] }: AlertRecord,
  noticeId: string,
): Promise<void> {
  const requests = alertRequests(table);
  const place = { workspaceId, deliveryId, runId: noticeId };
  const unsent = { status: 'queued', reason: null, sentAt: null, content: { noticeId } } as const;
  await inParallel(AT_ONCE, targets, async ({ id }) => {
    await requests.createMail(place, { userId: id, isTarget: true, ...unsent }, table.now());
  });
  const { name: delivery } = ALERT_REQUESTS;
  const messages = targets.map(({ id: targetId }): TargetMessage => ({ ...place, delivery, targetId }));
  await queue.send(messages.map((message) => ({ message, delaySeconds: 0 })));
}
