import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { AppError } from '../errors/app-error.ts';
import type { ErrorCode } from '../errors/catalogue.ts';
import { DAY_MS } from '../schedule/durations.ts';
import { type Collection, collection } from '../storage/collection.ts';
import { type Key, workspaceKey } from '../storage/keys.ts';
import { toRecord } from '../storage/stored-record.ts';
import type { Table, TransactItem } from '../storage/table.ts';
import { failedConditions, transact } from '../storage/transact.ts';
import { updateOf } from '../storage/update.ts';
import type { JobError, JobKind, JobProgress, StoredJob } from './record.ts';

/** A worker that has not extended its lease for this long is considered lost. */
export const LEASE_MS = 45_000;
/** A queued job that no worker has claimed after this long is announced again. */
const ANNOUNCE_AGAIN_MS = 60_000;

/** How long a finished job can be read. */
const RETENTION_MS: Record<JobKind, number> = {
  dataset_refresh: 365 * DAY_MS,
  source_sync: 90 * DAY_MS,
  query: DAY_MS,
  quality_scan: 7 * DAY_MS,
  quality_run: 7 * DAY_MS,
  // Its archive expires a day later.
  workspace_export: DAY_MS,
  dashboard_export: DAY_MS,
  search_vectors: DAY_MS,
};

export const JOB_CHECK_SHARDS = 4;
/** The partition of the due index for a job: it is due for recovery while active, and for removal afterwards. */
const checkShard = (id: string) => `job-check#${Number.parseInt(id.slice(-2), 16) % JOB_CHECK_SHARDS}`;

/** Exists while a job of the subject is active. */
const activeKey = (job: Pick<StoredJob, 'workspaceId' | 'kind' | 'subjectId'>): Key =>
  workspaceKey(job.workspaceId, 'ACTIVE-JOB', `${job.kind}#${job.subjectId}`);

/** The jobs of one subject form a list, newest first. */
export const jobList = (kind: JobKind, subjectId: string): string => `${kind}#${subjectId}`;

export type Ending =
  | { status: 'succeeded'; result: Record<string, unknown> }
  | { status: 'failed'; error: JobError }
  | { status: 'cancelled' };

export interface JobRepository extends Pick<Collection<StoredJob>, 'get' | 'getMany' | 'list' | 'key'> {
  /**
   * Throws `busy` while another job of the subject is active. A repeated call with the same id returns the same job.
   */
  create(job: StoredJob, busy: ErrorCode, also?: TransactItem[]): Promise<StoredJob>;
  /** Claims the job for a worker; undefined if it has ended or another worker holds it. */
  claim(job: StoredJob, now: Date): Promise<StoredJob | undefined>;
  /** Undefined if the worker no longer holds the job. */
  extendLease(job: StoredJob, now: Date, progress: JobProgress | null): Promise<StoredJob | undefined>;
  /** A condition for transactions that require the worker to hold the job. */
  fence(job: StoredJob): TransactItem;
  /** Returns the job to the queue after a failure that may pass. Returns false if the worker no longer held it. */
  release(job: StoredJob, now: Date): Promise<boolean>;
  /**
   * Returns the job to the queue for the rest of its work, which is no failure. Returns false if the worker no longer
   * held it.
   */
  handOn(job: StoredJob, now: Date): Promise<boolean>;
  /** Returns false if the job has changed since it was read, so that only one of two endings takes effect. */
  end(job: StoredJob, ending: Ending, now: Date, also?: TransactItem[]): Promise<boolean>;
  /** Returns false if the job is not running. */
  requestCancel(job: StoredJob, now: Date): Promise<boolean>;
  /** The number of queued and running jobs of a kind in a workspace. */
  active(workspaceId: string, kind: JobKind): Promise<number>;
  /** Removes a finished job. */
  remove(job: StoredJob): Promise<void>;
}

