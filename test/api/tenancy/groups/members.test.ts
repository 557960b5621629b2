import { BatchWriteCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, vi } from 'vitest';
import { cleanUpEnded } from '../../../../functions/platform/workers/minute-tick/clean-up-ended.ts';
import { workspaceRepository } from '../../../../functions/tenancy/workspaces/repository.ts';
import { groupRepository } from '../../../../shared/domains/tenancy/groups/index.ts';
import { groupMemberKey, groupOfUserKey, memberTotalKey } from '../../../../shared/domains/tenancy/groups/keys.ts';
import { MasterSecret } from '../../../../shared/platform/crypto/master-secret.ts';
import { cursors } from '../../../../shared/platform/http/cursor.ts';
import { cleanUpItem, type Ended } from '../../../../shared/platform/storage/clean-ups.ts';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { type Api, it } from '../../../support/api.ts';
import { givenMember, tokenOf } from '../../../support/given/member.ts';
import { readMasterSecret } from '../../../support/master-secret.ts';

async function givenGroup(api: Api, name = 'Finance'): Promise<{ id: string; path: string }> {
  const { body } = await api.as('owner').post('/api/groups', { name });
  return { id: body.id, path: `/api/groups/${body.id}/members` };
}

const userIds = (reply: { body: { items: { userId: string }[] } }) => reply.body.items.map(({ userId }) => userId);
const groupNames = async (api: Api, token: string) =>
  (await api.as({ token }).get('/api/auth/me')).body.groups.map(({ name }: { name: string }) => name);

async function itemsOf(api: Api, pk: string): Promise<number> {
  const query = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk }, ConsistentRead: true };
  return (await api.table.db.send(new QueryCommand({ TableName: api.table.name, ...query }))).Count!;
}

const pendingCleanUps = (api: Api) => itemsOf(api, workspaceKey(api.workspaceId, 'CLEAN-UP', '').pk);

/** What the worker does each minute. */
async function tick(api: Api): Promise<void> {
  const deadline = new Date(Date.now() + 30_000);
  const failures = await cleanUpEnded({ table: api.table, now: () => new Date() }, deadline, () => {});
  expect(failures).toEqual([]);
}

/** Memberships of people who are not in the workspace, as many as a test needs. */
async function fill(api: Api, groupId: string, count: number): Promise<string[]> {
  const people = Array.from({ length: count }, () => crypto.randomUUID()).sort();
  for (let start = 0; start < count; start += 12) {
    const requests = people.slice(start, start + 12).flatMap((userId) =>
      [
        { ...groupMemberKey(api.workspaceId, groupId, userId), groupId, userId, membershipId: userId },
        { ...groupOfUserKey(api.workspaceId, userId, groupId), membershipId: userId },
      ].map((Item) => ({ PutRequest: { Item } })),
    );
    await api.table.db.send(new BatchWriteCommand({ RequestItems: { [api.table.name]: requests } }));
  }
  return people;
}

