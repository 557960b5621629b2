import { type MessageQueue, messageQueue } from '../messaging/message-queue.ts';
import type { JobKind } from './record.ts';

/** What the job queue carries: a job to work on, an instant at which a schedule wants one, or a CDC stream whose log is to be tended. */
export type JobMessage =
  | { op: 'work'; workspaceId: string; jobId: string }
  | { op: 'due'; workspaceId: string; kind: JobKind; subjectId: string; scheduledAt: string }
  | { op: 'tend-stream'; workspaceId: string; streamId: string };

export type JobQueue = MessageQueue<JobMessage>;

export const jobQueue = (url: string): JobQueue => messageQueue<JobMessage>(url);
