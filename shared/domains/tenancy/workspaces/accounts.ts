import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { AppError } from '../../../platform/errors/app-error.ts';
import { companyKey } from '../../../platform/storage/keys.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { listedUser, listedWorkspace } from './company-lists.ts';
import { directoryChanged, listUser } from './directory.ts';
import { companyRecordKey, emailKey, memberKey, membershipKey, userRecordKey, workspaceRecordKey } from './keys.ts';
import { removeMemberAttributes } from './member-attributes.ts';
import { sameMembership } from './members.ts';
import type { NewMember, StoredMember, UserRecord, WorkspaceRecord } from './records.ts';

/** Transaction items that create users, memberships and workspaces. */
const absent = 'attribute_not_exists(pk)';

export function putUser(table: Table, user: UserRecord): TransactItem[] {
  return [
    {
      Put: {
        TableName: table.name,
        Item: { ...emailKey(user.email), entity: 'unique', owner: user.id },
        ConditionExpression: absent,
      },
    },
    {
      Put: {
        TableName: table.name,
        Item: { ...user, ...userRecordKey(user.id), ...listedUser(user), entity: 'user' },
        ConditionExpression: absent,
      },
    },
    listUser(table, user),
    directoryChanged(table, user),
  ];
}

/** The membership is stored on both sides, and the count of admins guards the last one. */
export function putMember(table: Table, member: NewMember, workspaceName: string): TransactItem[] {
  return [
    {
      Put: {
        TableName: table.name,
        Item: {
          ...member,
          ...memberKey(member.workspaceId, member.userId),
          entity: 'member',
          collection: memberCollection(member.workspaceId),
          position: `${member.joinedAt}#${member.userId}`,
        },
        ConditionExpression: absent,
      },
    },
    {
      Put: {
        TableName: table.name,
        Item: {
          ...membershipKey(member.userId, member.workspaceId),
          entity: 'membership',
          workspaceId: member.workspaceId,
          workspaceName,
          role: member.role,
          joinedAt: member.joinedAt,
          membershipId: member.membershipId,
        },
      },
    },
    countMembers(table, member.workspaceId, 1, member.role === 'admin' ? 1 : 0),
  ];
}

export const memberCollection = (workspaceId: string): string => `W#${workspaceId}#MEMBER`;

/** Removes the membership with its attributes; the first item fails if it has changed since it was read. */
export function removeMemberItems(table: Table, member: StoredMember): TransactItem[] {
  const { workspaceId, userId, membershipId, revision } = member;
  const same = sameMembership(membershipId);
  return [
    {
      Delete: {
        TableName: table.name,
        Key: memberKey(workspaceId, userId),
        ConditionExpression: `(${same.ConditionExpression}) AND (revision = :seen OR attribute_not_exists(revision))`,
        ExpressionAttributeValues: { ...same.ExpressionAttributeValues, ':seen': revision },
      },
    },
    { Delete: { TableName: table.name, Key: membershipKey(userId, workspaceId) } },
    removeMemberAttributes(table, member),
  ];
}

/** Changes the member counts of a workspace. Fails for removing the last admin, unless that is accepted. */
export function countMembers(
  table: Table,
  workspaceId: string,
  members: number,
  admins: number,
  { mayBeLast = false }: { mayBeLast?: boolean } = {},
): TransactItem {
  const isGuarded = admins < 0 && !mayBeLast;
  return {
    Update: {
      TableName: table.name,
      Key: { pk: memberCollection(workspaceId), sk: '#TOTAL' },
      UpdateExpression: 'ADD #count :members, admins :admins',
      ...(isGuarded ? { ConditionExpression: 'admins > :one' } : {}),
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: { ':members': members, ':admins': admins, ...(isGuarded ? { ':one': 1 } : {}) },
    },
  };
}

export async function readWorkspace(table: Table, id: string): Promise<WorkspaceRecord | undefined> {
  const found = await table.db.send(
    new GetCommand({ TableName: table.name, Key: workspaceRecordKey(id), ConsistentRead: true }),
  );
  return found.Item && toRecord<WorkspaceRecord>({ revision: 1, ...found.Item });
}

export function putWorkspace(table: Table, workspace: WorkspaceRecord): TransactItem {
  return {
    Put: {
      TableName: table.name,
      Item: { ...workspace, ...workspaceRecordKey(workspace.id), ...listedWorkspace(workspace), entity: 'workspace' },
      ConditionExpression: absent,
    },
  };
}

export interface NewCompany {
  companyId: string;
  companyName: string;
  workspace: WorkspaceRecord;
  owner: UserRecord;
}

/**
 * Creates a company with its first workspace and its owner. Its plans include everything without limits, for a
 * self-hosted deployment. Throws `EMAIL_TAKEN` if an account has the email of the owner.
 */
export async function createCompany(table: Table, company: NewCompany): Promise<void> {
  const { companyId, workspace, owner } = company;
  const plan = (product: string): TransactItem => ({
    Put: {
      TableName: table.name,
      Item: {
        ...companyKey(companyId, `ENTITLEMENT#PLAN#${product}`),
        entity: 'entitlement',
        product,
        planKey: 'self-hosted',
        overageOptIn: false,
        draft: false,
        allowance: null,
      },
    },
  });
  const member = {
    membershipId: workspace.id,
    workspaceId: workspace.id,
    userId: owner.id,
    email: owner.email,
    name: owner.name,
  };
  try {
    await transact(table, [
      ...putUser(table, owner),
      {
        Put: {
          TableName: table.name,
          Item: {
            ...companyRecordKey(companyId),
            entity: 'company',
            id: companyId,
            name: company.companyName,
            createdAt: owner.createdAt,
            updatedAt: owner.createdAt,
            revision: 1,
            workspaceCount: 1,
          },
          ConditionExpression: absent,
        },
      },
      putWorkspace(table, workspace),
      ...putMember(table, { ...member, role: 'admin', joinedAt: owner.createdAt, revision: 1 }, workspace.name),
      plan('pipelines'),
      plan('warehouse'),
    ]);
  } catch (cause) {
    if (failedConditions(cause).has(0)) throw new AppError('EMAIL_TAKEN', { cause });
    throw cause;
  }
}
