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
  /** One job at a time works on a subject. */
  subjectId: string;
  trigger: JobTrigger;
  input: Record<string, unknown>;
}

/** The job that a schedule's instant starts: the same instant names the same job. */
export function scheduledJobId(kind: JobKind, subjectId: string, scheduledAt: string): string {
  return idFrom('job', kind, subjectId, scheduledAt);
}

/** A job before it is stored, for who stores it together with its subject. */
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
 * Stores a job, with what else belongs into its transaction, and wakes a worker. Throws `busy` while another job works on
 * the subject. Should the message get lost, the minute tick sends it again.
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

/** The job that waits or is at work on the subject, if there is one. */
export async function activeJob(
  { jobs }: Pick<JobContext, 'jobs'>,
  { workspaceId, kind, subjectId }: Pick<NewJob, 'workspaceId' | 'kind' | 'subjectId'>,
): Promise<StoredJob | undefined> {
  const { items } = await jobs.list(workspaceId, { limit: 1, offset: 0 }, jobList(kind, subjectId));
  return items.find(isActive);
}

/** Asks for a worker. */
export async function announce({ queue }: Pick<JobContext, 'queue'>, job: StoredJob, delaySeconds = 0): Promise<void> {
  await queue.send([{ message: { op: 'work', workspaceId: job.workspaceId, jobId: job.id }, delaySeconds }]);
}

/**
 * Ends a job that waits or whose worker is dead; a living worker is told and ends it within seconds. Answers the job as it
 * is now; one that is over stays as it is.
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
    // Otherwise a worker has taken it up, or given it back, since it was read.
    if (isReported) break;
  }
  return current;
}

/** Looks after a job whose time has come: sends for a worker, ends what nobody will end, removes what nobody asks for. */
export async function recoverJob(context: JobContext, workspaceId: string, id: string): Promise<void> {
  const job = await context.jobs.get(workspaceId, id);
  if (!job) return;
  const now = context.now();
  if (!isActive(job)) return context.jobs.remove(job);
  if (isLeased(job, now)) return;
  if (job.cancelRequestedAt) await context.jobs.end(job, { status: 'cancelled' }, now);
  else if (await context.jobs.release(job, now)) await announce(context, job);
}
