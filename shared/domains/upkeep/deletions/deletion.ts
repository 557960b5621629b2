import { auditItems } from '../../../platform/audit/entry.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { assertExpected, staleCode } from '../../../platform/storage/expectation.ts';
import type { Key } from '../../../platform/storage/keys.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import {
  type CompanyRecord,
  companyNotDeleted,
  companyRecordKey,
  listWorkspaces,
  ofRecord,
  type WorkspaceRecord,
  workspaceRecordKey,
} from '../../tenancy/workspaces/index.ts';
import { DELETION_PARTITION, type Deletion, deletionKey, readDeletion } from './record.ts';

interface Terms {
  at: Date;
  deletesAt: string;
  withCompany?: boolean;
}

/** Access ends at once, and everything is erased at `deletesAt`. Repeating it changes nothing. Throws `STALE_WRITE`. */
export async function deleteWorkspace(
  table: Table,
  workspace: WorkspaceRecord,
  terms: Terms,
): Promise<WorkspaceRecord> {
  const { id: workspaceId, companyId } = workspace;
  const deletion = { companyId, workspaceId, ...(terms.withCompany ? { withCompany: true } : {}) };
  return start(table, workspaceRecordKey(workspaceId), workspace, deletion, terms);
}

/**
 * Deletes the company and all its workspaces; `closeCompany` completes it after an interruption. Throws `STALE_WRITE`.
 */
export async function deleteCompany(table: Table, company: CompanyRecord, terms: Terms): Promise<CompanyRecord> {
  const deleted = await start(
    table,
    companyRecordKey(company.id),
    company,
    { companyId: company.id, workspaceId: null },
    terms,
  );
  await closeCompany(table, deleted, terms.at);
  return deleted;
}

/** Deletes the workspaces of a deleted company. May be repeated. */
export async function closeCompany(table: Table, { id, deletesAt }: CompanyRecord, at: Date): Promise<void> {
  if (deletesAt === undefined) return;
  for (const workspace of (await listWorkspaces(table, id)).items) {
    if (workspace.deletesAt !== undefined) continue;
    await deleteWorkspace(table, workspace, { at, deletesAt, withCompany: true }).catch(ignoreStale);
  }
}

/**
 * Returns false if it is too late, which `evenLate` ignores. A workspace that is not deleted stays as it is. Throws
 * `COMPANY_DELETED`.
 */
export function restoreWorkspace(
  table: Table,
  workspace: WorkspaceRecord,
  now: Date,
  options?: { evenLate: boolean },
): Promise<boolean> {
  const { id: workspaceId, companyId } = workspace;
  return restore(table, workspaceRecordKey(workspaceId), workspace, { companyId, workspaceId }, now, options);
}

/** Restores the company and the workspaces that were deleted with it. May be repeated after an interruption. */
export async function restoreCompany(table: Table, company: CompanyRecord, now: Date): Promise<boolean> {
  const { id: companyId } = company;
  if (!(await restore(table, companyRecordKey(companyId), company, { companyId, workspaceId: null }, now)))
    return false;
  for (const workspace of (await listWorkspaces(table, companyId)).items) {
    if (workspace.deletesAt === undefined) continue;
    const deletion = await readDeletion(table, deletionKey({ companyId, workspaceId: workspace.id }));
    if (deletion?.withCompany) await restoreWorkspace(table, workspace, now).catch(ignoreDeleted);
  }
  return true;
}

async function start<T extends CompanyRecord | WorkspaceRecord>(
  table: Table,
  key: Key,
  record: T,
  deletion: Omit<Deletion, 'deletesAt' | 'phase'>,
  { deletesAt, at }: Terms,
): Promise<T> {
  if (record.deletesAt !== undefined) return record;
  assertExpected(record.id, record.revision);
  const change = { set: { deletesAt, updatedAt: at.toISOString() }, revise: true } as const;
  const item = { ...deletion, ...deletionKey(deletion), entity: 'deletion', deletesAt, phase: 'grace' };
  // A company is looked at again at once, in case that not all of its workspaces were reached.
  const due = { due: DELETION_PARTITION, dueAt: deletion.workspaceId === null ? at.toISOString() : deletesAt };
  try {
    await transact(table, [
      { Update: updateOf(table, key, change, { revision: record.revision, absent: ['deletesAt'] }) },
      { Put: { TableName: table.name, Item: { ...item, ...due }, ConditionExpression: 'attribute_not_exists(pk)' } },
      ...(await auditItems(table, { ...ofRecord(record), action: actionOf(record, 'deleted'), after: { deletesAt } })),
    ]);
  } catch (cause) {
    if (failedConditions(cause).size > 0) throw new AppError(staleCode(record.id, 'STALE_WRITE'), { cause });
    throw cause;
  }
  return { ...record, deletesAt, updatedAt: at.toISOString(), revision: record.revision + 1 };
}

async function restore(
  table: Table,
  key: Key,
  record: CompanyRecord | WorkspaceRecord,
  deletion: Pick<Deletion, 'companyId' | 'workspaceId'>,
  now: Date,
  { evenLate = false } = {},
): Promise<boolean> {
  if (record.deletesAt === undefined) return true;
  const change = { set: { updatedAt: now.toISOString() }, remove: ['deletesAt'], revise: true } as const;
  try {
    await transact(table, [
      { Update: updateOf(table, key, change, { exists: ['pk'] }) },
      {
        Delete: {
          TableName: table.name,
          Key: deletionKey(deletion),
          ConditionExpression: `phase = :grace${evenLate ? '' : ' AND deletesAt > :now'}`,
          ExpressionAttributeValues: { ':grace': 'grace', ...(evenLate ? {} : { ':now': now.toISOString() }) },
        },
      },
      ...('companyId' in record ? [companyNotDeleted(table, record.companyId)] : []),
      ...(await auditItems(table, { ...ofRecord(record), action: actionOf(record, 'restored') })),
    ]);
    return true;
  } catch (cause) {
    const failed = failedConditions(cause);
    if (failed.has(2) && failed.size === 1) throw new AppError('COMPANY_DELETED', { cause });
    if (failed.size > 0) return false;
    throw cause;
  }
}

function actionOf(record: CompanyRecord | WorkspaceRecord, verb: 'deleted' | 'restored') {
  return 'companyId' in record ? (`workspace.${verb}` as const) : (`company.${verb}` as const);
}

/** Another request has changed the workspace; the worker looks at it again. */
function ignoreStale(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'STALE_WRITE')) throw error;
}

/** The company was deleted again while it was restored: its workspaces stay deleted. */
function ignoreDeleted(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'COMPANY_DELETED')) throw error;
}
