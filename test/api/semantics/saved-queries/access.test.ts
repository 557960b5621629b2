import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { cleanUpEnded } from '../../../../functions/platform/workers/minute-tick/clean-up-ended.ts';
import { workspaceRepository } from '../../../../functions/tenancy/workspaces/repository.ts';
import { savedQueryRepository } from '../../../../shared/domains/semantics/saved-queries/index.ts';
import { granteePartition, grantTotalKey } from '../../../../shared/domains/tenancy/grants/keys.ts';
import { groupRepository } from '../../../../shared/domains/tenancy/groups/index.ts';
import { MasterSecret } from '../../../../shared/platform/crypto/master-secret.ts';
import { cursors } from '../../../../shared/platform/http/cursor.ts';
import { cleanUpItem, type Ended } from '../../../../shared/platform/storage/clean-ups.ts';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { type Api, it } from '../../../support/api.ts';
import { type GivenMember, givenMember, tokenOf } from '../../../support/given/member.ts';
import { readMasterSecret } from '../../../support/master-secret.ts';

interface Given {
  id: string;
  path: string;
  grant(to: string, level?: string): ReturnType<ReturnType<Api['as']>['put']>;
  revoke(to: string): ReturnType<ReturnType<Api['as']>['delete']>;
  list(): Promise<{ total: number; access: string[] }>;
}

const user = ({ userId }: Pick<GivenMember, 'userId'>) => `user/${userId}`;

async function given(api: Api): Promise<Given> {
  const created = await api.as('editor').post('/api/saved-queries', { name: 'Orders', sql: 'SELECT 1 AS a' });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  const { id } = created.body;
  const path = `/api/saved-queries/${id}`;
  return {
    id,
    path,
    grant: (to, level = 'editor') => api.as('editor').put(`${path}/access/${to}`, { level }),
    revoke: (to) => api.as('editor').delete(`${path}/access/${to}`),
    async list() {
      const { status, body } = await api.as('editor').get(`${path}/access`);
      expect(status, JSON.stringify(body)).toBe(200);
      const access = body.items.map((each: Record<string, string>) => `${each.granteeType} ${each.name} ${each.level}`);
      return { total: body.total, access };
    },
  };
}

async function givenGroup(api: Api, ...members: GivenMember[]): Promise<string> {
  const { body } = await api.as('owner').post('/api/groups', { name: 'Finance' });
  for (const { userId } of members) await api.as('owner').put(`/api/groups/${body.id}/members/${userId}`);
  return body.id;
}

/** Whether the person may change the query. */
async function mayEdit(api: Api, { path }: Given, { token }: { token: string }): Promise<boolean> {
  const { status, body } = await api.as({ token }).patch(path, { description: 'changed' });
  if (status !== 200) expect({ status, code: body.code }).toEqual({ status: 403, code: 'FORBIDDEN' });
  return status === 200;
}

async function itemsOf(api: Api, pk: string): Promise<Record<string, unknown>[]> {
  const query = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk }, ConsistentRead: true };
  return (await api.table.db.send(new QueryCommand({ TableName: api.table.name, ...query }))).Items!;
}

/** The events of access so far, oldest first. */
async function events(api: Api): Promise<Record<string, unknown>[]> {
  const outbox = await itemsOf(api, workspaceKey(api.workspaceId, 'OUTBOX', '').pk);
  return outbox
    .filter(({ event }) => String(event).startsWith('access.'))
    .sort((a, b) => (String(a.timestamp) < String(b.timestamp) ? -1 : 1))
    .map(({ event, data }) => ({ event, ...(data as object) }));
}

async function tick(api: Api): Promise<void> {
  const deadline = new Date(Date.now() + 30_000);
  expect(await cleanUpEnded({ table: api.table, now: () => new Date() }, deadline, () => {})).toEqual([]);
  expect(await itemsOf(api, workspaceKey(api.workspaceId, 'CLEAN-UP', '').pk)).toEqual([]);
}

