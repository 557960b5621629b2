import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { emailKey, sessionKey, type UserRecord, userRecordKey } from '../../shared/domains/workspaces/index.ts';
import type { Role } from '../../shared/platform/auth/permissions.ts';
import { toRecord } from '../../shared/platform/storage/collection.ts';
import { userKey } from '../../shared/platform/storage/keys.ts';
import type { Table } from '../../shared/platform/storage/table.ts';
import { updateOf } from '../../shared/platform/storage/update.ts';

export interface Membership {
  workspaceId: string;
  workspaceName: string;
  role: Role;
  joinedAt: string;
  /** Absent where the membership is from before there were ids. */
  membershipId?: string;
}

/** A sign-in, continued by a chain of refresh tokens. */
export interface Session {
  id: string;
  userId: string;
  workspaceId: string;
  /** The membership under which the latest tokens were issued; absent if the membership has no id. */
  membershipId?: string | undefined;
  /** Digest of the only valid refresh token. */
  refreshDigest: string;
  /** Digest of what all refresh tokens of the sign-in share; absent while it has one from before there were families. */
  familyDigest?: string;
  /** Digest of that earlier token once it was exchanged. */
  replacedDigest?: string;
  createdAt: string;
  revokedAt?: string;
  /** Seconds since the epoch; DynamoDB removes the item afterwards. */
  expiresAt: number;
}

/** What a refresh changes. */
export type Rotation = Pick<
  Session,
  'refreshDigest' | 'familyDigest' | 'replacedDigest' | 'workspaceId' | 'membershipId' | 'expiresAt'
>;

export interface AuthRepository {
  userByEmail(email: string): Promise<UserRecord | undefined>;
  user(id: string): Promise<UserRecord | undefined>;
  /** In the order in which the workspaces were joined. */
  memberships(userId: string): Promise<Membership[]>;
  createSession(session: Session): Promise<void>;
  session(userId: string, sessionId: string): Promise<Session | undefined>;
  /** Returns false if another request has rotated the token in between. */
  rotate(session: Session, next: Rotation): Promise<boolean>;
  revoke(userId: string, sessionId: string, at: Date): Promise<void>;
}

export function authRepository(table: Table): AuthRepository {
  const read = async (key: { pk: string; sk: string }) =>
    (await table.db.send(new GetCommand({ TableName: table.name, Key: key, ConsistentRead: true }))).Item;

  const repository: AuthRepository = {
    async userByEmail(email) {
      const sentinel = await read(emailKey(email));
      // An unknown email takes as many reads as a known one.
      return repository.user((sentinel?.owner as string | undefined) ?? 'none');
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
        const change = { set: next, ...(next.membershipId === undefined ? { remove: ['membershipId'] } : {}) };
        const seen = { equals: { refreshDigest: session.refreshDigest }, absent: ['revokedAt'] };
        await table.db.send(new UpdateCommand(updateOf(table, sessionKey(session.userId, session.id), change, seen)));
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
  };
  return repository;
}
