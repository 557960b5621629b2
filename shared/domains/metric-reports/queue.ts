import { type MessageQueue, messageQueue } from '../../platform/messaging/message-queue.ts';

/** Work on metrics: a digest whose instant has come, a run to continue, or a metric to check for unusual values. */
export type MetricMessage =
  | { op: 'digest-due'; workspaceId: string; digestId: string; scheduledAt: string }
  | { op: 'digest-run'; workspaceId: string; digestId: string; runId: string }
  | { op: 'sweep'; workspaceId: string; metricId: string };

export type MetricQueue = MessageQueue<MetricMessage>;

export const metricQueue = (url: string): MetricQueue => messageQueue<MetricMessage>(url);
