import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { failedConditions, toRecord } from '../../platform/storage/collection.ts';
import { idAt } from '../../platform/storage/ids.ts';
import { ifHolds } from '../../platform/storage/if-holds.ts';
import { type Key, workspaceKey } from '../../platform/storage/keys.ts';
import { itemsBelow } from '../../platform/storage/query-items.ts';
import type { Table, TransactItem } from '../../platform/storage/table.ts';
import { transact } from '../../platform/storage/transact.ts';
import { updateOf } from '../../platform/storage/update.ts';
import type { StopReason, StoredMail, StoredRun } from './digest-records.ts';
import { digestPartition } from './digest-schedule.ts';

/** Longer than a worker takes to send mails, and shorter than until a message of a crashed one comes again. */
const CLAIM_MS = 60_000;
const RETENTION_SECONDS = 90 * 24 * 60 * 60;

export interface RunPlace {
  workspaceId: string;
  digestId: string;
  runId: string;
}

export type MailPlace = RunPlace & { userId: string };

export type Ending = { status: 'sent' | 'failed'; reason: null } | { status: 'skipped'; reason: StopReason };

/** The runs of digests, each with a mail for each recipient. Every write happens once, however often it is repeated. */
export interface DigestRuns {
  /** Until the run has ended, the minute tick continues it from `continueAt` on. Returns false if it was stored before. */
  create(run: StoredRun, continueAt: Date, also?: TransactItem[]): Promise<boolean>;
  get(place: RunPlace): Promise<StoredRun | undefined>;
  /** The newest runs. */
  list(digest: { workspaceId: string; digestId: string }, limit: number): Promise<StoredRun[]>;
  /** Returns false if the run had ended before; `also` is not written then. */
  end(place: RunPlace, ending: Ending, at: Date, also: TransactItem[]): Promise<boolean>;
  mails(place: RunPlace): Promise<StoredMail[]>;
  /** The mail, if it is to be sent and no other worker sends it at the moment. */
  claimMail(place: MailPlace, at: Date): Promise<StoredMail | undefined>;
  /** Returns false if the recipient has a mail of the run already. */
  createMail(mail: StoredMail, at: Date): Promise<boolean>;
  /** A mail that was sent, or is not to be sent any more. */
  endMail(place: MailPlace, ending: Pick<StoredMail, 'status' | 'reason' | 'sentAt'>): Promise<void>;
}

/** One run for each instant of the schedule; its id begins with the instant. */
export const scheduledRunId = (digestId: string, at: Date): string => idAt(at, 'digest-run', digestId);

const partition = ({ workspaceId, digestId }: { workspaceId: string; digestId: string }, sk: string): Key =>
  workspaceKey(workspaceId, `METRIC-DIGEST#${digestId}`, sk);
const runKey = (place: RunPlace): Key => partition(place, `RUN#${place.runId}`);
const mailKey = (place: RunPlace, userId: string): Key => partition(place, `MAIL#${place.runId}#${userId}`);

export function digestRuns(table: Table): DigestRuns {
  const read = async <T>(Key: Key) => {
    const found = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
    return found.Item && toRecord<T>(found.Item);
  };
  const createOnce = async (content: Record<string, unknown>, at: Date, also: TransactItem[] = []) => {
    const Item = { ...content, expiresAt: Math.floor(at.getTime() / 1000) + RETENTION_SECONDS };
    const Put = { TableName: table.name, Item, ConditionExpression: 'attribute_not_exists(pk)' };
    try {
      await transact(table, [{ Put }, ...also]);
      return true;
    } catch (cause) {
      if (failedConditions(cause).has(0)) return false;
      throw cause;
    }
  };
  const runOf = (item: Record<string, unknown>) => toRecord<StoredRun>(item);

  return {
    create(run, continueAt, also) {
      const { digestId, id: runId, workspaceId } = run;
      const isDue = run.status === 'queued' ? { due: digestPartition(digestId), dueAt: continueAt.toISOString() } : {};
      const key = runKey({ workspaceId, digestId, runId });
      return createOnce({ ...run, ...isDue, ...key, entity: 'digest-run' }, new Date(run.createdAt), also);
    },
    get: (place) => read<StoredRun>(runKey(place)),
    list: (digest, limit) =>
      Array.fromAsync(itemsBelow(table, partition(digest, 'RUN#'), { newestFirst: true, atMost: limit }), runOf),

    async end(place, { status, reason }, at, also) {
      const set = { status, reason, finishedAt: at.toISOString() };
      const change = { set, remove: ['due', 'dueAt'] };
      const Update = updateOf(table, runKey(place), change, { equals: { status: 'queued' } });
      try {
        await transact(table, [{ Update }, ...also]);
        return true;
      } catch (cause) {
        if (failedConditions(cause).has(0)) return false;
        throw cause;
      }
    },

    mails: (place) =>
      Array.fromAsync(itemsBelow(table, partition(place, `MAIL#${place.runId}#`)), (item) =>
        toRecord<StoredMail>(item),
      ),
    async claimMail(place, at) {
      const write = new UpdateCommand({
        TableName: table.name,
        Key: mailKey(place, place.userId),
        UpdateExpression: 'SET claimedUntil = :until',
        ConditionExpression: '#status = :queued AND (attribute_not_exists(claimedUntil) OR claimedUntil <= :at)',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':until': new Date(at.getTime() + CLAIM_MS).toISOString(),
          ':at': at.toISOString(),
          ':queued': 'queued',
        },
      });
      return (await ifHolds(table.db.send(write))) ? read<StoredMail>(mailKey(place, place.userId)) : undefined;
    },
    createMail: (mail, at) => createOnce({ ...mail, ...mailKey(mail, mail.userId), entity: 'digest-mail' }, at),
    async endMail(place, { status, reason, sentAt }) {
      const change = { set: { status, reason, sentAt }, remove: ['content'] };
      const write = updateOf(table, mailKey(place, place.userId), change, { equals: { status: 'queued' } });
      await ifHolds(table.db.send(new UpdateCommand(write)));
    },
  };
}
