import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { idAt, idFrom } from '../../../platform/storage/ids.ts';
import { ifHolds } from '../../../platform/storage/if-holds.ts';
import { type Key, workspaceKey } from '../../../platform/storage/keys.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import { type DeliveryKind, deliveryPartition } from './kind.ts';
import type { DeliveryPlace, MailEnding, MailPlace, RunPlace, StoredMail, StoredRun } from './records.ts';

/** Longer than a worker takes to send mails, and shorter than until a message of a crashed one comes again. */
const CLAIM_MS = 60_000;
/** No worker of a run lives longer. */
const LEASE_MS = 5 * 60_000;
const RETENTION_SECONDS = 90 * 24 * 60 * 60;

export type Ending = { status: 'sent' | 'failed'; reason: null } | { status: 'skipped'; reason: string };

/**
 * The runs of deliveries, each with a mail for each recipient. Every write happens once, however often it is repeated.
 */
export interface DeliveryRuns<Mail extends StoredMail = StoredMail> {
  /**
   * Until the run has ended, the minute tick continues it from `continueAt` on. Returns false if it was stored before.
   */
  create(place: DeliveryPlace, run: StoredRun, continueAt: Date, also?: TransactItem[]): Promise<boolean>;
  /** Fails if another run has been created by a request that saw the same runs. */
  turnAfter(place: DeliveryPlace, seenIds: readonly string[], at: Date): TransactItem;
  get(place: RunPlace): Promise<StoredRun | undefined>;
  /**
   * Claims the run for one worker, which releases it by the lease that is returned; the tick continues the run from
   * `continueAt` on. Undefined if the run has ended, or another worker has it.
   */
  claim(place: RunPlace, at: Date, continueAt: Date): Promise<string | undefined>;
  release(place: RunPlace, lease: string): Promise<void>;
  /** The newest runs. */
  list(place: DeliveryPlace, limit: number): Promise<StoredRun[]>;
  /** Returns false if the run had ended before; `also` is not written then. */
  end(place: RunPlace, ending: Ending, at: Date, also: TransactItem[]): Promise<boolean>;
  mails(place: RunPlace): Promise<Mail[]>;
  mail(place: MailPlace): Promise<Mail | undefined>;
  /** The mail, if it is to be sent and no other worker sends it at the moment. Counts the attempt. */
  claimMail(place: MailPlace, at: Date): Promise<Mail | undefined>;
  /** Returns false if the recipient has a mail of the run already; `also` is not written then. */
  createMail(place: RunPlace, mail: Mail, at: Date, also?: TransactItem[]): Promise<boolean>;
  /** A mail that was sent, or is not to be sent any more. */
  endMail(place: MailPlace, ending: MailEnding): Promise<void>;
  /** A mail that is sent again from an instant on, if the attempt is still the newest. */
  postponeMail(
    place: MailPlace,
    seen: Pick<StoredMail, 'attempts'>,
    until: Date,
    failure: Pick<StoredMail, 'lastError' | 'responseStatus'>,
  ): Promise<void>;
}

/** One run for each instant of the schedule; its id begins with the instant. */
export const scheduledRunId = ({ name }: DeliveryKind, deliveryId: string, at: Date): string =>
  idAt(at, `${name}-run`, deliveryId);

/** All runs and mails of a delivery. */
export const deliveryArea = (
  { area }: Pick<DeliveryKind, 'area'>,
  { workspaceId, deliveryId }: DeliveryPlace,
  sk = '',
): Key => workspaceKey(workspaceId, `${area}#${deliveryId}`, sk);

