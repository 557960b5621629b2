import { type MessageQueue, messageQueue } from '../../../platform/messaging/message-queue.ts';

/** A delivery whose instant has come, or a run to continue. `kind` is the name of a `DeliveryKind`. */
export type DeliveryMessage =
  | { op: 'delivery-due'; kind: string; workspaceId: string; deliveryId: string; scheduledAt: string }
  | { op: 'delivery-run'; kind: string; workspaceId: string; deliveryId: string; runId: string };

/** Work of the reports: deliveries, and metrics to check for unusual values. */
export type ReportMessage = DeliveryMessage | { op: 'sweep'; workspaceId: string; metricId: string };

export type ReportQueue = MessageQueue<ReportMessage>;

/** What a run has for a target, to be sent now. */
export interface TargetMessage {
  workspaceId: string;
  /** The name of a `DeliveryKind`. */
  delivery: string;
  deliveryId: string;
  runId: string;
  targetId: string;
}

export type TargetQueue = MessageQueue<TargetMessage>;

export const targetQueue = (url: string): TargetQueue => messageQueue<TargetMessage>(url);

export const reportQueue = (url: string): ReportQueue => messageQueue<ReportMessage>(url);