describe('access to a saved query', () => {
  it('lets a viewer change it once granted, as long as it is granted', async ({ api }) => {
    const query = await given(api);
    const person = await givenMember(api);
    expect(await mayEdit(api, query, person)).toBe(false);
    expect(await query.grant(user(person), 'viewer')).toMatchObject({ status: 200, body: { level: 'viewer' } });
    expect(await mayEdit(api, query, person)).toBe(false);
    const granted = await query.grant(user(person));
    expect(granted.body).toMatchObject({
      granteeType: 'user',
      granteeId: person.userId,
      name: 'New',
      email: person.email,
      level: 'editor',
    });
    expect(await mayEdit(api, query, person)).toBe(true);
    expect((await api.as({ token: person.token }).post(`${query.path}/versions/1/restore`)).status).toBe(200);
    expect((await api.as({ token: person.token }).get(`${query.path}/access`)).body.items).toEqual([granted.body]);

    const other = await given(api);
    expect(await mayEdit(api, other, person)).toBe(false);
    for (const reply of [
      await api.as({ token: person.token }).delete(query.path),
      await api.as({ token: person.token }).patch(query.path, { sourceId: api.workspaceId }),
      await api.as({ token: person.token }).patch(query.path, { datasetIds: [api.workspaceId] }),
      await api.as({ token: person.token }).put(`${query.path}/access/${user(person)}`, { level: 'editor' }),
      await api.as({ token: person.token }).delete(`${query.path}/access/${user(person)}`),
      await api.as({ token: person.token }).post('/api/saved-queries', { name: 'x', sql: 'SELECT 1' }),
      await api.as('viewer').get(`${query.path}/access`),
      await api.as({ token: person.token }).patch('/api/saved-queries/not-an-id', { name: 'x' }),
    ]) {
      expect(reply).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    }

    expect((await query.revoke(user(person))).status).toBe(204);
    expect(await mayEdit(api, query, person)).toBe(false);
    expect(await query.list()).toEqual({ total: 0, access: [] });
  });

  it('is granted to the members of a group, and the highest level counts', async ({ api }) => {
    const query = await given(api);
    const [person, outsider] = [await givenMember(api), await givenMember(api)];
    const group = await givenGroup(api, person);
    await query.grant(user(person), 'viewer');
    expect((await query.grant(`group/${group}`)).body).toMatchObject({ name: 'Finance', email: null });
    expect(await mayEdit(api, query, person)).toBe(true);
    expect(await mayEdit(api, query, outsider)).toBe(false);
    expect(await query.list()).toEqual({ total: 2, access: ['group Finance editor', 'user New viewer'] });

    await api.as('owner').delete(`/api/groups/${group}/members/${person.userId}`);
    expect(await mayEdit(api, query, person)).toBe(false);
    await api.as('owner').put(`/api/groups/${group}/members/${person.userId}`);
    expect(await mayEdit(api, query, person)).toBe(true);
    expect((await api.as('owner').delete(`/api/groups/${group}`)).status).toBe(204);
    expect(await mayEdit(api, query, person)).toBe(false);
    expect(await query.list()).toEqual({ total: 1, access: ['user New viewer'] });
  });

  it('sends an event when it changes, and none when it does not', async ({ api }) => {
    const query = await given(api);
    const person = await givenMember(api);
    const editor = (await api.as('editor').get('/api/auth/me')).body.user.id;
    await query.revoke(user(person));
    for (const level of ['viewer', 'viewer', 'editor', 'editor']) await query.grant(user(person), level);
    await query.revoke(user(person));
    await query.revoke(user(person));
    const data = {
      workspaceId: api.workspaceId,
      resourceType: 'saved-query',
      resourceId: query.id,
      resourceName: 'Orders',
      granteeType: 'user',
      granteeId: person.userId,
      url: query.path,
    };
    expect(await events(api)).toMatchObject([
      { event: 'access.granted', permission: 'viewer', grantedBy: editor, ...data },
      { event: 'access.granted', permission: 'editor', grantedBy: editor, ...data },
      { event: 'access.revoked', permission: 'editor', revokedBy: editor, ...data },
    ]);
  });

  it('changes once when many requests change it at once', async ({ api }) => {
    const query = await given(api);
    const person = await givenMember(api);
    const twins = await Promise.all([1, 2, 3, 4].map(() => query.grant(user(person))));
    expect(twins.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(twins.map(({ body }) => body.grantedAt)).size).toBe(1);
    expect((await events(api)).map(({ event }) => event)).toEqual(['access.granted']);
    const revoked = await Promise.all([1, 2, 3].map(() => query.revoke(user(person))));
    expect(revoked.map(({ status }) => status)).toEqual([204, 204, 204]);
    expect((await events(api)).map(({ event }) => event)).toEqual(['access.granted', 'access.revoked']);
    expect((await query.list()).total).toBe(0);
  });

  it('is granted to members and groups of the workspace only, at known levels', async ({ api }) => {
    const query = await given(api);
    const stranger = (await api.as('stranger').get('/api/auth/me')).body.user.id;
    const elsewhere = (await api.as('stranger').post('/api/groups', { name: 'x' })).body.id;
    for (const id of [stranger, crypto.randomUUID()]) {
      expect(await query.grant(`user/${id}`)).toMatchObject({ status: 404, body: { code: 'MEMBER_NOT_FOUND' } });
    }
    for (const id of [elsewhere, crypto.randomUUID()]) {
      expect(await query.grant(`group/${id}`)).toMatchObject({ status: 404, body: { code: 'GROUP_NOT_FOUND' } });
    }
    const me = (await api.as('viewer').get('/api/auth/me')).body.user.id;
    expect(await query.grant(`user/${me}`, 'owner')).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'ENUM' }] },
    });
    expect(await query.grant(`role/${me}`)).toMatchObject({ status: 400 });
    for (const reply of [
      await api.as('stranger').get(`${query.path}/access`),
      await api.as('stranger').put(`${query.path}/access/user/${stranger}`, { level: 'editor' }),
      await api.as('stranger').delete(`${query.path}/access/user/${me}`),
    ]) {
      expect(reply).toMatchObject({ status: 404, body: { code: 'SAVED_QUERY_NOT_FOUND' } });
    }
    expect(await events(api)).toEqual([]);
    expect(await query.list()).toEqual({ total: 0, access: [] });
  });

  it('of a key stays within its scope', async ({ api }) => {
    const query = await given(api);
    const person = await givenMember(api, 'admin');
    const keyOf = async (scope: string) =>
      (await api.as({ token: person.token }).post('/api/api-keys', { name: scope, scope })).body.key;
    const [read, write] = [await keyOf('read'), await keyOf('read/write')];
    await api.as('owner').patch(`/api/workspaces/members/${person.userId}`, { role: 'viewer' });
    // Roles are cached for five seconds; these keys have not been used before.
    await query.grant(user(person));
    expect(await mayEdit(api, query, { token: read })).toBe(false);
    expect(await mayEdit(api, query, { token: write })).toBe(true);
    await query.revoke(user(person));
    expect(await mayEdit(api, query, { token: write })).toBe(false);
  });

  it('is listed in pages', async ({ api }) => {
    const query = await given(api);
    const people = [await givenMember(api), await givenMember(api), await givenMember(api)];
    for (const person of people) await query.grant(user(person));
    const list = (more: string, of = query) => api.as('editor').get(`${of.path}/access?${more}`);
    const first = (await list('limit=2')).body;
    const next = (await list(`limit=2&cursor=${first.nextCursor}`)).body;
    const found = [...first.items, ...next.items].map(({ granteeId }) => granteeId);
    expect(found).toEqual(people.map(({ userId }) => userId).sort());
    expect([first.total, next.nextCursor]).toEqual([3, null]);

    expect(await list('cursor=x')).toMatchObject({ status: 400, body: { code: 'CURSOR_INVALID' } });
    const other = await given(api);
    expect(await list(`cursor=${first.nextCursor}`, other)).toMatchObject({
      status: 400,
      body: { code: 'CURSOR_MISMATCH' },
    });
    const sealer = cursors(new MasterSecret(() => readMasterSecret(api.endpoint)));
    const yesterday = new Date(Date.now() - 24 * 3_600_000);
    const scope = { workspaceId: api.workspaceId, list: ['saved-query-access', query.id] };
    const old = await sealer.seal({ after: 'user#', asOf: yesterday.toISOString() }, scope, yesterday);
    expect(await list(`cursor=${old}`)).toMatchObject({ status: 404, body: { code: 'CURSOR_EXPIRED' } });
  });
});