describe('members of a group', () => {
  it('are added and removed once, however often that is requested, and see their groups', async ({ api }) => {
    const { path, id } = await givenGroup(api);
    const person = await givenMember(api, 'editor');
    const added = await api.as('owner').put(`${path}/${person.userId}`);
    expect(added).toMatchObject({
      status: 200,
      body: { groupId: id, userId: person.userId, email: person.email, name: 'New', role: 'editor' },
    });
    expect((await api.as('owner').put(`${path}/${person.userId}`)).body).toEqual(added.body);
    expect((await api.as('viewer').get(path)).body).toEqual({ items: [added.body], total: 1, nextCursor: null });
    expect(JSON.stringify(added.body)).not.toContain('membershipId');
    const other = await givenGroup(api, 'Audit');
    await api.as('owner').put(`${other.path}/${person.userId}`);
    expect(await groupNames(api, person.token)).toEqual(['Audit', 'Finance']);
    expect((await api.as('owner').get('/api/auth/me')).body.groups).toEqual([]);

    for (const _ of [1, 2]) expect((await api.as('owner').delete(`${path}/${person.userId}`)).status).toBe(204);
    expect((await api.as('viewer').get(path)).body).toEqual({ items: [], total: 0, nextCursor: null });
    expect(await groupNames(api, person.token)).toEqual(['Audit']);
  });

  it('are members of the workspace', async ({ api }) => {
    const { path } = await givenGroup(api);
    const stranger = (await api.as('stranger').get('/api/auth/me')).body.user.id;
    for (const userId of [stranger, crypto.randomUUID()]) {
      expect(await api.as('owner').put(`${path}/${userId}`)).toMatchObject({
        status: 404,
        body: { code: 'MEMBER_NOT_FOUND' },
      });
    }
    expect((await api.as('viewer').get(path)).body.total).toBe(0);
  });

  it('are counted right when many requests add and remove them at once', async ({ api }) => {
    const { path, id } = await givenGroup(api);
    const [a, b] = [await givenMember(api), await givenMember(api)];
    const replies = await Promise.all([a, a, a, b, b].map(({ userId }) => api.as('owner').put(`${path}/${userId}`)));
    expect(replies.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect((await api.as('owner').get(path)).body.total).toBe(2);
    const removed = await Promise.all([a, a, b].map(({ userId }) => api.as('owner').delete(`${path}/${userId}`)));
    expect(removed.map(({ status }) => status)).toEqual(Array(3).fill(204));
    expect(await api.stored(memberTotalKey(api.workspaceId, id))).toMatchObject({ count: 0 });
  });

  it('of a large group are read in pages, each person once', async ({ api }) => {
    const { path } = await givenGroup(api);
    const people = [await givenMember(api), await givenMember(api), await givenMember(api)];
    for (const { userId } of people) await api.as('owner').put(`${path}/${userId}`);
    const first = await api.as('viewer').get(`${path}?limit=2`);
    expect(first.body.total).toBe(3);
    const next = await api.as('viewer').get(`${path}?limit=2&cursor=${first.body.nextCursor}`);
    expect(next.body.nextCursor).toBeNull();
    expect([...userIds(first), ...userIds(next)]).toEqual(people.map(({ userId }) => userId).sort());

    const get = (cursor: string, list = path) => api.as('viewer').get(`${list}?cursor=${cursor}`);
    expect(await get('x')).toMatchObject({ status: 400, body: { code: 'CURSOR_INVALID' } });
    const other = await givenGroup(api, 'Other');
    expect(await get(first.body.nextCursor, other.path)).toMatchObject({
      status: 400,
      body: { code: 'CURSOR_MISMATCH' },
    });
    const sealer = cursors(new MasterSecret(() => readMasterSecret(api.endpoint)));
    const yesterday = new Date(Date.now() - 24 * 3_600_000);
    const place = { after: people[0]!.userId, asOf: yesterday.toISOString() };
    const scope = { workspaceId: api.workspaceId, list: ['group-members', path.split('/')[3]] };
    expect(await get(await sealer.seal(place, scope, yesterday))).toMatchObject({
      status: 404,
      body: { code: 'CURSOR_EXPIRED' },
    });
  });
});

describe('a person who is removed from the workspace', () => {
  const remove = (api: Api, userId: string) => api.as('owner').delete(`/api/workspaces/members/${userId}`);

  it('leaves every group, and is in none when added again', async ({ api }) => {
    const groups = [await givenGroup(api), await givenGroup(api, 'Audit')];
    const person = await givenMember(api);
    for (const { path } of groups) await api.as('owner').put(`${path}/${person.userId}`);
    expect((await remove(api, person.userId)).status).toBe(204);
    for (const { path } of groups) {
      expect((await api.as('viewer').get(path)).body).toMatchObject({ items: [], total: 0 });
    }
    // The worker ends what the request does not know, such as bookmarks.
    await tick(api);
    expect(await pendingCleanUps(api)).toBe(0);
    await api.as('owner').post('/api/workspaces/members', { email: person.email, role: 'viewer' });
    expect(await groupNames(api, await tokenOf(api, person))).toEqual([]);
  });

  it('has left them also while the clean-up is still to come, and a new membership survives it', async ({ api }) => {
    const [{ path, id }, other] = [await givenGroup(api), await givenGroup(api, 'Audit')];
    const person = await givenMember(api);
    for (const group of [path, other.path]) await api.as('owner').put(`${group}/${person.userId}`);
    // The function dies after it has removed the member.
    const workspaces = workspaceRepository(api.table);
    const member = (await workspaces.member(api.workspaceId, person.userId))!;
    const { workspaceId } = api;
    const ended: Ended = { kind: 'member', workspaceId, userId: person.userId, membershipId: member.membershipId };
    await workspaces.removeMember(member, [cleanUpItem(api.table, ended, new Date())]);
    expect((await api.as('viewer').get(path)).body.items).toEqual([]);

    await api.as('owner').post('/api/workspaces/members', { email: person.email, role: 'viewer' });
    const token = await tokenOf(api, person);
    expect(await groupNames(api, token)).toEqual([]);
    await api.as('owner').put(`${path}/${person.userId}`);
    expect(await groupNames(api, token)).toEqual(['Finance']);
    await tick(api);
    expect(await groupNames(api, token)).toEqual(['Finance']);
    expect((await api.as('viewer').get(path)).body).toMatchObject({ items: [{ userId: person.userId }], total: 1 });
    expect(await api.stored(memberTotalKey(workspaceId, id))).toMatchObject({ count: 1 });
    expect((await api.as('viewer').get(other.path)).body).toMatchObject({ items: [], total: 0 });
    expect(await pendingCleanUps(api)).toBe(0);
  });
});

describe('a deleted group', () => {
  it('has no members from then on, and leaves nothing behind', async ({ api }) => {
    const { id, path } = await givenGroup(api);
    const person = await givenMember(api);
    await api.as('owner').put(`${path}/${person.userId}`);
    const [member] = await fill(api, id, 60);
    expect((await api.as('owner').delete(`/api/groups/${id}`)).status).toBe(204);
    expect(await groupNames(api, person.token)).toEqual([]);
    await vi.waitFor(
      async () => {
        await tick(api);
        expect(await pendingCleanUps(api)).toBe(0);
      },
      { timeout: 60_000 },
    );
    expect(await itemsOf(api, memberTotalKey(api.workspaceId, id).pk)).toBe(0);
    for (const userId of [member!, person.userId]) {
      expect(await api.stored(groupOfUserKey(api.workspaceId, userId, id))).toBeUndefined();
    }
  });

  it('is cleaned up by the worker if the function that deleted it died, in several turns if need be', async ({
    api,
  }) => {
    const { id, path } = await givenGroup(api);
    const person = await givenMember(api);
    await api.as('owner').put(`${path}/${person.userId}`);
    await fill(api, id, 60);
    const groups = groupRepository(api.table);
    const ended: Ended = { kind: 'group', workspaceId: api.workspaceId, groupId: id };
    const group = (await groups.get(api.workspaceId, id))!;
    await groups.remove(group, [cleanUpItem(api.table, ended, new Date())]);
    expect(await groupNames(api, person.token)).toEqual([]);
    expect(await api.as('owner').put(`${path}/${person.userId}`)).toMatchObject({ status: 404 });
    expect((await api.as('owner').post('/api/groups', { name: group.name })).status).toBe(201);

    await cleanUpEnded({ table: api.table, now: () => new Date() }, new Date(0), () => {});
    expect(await pendingCleanUps(api)).toBe(1);
    await tick(api);
    expect(await pendingCleanUps(api)).toBe(0);
    expect(await itemsOf(api, memberTotalKey(api.workspaceId, id).pk)).toBe(0);
  });
});
