import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { CLEAN_UPS } from '../../../../functions/platform/workers/minute-tick/clean-ups.ts';
import { workspaceRepository } from '../../../../functions/tenancy/workspaces/repository.ts';
import { type GrantedObject, levelFor, objectGrants } from '../../../../shared/domains/tenancy/grants/index.ts';
import { groupMemberships, groupRepository, groupsOf } from '../../../../shared/domains/tenancy/groups/index.ts';
import { putMember } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import {
  CLEAN_UP_PARTITION,
  cleanUpItem,
  cleanUpItemAt,
  cleanUpNow,
  type Ended,
} from '../../../../shared/platform/storage/clean-ups.ts';
import { dueItems } from '../../../../shared/platform/storage/due-items.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { transact } from '../../../../shared/platform/storage/transact.ts';
import { asProcess, type Crash, Crashed } from '../../../support/crash.ts';
import { useLocalTable } from '../../../support/local-table.ts';

const local = useLocalTable();
const AT = new Date('2026-03-01T08:00:00.000Z');
const act = { by: newId(), at: AT };

interface Setup {
  workspaceId: string;
  people: { workspaceId: string; userId: string; membershipId: string }[];
  groups: { workspaceId: string; groupId: string }[];
  objects: GrantedObject[];
}

/** Two groups of all members, and two objects that are granted to each member and group. */
async function given(table: Table): Promise<Setup> {
  const workspaceId = newId();
  const people = Array.from({ length: 3 }, () => ({ workspaceId, userId: newId(), membershipId: newId() }));
  for (const person of people) {
    const joinedAt = AT.toISOString();
    const member = { ...person, email: 'a@example.com', name: 'A', role: 'admin' as const, joinedAt, revision: 1 };
    await transact(table, putMember(table, member, 'Test'));
  }
  const groups = ['Finance', 'Audit'].map((name) => ({ workspaceId, groupId: newId(), name }));
  for (const { groupId: id, name } of groups) {
    const stamps = { createdBy: act.by, updatedBy: act.by, createdAt: AT.toISOString(), updatedAt: AT.toISOString() };
    const group = { id, workspaceId, name, description: '', externalId: name, ...stamps, revision: 1 };
    await groupRepository(table).create(group);
    for (const { userId } of people) {
      await groupMemberships(table).add({ workspaceId, groupId: id }, { userId, ...act });
    }
  }
  const objects = [newId(), newId()].map(
    (id): GrantedObject => ({
      workspaceId,
      type: 'saved-query',
      id,
      name: 'Orders',
      key: workspaceKey(workspaceId, 'SAVED-QUERY', id),
      notFound: 'SAVED_QUERY_NOT_FOUND',
    }),
  );
  for (const object of objects) {
    await table.db.send(new PutCommand({ TableName: table.name, Item: object.key }));
    const grantees = [
      ...people.map(({ userId }) => ({ granteeType: 'user' as const, granteeId: userId })),
      ...groups.map(({ groupId }) => ({ granteeType: 'group' as const, granteeId: groupId })),
    ];
    for (const grantee of grantees) await objectGrants(table).put(object, { ...grantee, level: 'editor' }, act);
  }
  return { workspaceId, people, groups, objects };
}

/** Every way to end access. Each may be repeated, as a client or an admin would. */
const WAYS: Record<string, { end(table: Table, setup: Setup): Promise<Ended>; idOf(setup: Setup): string }> = {
  'a deleted group': {
    idOf: ({ groups }) => groups[0]!.groupId,
    async end(table, { groups: [place] }) {
      const ended: Ended = { kind: 'group', ...place! };
      const group = await groupRepository(table).get(place!.workspaceId, place!.groupId);
      if (group) await groupRepository(table).remove(group, [cleanUpItem(table, ended, AT)]);
      return ended;
    },
  },
  'a removed member': {
    idOf: ({ people }) => people[0]!.userId,
    async end(table, { people: [person] }) {
      const ended: Ended = { kind: 'member', ...person! };
      const member = await workspaceRepository(table).member(person!.workspaceId, person!.userId);
      if (member) await workspaceRepository(table).removeMember(member, [cleanUpItem(table, ended, AT)]);
      return ended;
    },
  },
  'a deleted object': {
    idOf: ({ objects }) => objects[0]!.id,
    async end(table, { objects: [object] }) {
      const { workspaceId, type, id, key } = object!;
      const ended: Ended = { kind: 'object', workspaceId, objectType: type, objectId: id };
      await transact(table, [{ Delete: { TableName: table.name, Key: key } }, cleanUpItem(table, ended, AT)]);
      return ended;
    },
  },
};

