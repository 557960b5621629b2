import { createHash } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { AppError } from '../errors/app-error.ts';
import { workspaceKey } from '../storage/keys.ts';
import type { Table } from '../storage/table.ts';
import type { HttpReply } from './problem.ts';

const KEPT_SECONDS = 24 * 60 * 60;
/** A first request that died is given up after this long, and its repetition goes ahead with the same new id. */
const LEASE_MS = 30_000;

export interface IdempotentRequest {
  workspaceId: string;
  credentialId: string;
  operationId: string;
  key: string;
  /** Everything that makes two requests the same: path, query and body as received. */
  content: string;
}

/**
 * Runs a request at most once per key. The item is written before the work with the id that the work will use, so that
 * a repetition after a crash creates the same thing rather than a second one. Failures are not remembered: a refused
 * request may be corrected and sent again under its key.
 */
export async function once(
  table: Table,
  request: IdempotentRequest,
  context: { now: Date; newId: string },
  work: (newId: string) => Promise<HttpReply>,
): Promise<HttpReply> {
  const key = workspaceKey(
    request.workspaceId,
    'IDEMPOTENCY',
    `${request.credentialId}#${request.operationId}#${request.key}`,
  );
  const digest = createHash('sha256').update(request.content).digest('hex');
  const now = context.now.getTime();
  const claim = {
    ...key,
    entity: 'idempotency',
    digest,
    newId: context.newId,
    leaseUntil: now + LEASE_MS,
    expiresAt: Math.floor(now / 1000) + KEPT_SECONDS,
  };

  let newId = context.newId;
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
    if (earlier.digest !== digest) throw new AppError('IDEMPOTENCY_KEY_REUSED', { cause });
    if (earlier.reply)
      return { ...earlier.reply, headers: { ...earlier.reply.headers, 'idempotency-replayed': 'true' } };
    await takeOver(table, key, earlier.leaseUntil, now);
    newId = earlier.newId;
  }

  let reply: HttpReply;
  try {
    reply = await work(newId);
  } catch (error) {
    await table.db.send(new DeleteCommand({ TableName: table.name, Key: key }));
    throw error;
  }
  await table.db.send(
    new UpdateCommand({
      TableName: table.name,
      Key: key,
      UpdateExpression: 'SET reply = :reply',
      ExpressionAttributeValues: { ':reply': reply },
    }),
  );
  return reply;
}

async function takeOver(table: Table, key: { pk: string; sk: string }, seen: number, now: number): Promise<void> {
  if (seen > now) {
    throw new AppError('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: Math.ceil((seen - now) / 1000) });
  }
  try {
    await table.db.send(
      new UpdateCommand({
        TableName: table.name,
        Key: key,
        UpdateExpression: 'SET leaseUntil = :next',
        ConditionExpression: 'leaseUntil = :seen',
        ExpressionAttributeValues: { ':next': now + LEASE_MS, ':seen': seen },
      }),
    );
  } catch (cause) {
    if (cause instanceof ConditionalCheckFailedException) throw new AppError('IDEMPOTENCY_IN_PROGRESS', { cause });
    throw cause;
  }
}

interface Claim {
  digest: string;
  newId: string;
  leaseUntil: number;
  reply?: HttpReply;
}

function storedClaim(cause: unknown): Claim {
  if (!(cause instanceof ConditionalCheckFailedException) || !cause.Item) throw cause;
  // The document client converts replies, but not what an exception carries.
  return unmarshall(cause.Item) as Claim;
}
