import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { auditItems } from '../../../platform/audit/entry.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import type { ErrorCode } from '../../../platform/errors/catalogue.ts';
import { idFrom, newId } from '../../../platform/storage/ids.ts';
import type { Key } from '../../../platform/storage/keys.ts';
import { onNewest } from '../../../platform/storage/on-newest.ts';
import { queryItems } from '../../../platform/storage/query-items.ts';
import { readItems } from '../../../platform/storage/read-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { outboxItem } from '../../events/events/index.ts';
import { accessOf, findGrantee, findGrantees, type KnownGrantee } from './grantees.ts';
import { grantedKey, grantKey, grantTotalKey } from './keys.ts';
import { OBJECT_KINDS } from './object-kinds.ts';
import type { Access, Grantee, ObjectRef, StoredGrant } from './records.ts';

/** An object as the caller has read it. */
export interface GrantedObject extends ObjectRef {
  name: string;
  key: Key;
  /** The error when it does not exist any more. */
  notFound: ErrorCode;
}

interface Act {
  by: string;
  at: Date;
}

export interface ObjectGrants {
  /**
   * By type and id of the grantee, after the end of the previous page, without those who are gone. `last` is the place
   * where this page ends; undefined at the end of the list.
   */
  list(
    object: ObjectRef,
    page: { limit: number; after?: string | undefined },
  ): Promise<{ items: Access[]; total: number; last: string | undefined }>;
  /** The ids of those grantees who have a grant. */
  granted(object: ObjectRef, grantees: readonly Grantee[]): Promise<Set<string>>;
  /**
   * Grants the level, or changes it. A grant that exists already is no change, and no event. Throws `MEMBER_NOT_FOUND`
   * or `GROUP_NOT_FOUND`, and `taken`, if given, when there is a grant already.
   */
  put(object: GrantedObject, grant: Grantee & { level: string; taken?: ErrorCode }, act: Act): Promise<Access>;
  /** Removing a grant that does not exist changes nothing. Returns whether it existed. */
  remove(object: GrantedObject, grantee: Grantee, act: Act): Promise<boolean>;
}

export function objectGrants(table: Table): ObjectGrants {
  async function read(object: ObjectRef, grantee: Grantee): Promise<StoredGrant | undefined> {
    const found = await table.db.send(
      new GetCommand({ TableName: table.name, Key: grantKey(object, grantee), ConsistentRead: true }),
    );
    return found.Item && toRecord<StoredGrant>(found.Item);
  }

  async function totalOf(object: ObjectRef): Promise<number> {
    const found = await table.db.send(
      new GetCommand({ TableName: table.name, Key: grantTotalKey(object), ConsistentRead: true }),
    );
    return (found.Item?.count as number | undefined) ?? 0;
  }

  return {
    async list(object, { limit, after }) {
      const query = {
        KeyConditionExpression: 'pk = :pk AND sk > :after',
        ExpressionAttributeValues: { ':pk': grantTotalKey(object).pk, ':after': after ?? grantTotalKey(object).sk },
        ConsistentRead: true,
      };
      const [items, total] = await Promise.all([Array.fromAsync(queryItems(table, query, limit + 1)), totalOf(object)]);
      const page = items.slice(0, limit);
      const grants = page.map((item) => toRecord<StoredGrant>(item));
      const grantees = await findGrantees(table, object.workspaceId, grants);
      return {
        items: grants.flatMap((grant) => accessOf(grant, grantees.get(grant.granteeId)) ?? []),
        total,
        last: items.length > limit ? (page.at(-1)!.sk as string) : undefined,
      };
    },

    async granted(object, grantees) {
      const found = await readItems(
        table,
        grantees.map((grantee) => grantKey(object, grantee)),
      );
      return new Set(found.map(({ granteeId }) => granteeId as string));
    },

    put: (object, { granteeType, granteeId, level, taken }, act) =>
      onNewest('STALE_WRITE', async () => {
        const [seen, grantee] = await Promise.all([
          read(object, { granteeType, granteeId }),
          findGrantee(table, object.workspaceId, { granteeType, granteeId }),
        ]);
        const known = seen && accessOf(seen, grantee);
        if (known && taken) throw new AppError(taken);
        if (known?.level === level) return known;
        const grant = newGrant(object, grantee, level, act);
        await write(object, [
          ...putItems(table, object, grant, seen),
          exists(table, object),
          grantee.stillThere,
          granted(table, object, grant, act),
          ...(await loggedAccess(table, object, 'granted', seen, grant)),
        ]);
        return accessOf(grant, grantee)!;
      }),

    remove: (object, grantee, act) =>
      onNewest('STALE_WRITE', async () => {
        const seen = await read(object, grantee);
        if (!seen) return false;
        await write(object, [
          ...endItems(table, object, seen),
          exists(table, object),
          revoked(table, object, seen, act),
          ...(await loggedAccess(table, object, 'revoked', seen, undefined)),
        ]);
        return true;
      }),
  };

  /** The first item is the grant, the fourth the object. */
  async function write(object: GrantedObject, items: TransactItem[]): Promise<void> {
    try {
      await transact(table, items);
    } catch (cause) {
      const failed = failedConditions(cause);
      if (failed.has(3)) throw new AppError(object.notFound, { cause });
      if (failed.size > 0) throw new AppError('STALE_WRITE', { cause });
      throw cause;
    }
  }
}

