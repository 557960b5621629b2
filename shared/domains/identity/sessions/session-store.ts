import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { auditItems } from '../../../platform/audit/entry.ts';
import type { Role } from '../../../platform/auth/permissions.ts';
import { userKey } from '../../../platform/storage/keys.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import { readItems } from '../../../platform/storage/read-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import {
  actOf,
  membershipKey,
  sessionKey,
  type UserRecord,
  workspaceRecordKey,
} from '../../tenancy/workspaces/index.ts';
import { stillPasskey } from '../passkeys/index.ts';

export interface Membership {
  workspaceId: string;
  workspaceName: string;
  role: Role;
  joinedAt: string;
  membershipId: string;
}

/** A membership as a sign-in needs it; the name of its workspace would be another read. */
export type Joined = Omit<Membership, 'workspaceName'>;

/** How a user signed in, other than by password. */
export type SignInMethod = { kind: 'passkey'; passkeyId: string } | { kind: 'sso'; providerId: string };

/** What a person has proven beside the password. */
export type SecondFactorUse = 'app' | 'recoveryCode' | 'passkey';

/** A sign-in, continued by a chain of refresh tokens. */
export interface Session {
  id: string;
  userId: string;
  workspaceId: string;
  /** The membership under which the latest tokens were issued. */
  membershipId: string;
  /** Digest of the only valid refresh token. */
  refreshDigest: string;
  /** Digest of what all refresh tokens of the sign-in share. */
  familyDigest: string;
  /** Whether the latest token was issued into the cookie of a browser, which keeps it; other tokens work once. */
  isInCookie?: true;
  createdAt: string;
  /** When tokens were issued last. */
  lastUsedAt: string;
  /** The client's address and description at the sign-in. */
  sourceIp?: string;
  userAgent?: string;
  /** Absent for sign-ins by password. */
  method?: SignInMethod;
  /** The user's `signInEpoch` when the password was checked. */
  signInEpoch?: string | undefined;
  revokedAt?: string;
  /** Seconds since the epoch; DynamoDB removes the item afterwards. */
  expiresAt: number;
}

export interface SessionStore {
  /** In the order in which the workspaces were joined. */
  memberships(userId: string): Promise<Membership[]>;
  /** The membership in a workspace or, if none is named, in the one that was joined first. */
  membership(userId: string, workspaceId?: string): Promise<Joined | undefined>;
  /** Returns false if there is a session with this id, or the passkey that it was proven with is gone. */
  createSession(session: Session, user: UserRecord, secondFactor?: SecondFactorUse): Promise<boolean>;
}

export const sessionStore = (table: Table): SessionStore => ({
  async memberships(userId) {
    const found = await joinedBy(table, userId);
    const names = await workspaceNames(table, found);
    return found.map((membership) => ({
      ...membership,
      workspaceName: names.get(membership.workspaceId) ?? membership.workspaceName,
    }));
  },

  async membership(userId, workspaceId) {
    if (workspaceId === undefined) return (await joinedBy(table, userId))[0];
    const Key = membershipKey(userId, workspaceId);
    const { Item } = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
    return Item && toRecord<Membership>(Item);
  },

  async createSession(session, user, secondFactor) {
    const Put = {
      TableName: table.name,
      Item: { ...session, ...sessionKey(session.userId, session.id), entity: 'session' },
      ConditionExpression: 'attribute_not_exists(pk)',
    };
    const { method } = session;
    const used = method?.kind === 'passkey' ? [stillPasskey(table, user.id, method.passkeyId)] : [];
    const logged = await auditItems(table, {
      ...actOf(user, session.workspaceId),
      action: 'user.signed_in',
      after: {
        sessionId: session.id,
        secondFactor: secondFactor ?? null,
        ...(method ? { method: method.kind } : {}),
      },
    });
    try {
      await transact(table, [{ Put }, ...used, ...logged]);
      return true;
    } catch (cause) {
      if ([...failedConditions(cause)].some((index) => index <= used.length)) return false;
      throw cause;
    }
  },
});

/** In the order of joining, with the names that the workspaces had then. */
async function joinedBy(table: Table, userId: string): Promise<Membership[]> {
  const items = itemsBelow(table, userKey(userId, 'WORKSPACE#'));
  const found = await Array.fromAsync(items, (item) => toRecord<Membership>(item));
  return found.sort((a, b) => a.joinedAt.localeCompare(b.joinedAt));
}

/** Their present names; a membership keeps the name that the workspace had when the person joined. */
async function workspaceNames(table: Table, memberships: readonly Membership[]): Promise<Map<string, string>> {
  const keys = memberships.map(({ workspaceId }) => workspaceRecordKey(workspaceId));
  const found = keys.length > 0 ? await readItems(table, keys) : [];
  return new Map(found.map(({ id, name }) => [id as string, name as string]));
}
