import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { auditedRecords } from '../../../platform/audit/records.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { type Collection, collection } from '../../../platform/storage/collection.ts';
import { withReferences } from '../../../platform/storage/references.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions } from '../../../platform/storage/transact.ts';
import { externalIdKey, memberTotalKey } from './keys.ts';
import type { GroupRecord } from './records.ts';

export interface GroupRepository extends Pick<Collection<GroupRecord>, 'key' | 'get' | 'getMany' | 'list'> {
  /** Throws `GROUP_NAME_TAKEN` or `GROUP_EXTERNAL_ID_TAKEN`. A repeated call returns the stored group. */
  create(group: GroupRecord): Promise<GroupRecord>;
  /** By name, ignoring case. */
  findNamed(workspaceId: string, name: string): Promise<GroupRecord | undefined>;
  findExternal(workspaceId: string, externalId: string): Promise<GroupRecord | undefined>;
  /** Throws the same codes, or `STALE_WRITE` if the group, or what the items of `also` expect, has changed since. */
  replace(previous: GroupRecord, next: GroupRecord, also?: TransactItem[]): Promise<GroupRecord>;
  /** Removes the group, which ends its memberships; `also` must include what removes their items later. */
  remove(group: GroupRecord, also: TransactItem[]): Promise<void>;
}

export function groupRepository(table: Table): GroupRepository {
  const groups = groupCollection(table);
  const claimed = (items: TransactItem[], write: (items: TransactItem[]) => Promise<GroupRecord>) =>
    withReferences(items, write, (cause) => new AppError('GROUP_EXTERNAL_ID_TAKEN', { cause }));
  const release = ({ workspaceId, externalId }: GroupRecord): TransactItem[] =>
    externalId === null ? [] : [{ Delete: { TableName: table.name, Key: externalIdKey(workspaceId, externalId) } }];
  const claim = ({ workspaceId, externalId, id }: GroupRecord): TransactItem[] =>
    externalId === null
      ? []
      : [
          {
            Put: {
              TableName: table.name,
              Item: { ...externalIdKey(workspaceId, externalId), entity: 'unique', owner: id },
              ConditionExpression: 'attribute_not_exists(pk) OR #owner = :id',
              ExpressionAttributeNames: { '#owner': 'owner' },
              ExpressionAttributeValues: { ':id': id },
            },
          },
        ];

  return {
    key: groups.key,
    get: groups.get,
    getMany: groups.getMany,
    list: groups.list,
    findNamed: groups.find,

    async findExternal(workspaceId, externalId) {
      const Key = externalIdKey(workspaceId, externalId);
      const holder = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
      return holder.Item && groups.get(workspaceId, holder.Item.owner as string);
    },

    create: (group) => {
      const total: TransactItem = {
        Put: { TableName: table.name, Item: { ...memberTotalKey(group.workspaceId, group.id), count: 0 } },
      };
      return claimed(claim(group), (items) => groups.create(group, [total, ...items]));
    },

    async replace(previous, next, also = []) {
      const isSame = previous.externalId === next.externalId;
      try {
        return await claimed(isSame ? [] : [...release(previous), ...claim(next)], (items) =>
          groups.replace(previous, next, 'STALE_WRITE', [...also, ...items]),
        );
      } catch (cause) {
        if (also.length > 0 && failedConditions(cause).size > 0) throw new AppError('STALE_WRITE', { cause });
        throw cause;
      }
    },

    remove: (group, also) =>
      groups.remove(group, 'STALE_WRITE', [
        ...release(group),
        { Delete: { TableName: table.name, Key: memberTotalKey(group.workspaceId, group.id) } },
        ...also,
      ]),
  };
}

export const groupCollection = (table: Table): Collection<GroupRecord> =>
  collection<GroupRecord>(table, {
    entity: 'group',
    versioned: true,
    unique: { of: ({ name }) => name, taken: 'GROUP_NAME_TAKEN' },
    logs: auditedRecords<GroupRecord>(table, {
      subject: 'group',
      name: ({ name }) => name,
      members: { name: 'shown', description: 'shown', externalId: 'shown' },
    }),
  });

/** Fails the transaction if the group does not exist any more. */
export const stillGroup = (
  table: Table,
  { workspaceId, groupId }: { workspaceId: string; groupId: string },
): TransactItem => ({
  ConditionCheck: {
    TableName: table.name,
    Key: groupCollection(table).key(workspaceId, groupId),
    ConditionExpression: 'attribute_exists(pk)',
  },
});
