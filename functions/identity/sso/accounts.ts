import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type SessionStore, sessionStore } from '../../../shared/domains/identity/sessions/index.ts';
import {
  actOf,
  mayHaveCredentialsOfOthers,
  memberObject,
  type NewMember,
  putMember,
  putUser,
  readUser,
  readUserByEmail,
  readWorkspace,
  stillAccount,
  takenOver,
  type UserRecord,
  userRecordKey,
  type WorkspaceRecord,
} from '../../../shared/domains/tenancy/workspaces/index.ts';
import { auditItems } from '../../../shared/platform/audit/entry.ts';
import { ifHolds } from '../../../shared/platform/storage/if-holds.ts';
import type { Table, TransactItem } from '../../../shared/platform/storage/table.ts';
import { failedConditions, transact } from '../../../shared/platform/storage/transact.ts';
import { updateOf } from '../../../shared/platform/storage/update.ts';

/** The accounts of people who sign in through identity providers. */
export interface Accounts extends SessionStore {
  user(id: string): Promise<UserRecord | undefined>;
  userByEmail(email: string): Promise<UserRecord | undefined>;
  workspace(id: string): Promise<WorkspaceRecord | undefined>;
  /** The account as its person takes it over at the first sign-on: without the credentials of others. */
  takenOver(user: UserRecord, now: Date): { user: UserRecord; items: TransactItem[] };
  /** Ends the change of the address, whose mailbox is the person's. Without effect if it has changed again. */
  proveAddress(user: UserRecord): Promise<void>;
  /**
   * Writes all or nothing. Returns false if an account, membership or identity came into being meanwhile, or the
   * account was deactivated or removed.
   */
  write(change: {
    user?: UserRecord;
    /** Whose membership or identity it is, if the account is not new. */
    account?: UserRecord;
    member?: NewMember;
    workspaceName?: string;
    also?: TransactItem[];
  }): Promise<boolean>;
}

export function accounts(table: Table): Accounts {
  return {
    ...sessionStore(table),
    user: (id) => readUser(table, id),
    userByEmail: (email) => readUserByEmail(table, email),
    workspace: (id) => readWorkspace(table, id),

    takenOver: (user, now) =>
      mayHaveCredentialsOfOthers(user) ? takenOver(table, user, { now }) : { user, items: [stillAccount(table, user)] },

    async proveAddress({ id, email }) {
      const change = { remove: ['addressChange'], revise: true } as const;
      await ifHolds(
        table.db.send(new UpdateCommand(updateOf(table, userRecordKey(id), change, { equals: { email } }))),
      );
    },

    async write({ user: person, account = person, member, workspaceName = '', also = [] }) {
      const items = [
        ...(person ? putUser(table, person) : account ? [stillAccount(table, account)] : []),
        ...(member ? putMember(table, member, workspaceName) : []),
        ...also,
        ...(account && member ? await auditItems(table, joinedAct(account, member)) : []),
      ];
      try {
        await transact(table, items);
        return true;
      } catch (cause) {
        if (failedConditions(cause).size > 0) return false;
        throw cause;
      }
    },
  };
}

const joinedAct = (user: UserRecord, member: NewMember) => ({
  ...actOf(user, member.workspaceId),
  action: 'member.added' as const,
  object: memberObject(member),
  after: { role: member.role },
});
