import { type MessageQueue, messageQueue } from '../messaging/message-queue.ts';
import type { JobKind } from './record.ts';

/** What the job queue carries: a job to work on, or an instant at which a schedule wants one. */
export type JobMessage =
  | { op: 'work'; workspaceId: string; jobId: string }
  | { op: 'due'; workspaceId: string; kind: JobKind; subjectId: string; scheduledAt: string };

export type JobQueue = MessageQueue<JobMessage>;

export const jobQueue = (url: string): JobQueue => messageQueue<JobMessage>(url);
