import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { SYSTEM } from '../../../platform/audit/act.ts';
import { holdsAudited } from '../../../platform/audit/entry.ts';
import { ifHolds } from '../../../platform/storage/if-holds.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import { actOf, readUser, sessionKey, type UserRecord } from '../../tenancy/workspaces/index.ts';
import type { Session } from './session-store.ts';

/** What the continuation of a sign-in changes. */
export type Rotation = Pick<
  Session,
  'refreshDigest' | 'isInCookie' | 'workspaceId' | 'membershipId' | 'expiresAt' | 'lastUsedAt'
>;

/** Why a sign-in ends, as an act of the audit log. */
export type SessionEnd = 'user.signed_out' | 'session.ended' | 'session.token_reused';

export interface SessionChain {
  user(id: string): Promise<UserRecord | undefined>;
  session(userId: string, sessionId: string): Promise<Session | undefined>;
  /** Returns false if another request has rotated the token in between. */
  rotate(session: Session, next: Rotation): Promise<boolean>;
  /** Ends a sign-in; `reason` is its act in the audit log. Ending one that has ended changes nothing. */
  revoke(session: Pick<Session, 'id' | 'userId' | 'workspaceId'>, reason: SessionEnd, at: Date): Promise<void>;
}

/** How sign-ins go on and end. */
export const sessionChain = (table: Table): SessionChain => ({
  user: (id) => readUser(table, id),

  async session(userId, sessionId) {
    const Key = sessionKey(userId, sessionId);
    const { Item } = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
    return Item as Session | undefined;
  },

  rotate(session, next) {
    const remove = (['membershipId', 'isInCookie'] as const).filter((name) => next[name] === undefined);
    const change = { set: next, ...(remove.length > 0 ? { remove } : {}) };
    const seen = { equals: { refreshDigest: session.refreshDigest }, absent: ['revokedAt'] };
    return ifHolds(
      table.db.send(new UpdateCommand(updateOf(table, sessionKey(session.userId, session.id), change, seen))),
    );
  },

  async revoke({ userId, id, workspaceId }, reason, at) {
    const change = { set: { revokedAt: at.toISOString() } };
    const open = { exists: ['pk'], absent: ['revokedAt'] };
    const user = await readUser(table, userId);
    if (!user) return;
    const act = actOf(user, workspaceId);
    // The holder of a stolen token is unknown.
    const actor = reason === 'session.token_reused' ? SYSTEM : act.actor;
    await holdsAudited(
      table,
      { Update: updateOf(table, sessionKey(userId, id), change, open) },
      { ...act, actor, action: reason, before: { sessionId: id } },
    );
  },
});
