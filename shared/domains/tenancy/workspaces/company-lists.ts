import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { ifHolds } from '../../../platform/storage/if-holds.ts';
import type { Key } from '../../../platform/storage/keys.ts';
import { itemsBelow, queryItems } from '../../../platform/storage/query-items.ts';
import { readItems } from '../../../platform/storage/read-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import { BY_COLLECTION, type Table } from '../../../platform/storage/table.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import {
  companyRecordKey,
  companyUsers,
  companyWorkspaces,
  memberKey,
  membershipKey,
  userRecordKey,
  workspaceRecordKey,
} from './keys.ts';
import type { CompanyRecord, UserRecord, WorkspaceRecord } from './records.ts';

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

/**
 * Lists what is from before there were lists: everything that can be reached from one person over memberships. May be
 * repeated; once it is done, it is never needed again.
 */
export async function listEarlier(table: Table, company: CompanyRecord, userId: string): Promise<void> {
  if (company.isListed) return;
  const users = new Set<string>();
  const workspaces = new Set<string>();
  const toVisit = [userId];
  for (let id = toVisit.pop(); id !== undefined; id = toVisit.pop()) {
    if (users.has(id)) continue;
    users.add(id);
    for await (const membership of itemsBelow(table, membershipKey(id, ''))) {
      const workspaceId = membership.workspaceId as string;
      if (workspaces.has(workspaceId)) continue;
      workspaces.add(workspaceId);
      for await (const member of itemsBelow(table, memberKey(workspaceId, ''))) {
        if (typeof member.userId === 'string') toVisit.push(member.userId);
      }
    }
  }
  await list(table, [...users].map(userRecordKey), listedUser);
  await list(table, [...workspaces].map(workspaceRecordKey), listedWorkspace);
  const done = updateOf(table, companyRecordKey(company.id), { set: { isListed: true } }, { exists: ['pk'] });
  await ifHolds(table.db.send(new UpdateCommand(done)));
}

async function list(table: Table, keys: Key[], listed: (record: Listed) => Record<string, string>): Promise<void> {
  for (const item of await readItems(table, keys)) {
    const key = { pk: item.pk as string, sk: item.sk as string };
    const change = updateOf(table, key, { set: listed(item as unknown as Listed) }, { exists: ['pk'] });
    await ifHolds(table.db.send(new UpdateCommand(change)));
  }
}