function newGrant(object: ObjectRef, grantee: KnownGrantee, level: string, { by, at }: Act): StoredGrant {
  const { granteeType, granteeId, membershipId } = grantee;
  return {
    id: newId(at),
    objectType: object.type,
    objectId: object.id,
    granteeType,
    granteeId,
    level,
    grantedBy: by,
    grantedAt: at.toISOString(),
    ...(membershipId === undefined ? {} : { membershipId }),
  };
}

function putItems(table: Table, object: ObjectRef, grant: StoredGrant, seen: StoredGrant | undefined): TransactItem[] {
  const { id, membershipId } = grant;
  return [
    {
      Put: {
        TableName: table.name,
        Item: { ...grant, ...grantKey(object, grant), entity: 'grant' },
        ...(seen ? sameGrant(seen) : { ConditionExpression: 'attribute_not_exists(pk)' }),
      },
    },
    {
      Put: {
        TableName: table.name,
        Item: {
          ...grantedKey(object, grant),
          entity: 'granted',
          id,
          membershipId,
          objectType: object.type,
          objectId: object.id,
        },
      },
    },
    count(table, object, seen ? 0 : 1),
  ];
}

/** Ends the grant as it was read. */
export function endItems(table: Table, object: ObjectRef, seen: Grantee & Pick<StoredGrant, 'id'>): TransactItem[] {
  return [
    { Delete: { TableName: table.name, Key: grantKey(object, seen), ...sameGrant(seen) } },
    { Delete: { TableName: table.name, Key: grantedKey(object, seen) } },
    count(table, object, -1),
  ];
}

const sameGrant = ({ id }: Pick<StoredGrant, 'id'>) => ({
  ConditionExpression: 'id = :seen',
  ExpressionAttributeValues: { ':seen': id },
});

const count = (table: Table, object: ObjectRef, by: number): TransactItem => ({
  Update: {
    TableName: table.name,
    Key: grantTotalKey(object),
    UpdateExpression: 'ADD #count :by',
    ExpressionAttributeNames: { '#count': 'count' },
    ExpressionAttributeValues: { ':by': by },
    // That of a deleted object must not come back.
    ...(by < 0 ? { ConditionExpression: 'attribute_exists(pk)' } : {}),
  },
});

const exists = (table: Table, { key }: GrantedObject): TransactItem => ({
  ConditionCheck: { TableName: table.name, Key: key, ConditionExpression: 'attribute_exists(pk)' },
});

function granted(table: Table, object: GrantedObject, grant: StoredGrant, { by, at }: Act): TransactItem {
  return outboxItem(table, {
    id: idFrom('access.granted', grant.id),
    workspaceId: object.workspaceId,
    event: 'access.granted',
    data: {
      ...eventData(object, grant),
      grantedBy: by,
      grantedAt: at.toISOString(),
      url: `${OBJECT_KINDS[object.type].path}/${object.id}`,
    },
    at,
  });
}

function revoked(table: Table, object: GrantedObject, grant: StoredGrant, { by, at }: Act): TransactItem {
  return outboxItem(table, {
    id: idFrom('access.revoked', grant.id),
    workspaceId: object.workspaceId,
    event: 'access.revoked',
    data: {
      ...eventData(object, grant),
      revokedBy: by,
      revokedAt: at.toISOString(),
      url: `${OBJECT_KINDS[object.type].path}/${object.id}`,
    },
    at,
  });
}

function loggedAccess(
  table: Table,
  { type, id, name }: GrantedObject,
  verb: 'granted' | 'revoked',
  before: StoredGrant | undefined,
  after: StoredGrant | undefined,
): Promise<TransactItem[]> {
  const showGrant = ({ granteeType, granteeId, level }: StoredGrant) => ({ granteeType, granteeId, level });
  return auditItems(table, {
    action: `access.${verb}`,
    object: { type, id, name },
    ...(before ? { before: showGrant(before) } : {}),
    ...(after ? { after: showGrant(after) } : {}),
  });
}

const eventData = ({ workspaceId, type, id, name }: GrantedObject, { granteeType, granteeId, level }: StoredGrant) => ({
  workspaceId,
  resourceType: type,
  resourceId: id,
  resourceName: name,
  granteeType,
  granteeId,
  permission: level,
});