describe('access that was granted to a member', () => {
  it('ends with the membership, also while the clean-up is still to come', async ({ api }) => {
    const query = await given(api);
    const person = await givenMember(api);
    await query.grant(user(person));
    const { workspaceId } = api;
    const workspaces = workspaceRepository(api.table);
    const member = (await workspaces.member(workspaceId, person.userId))!;
    const ended: Ended = { kind: 'member', workspaceId, userId: person.userId, membershipId: member.membershipId };
    await workspaces.removeMember(member, [cleanUpItem(api.table, ended, new Date())]);
    expect((await query.list()).access).toEqual([]);

    await api.as('owner').post('/api/workspaces/members', { email: person.email, role: 'viewer' });
    const token = await tokenOf(api, person);
    expect(await mayEdit(api, query, { token })).toBe(false);
    expect((await query.list()).access).toEqual([]);
    // A grant of the new membership takes the place of the old one, and outlives the clean-up of that.
    const other = await given(api);
    await query.grant(user(person));
    await tick(api);
    expect(await mayEdit(api, query, { token })).toBe(true);
    expect(await mayEdit(api, other, { token })).toBe(false);
    expect(await query.list()).toEqual({ total: 1, access: ['user New editor'] });
  });

  it('is removed with the member', async ({ api }) => {
    const query = await given(api);
    const person = await givenMember(api);
    await query.grant(user(person));
    await api.as('owner').delete(`/api/workspaces/members/${person.userId}`);
    expect(await query.list()).toEqual({ total: 0, access: [] });
    const grantee = { granteeType: 'user', granteeId: person.userId } as const;
    expect(await itemsOf(api, granteePartition(api.workspaceId, grantee).pk)).toEqual([]);
  });
});

