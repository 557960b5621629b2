import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, vi } from 'vitest';
import { cleanUpEnded } from '../../../../functions/platform/workers/minute-tick/clean-up-ended.ts';
import { provisionedUsers, userItems } from '../../../../shared/domains/identity/provisioning/index.ts';
import { emailKey, memberKey, userRecordKey } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { cleanUpItem } from '../../../../shared/platform/storage/clean-ups.ts';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { type Api, type Caller, it, itWithOwnCompany } from '../../../support/api.ts';
import { newAddress } from '../../../support/given/address.ts';
import { givenDashboard, textCard } from '../../../support/given/dashboard.ts';
import { givenMember, tokenOf } from '../../../support/given/member.ts';
import { posted } from '../../../support/given/model.ts';
import { givenProvisioner, givenScimGroup, givenUser, patchOf, SCIM } from '../../../support/given/provisioner.ts';
import { publish, readerOf } from '../../../support/given/shares.ts';

const USERS = `${SCIM}/Users`;
const uniqueness = { status: 409, body: { status: '409', scimType: 'uniqueness' } };
const missing = { status: 404, body: { status: '404' } };

const find = async (idp: Caller, filter: string) =>
  (await idp.get(`${USERS}?filter=${encodeURIComponent(filter)}`)).body.Resources as { id: string; active: boolean }[];

/** A member with a sign-in, an API key, an embed token and an open page, whom the identity provider takes over. */
async function givenCredentials(api: Api, role = 'admin') {
  const person = await givenMember(api, role);
  const login = { email: person.email, password: person.password, workspaceId: api.workspaceId };
  const session = (await api.as('anonymous').post('/api/auth/login', login)).body;
  const key = (await api.as({ token: person.token }).post('/api/api-keys', { name: 'x', scope: 'admin' })).body.key;
  const dashboard = await givenDashboard(api);
  await posted(api, `${dashboard.path}/cards`, textCard('text'));
  await publish(api, dashboard.path);
  const embedded = { contentType: 'dashboard', contentId: dashboard.id };
  const embed = (await api.as({ token: person.token }).post('/api/embed/tokens', embedded)).body.token as string;
  const begun = (await api.as('anonymous').post('/api/auth/login', login)).body;
  const page = await api.as('anonymous').post('/api/d/session', { refreshToken: begun.refreshToken });
  const cookie = page.headers.get('set-cookie')!.split(';')[0]!;
  return {
    ...person,
    ...{ accessToken: session.accessToken as string, refreshToken: session.refreshToken as string },
    ...{ key, embed, cookie },
  };
}

type Credentials = Awaited<ReturnType<typeof givenCredentials>>;

/** Everything that the person could do something with. */
async function statusesOf(api: Api, { email, password, accessToken, refreshToken, key, embed, cookie }: Credentials) {
  const refresh = await api.as('anonymous').post('/api/auth/refresh', { refreshToken });
  const login = await api.as('anonymous').post('/api/auth/login', { email, password }, { from: newAddress() });
  return {
    access: (await api.as({ token: accessToken }).get('/api/auth/me')).status,
    key: (await api.as({ token: key }).get('/api/webhooks')).status,
    refresh: refresh.status,
    login: login.status,
    embed: (await readerOf(api, embed).link()).status,
    page: (await api.as('anonymous').post('/api/d/session', {}, { headers: { cookie } })).status,
  };
}

const ENDED = { access: 401, key: 401, refresh: 401, login: 401, embed: 404, page: 401 };

async function tick(api: Api): Promise<void> {
  const deadline = new Date(Date.now() + 30_000);
  expect(await cleanUpEnded({ table: api.table, now: () => new Date() }, deadline, () => {})).toEqual([]);
}

async function pendingCleanUps(api: Api): Promise<number> {
  const { pk } = workspaceKey(api.workspaceId, 'CLEAN-UP', '');
  const query = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk }, ConsistentRead: true };
  return (await api.table.db.send(new QueryCommand({ TableName: api.table.name, ...query }))).Count!;
}

