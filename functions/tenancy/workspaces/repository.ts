import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { anotherManager, stillManager } from '../../../shared/domains/identity/identity-providers/index.ts';
import {
  type Attributes,
  countMembers,
  countNewWorkspace,
  hasMembership,
  isWantedPerson,
  type MemberAttributes,
  type MemberRecord,
  memberKey,
  memberObject,
  membershipKey,
  membershipsOf,
  type NewMember,
  putMember,
  putMemberAttributes,
  putUser,
  putWorkspace,
  readMemberAttributes,
  readUser,
  readUserByEmail,
  readWorkspace,
  removeMemberItems,
  resetSecondFactor,
  type StoredMember,
  toStoredMember,
  type UserRecord,
  updateWorkspace,
  type WorkspaceChange,
  type WorkspaceRecord,
  whyNoWorkspace,
} from '../../../shared/domains/tenancy/workspaces/index.ts';
import { deleteWorkspace, restoreWorkspace } from '../../../shared/domains/upkeep/deletions/index.ts';
import { auditItems } from '../../../shared/platform/audit/entry.ts';
import type { Role } from '../../../shared/platform/auth/permissions.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import { assertExpected, staleCode } from '../../../shared/platform/storage/expectation.ts';
import { workspaceKey } from '../../../shared/platform/storage/keys.ts';
import { bySort } from '../../../shared/platform/storage/list-request.ts';
import type { PageOf } from '../../../shared/platform/storage/page.ts';
import { queryItems } from '../../../shared/platform/storage/query-items.ts';
import type { Table, TransactItem } from '../../../shared/platform/storage/table.ts';
import { failedConditions, transact } from '../../../shared/platform/storage/transact.ts';
import { updateOf } from '../../../shared/platform/storage/update.ts';
import type { MembersQuery } from './schemas.ts';

export interface WorkspaceRepository {
  workspace(id: string): Promise<WorkspaceRecord | undefined>;
  /** Throws `STALE_WRITE` if the workspace has changed. */
  update(workspace: WorkspaceRecord, change: WorkspaceChange, at: Date): Promise<WorkspaceRecord>;
  /** Access ends at once; everything is erased at `deletesAt`. Throws `STALE_WRITE` if the workspace has changed. */
  delete(workspace: WorkspaceRecord, terms: { at: Date; deletesAt: string }): Promise<WorkspaceRecord>;
  /** Returns false if the workspace is being erased. Throws `COMPANY_DELETED`. */
  restore(workspace: WorkspaceRecord, at: Date): Promise<boolean>;
  /** A repeated call with the same id changes nothing. Throws `COMPANY_DELETED` or `TOO_MANY_WORKSPACES`. */
  createWorkspace(workspace: WorkspaceRecord, founder: UserRecord): Promise<WorkspaceRecord>;
  user(id: string): Promise<UserRecord | undefined>;
  userByEmail(email: string): Promise<UserRecord | undefined>;
  member(workspaceId: string, userId: string): Promise<StoredMember | undefined>;
  /** By user id unless sorted. A workspace has few members, so all are read and the page is cut from them. */
  members(workspaceId: string, query: MembersQuery): Promise<PageOf<MemberRecord>>;
  /** Throws `MEMBER_EXISTS`, or `EMAIL_TAKEN` if an account with a new user's email exists. */
  addMember(member: NewMember, workspaceName: string, newUser: UserRecord | undefined): Promise<void>;
  /** Throws `LAST_ADMIN` if the workspace would have no admin left, `STALE_WRITE` if the member has changed. */
  changeRole(member: MemberRecord, role: Role): Promise<MemberRecord>;
  /**
   * Conditions for the removal of the member from the workspace under which the company still has an admin who can sign
   * in; undefined if it would have none.
   */
  holdingCompany(member: StoredMember): Promise<TransactItem[] | undefined>;
  /** Throws the same errors as `changeRole`; `STALE_WRITE` also if one of the conditions does not hold. */
  removeMember(member: StoredMember, also: TransactItem[], conditions?: TransactItem[]): Promise<void>;
  /** Turns the person's second factor off and ends every sign-in. Throws `MFA_NOT_ON`. */
  resetSecondFactor(member: StoredMember, epoch: { signInEpoch: string; at: Date }): Promise<void>;
  attributes(member: StoredMember): Promise<MemberAttributes>;
  /** Replaces all. Throws `STALE_WRITE` if they or the membership have changed since. */
  setAttributes(
    member: StoredMember,
    change: { attributes: Attributes; by: string; at: Date },
  ): Promise<MemberAttributes>;
}