async function scan(table: Table, { workspaceId }: Setup): Promise<Record<string, unknown>[]> {
  const { Items } = await table.db.send(new ScanCommand({ TableName: table.name, ConsistentRead: true }));
  return Items!.filter((item) => JSON.stringify(item).includes(workspaceId));
}

const ACCESS = ['group', 'group-member', 'group-of-user', 'grant', 'granted', 'clean-up'];

/** Nothing is left of what ended, everything else is there, and the totals are right. */
async function expectEnded(table: Table, setup: Setup, id: string): Promise<void> {
  const items = await scan(table, setup);
  const access = items.filter(({ entity }) => ACCESS.includes(entity as string));
  expect(access.filter((item) => JSON.stringify(item).includes(id))).toEqual([]);
  for (const { pk, count } of items.filter(({ sk, pk }) => sk === '#TOTAL' && /#(GROUP|GRANT)#/.test(pk as string))) {
    const counted = items.filter((item) => item.pk === pk && item.sk !== '#TOTAL');
    expect([pk, count]).toEqual([pk, counted.length]);
    expect(pk).not.toContain(id);
  }
  const left = (entity: string) => access.filter((item) => item.entity === entity).length;
  expect(left('group-member')).toBe(left('group-of-user'));
  expect(left('grant')).toBe(left('granted'));
}

async function expectNoAccess(table: Table, setup: Setup, way: string): Promise<void> {
  const [person, other] = setup.people;
  const [object] = setup.objects;
  const groups = async (who: typeof person) => (await groupsOf(table, who!)).map(({ name }) => name);
  if (way === 'a deleted group') expect(await groups(other)).toEqual(['Audit']);
  if (way === 'a removed member') {
    const again = { ...person!, membershipId: newId() };
    expect(await groups(again)).toEqual([]);
    expect(await levelFor(table, again, object!)).toBeUndefined();
  }
}

describe.each(Object.entries(WAYS))('the access of %s', (way, { end, idOf }) => {
  it('ends once and leaves nothing behind, wherever the function or the worker dies', async () => {
    for (let dieAt = 1, isOver = false; !isOver; dieAt++) {
      for (const when of ['before', 'after'] as const) {
        const setup = await given(local.open());
        let writes = 0;
        const crash: Crash = () => (++writes === dieAt ? when : undefined);
        const table = local.open(crash);
        const request = () => asProcess(async () => cleanUpNow(table, CLEAN_UPS, await end(table, setup), () => {}));
        const died = await request().then(
          () => false,
          (error: unknown) => error instanceof Crashed,
        );
        isOver = !died;
        const after = local.open();
        // The client or the admin repeats what got no reply.
        await end(after, setup);
        await expectNoAccess(after, setup, way);
        for await (const item of dueItems(after, CLEAN_UP_PARTITION, AT)) {
          await cleanUpItemAt(after, CLEAN_UPS, item, () => false);
        }
        await expectEnded(after, setup, idOf(setup));
      }
    }
  });

  it('is removed in turns, by two workers at once', async () => {
    const table = local.open();
    const setup = await given(table);
    await end(table, setup);
    const worker = async () => {
      for (let steps = 0; ; steps++) {
        const due = await Array.fromAsync(dueItems(table, CLEAN_UP_PARTITION, AT));
        if (due.length === 0) return;
        expect(steps).toBeLessThan(100);
        let left = 2;
        for (const item of due) await cleanUpItemAt(table, CLEAN_UPS, item, () => left-- <= 0);
      }
    };
    await Promise.all([worker(), worker()]);
    await expectEnded(table, setup, idOf(setup));
  });
});
