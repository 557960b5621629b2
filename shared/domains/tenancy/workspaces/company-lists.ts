import type { Key } from '../../../platform/storage/keys.ts';
import { queryItems } from '../../../platform/storage/query-items.ts';
import { readItems } from '../../../platform/storage/read-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import { BY_COLLECTION, type Table } from '../../../platform/storage/table.ts';
import { companyUsers, companyWorkspaces } from './keys.ts';
import type { UserRecord, WorkspaceRecord } from './records.ts';

type Listed = { id: string; companyId: string; createdAt: string };

const position = ({ id, createdAt }: Listed) => `${createdAt}#${id}`;

/** The attributes that list a user, or a workspace, in the company. */
export const listedUser = (user: Listed) => ({ collection: companyUsers(user.companyId), position: position(user) });
export const listedWorkspace = (workspace: Listed) => ({
  collection: companyWorkspaces(workspace.companyId),
  position: position(workspace),
});

/** The workspaces of a company, the oldest first. */
export async function listWorkspaces(table: Table, companyId: string, page: Range = ALL) {
  return listOf<WorkspaceRecord>(table, companyWorkspaces(companyId), page);
}

/** The people of a company, the oldest first. */
export async function listUsers(table: Table, companyId: string, page: Range = ALL) {
  return listOf<UserRecord>(table, companyUsers(companyId), page);
}

interface Range {
  limit: number;
  offset: number;
}

const ALL: Range = { limit: Number.POSITIVE_INFINITY, offset: 0 };

/** Reads the keys of the list, which are small, and the records of the page. */
async function listOf<T>(table: Table, collection: string, { limit, offset }: Range) {
  const found = queryItems(table, {
    IndexName: BY_COLLECTION,
    KeyConditionExpression: '#collection = :collection',
    ExpressionAttributeNames: { '#collection': 'collection' },
    ExpressionAttributeValues: { ':collection': collection },
  });
  const keys = await Array.fromAsync(found, ({ pk, sk }) => ({ pk, sk }) as Key);
  const wanted = keys.slice(offset, offset + limit);
  const items = new Map((await readItems(table, wanted)).map((item) => [item.pk as string, item]));
  const records = wanted
    .flatMap(({ pk }) => items.get(pk) ?? [])
    .map((item) => toRecord<T>({ revision: 1, ...(item as object) }));
  return { items: records, total: keys.length };
}