export function workspaceRepository(table: Table): WorkspaceRepository {
  const read = async (key: { pk: string; sk: string }) =>
    (await table.db.send(new GetCommand({ TableName: table.name, Key: key, ConsistentRead: true }))).Item;

  const repository: WorkspaceRepository = {
    workspace: (id) => readWorkspace(table, id),
    update: (workspace, change, at) => updateWorkspace(table, workspace, change, at),
    delete: (workspace, terms) => deleteWorkspace(table, workspace, terms),
    restore: (workspace, at) => restoreWorkspace(table, workspace, at),

    async createWorkspace(workspace, founder) {
      const member = {
        membershipId: workspace.id,
        workspaceId: workspace.id,
        userId: founder.id,
        email: founder.email,
        name: founder.name,
      };
      try {
        await transact(table, [
          putWorkspace(table, workspace),
          countNewWorkspace(table, workspace.companyId),
          ...putMember(table, { ...member, role: 'admin', joinedAt: workspace.createdAt, revision: 1 }, workspace.name),
          ...(await auditItems(table, {
            action: 'workspace.created',
            object: { type: 'workspace', id: workspace.id, name: workspace.name },
            place: { companyId: workspace.companyId, workspaceId: workspace.id },
            after: { name: workspace.name },
          })),
        ]);
        return workspace;
      } catch (cause) {
        const failed = failedConditions(cause);
        const stored = failed.has(0) ? await repository.workspace(workspace.id) : undefined;
        if (stored) return stored;
        if (!failed.has(1)) throw cause;
        const reason = await whyNoWorkspace(table, workspace.companyId);
        if (reason) throw new AppError(reason, { cause });
        return repository.createWorkspace(workspace, founder);
      }
    },

    user: (id) => readUser(table, id),
    userByEmail: (email) => readUserByEmail(table, email),

    async member(workspaceId, userId) {
      const item = await read(memberKey(workspaceId, userId));
      return item && toStoredMember(item);
    },

    async members(workspaceId, { limit, offset, role, sort, ...person }) {
      const { pk } = workspaceKey(workspaceId, 'MEMBER', '');
      const found = queryItems(table, {
        KeyConditionExpression: 'pk = :pk AND sk > :totals',
        ExpressionAttributeValues: { ':pk': pk, ':totals': '#TOTAL' },
        ConsistentRead: true,
      });
      const all = await Array.fromAsync(found, (item) => showMember(toStoredMember(item)));
      const members = all.filter(
        (member) => (role === undefined || member.role === role) && isWantedPerson(member, person),
      );
      if (sort) members.sort(bySort(sort, ({ userId }) => userId));
      return { items: members.slice(offset, offset + limit), total: members.length, limit, offset };
    },

    async addMember(member, workspaceName, newUser) {
      const person = newUser ? putUser(table, newUser) : [];
      try {
        await transact(table, [
          ...person,
          ...putMember(table, member, workspaceName),
          ...(await auditItems(table, {
            action: 'member.added',
            object: memberObject(member),
            after: { role: member.role, isNewAccount: newUser !== undefined },
          })),
        ]);
      } catch (cause) {
        const failed = failedConditions(cause);
        if (failed.has(person.length)) throw new AppError('MEMBER_EXISTS', { cause });
        if (failed.has(0)) throw new AppError('EMAIL_TAKEN', { cause });
        throw cause;
      }
    },

    async changeRole(member, role) {
      assertExpected(member.userId, member.revision);
      if (member.role === role) return member;
      const admins = (role === 'admin' ? 1 : 0) - (member.role === 'admin' ? 1 : 0);
      const { workspaceId, userId } = member;
      await guarded(member, [
        countMembers(table, workspaceId, 0, admins),
        {
          Update: updateOf(
            table,
            memberKey(workspaceId, userId),
            { set: { role }, revise: true },
            { revision: member.revision },
          ),
        },
        { Update: updateOf(table, membershipKey(userId, workspaceId), { set: { role } }, { exists: ['pk'] }) },
        ...(await auditItems(table, {
          action: 'member.updated',
          object: memberObject(member),
          before: { role: member.role },
          after: { role },
        })),
      ]);
      return { ...member, role, revision: member.revision + 1 };
    },

    async resetSecondFactor(member, epoch) {
      if (!(await resetSecondFactor(table, member, epoch))) throw new AppError('MFA_NOT_ON');
    },

    attributes: (member) => readMemberAttributes(table, member),
    setAttributes: (member, change) => putMemberAttributes(table, member, change),

    async holdingCompany({ workspaceId, userId }) {
      const user = await readUser(table, userId);
      if (user?.companyRole !== 'company_admin') return [];
      const others = (await membershipsOf(table, userId)).filter((each) => each.workspaceId !== workspaceId);
      if (others[0]) return [hasMembership(table, { userId, workspaceId: others[0].workspaceId })];
      const remaining = await anotherManager(table, user);
      return remaining && stillManager(table, remaining);
    },

    async removeMember(member, also, conditions = []) {
      assertExpected(member.userId, member.revision);
      await guarded(member, [
        countMembers(table, member.workspaceId, -1, member.role === 'admin' ? -1 : 0),
        ...removeMemberItems(table, member),
        ...(await auditItems(table, {
          action: 'member.removed',
          object: memberObject(member),
          before: { role: member.role },
        })),
        ...also,
        ...conditions,
      ]);
    },
  };

  /** The first item holds the number of admins, the second the member as it was read. */
  async function guarded(member: MemberRecord, items: TransactItem[]): Promise<void> {
    try {
      await transact(table, items);
    } catch (cause) {
      const failed = failedConditions(cause);
      // The member as read determines how admins are counted, so after a stale read `LAST_ADMIN` may be wrong.
      if (failed.has(1)) throw new AppError(staleCode(member.userId, 'STALE_WRITE'), { cause });
      if (failed.has(0)) throw new AppError('LAST_ADMIN', { cause });
      if (failed.size > 0) throw new AppError('STALE_WRITE', { cause });
      throw cause;
    }
  }

  return repository;
}

/** Without the membership id, which is internal. */
export function showMember({ membershipId: _, ...member }: StoredMember): MemberRecord {
  return member;
}