export function deliveryRuns<Mail extends StoredMail>(
  table: Table,
  kind: Pick<DeliveryKind, 'name' | 'area'>,
): DeliveryRuns<Mail> {
  const runKey = (place: RunPlace): Key => deliveryArea(kind, place, `RUN#${place.runId}`);
  const mailKey = (place: RunPlace, userId: string): Key => deliveryArea(kind, place, `MAIL#${place.runId}#${userId}`);

  const read = async <T>(Key: Key) => {
    const found = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
    return found.Item && toRecord<T>(found.Item);
  };
  const createOnce = async (content: object, at: Date, also: TransactItem[] = []) => {
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

  return {
    create(place, run, continueAt, also) {
      const due = { due: deliveryPartition(kind, place.deliveryId), dueAt: continueAt.toISOString() };
      const key = runKey({ ...place, runId: run.id });
      const item = { ...run, ...(run.status === 'queued' ? due : {}), ...key, entity: `${kind.name}-run` };
      return createOnce(item, new Date(run.createdAt), also);
    },
    turnAfter(place, seenIds, at) {
      const Item = {
        ...deliveryArea(kind, place, `TURN#${idFrom('turn', ...seenIds)}`),
        entity: `${kind.name}-turn`,
        expiresAt: Math.floor(at.getTime() / 1000) + RETENTION_SECONDS,
      };
      return { Put: { TableName: table.name, Item, ConditionExpression: 'attribute_not_exists(pk)' } };
    },
    get: (place) => read<StoredRun>(runKey(place)),
    async claim(place, at, continueAt) {
      const lease = new Date(at.getTime() + LEASE_MS).toISOString();
      const write = new UpdateCommand({
        TableName: table.name,
        Key: runKey(place),
        UpdateExpression: 'SET leasedUntil = :lease, dueAt = :continueAt',
        ConditionExpression: '#status = :queued AND (attribute_not_exists(leasedUntil) OR leasedUntil <= :at)',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':lease': lease,
          ':continueAt': continueAt.toISOString(),
          ':at': at.toISOString(),
          ':queued': 'queued',
        },
      });
      return (await ifHolds(table.db.send(write))) ? lease : undefined;
    },
    async release(place, lease) {
      const write = updateOf(table, runKey(place), { remove: ['leasedUntil'] }, { equals: { leasedUntil: lease } });
      await ifHolds(table.db.send(new UpdateCommand(write)));
    },
    list: (place, limit) =>
      Array.fromAsync(
        itemsBelow(table, deliveryArea(kind, place, 'RUN#'), { newestFirst: true, atMost: limit }),
        (item) => toRecord<StoredRun>(item),
      ),

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
      Array.fromAsync(itemsBelow(table, deliveryArea(kind, place, `MAIL#${place.runId}#`)), (item) =>
        toRecord<Mail>(item),
      ),
    mail: (place) => read<Mail>(mailKey(place, place.userId)),
    async claimMail(place, at) {
      const write = new UpdateCommand({
        TableName: table.name,
        Key: mailKey(place, place.userId),
        UpdateExpression: 'SET claimedUntil = :until ADD attempts :one',
        ConditionExpression: '#status = :queued AND (attribute_not_exists(claimedUntil) OR claimedUntil <= :at)',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':one': 1,
          ':until': new Date(at.getTime() + CLAIM_MS).toISOString(),
          ':at': at.toISOString(),
          ':queued': 'queued',
        },
      });
      return (await ifHolds(table.db.send(write))) ? read<Mail>(mailKey(place, place.userId)) : undefined;
    },
    createMail: (place, mail, at, also) =>
      createOnce({ ...mail, ...mailKey(place, mail.userId), entity: `${kind.name}-mail` }, at, also),
    async endMail(place, ending) {
      const change = { set: { ...ending }, remove: ['content', 'claimedUntil'] };
      const write = updateOf(table, mailKey(place, place.userId), change, { equals: { status: 'queued' } });
      await ifHolds(table.db.send(new UpdateCommand(write)));
    },
    async postponeMail(place, { attempts }, until, failure) {
      const change = { set: { ...failure, claimedUntil: until.toISOString() } };
      const write = updateOf(table, mailKey(place, place.userId), change, { equals: { status: 'queued', attempts } });
      await ifHolds(table.db.send(new UpdateCommand(write)));
    },
  };
}
