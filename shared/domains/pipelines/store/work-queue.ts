import { type MessageQueue, messageQueue } from '../../../platform/messaging/message-queue.ts';
import type { UpstreamEnd } from './downstream.ts';

/** What the work queue carries: things to do at a time of their own. */
export type WorkMessage =
  | { kind: 'fire-schedule'; workspaceId: string; pipelineId: string; scheduledAt: string }
  | ({ kind: 'upstream-end' } & UpstreamEnd)
  | { kind: 'file-batch'; workspaceId: string; pipelineId: string }
  | { kind: 'cancel-deadline'; workspaceId: string; runId: string };

export type WorkQueue = MessageQueue<WorkMessage>;

export const workQueue = (url: string): WorkQueue => messageQueue<WorkMessage>(url);