export function jobRepository(table: Table): JobRepository {
  const jobs = collection<StoredJob>(table, {
    entity: 'job',
    parent: ({ kind, subjectId }) => jobList(kind, subjectId),
    isHistory: true,
    attributes: ({ id, createdAt }) => ({
      due: checkShard(id),
      dueAt: new Date(Date.parse(createdAt) + ANNOUNCE_AGAIN_MS).toISOString(),
    }),
  });
  const keyOf = (job: StoredJob) => jobs.key(job.workspaceId, job.id);
  const asRead = (job: StoredJob) => ({ equals: { status: job.status, attempt: job.attempt } });

  async function change(job: StoredJob, set: Record<string, unknown>, remove: readonly string[] = []) {
    try {
      const reply = await table.db.send(
        new UpdateCommand({
          ...updateOf(table, keyOf(job), { set, remove }, asRead(job)),
          ReturnValues: 'ALL_NEW',
        }),
      );
      return toRecord<StoredJob>(reply.Attributes!);
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return undefined;
      throw error;
    }
  }

  async function requeue(job: StoredJob, now: Date, set: Partial<StoredJob> = {}): Promise<boolean> {
    const dueAt = new Date(now.getTime() + ANNOUNCE_AGAIN_MS).toISOString();
    const queued = { status: 'queued', updatedAt: now.toISOString(), dueAt, ...set };
    return (await change(job, queued, ['leaseUntil'])) !== undefined;
  }

  return {
    key: jobs.key,
    get: jobs.get,
    getMany: jobs.getMany,
    list: jobs.list,

    async create(job, busy, also = []) {
      const claimSubject: TransactItem = {
        Put: {
          TableName: table.name,
          Item: { ...activeKey(job), entity: 'active-job', jobId: job.id },
          ConditionExpression: 'attribute_not_exists(pk)',
        },
      };
      try {
        return await jobs.create(job, [claimSubject, ...also]);
      } catch (cause) {
        // The claim follows the record and the list's total.
        if (failedConditions(cause).has(2)) throw new AppError(busy, { cause });
        throw cause;
      }
    },

    async claim(job, now) {
      const free = job.status === 'queued' || (job.status === 'running' && !isLeased(job, now));
      if (!free) return undefined;
      const leaseUntil = new Date(now.getTime() + LEASE_MS).toISOString();
      return change(job, {
        status: 'running',
        attempt: job.attempt + 1,
        startedAt: job.startedAt ?? now.toISOString(),
        updatedAt: now.toISOString(),
        leaseUntil,
        dueAt: leaseUntil,
      });
    },

    extendLease(job, now, progress) {
      const leaseUntil = new Date(now.getTime() + LEASE_MS).toISOString();
      return change(job, { leaseUntil, dueAt: leaseUntil, progress, updatedAt: now.toISOString() });
    },

    fence: (job) => {
      const { TableName, Key, ConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues } = updateOf(
        table,
        keyOf(job),
        {},
        asRead(job),
      );
      return {
        ConditionCheck: {
          TableName,
          Key,
          ConditionExpression: ConditionExpression!,
          ExpressionAttributeNames,
          ExpressionAttributeValues,
        },
      };
    },

    release: (job, now) => requeue(job, now),

    handOn: (job, now) => requeue(job, now, { continuedAttempt: job.attempt }),

    async end(job, ending, now, also = []) {
      const finishedAt = now.toISOString();
      const dueAt = new Date(now.getTime() + RETENTION_MS[job.kind]).toISOString();
      const set = { ...ending, finishedAt, updatedAt: finishedAt, dueAt };
      try {
        await transact(table, [
          { Update: updateOf(table, keyOf(job), { set, remove: ['leaseUntil'] }, asRead(job)) },
          { Delete: { TableName: table.name, Key: activeKey(job) } },
          ...also,
        ]);
        return true;
      } catch (error) {
        if (failedConditions(error).has(0)) return false;
        throw error;
      }
    },

    async requestCancel(job, now) {
      if (job.status !== 'running') return false;
      return (await change(job, { cancelRequestedAt: now.toISOString(), updatedAt: now.toISOString() })) !== undefined;
    },

    async active(workspaceId, kind) {
      const { pk } = activeKey({ workspaceId, kind, subjectId: '' });
      const found = await table.db.send(
        new QueryCommand({
          TableName: table.name,
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :kind)',
          ExpressionAttributeValues: { ':pk': pk, ':kind': `${kind}#` },
          Select: 'COUNT',
          ConsistentRead: true,
        }),
      );
      return found.Count ?? 0;
    },

    remove: (job) => jobs.remove(job, 'STALE_WRITE'),
  };
}

export function isLeased(job: StoredJob, now: Date): boolean {
  return job.leaseUntil !== undefined && Date.parse(job.leaseUntil) > now.getTime();
}
