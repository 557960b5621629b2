import type { ErrorCode } from '../errors/catalogue.ts';
import { idFrom } from '../storage/ids.ts';
import type { TransactItem } from '../storage/table.ts';
import type { JobQueue } from './queue.ts';
import { isActive, type JobKind, type JobTrigger, type StoredJob } from './record.ts';
import { isLeased, type JobRepository, jobList } from './repository.ts';

export interface JobContext {
  jobs: JobRepository;
  queue: JobQueue;
  now: () => Date;
}

export interface NewJob {
  id: string;
  workspaceId: string;
  kind: JobKind;
  /** A subject has one active job at most. */
  subjectId: string;
  trigger: JobTrigger;
  input: Record<string, unknown>;
}

/** The id of the job for an instant of a schedule: the same for every message about the instant. */
export function scheduledJobId(kind: JobKind, subjectId: string, scheduledAt: string): string {
  return idFrom('job', kind, subjectId, scheduledAt);
}

/** A new job, for callers that store it together with its subject. */
export function queuedJob(job: NewJob, now: Date): StoredJob {
  return {
    ...job,
    status: 'queued',
    attempt: 0,
    progress: null,
    result: null,
    error: null,
    createdAt: now.toISOString(),
    startedAt: null,
    finishedAt: null,
    updatedAt: now.toISOString(),
  };
}

/**
 * Stores a job, together with further items, and notifies a worker. Throws `busy` while another job of the subject is
 * active. If the message is lost, the minute tick sends it again.
 */
export async function startJob(
  context: JobContext,
  job: NewJob,
  busy: ErrorCode,
  also: TransactItem[] = [],
): Promise<StoredJob> {
  const stored = await context.jobs.create(queuedJob(job, context.now()), busy, also);
  await announce(context, stored);
  return stored;
}

/** The queued or running job of the subject, if any. */
export async function activeJob(
  { jobs }: Pick<JobContext, 'jobs'>,
  { workspaceId, kind, subjectId }: Pick<NewJob, 'workspaceId' | 'kind' | 'subjectId'>,
): Promise<StoredJob | undefined> {
  const { items } = await jobs.list(workspaceId, { limit: 1, offset: 0 }, jobList(kind, subjectId));
  return items.find(isActive);
}

/** Sends a message for a worker. */
export async function announce({ queue }: Pick<JobContext, 'queue'>, job: StoredJob, delaySeconds = 0): Promise<void> {
  await queue.send([{ message: { op: 'work', workspaceId: job.workspaceId, jobId: job.id }, delaySeconds }]);
}

/**
 * Cancels a job. A queued job, or one whose worker has crashed, ends at once; a running worker ends it within seconds.
 * Returns the current job; one that has ended does not change.
 */
export async function cancelJob(context: JobContext, job: StoredJob): Promise<StoredJob> {
  const { jobs } = context;
  let current = job;
  while (isActive(current)) {
    const now = context.now();
    const isReported =
      current.status === 'running' && isLeased(current, now)
        ? await jobs.requestCancel(current, now)
        : await jobs.end(current, { status: 'cancelled' }, now);
    current = (await jobs.get(job.workspaceId, job.id)) ?? { ...current, status: 'cancelled' };
    // Otherwise a worker has claimed or released the job since it was read, and the loop decides again.
    if (isReported) break;
  }
  return current;
}

/** Handles a job that is due: notifies a worker, ends a job whose worker is lost, or removes an expired record. */
export async function recoverJob(context: JobContext, workspaceId: string, id: string): Promise<void> {
  const job = await context.jobs.get(workspaceId, id);
  if (!job) return;
  const now = context.now();
  if (!isActive(job)) return context.jobs.remove(job);
  if (isLeased(job, now)) return;
  if (job.cancelRequestedAt) await context.jobs.end(job, { status: 'cancelled' }, now);
  else if (await context.jobs.release(job, now)) await announce(context, job);
}
