import { type MessageQueue, messageQueue } from '../../platform/messaging/message-queue.ts';

/** A delivery whose instant has come, or a run to continue. `kind` is the name of a `DeliveryKind`. */
export type DeliveryMessage =
  | { op: 'delivery-due'; kind: string; workspaceId: string; deliveryId: string; scheduledAt: string }
  | { op: 'delivery-run'; kind: string; workspaceId: string; deliveryId: string; runId: string };

/** Work of the reports: deliveries, and metrics to check for unusual values. */
export type ReportMessage = DeliveryMessage | { op: 'sweep'; workspaceId: string; metricId: string };

export type ReportQueue = MessageQueue<ReportMessage>;

export const reportQueue = (url: string): ReportQueue => messageQueue<ReportMessage>(url);
