import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { boundedMembers } from '../../../platform/audit/changes.ts';
import { auditItems } from '../../../platform/audit/entry.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { assertExpected, staleCode } from '../../../platform/storage/expectation.ts';
import { workspaceKey } from '../../../platform/storage/keys.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import type { Attributes } from './attributes.ts';
import { memberAttributesKey } from './keys.ts';
import { memberObject, stillMember } from './members.ts';
import type { StoredMember } from './records.ts';

export interface MemberAttributes {
  workspaceId: string;
  userId: string;
  attributes: Attributes;
  /** Null until they are set for the first time. */
  updatedBy: string | null;
  updatedAt: string | null;
  revision: number;
}

type StoredAttributes = Pick<MemberAttributes, 'attributes' | 'updatedBy' | 'updatedAt' | 'revision'> & {
  membershipId: string;
};

export async function readMemberAttributes(table: Table, member: StoredMember): Promise<MemberAttributes> {
  return showAttributes(member, await read(table, member));
}

/** Replaces all attributes. Throws `STALE_WRITE` if they, or the membership, have changed since. */
export async function putMemberAttributes(
  table: Table,
  member: StoredMember,
  { attributes, by, at }: { attributes: Attributes; by: string; at: Date },
): Promise<MemberAttributes> {
  const { workspaceId, userId, membershipId } = member;
  const seen = await read(table, member);
  const { revision } = showAttributes(member, seen);
  assertExpected(userId, revision);
  const next = { attributes, updatedBy: by, updatedAt: at.toISOString(), revision: revision + 1, membershipId };
  try {
    await transact(table, [
      {
        Put: {
          TableName: table.name,
          Item: { ...next, ...memberAttributesKey(workspaceId, userId), entity: 'member-attributes' },
          ...(seen
            ? { ConditionExpression: 'revision = :seen', ExpressionAttributeValues: { ':seen': seen.revision } }
            : { ConditionExpression: 'attribute_not_exists(pk)' }),
        },
      },
      stillMember(table, member),
      ...(await auditItems(table, {
        action: 'member.attributes_updated',
        object: memberObject(member),
        before: { attributes: boundedMembers(showAttributes(member, seen).attributes) },
        after: { attributes: boundedMembers(attributes) },
      })),
    ]);
  } catch (cause) {
    const failed = failedConditions(cause);
    if (failed.has(1)) throw new AppError('STALE_WRITE', { cause });
    if (failed.has(0)) throw new AppError(staleCode(userId, 'STALE_WRITE'), { cause });
    throw cause;
  }
  return showAttributes(member, next as StoredAttributes);
}

/** Must be part of the transaction that removes the member. */
export const removeMemberAttributes = (table: Table, { workspaceId, userId }: StoredMember): TransactItem => ({
  Delete: { TableName: table.name, Key: memberAttributesKey(workspaceId, userId) },
});

/** The attributes of the caller: those of the member, the service account or the key, which has none of its maker's. */
export async function attributesOf(table: Table, principal: Principal): Promise<Attributes> {
  const { workspaceId, kind, credentialId, serviceAccountId } = principal;
  if (kind === 'user') return showAttributes(principal, await read(table, principal)).attributes;
  const Key =
    serviceAccountId === undefined
      ? workspaceKey(workspaceId, 'API-KEY', credentialId)
      : workspaceKey(workspaceId, 'SERVICE-ACCOUNT', serviceAccountId);
  const found = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  return (found.Item?.attributes as Attributes | undefined) ?? {};
}

type Person = Pick<Principal, 'workspaceId' | 'userId' | 'membershipId'>;

async function read(table: Table, { workspaceId, userId }: Person): Promise<StoredAttributes | undefined> {
  const Key = memberAttributesKey(workspaceId, userId);
  const found = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  return found.Item as StoredAttributes | undefined;
}

/** Those of an earlier membership of the person do not count. */
function showAttributes(
  { workspaceId, userId, membershipId }: Person,
  stored: StoredAttributes | undefined,
): MemberAttributes {
  const person = { workspaceId, userId };
  if (!stored || stored.membershipId !== membershipId) {
    return { ...person, attributes: {}, updatedBy: null, updatedAt: null, revision: stored?.revision ?? 1 };
  }
  const { attributes, updatedBy, updatedAt, revision } = stored;
  return { ...person, attributes, updatedBy, updatedAt, revision };
}
