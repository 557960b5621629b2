import { type MessageQueue, messageQueue } from '../messaging/message-queue.ts';
import type { JobKind } from './record.ts';

/**
 * Messages of the job queue: a job to run, a due instant of a schedule, or a CDC stream that needs maintenance. An
 * instant counts how often it has waited for an active job of its subject.
 */
export type JobMessage =
  | { op: 'work'; workspaceId: string; jobId: string }
  | { op: 'due'; workspaceId: string; kind: JobKind; subjectId: string; scheduledAt: string; waits?: number }
  | { op: 'maintain-stream'; workspaceId: string; streamId: string };

export type JobQueue = MessageQueue<JobMessage>;

export const jobQueue = (url: string): JobQueue => messageQueue<JobMessage>(url);
