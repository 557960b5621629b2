import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import { readCompany } from './companies.ts';
import { companyRecordKey } from './keys.ts';

/** How many workspaces a company has at most, with those that are deleted and not erased yet. */
export const MAX_WORKSPACES = 1000;

/** Counts a new workspace. Fails the transaction if the company is deleted or full. */
export const countNewWorkspace = (table: Table, companyId: string): TransactItem => ({
  Update: {
    TableName: table.name,
    Key: companyRecordKey(companyId),
    UpdateExpression: 'ADD workspaceCount :one',
    ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(deletesAt) AND workspaceCount < :max',
    ExpressionAttributeValues: { ':one': 1, ':max': MAX_WORKSPACES },
  },
});

/** Counts an erased workspace. */
export const countErasedWorkspace = (table: Table, companyId: string): TransactItem => ({
  Update: updateOf(table, companyRecordKey(companyId), { add: { workspaceCount: -1 } }, { exists: ['workspaceCount'] }),
});

/** Why a company accepts no new workspace; undefined if it does. */
export async function whyNoWorkspace(
  table: Table,
  companyId: string,
): Promise<'COMPANY_DELETED' | 'TOO_MANY_WORKSPACES' | undefined> {
  const company = await readCompany(table, companyId);
  if (!company || company.deletesAt !== undefined) return 'COMPANY_DELETED';
  return company.workspaceCount >= MAX_WORKSPACES ? 'TOO_MANY_WORKSPACES' : undefined;
}