describe('access that was granted to a group', () => {
  it('ends with the group, also while the clean-up is still to come', async ({ api }) => {
    const query = await given(api);
    const person = await givenMember(api);
    const groupId = await givenGroup(api, person);
    await query.grant(`group/${groupId}`);
    const groups = groupRepository(api.table);
    const ended: Ended = { kind: 'group', workspaceId: api.workspaceId, groupId };
    const group = (await groups.get(api.workspaceId, groupId))!;
    await groups.remove(group, [cleanUpItem(api.table, ended, new Date())]);
    expect(await mayEdit(api, query, person)).toBe(false);
    expect((await query.list()).access).toEqual([]);
    await tick(api);
    expect(await query.list()).toEqual({ total: 0, access: [] });
    const grantee = { granteeType: 'group', granteeId: groupId } as const;
    expect(await itemsOf(api, granteePartition(api.workspaceId, grantee).pk)).toEqual([]);
  });
});

describe('access to a deleted saved query', () => {
  const left = async (api: Api, { id }: Given, person: GivenMember) => {
    const { workspaceId } = api;
    const grantee = { granteeType: 'user', granteeId: person.userId } as const;
    return [
      ...(await itemsOf(api, grantTotalKey({ workspaceId, type: 'saved-query', id }).pk)),
      ...(await itemsOf(api, granteePartition(workspaceId, grantee).pk)),
    ];
  };

  it('is removed with it', async ({ api }) => {
    const query = await given(api);
    const person = await givenMember(api);
    await query.grant(user(person));
    expect((await api.as('editor').delete(query.path)).status).toBe(204);
    expect(await left(api, query, person)).toEqual([]);
    for (const reply of [
      await api.as('editor').get(`${query.path}/access`),
      await query.grant(user(person)),
      await query.revoke(user(person)),
    ]) {
      expect(reply).toMatchObject({ status: 404, body: { code: 'SAVED_QUERY_NOT_FOUND' } });
    }
  });

  it('is removed by the worker if the function that deleted it died', async ({ api }) => {
    const query = await given(api);
    const person = await givenMember(api);
    await query.grant(user(person));
    const { queries } = savedQueryRepository(api.table);
    const ended: Ended = {
      kind: 'object',
      workspaceId: api.workspaceId,
      objectType: 'saved-query',
      objectId: query.id,
    };
    const stored = (await queries.get(api.workspaceId, query.id))!;
    await queries.remove(stored, 'STALE_WRITE', [cleanUpItem(api.table, ended, new Date())]);
    expect((await api.as({ token: person.token }).patch(query.path, { name: 'x' })).body.code).toBe(
      'SAVED_QUERY_NOT_FOUND',
    );
    expect((await left(api, query, person)).length).toBeGreaterThan(0);
    await tick(api);
    expect(await left(api, query, person)).toEqual([]);
  });
});
