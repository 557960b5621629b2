import { createHash } from 'node:crypto';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { ifHolds } from '../storage/if-holds.ts';
import { type Key, workspaceKey } from '../storage/keys.ts';
import { itemsBelow } from '../storage/query-items.ts';
import type { Table } from '../storage/table.ts';
import { attributeOf, COUNTED_DAYS, DAY_MS, dayOf, daysBefore, type Trend, trendOf, type UseKind } from './days.ts';

/** An object that a person has used. */
export interface UsedObject {
  workspaceId: string;
  type: string;
  id: string;
}

export interface ObjectUse {
  /** The uses of the last 30 days; each person counts once a day. */
  views30d: number;
  /** How many of them ran it or asked it. */
  queries30d: number;
  lastUsedAt: string | null;
  trend: Trend;
}

export interface ObjectUses {
  /** Those of every object of the workspace that has been used, by type and id. */
  ofAll(workspaceId: string): Promise<ReadonlyMap<string, ObjectUse>>;
  of(object: UsedObject): Promise<ObjectUse>;
  /** How many people have used it in the last 30 days. */
  countPeople(object: UsedObject): Promise<number>;
}

const COUNTS = 'USES-OF-OBJECTS';
const countKey = ({ workspaceId, type, id }: UsedObject): Key => workspaceKey(workspaceId, COUNTS, `${type}#${id}`);
/** One item for each person, under a digest: who has used an object is not to be read from its uses. */
const personKey = ({ workspaceId, type, id }: UsedObject, person: string): Key =>
  workspaceKey(workspaceId, `USERS-OF-OBJECT#${type}#${id}`, person);

export const UNUSED: ObjectUse = { views30d: 0, queries30d: 0, lastUsedAt: null, trend: 'steady' };

/** The counts of an object that is no longer used, or no longer exists. */
const KEPT_SECONDS = 365 * 24 * 60 * 60;

/** How many uses a function knows to be counted already. */
const MAX_KNOWN = 10_000;

export type CountUse = (object: UsedObject, userId: string, kind?: UseKind) => Promise<void>;

/**
 * Counts that a person has used an object, once a day for each kind of use. Most repeated uses of a day are known
 * without a request; the condition on the person's item recognises the others. A crash between the two writes loses one
 * use, which is tolerable, and never counts one twice.
 */
export function useCounter(table: Table): CountUse {
  const known = new Set<string>();
  const count = async (object: UsedObject, userId: string, kind: UseKind) => {
    const now = table.now();
    const day = dayOf(now);
    const person = createHash('sha256').update(`${object.type}#${object.id}#${userId}`).digest('base64url');
    const name = `${kind}#${day}#${object.workspaceId}#${person}`;
    if (known.has(name)) return;
    if (known.size >= MAX_KNOWN) known.clear();
    const isFirst = await ifHolds(
      table.db.send(
        new UpdateCommand({
          TableName: table.name,
          Key: personKey(object, person),
          UpdateExpression: 'SET #day = :day, entity = :entity, expiresAt = :end',
          ConditionExpression: 'attribute_not_exists(#day) OR #day < :day',
          ExpressionAttributeNames: { '#day': DAY_MEMBERS[kind] },
          ExpressionAttributeValues: {
            ':day': day,
            ':entity': 'object-user',
            ':end': Math.ceil((now.getTime() + (COUNTED_DAYS + 2) * DAY_MS) / 1000),
          },
        }),
      ),
    );
    known.add(name);
    if (isFirst) await table.db.send(new UpdateCommand(countUpdate(table, object, { now, kind })));
  };
  return async (object, userId, kind = 'view') => {
    await count(object, userId, 'view');
    if (kind === 'query') await count(object, userId, 'query');
  };
}

/** The members of a person's item with the last day that was counted. */
const DAY_MEMBERS: Record<UseKind, string> = { view: 'day', query: 'queryDay' };

/** Adds a use, and removes the counts of days that no longer count. */
function countUpdate(table: Table, object: UsedObject, { now, kind }: { now: Date; kind: UseKind }) {
  const past = daysBefore(now, COUNTED_DAYS + 1, COUNTED_DAYS).map((day, index) => [
    `#p${index}`,
    attributeOf(day, kind),
  ]);
  return {
    TableName: table.name,
    Key: countKey(object),
    UpdateExpression: `ADD #today :one SET entity = :entity, lastUsedAt = :at, expiresAt = :end REMOVE ${past.map(([name]) => name).join(', ')}`,
    ExpressionAttributeNames: { '#today': attributeOf(dayOf(now), kind), ...Object.fromEntries(past) },
    ExpressionAttributeValues: {
      ...{ ':one': 1, ':entity': 'object-uses', ':at': now.toISOString() },
      ':end': Math.ceil(now.getTime() / 1000) + KEPT_SECONDS,
    },
  };
}

export function objectUses(table: Table): ObjectUses {
  const shown = (item: Record<string, unknown>): ObjectUse => {
    const now = table.now();
    const countOn = (day: string, kind: UseKind = 'view') => Number(item[attributeOf(day, kind)] ?? 0);
    const sum = (kind: UseKind) =>
      daysBefore(now, 0, COUNTED_DAYS).reduce((total, day) => total + countOn(day, kind), 0);
    return {
      views30d: sum('view'),
      queries30d: sum('query'),
      lastUsedAt: (item.lastUsedAt as string | undefined) ?? null,
      trend: trendOf((day) => countOn(day), now),
    };
  };
  return {
    async ofAll(workspaceId) {
      const items = await Array.fromAsync(itemsBelow(table, workspaceKey(workspaceId, COUNTS, '')));
      return new Map(items.map((item) => [item.sk as string, shown(item)]));
    },
    async of(object) {
      const { Item } = await table.db.send(new GetCommand({ TableName: table.name, Key: countKey(object) }));
      return Item ? shown(Item) : UNUSED;
    },
    async countPeople(object) {
      const oldest = daysBefore(table.now(), COUNTED_DAYS - 1, 1)[0]!;
      let people = 0;
      for await (const { day } of itemsBelow(table, personKey(object, ''))) if ((day as string) >= oldest) people += 1;
      return people;
    },
  };
}
