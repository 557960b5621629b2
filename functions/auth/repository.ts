import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { emailKey, sessionKey, type UserRecord, userRecordKey } from '../../shared/domains/workspaces/index.ts';
import type { Role } from '../../shared/platform/auth/permissions.ts';
import { toRecord } from '../../shared/platform/storage/collection.ts';
import { uniqueKey, userKey } from '../../shared/platform/storage/keys.ts';
import type { Table } from '../../shared/platform/storage/table.ts';

export interface Membership {
  workspaceId: string;
  workspaceName: string;
  role: Role;
  joinedAt: string;
}

/** A sign-in, continued by a chain of refresh tokens. */
export interface Session {
  id: string;
  userId: string;
  workspaceId: string;
  /** Digest of the only valid refresh token. */
  refreshDigest: string;
  createdAt: string;
  revokedAt?: string;
  /** Seconds since the epoch; DynamoDB removes the item afterwards. */
  expiresAt: number;
}

/** A period in which attempts are counted together, in seconds since the epoch. */
export interface Window {
  start: number;
  end: number;
}

export interface AuthRepository {
  userByEmail(email: string): Promise<UserRecord | undefined>;
  user(id: string): Promise<UserRecord | undefined>;
  /** In the order in which the workspaces were joined. */
  memberships(userId: string): Promise<Membership[]>;
  createSession(session: Session): Promise<void>;
  session(userId: string, sessionId: string): Promise<Session | undefined>;
  /** Returns false if another request has rotated the token in between. */
  rotate(session: Session, next: { refreshDigest: string; workspaceId: string; expiresAt: number }): Promise<boolean>;
  revoke(userId: string, sessionId: string, at: Date): Promise<void>;
  /**
   * Counts an attempt to sign in to an account from an address, and returns the number of attempts in the window.
   * Counting precedes the password check, so that concurrent attempts count like consecutive ones.
   */
  countAttempt(email: string, sourceIp: string, window: Window): Promise<number>;
  /** Subtracts an attempt whose password was correct. */
  forgiveAttempt(email: string, sourceIp: string, window: Window): Promise<void>;
}

export function authRepository(table: Table): AuthRepository {
  const read = async (key: { pk: string; sk: string }) =>
    (await table.db.send(new GetCommand({ TableName: table.name, Key: key, ConsistentRead: true }))).Item;
  async function addAttempts(email: string, sourceIp: string, window: Window, by: 1 | -1): Promise<number> {
    const reply = await table.db.send(
      new UpdateCommand({
        TableName: table.name,
        Key: uniqueKey('SIGN-IN-ATTEMPTS', `${email} ${sourceIp} ${window.start}`),
        UpdateExpression: 'ADD attempts :by SET expiresAt = :end',
        ExpressionAttributeValues: { ':by': by, ':end': window.end },
        ReturnValues: 'UPDATED_NEW',
      }),
    );
    return reply.Attributes!.attempts as number;
  }

  const repository: AuthRepository = {
    async userByEmail(email) {
      const sentinel = await read(emailKey(email));
      return sentinel && repository.user(sentinel.owner as string);
    },

    async user(id) {
      const item = await read(userRecordKey(id));
      return item && toRecord<UserRecord>(item);
    },

    async memberships(userId) {
      const { pk, sk } = userKey(userId, 'WORKSPACE#');
      const reply = await table.db.send(
        new QueryCommand({
          TableName: table.name,
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
          ExpressionAttributeValues: { ':pk': pk, ':prefix': sk },
          ConsistentRead: true,
        }),
      );
      return (reply.Items ?? [])
        .map((item) => toRecord<Membership>(item))
        .sort((a, b) => a.joinedAt.localeCompare(b.joinedAt));
    },

    async createSession(session) {
      await table.db.send(
        new PutCommand({
          TableName: table.name,
          Item: { ...session, ...sessionKey(session.userId, session.id), entity: 'session' },
        }),
      );
    },

    async session(userId, sessionId) {
      return (await read(sessionKey(userId, sessionId))) as Session | undefined;
    },

    async rotate(session, next) {
      try {
        await table.db.send(
          new UpdateCommand({
            TableName: table.name,
            Key: sessionKey(session.userId, session.id),
            UpdateExpression: 'SET refreshDigest = :next, workspaceId = :workspace, expiresAt = :expires',
            ConditionExpression: 'refreshDigest = :seen AND attribute_not_exists(revokedAt)',
            ExpressionAttributeValues: {
              ':seen': session.refreshDigest,
              ':next': next.refreshDigest,
              ':workspace': next.workspaceId,
              ':expires': next.expiresAt,
            },
          }),
        );
        return true;
      } catch (cause) {
        if (cause instanceof ConditionalCheckFailedException) return false;
        throw cause;
      }
    },

    async revoke(userId, sessionId, at) {
      try {
        await table.db.send(
          new UpdateCommand({
            TableName: table.name,
            Key: sessionKey(userId, sessionId),
            UpdateExpression: 'SET revokedAt = :at',
            ConditionExpression: 'attribute_exists(pk)',
            ExpressionAttributeValues: { ':at': at.toISOString() },
          }),
        );
      } catch (cause) {
        if (!(cause instanceof ConditionalCheckFailedException)) throw cause;
      }
    },

    countAttempt: (email, sourceIp, window) => addAttempts(email, sourceIp, window, 1),

    async forgiveAttempt(email, sourceIp, window) {
      await addAttempts(email, sourceIp, window, -1);
    },
  };
  return repository;
}
