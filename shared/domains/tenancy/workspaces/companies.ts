import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { type AuditedChange, auditItems, holdsAudited } from '../../../platform/audit/entry.ts';
import type { CompanyRole } from '../../../platform/auth/permissions.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { assertExpected, staleCode } from '../../../platform/storage/expectation.ts';
import { later } from '../../../platform/storage/ids.ts';
import type { Key } from '../../../platform/storage/keys.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import { companyRecordKey, userRecordKey, workspaceRecordKey } from './keys.ts';
import type { CompanyRecord, UserRecord, WorkspaceRecord } from './records.ts';

export async function readCompany(table: Table, id: string): Promise<CompanyRecord | undefined> {
  const Key = companyRecordKey(id);
  const { Item } = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  return Item && toRecord<CompanyRecord>({ revision: 1, updatedAt: Item.createdAt, ...Item });
}

/** Both throw `STALE_WRITE` if the record has changed since it was read. */
export const renameCompany = (table: Table, company: CompanyRecord, name: string, at: Date) =>
  update(table, companyRecordKey(company.id), company, { name }, at);
export const updateWorkspace = (table: Table, workspace: WorkspaceRecord, change: WorkspaceChange, at: Date) =>
  update(table, workspaceRecordKey(workspace.id), workspace, change, at);

export type WorkspaceChange = Partial<
  Pick<
    WorkspaceRecord,
    | 'name'
    | 'deliveryDomains'
    | 'timezone'
    | 'viewersMayExport'
    | 'viewersMayQuery'
    | 'editorsMayUpload'
    | 'comments'
    | 'storyReview'
    | 'certifierGroupId'
    | 'searchByMeaning'
    | 'failureMail'
  >
>;

async function update<T extends CompanyRecord | WorkspaceRecord>(
  table: Table,
  key: Key,
  record: T,
  members: WorkspaceChange,
  at: Date,
): Promise<T> {
  assertExpected(record.id, record.revision);
  const updatedAt = later(record.updatedAt, at);
  const change = { set: { ...members, updatedAt }, revise: true } as const;
  const Update = updateOf(table, key, change, { revision: record.revision });
  const before: WorkspaceChange = record;
  const shown = Object.keys(members) as (keyof WorkspaceChange)[];
  const seen = Object.fromEntries(shown.map((member) => [member, before[member] ?? null]));
  const entry = { ...ofRecord(record), before: seen, after: members };
  const action = 'companyId' in record ? 'workspace.updated' : 'company.updated';
  if (!(await holdsAudited(table, { Update }, { action, ...entry })))
    throw new AppError(staleCode(record.id, 'STALE_WRITE'));
  return { ...record, ...members, updatedAt, revision: record.revision + 1 };
}

/** What the audit log says of a company, or of a workspace. */
export function ofRecord(record: CompanyRecord | WorkspaceRecord): Pick<AuditedChange, 'object' | 'place'> {
  const { id, name } = record;
  return 'companyId' in record
    ? { object: { type: 'workspace', id, name }, place: { companyId: record.companyId, workspaceId: id } }
    : { object: { type: 'company', id, name }, place: { companyId: id, workspaceId: null } };
}

/**
 * Fails the transaction if the company is deleted: what begins now would be erased without a grace period of its own.
 */
export const companyNotDeleted = (table: Table, companyId: string): TransactItem => ({
  ConditionCheck: {
    TableName: table.name,
    Key: companyRecordKey(companyId),
    ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(deletesAt)',
  },
});

/** The condition that the user is an active admin of the company, so that another one is not its last. */
export function stillCompanyAdmin(table: Table, { id, companyId }: Pick<UserRecord, 'id' | 'companyId'>): TransactItem {
  return {
    ConditionCheck: {
      TableName: table.name,
      Key: userRecordKey(id),
      ConditionExpression: 'companyId = :company AND companyRole = :admin AND NOT active = :no',
      ExpressionAttributeValues: { ':company': companyId, ':admin': 'company_admin', ':no': false },
    },
  };
}

/** What decides whether a person may get a role, as it was read: others may change it in the meantime. */
const DECIDING = [
  'companyId',
  'companyRole',
  'active',
  'email',
  'passwordHash',
  'passwordSetBy',
  'addressChange',
] as const;

function roleItem(table: Table, user: UserRecord, companyRole: CompanyRole): TransactItem {
  const equals = Object.fromEntries(DECIDING.map((name) => [name, user[name]]));
  const absent = DECIDING.filter((name) => user[name] === undefined);
  return { Update: updateOf(table, userRecordKey(user.id), { set: { companyRole } }, { equals, absent }) };
}

/**
 * Changes the role of a person in the company. An admin who becomes a member needs conditions (`holding`) that keep
 * another admin in the same transaction: of two admins who demote each other, one fails. Throws `STALE_WRITE` if
 * anything has changed.
 */
export async function changeCompanyRole(
  table: Table,
  user: UserRecord,
  companyRole: CompanyRole,
  holding: TransactItem[],
): Promise<void> {
  await writeRoles(table, [
    roleItem(table, user, companyRole),
    ...holding,
    ...(await auditItems(table, {
      action: 'company_member.updated',
      object: { type: 'company-member', id: user.id, name: user.email },
      place: { companyId: user.companyId, workspaceId: null },
      before: { companyRole: user.companyRole },
      after: { companyRole },
    })),
  ]);
}

/** One admin becomes a member and the other person an admin, or neither. Throws `STALE_WRITE` if either has changed. */
export async function transferCompany(
  table: Table,
  from: UserRecord,
  to: UserRecord,
  holding: TransactItem[],
): Promise<void> {
  await writeRoles(table, [
    roleItem(table, from, 'member'),
    roleItem(table, to, 'company_admin'),
    ...holding,
    ...(await auditItems(table, {
      action: 'company.transferred',
      object: { type: 'company', id: from.companyId, name: null },
      place: { companyId: from.companyId, workspaceId: null },
      before: { companyAdmin: from.id },
      after: { companyAdmin: to.id },
    })),
  ]);
}

async function writeRoles(table: Table, items: TransactItem[]): Promise<void> {
  try {
    await transact(table, items);
  } catch (cause) {
    if (failedConditions(cause).size > 0) throw new AppError('STALE_WRITE', { cause });
    throw cause;
  }
}
