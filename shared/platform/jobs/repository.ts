import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { AppError } from '../errors/app-error.ts';
import type { ErrorCode } from '../errors/catalogue.ts';
import { type Collection, collection, failedConditions, toRecord } from '../storage/collection.ts';
import { type Key, workspaceKey } from '../storage/keys.ts';
import type { Table, TransactItem } from '../storage/table.ts';
import { transact } from '../storage/transact.ts';
import { updateOf } from '../storage/update.ts';
import type { JobError, JobKind, JobProgress, StoredJob } from './record.ts';

/** A worker that has not been heard of for so long is given up. */
export const LEASE_MS = 45_000;
/** A queued job that nobody has taken up after this long is announced once more. */
const FORGOTTEN_MS = 60_000;

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long a finished job can be looked at. */
const KEPT_MS: Record<JobKind, number> = { dataset_refresh: 365 * DAY_MS, source_sync: 90 * DAY_MS, query: DAY_MS };

export const JOB_CARE_SHARDS = 4;
/** Partition of the due index in which a job lies: while active to be looked after, afterwards to be removed. */
const checkShard = (id: string) => `job-care#${Number.parseInt(id.slice(-2), 16) % JOB_CARE_SHARDS}`;

/** Exists while a job works on the subject. */
const activeKey = (job: Pick<StoredJob, 'workspaceId' | 'kind' | 'subjectId'>): Key =>
  workspaceKey(job.workspaceId, 'ACTIVE-JOB', `${job.kind}#${job.subjectId}`);

/** The jobs of one subject are a list, the newest first. */
export const jobList = (kind: JobKind, subjectId: string): string => `${kind}#${subjectId}`;

export type Ending =
  | { status: 'succeeded'; result: Record<string, unknown> }
  | { status: 'failed'; error: JobError }
  | { status: 'cancelled' };

export interface JobRepository extends Pick<Collection<StoredJob>, 'get' | 'getMany' | 'list' | 'key'> {
  /** Throws `busy` while another job works on the subject. The same id twice is one job. */
  create(job: StoredJob, busy: ErrorCode, also?: TransactItem[]): Promise<StoredJob>;
  /** The job for the caller to work on, or undefined when it is over or somebody else's. */
  claim(job: StoredJob, now: Date): Promise<StoredJob | undefined>;
  /** Undefined when the job is not the worker's any more. */
  prolong(job: StoredJob, now: Date, progress: JobProgress | null): Promise<StoredJob | undefined>;
  /** For a transaction that may only happen while the job is still the worker's. */
  held(job: StoredJob): TransactItem;
  /** Back into the queue after a failure that another attempt may not meet. Answers whether it was the worker's to give. */
  release(job: StoredJob, now: Date): Promise<boolean>;
  /** Answers whether it was still as it was read; the second of two endings changes nothing. */
  end(job: StoredJob, ending: Ending, now: Date, also?: TransactItem[]): Promise<boolean>;
  /** Answers false when the job was over already. */
  requestCancel(job: StoredJob, now: Date): Promise<boolean>;
  /** How many jobs of a kind wait or run in a workspace. */
  active(workspaceId: string, kind: JobKind): Promise<number>;
  /** Removes a finished job. */
  remove(job: StoredJob): Promise<void>;
}

export function jobRepository(table: Table): JobRepository {
  const jobs = collection<StoredJob>(table, {
    entity: 'job',
    parent: ({ kind, subjectId }) => jobList(kind, subjectId),
    attributes: ({ id, createdAt }) => ({
      due: checkShard(id),
      dueAt: new Date(Date.parse(createdAt) + FORGOTTEN_MS).toISOString(),
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
        // After the record and the list's total.
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

    prolong(job, now, progress) {
      const leaseUntil = new Date(now.getTime() + LEASE_MS).toISOString();
      return change(job, { leaseUntil, dueAt: leaseUntil, progress, updatedAt: now.toISOString() });
    },

    held: (job) => {
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

    async release(job, now) {
      const dueAt = new Date(now.getTime() + FORGOTTEN_MS).toISOString();
      return (
        (await change(job, { status: 'queued', updatedAt: now.toISOString(), dueAt }, ['leaseUntil'])) !== undefined
      );
    },

    async end(job, ending, now, also = []) {
      const finishedAt = now.toISOString();
      const dueAt = new Date(now.getTime() + KEPT_MS[job.kind]).toISOString();
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
