import { createHmac } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { MasterSecret } from '../crypto/master-secret.ts';
import type { SecretBox } from '../crypto/secret-box.ts';
import { AppError } from '../errors/app-error.ts';
import { type Key, workspaceKey } from '../storage/keys.ts';
import { fromAttributes, type Table } from '../storage/table.ts';
import { updateOf } from '../storage/update.ts';
import { type HttpReply, statusOf } from './problem.ts';

const RETENTION_SECONDS = 24 * 60 * 60;
/** Between the time limit of a function and its certain end. */
const GRACE_MS = 1_000;
/** Leaves room for the other attributes of the item. */
const MAX_REPLY_BYTES = 380 * 1024;

export interface IdempotentRequest {
  workspaceId: string;
  credentialId: string;
  operationId: string;
  key: string;
  /** Path, query and body as received; two requests with the same content are the same. */
  content: string;
}

export interface IdempotencyContext {
  now: Date;
  newId: string;
  /** How long the function that does the work may still run. */
  remainingMs: number;
}

/** `once` bound to its table. */
export type Once = (
  request: IdempotentRequest,
  context: IdempotencyContext,
  work: (newId: string) => Promise<HttpReply>,
) => Promise<HttpReply>;

/**
 * Runs a request at most once per key. Before the work, the item is stored with the id that the work will use and with
 * the time until which its function may run. A repeated request waits for that time, then continues with the same id,
 * so that it finds what was created instead of creating it twice. A rejection (4xx) is not stored, so the request may
 * be corrected and sent again under its key. A failure (5xx) may have had effects, so its key keeps the id. Replies are
 * stored encrypted, because they may contain an API key or the URL of an upload.
 */
export async function once(
  { table, secrets, master }: { table: Table; secrets: SecretBox; master: MasterSecret },
  request: IdempotentRequest,
  context: IdempotencyContext,
  work: (newId: string) => Promise<HttpReply>,
): Promise<HttpReply> {
  const key = workspaceKey(
    request.workspaceId,
    'IDEMPOTENCY',
    `${request.credentialId}#${request.operationId}#${request.key}`,
  );
  const digest = await digestOf(master, request.content);
  const now = context.now.getTime();
  const leaseUntil = now + context.remainingMs + GRACE_MS;
  const claim = {
    ...key,
    entity: 'idempotency',
    digest,
    newId: context.newId,
    leaseUntil,
    expiresAt: Math.floor(now / 1000) + RETENTION_SECONDS,
  };

  let own: HeldClaim = { key, newId: context.newId, leaseUntil, isFirst: true };
  try {
    await table.db.send(
      new PutCommand({
        TableName: table.name,
        Item: claim,
        ConditionExpression: 'attribute_not_exists(pk) OR expiresAt <= :now',
        ExpressionAttributeValues: { ':now': Math.floor(now / 1000) },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
  } catch (cause) {
    const earlier = storedClaim(cause);
    if (!(await isSame(master, earlier.digest, request.content)))
      throw new AppError('IDEMPOTENCY_KEY_REUSED', { cause });
    const reply = await replyOf(earlier, secrets, request.workspaceId);
    if (reply) return { ...reply, headers: { ...reply.headers, 'idempotency-replayed': 'true' } };
    // If the ids are equal, this request wrote the item: the SDK lost the response and repeated the write.
    if (earlier.newId !== context.newId) {
      own = { key, newId: earlier.newId, leaseUntil, isFirst: false };
      await takeOver(table, own, earlier.leaseUntil, now);
    }
  }

  let reply: HttpReply;
  try {
    reply = await work(own.newId);
  } catch (error) {
    if (own.isFirst && isRejection(error)) await removeClaim(table, own);
    else await changeClaim(table, own, { leaseUntil: 0 });
    throw error;
  }
  const sealedReply = await secrets.seal(request.workspaceId, JSON.stringify(reply));
  // A reply that is too large to store is computed again for a repeated request, from what the first one created.
  await changeClaim(table, own, sealedReply.length <= MAX_REPLY_BYTES ? { sealedReply } : { leaseUntil: 0 });
  return reply;
}

/** `v<version>.<HMAC>`: contents may have passwords, which a hash without a key would let guess. */
async function digestOf(master: MasterSecret, content: string, version?: number): Promise<string> {
  const derived = await master.derive('idempotency', version);
  return `v${derived.version}.${createHmac('sha256', derived.key).update(content).digest('hex')}`;
}

/** The master secret may have got another version since the digest was stored. */
async function isSame(master: MasterSecret, digest: string, content: string): Promise<boolean> {
  const version = Number(/^v(\d+)\./.exec(digest)![1]);
  return digest === (await digestOf(master, content, version));
}

/** A claim held by this request. Another request that takes it over changes the lease. */
interface HeldClaim {
  key: Key;
  newId: string;
  leaseUntil: number;
  /** Whether no earlier request has worked under this key. */
  isFirst: boolean;
}

async function takeOver(table: Table, own: HeldClaim, seen: number, now: number): Promise<void> {
  if (seen > now) throw new AppError('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: (seen - now) / 1000 });
  const isTaken = await changeClaim(table, { ...own, leaseUntil: seen }, { leaseUntil: own.leaseUntil });
  if (!isTaken) throw new AppError('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 });
}

/** Whether the request was rejected without effects. */
function isRejection(error: unknown): boolean {
  return error instanceof AppError && statusOf(error.code) < 500;
}

/** Returns whether this request still held the claim. */
function changeClaim(
  table: Table,
  own: HeldClaim,
  set: Partial<Pick<Claim, 'leaseUntil' | 'sealedReply'>>,
): Promise<boolean> {
  const condition = { equals: { newId: own.newId, leaseUntil: own.leaseUntil } };
  return unlessTakenOver(table.db.send(new UpdateCommand(updateOf(table, own.key, { set }, condition))));
}

async function removeClaim(table: Table, { key, newId, leaseUntil }: HeldClaim): Promise<void> {
  const command = new DeleteCommand({
    TableName: table.name,
    Key: key,
    ConditionExpression: 'newId = :newId AND leaseUntil = :leaseUntil',
    ExpressionAttributeValues: { ':newId': newId, ':leaseUntil': leaseUntil },
  });
  await unlessTakenOver(table.db.send(command));
}

async function unlessTakenOver(sent: Promise<unknown>): Promise<boolean> {
  try {
    await sent;
    return true;
  } catch (cause) {
    if (cause instanceof ConditionalCheckFailedException) return false;
    throw cause;
  }
}

interface Claim {
  digest: string;
  newId: string;
  leaseUntil: number;
  sealedReply?: string;
}

async function replyOf(claim: Claim, secrets: SecretBox, workspaceId: string): Promise<HttpReply | undefined> {
  const { sealedReply } = claim;
  return sealedReply === undefined
    ? undefined
    : (JSON.parse(await secrets.open(workspaceId, sealedReply)) as HttpReply);
}

function storedClaim(cause: unknown): Claim {
  if (!(cause instanceof ConditionalCheckFailedException) || !cause.Item) throw cause;
  // The document client converts replies, but not the items that exceptions carry.
  return fromAttributes(cause.Item) as unknown as Claim;
}
