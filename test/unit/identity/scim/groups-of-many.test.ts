import { beforeAll, beforeEach, expect, it } from 'vitest';
import { groupRepository, groupsOf, groupsOfMany } from '../../../../shared/domains/tenancy/groups/index.ts';
import { groupMemberKey, groupOfUserKey } from '../../../../shared/domains/tenancy/groups/keys.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import type { Table, TransactItem } from '../../../../shared/platform/storage/table.ts';
import { transact } from '../../../../shared/platform/storage/transact.ts';
import { useLocalTable } from '../../../support/local-table.ts';

const local = useLocalTable();
const workspaceId = newId();
const START = Date.parse('2026-03-01T10:00:00Z');
/** As they were created, one after the other. */
const people = Array.from({ length: 300 }, (_, index) => ({
  workspaceId,
  userId: newId(new Date(START + index)),
  membershipId: newId(),
}));
const everyone = people.map((_, index) => index);
let table: Table;
let queries = 0;

beforeAll(async () => {
  table = local.open();
  table.db.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        if (commandName === 'QueryCommand') queries += 1;
        return next(args);
      },
    { step: 'initialize' },
  );
  await givenGroup('nobody', []);
  await givenGroup(
    'some',
    everyone.filter((index) => index % 3 === 0),
  );
  await givenGroup('all', everyone);
});

beforeEach(() => {
  queries = 0;
});

async function givenGroup(name: string, members: readonly number[]): Promise<void> {
  const [id, at] = [newId(), new Date(START).toISOString()];
  const record = { id, workspaceId, name, description: '', externalId: null, createdBy: 'x', updatedBy: 'x' };
  await groupRepository(table).create({ ...record, createdAt: at, updatedAt: at, revision: 1 });
  const key = (userId: string) => groupMemberKey(workspaceId, id, userId);
  for (let start = 0; start < members.length; start += 50) {
    const items = members.slice(start, start + 50).flatMap((index): TransactItem[] => {
      const { userId, membershipId } = people[index]!;
      return [
        { Put: { TableName: table.name, Item: { ...key(userId), groupId: id, userId, membershipId } } },
        { Put: { TableName: table.name, Item: { ...groupOfUserKey(workspaceId, userId, id), membershipId } } },
      ];
    });
    await transact(table, items);
  }
}

async function names(asked: readonly (typeof people)[number][]): Promise<string[]> {
  const found = await groupsOfMany(table, workspaceId, asked);
  return asked.map(({ userId }) =>
    found
      .get(userId)!
      .map(({ name }) => name)
      .join(),
  );
}

/** As every person alone is answered. */
const expected = (asked: readonly (typeof people)[number][]) =>
  Promise.all(
    asked.map(async (each) =>
      (await groupsOf(table, each))
        .map(({ name }) => name)
        .sort()
        .reverse()
        .join(),
    ),
  );

it('are the same for a page of people as for each of them, with a query for each group', async () => {
  const page = people.slice(100, 160);
  expect(await names(page)).toEqual(await expected(page));
  queries = 0;
  await names(page);
  // Three groups, and their list.
  expect(queries).toBeLessThanOrEqual(4);
});

it('are right for people who were created long after each other, and for a few', async () => {
  const apart = everyone.filter((index) => index % 12 === 0).map((index) => people[index]!);
  expect(apart.length).toBeGreaterThanOrEqual(20);
  expect(await names(apart)).toEqual(apart.map(() => 'some,all'));
  expect(await names([people[1]!, people[3]!])).toEqual(['all', 'some,all']);
});

it('are none for a membership of before', async () => {
  const page = people.slice(0, 40).map((each, index) => (index === 0 ? { ...each, membershipId: newId() } : each));
  expect((await names(page)).slice(0, 4)).toEqual(['', 'all', 'all', 'some,all']);
});