describe('a deactivated user', () => {
  const inactive = { op: 'Replace', path: 'active', value: 'False' };
  const deactivations: [string, (idp: Caller, id: string, userName: string) => Promise<{ status: number }>][] = [
    ['PATCH', (idp, id) => idp.patch(`${USERS}/${id}`, patchOf(inactive))],
    [
      'PATCH without a path',
      (idp, id) => idp.patch(`${USERS}/${id}`, patchOf({ op: 'replace', value: { active: false } })),
    ],
    ['PUT', (idp, id, userName) => idp.put(`${USERS}/${id}`, { userName, active: false })],
    ['DELETE', (idp, id) => idp.delete(`${USERS}/${id}`)],
  ];

  it.for(deactivations)('by %s loses every credential, for good', async ([, deactivate], { api }) => {
    const person = await givenCredentials(api);
    const { caller } = await givenProvisioner(api);
    expect((await api.as({ token: person.key }).get('/api/webhooks')).status).toBe(200);
    expect((await readerOf(api, person.embed).link()).status).toBe(200);
    expect((await deactivate(caller, person.userId, person.email)).status).toBeLessThan(300);
    await expect.poll(() => statusesOf(api, person), { timeout: 60_000, interval: 500 }).toEqual(ENDED);

    const [known] = await find(caller, `userName eq "${person.email}"`);
    if (known) {
      expect(known.active).toBe(false);
      await caller.patch(`${USERS}/${known.id}`, patchOf({ op: 'replace', path: 'active', value: true }));
    } else expect((await caller.post(USERS, { userName: person.email })).body.id).toBe(person.userId);
    // Until their trust ends, other instances of a function may still know the credentials from before.
    await expect
      .poll(() => statusesOf(api, person), { timeout: 60_000, interval: 500 })
      .toEqual({ ...ENDED, login: known ? 200 : 401 });
    const keys = await api.as('owner').get('/api/api-keys');
    expect(keys.status).toBe(200);
  });

  it('stays readable, keeps the groups and the role, and comes back with them', async ({ api }) => {
    const person = await givenMember(api, 'editor');
    const { caller } = await givenProvisioner(api);
    const group = await givenScimGroup(caller, [person.userId]);
    const set = (active: boolean) =>
      caller.patch(`${USERS}/${person.userId}`, patchOf({ op: 'replace', path: 'active', value: active }));
    expect((await set(false)).body).toMatchObject({ id: person.userId, active: false });
    expect((await caller.get(`${USERS}/${person.userId}`)).body).toMatchObject({ active: false });
    expect((await set(true)).body).toMatchObject({ active: true, groups: [{ value: group.id }] });
    const token = await tokenOf(api, person);
    expect((await api.as({ token }).get('/api/auth/me')).body).toMatchObject({
      role: 'editor',
      groups: [{ id: group.id }],
    });
  });

  it('gets a seat again if an admin has removed the member meanwhile', async ({ api }) => {
    const { caller } = await givenProvisioner(api);
    const { id } = await givenUser(caller);
    const set = (active: boolean) =>
      caller.patch(`${USERS}/${id}`, patchOf({ op: 'replace', path: 'active', value: active }));
    await set(false);
    expect((await api.as('owner').delete(`/api/workspaces/members/${id}`)).status).toBe(204);
    expect((await set(true)).status).toBe(200);
    expect(await api.stored(memberKey(api.workspaceId, id))).toMatchObject({ role: 'viewer' });
  });
});

