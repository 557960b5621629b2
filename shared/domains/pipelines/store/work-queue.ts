import { type MessageQueue, messageQueue } from '../../../platform/messaging/message-queue.ts';
import type { UpstreamEnd } from './downstream.ts';

/** The messages of the work queue, each with its own delay. */
export type WorkMessage =
  | { kind: 'fire-schedule'; workspaceId: string; pipelineId: string; scheduledAt: string }
  | ({ kind: 'upstream-end' } & UpstreamEnd)
  | { kind: 'file-batch'; workspaceId: string; pipelineId: string }
  /** Inputs that wait for a slot of the pipeline may start. */
  | { kind: 'start-waiting'; workspaceId: string; pipelineId: string }
  | { kind: 'cancel-deadline'; workspaceId: string; runId: string };

export type WorkQueue = MessageQueue<WorkMessage>;

export const workQueue = (url: string): WorkQueue => messageQueue<WorkMessage>(url);
