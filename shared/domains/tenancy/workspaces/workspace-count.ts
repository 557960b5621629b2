import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { ifHolds } from '../../../platform/storage/if-holds.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import { readCompany } from './companies.ts';
import { listWorkspaces } from './company-lists.ts';
import { companyRecordKey } from './keys.ts';

/** How many workspaces a company has at most, with those that are deleted and not erased yet. */
export const MAX_WORKSPACES = 1000;

/**
 * Counts a new workspace. Fails the transaction if the company is deleted, is full, or has not counted its workspaces
 * yet.
 */
export const countNewWorkspace = (table: Table, companyId: string): TransactItem => ({
  Update: {
    TableName: table.name,
    Key: companyRecordKey(companyId),
    UpdateExpression: 'ADD workspaceCount :one',
    ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(deletesAt) AND workspaceCount < :max',
    ExpressionAttributeValues: { ':one': 1, ':max': MAX_WORKSPACES },
  },
});

/** Counts an erased workspace. Fails the transaction if the company has not counted its workspaces yet. */
export const countErasedWorkspace = (table: Table, companyId: string): TransactItem => ({
  Update: updateOf(table, companyRecordKey(companyId), { add: { workspaceCount: -1 } }, { exists: ['workspaceCount'] }),
});

/** Why a company accepts no new workspace; undefined if it does after its workspaces have been counted. */
export async function whyNoWorkspace(
  table: Table,
  companyId: string,
): Promise<'COMPANY_DELETED' | 'TOO_MANY_WORKSPACES' | undefined> {
  const company = await readCompany(table, companyId);
  if (!company || company.deletesAt !== undefined) return 'COMPANY_DELETED';
  if (company.workspaceCount === undefined) await countEarlier(table, companyId);
  else if (company.workspaceCount >= MAX_WORKSPACES) return 'TOO_MANY_WORKSPACES';
  return undefined;
}

/** Counts the workspaces of a company from before they were counted. */
async function countEarlier(table: Table, companyId: string): Promise<void> {
  const { total } = await listWorkspaces(table, companyId, { limit: 0, offset: 0 });
  const change = { set: { workspaceCount: total } };
  const once = updateOf(table, companyRecordKey(companyId), change, { exists: ['pk'], absent: ['workspaceCount'] });
  await ifHolds(table.db.send(new UpdateCommand(once)));
}