describe('a removed user', () => {
  it('is gone from every workspace of the company, and comes back under the id of before as a viewer', async ({
    api,
  }) => {
    const person = await givenMember(api, 'admin');
    const { caller } = await givenProvisioner(api);
    const group = await givenScimGroup(caller, [person.userId]);
    const other = (await api.as('owner').post('/api/workspaces', { name: 'Other' })).body.id;
    const { email, password } = await api.password('owner');
    const login = { email, password, workspaceId: other };
    const token = (await api.as('anonymous').post('/api/auth/login', login)).body.accessToken;
    await api.as({ token }).post('/api/workspaces/members', { email: person.email, role: 'editor' });

    expect((await caller.delete(`${USERS}/${person.userId}`)).status).toBe(204);
    expect(await caller.delete(`${USERS}/${person.userId}`)).toMatchObject(missing);
    expect(await caller.get(`${USERS}/${person.userId}`)).toMatchObject(missing);
    expect(await find(caller, `userName eq "${person.email}"`)).toEqual([]);
    await vi.waitFor(async () => {
      await tick(api);
      for (const workspaceId of [api.workspaceId, other]) {
        expect(await api.stored(memberKey(workspaceId, person.userId))).toBeUndefined();
      }
      await tick(api);
      expect(await pendingCleanUps(api)).toBe(0);
    }, 60_000);
    expect((await caller.get(`${SCIM}/Groups/${group.id}`)).body.members).toBeUndefined();

    const back = await caller.post(USERS, { userName: person.email });
    expect(back).toMatchObject({ status: 201, body: { id: person.userId, active: true } });
    expect(back.body.groups).toBeUndefined();
    expect(await api.stored(memberKey(api.workspaceId, person.userId))).toMatchObject({ role: 'viewer' });
    expect(await api.stored(memberKey(other, person.userId))).toBeUndefined();
    expect(await find(caller, `userName eq "${person.email}"`)).toHaveLength(1);
  });

  it('comes back also while the clean-up is still to come, which leaves the new seat alone', async ({ api }) => {
    const person = await givenMember(api);
    const { caller } = await givenProvisioner(api);
    // The function dies after it has removed the user.
    const users = provisionedUsers(api.table, api.companyId);
    const { parts, until } = userItems(api.table).remove((await users.get(person.userId))!, new Date());
    const ended = { kind: 'user', workspaceId: api.workspaceId, userId: person.userId, until } as const;
    const change = { action: 'user.removed', object: { type: 'user', id: person.userId, name: null } } as const;
    await users.write([...parts, { item: cleanUpItem(api.table, ended, new Date()) }], change);
    expect(await api.stored(memberKey(api.workspaceId, person.userId))).toBeDefined();

    expect(await caller.post(USERS, { userName: person.email })).toMatchObject({
      status: 201,
      body: { id: person.userId },
    });
    await tick(api);
    expect(await api.stored(memberKey(api.workspaceId, person.userId))).toMatchObject({ role: 'viewer' });
    expect(await pendingCleanUps(api)).toBe(0);
  });

  it('gives the address free for another company, which then keeps it', async ({ api }) => {
    const [ours, theirs] = [await givenProvisioner(api), await givenProvisioner(api, 'stranger')];
    const user = await givenUser(ours.caller);
    await ours.caller.delete(`${USERS}/${user.id}`);
    const moved = await givenUser(theirs.caller, { userName: user.userName });
    expect(moved.id).not.toBe(user.id);
    expect(await ours.caller.post(USERS, { userName: user.userName })).toMatchObject(uniqueness);
    expect(await api.stored(emailKey(user.userName))).toMatchObject({ owner: moved.id });
  });

  it('may be removed by two requests at once', async ({ api }) => {
    const { caller } = await givenProvisioner(api);
    const { id } = await givenUser(caller);
    const replies = await Promise.all([1, 2, 3].map(() => caller.delete(`${USERS}/${id}`)));
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 404, 404]);
  });

  itWithOwnCompany(
    'may be the last admin of a workspace, but stays the last person who can manage the company',
    async ({ api }) => {
      const { caller } = await givenProvisioner(api);
      const owner = await api.password('owner');
      const { id } = (await api.as('owner').get('/api/auth/me')).body.user;
      const path = `${USERS}/${id}`;
      const login = () => api.as('anonymous').post('/api/auth/login', owner, { from: newAddress() });
      const stored = () => api.stored(userRecordKey(id));
      const isSignedOut = () =>
        expect.poll(async () => (await api.as('owner').get('/api/auth/me')).status, { timeout: 60_000 }).toBe(401);

      expect((await caller.delete(path)).status).toBe(204);
      await isSignedOut();
      await tick(api);
      expect((await caller.get(path)).body).toMatchObject({ id, active: false });
      expect(await stored()).toMatchObject({ active: true, companyRole: 'company_admin', heldAt: expect.any(String) });
      const back = await login();
      expect(back.status).toBe(200);
      const again = api.as({ token: back.body.accessToken });
      expect((await again.get('/api/company/members')).status).toBe(200);
      const entries = (await again.get('/api/audit-log?action=user.deactivated')).body.items;
      expect(entries[0]).toMatchObject({ object: { id }, after: { isHeld: true } });

      // An admin who has never signed in cannot take over; one who has can.
      const second = { email: `second-${crypto.randomUUID()}@example.com`, password: 'a long enough password' };
      const added = await again.post('/api/workspaces/members', { ...second, name: 'Second', role: 'admin' });
      const promote = await again.patch(`/api/company/members/${added.body.userId}`, { companyRole: 'company_admin' });
      expect(promote.status).toBe(200);
      expect((await caller.delete(path)).status).toBe(204);
      expect((await login()).status).toBe(200);
      expect(await again.patch(`/api/company/members/${id}`, { companyRole: 'member' })).toMatchObject({
        ...{ status: 409, body: { code: 'LAST_COMPANY_ADMIN' } },
      });
      expect((await api.as('anonymous').post('/api/auth/login', second)).status).toBe(200);
      expect((await caller.delete(path)).status).toBe(204);
      expect((await caller.get(path)).status).toBe(404);
      expect((await login()).status).toBe(401);
      const restored = await caller.post(USERS, { userName: owner.email });
      expect(restored).toMatchObject({ status: 201, body: { id, active: true } });
      expect(await stored()).toMatchObject({ companyRole: 'member' });
      expect(await stored()).not.toHaveProperty('heldAt');
    },
  );
});
