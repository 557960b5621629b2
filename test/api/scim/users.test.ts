import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, vi } from 'vitest';
import { cleanUpAccess } from '../../../functions/workers/pipelines/schedule-tick/clean-up-access.ts';
import { cleanUpItem } from '../../../shared/domains/access-clean-up/index.ts';
import { provisionedUsers, userItems } from '../../../shared/domains/provisioning/index.ts';
import { emailKey, memberKey, userRecordKey } from '../../../shared/domains/workspaces/index.ts';
import { workspaceKey } from '../../../shared/platform/storage/keys.ts';
import { type Api, type Caller, it, itWithOwnCompany } from '../../support/api.ts';
import { givenMember, tokenOf } from '../../support/given/member.ts';
import {
  givenProvisioner,
  givenScimGroup,
  givenUser,
  newUserName,
  patchOf,
  SCIM,
} from '../../support/given/provisioner.ts';

const USERS = `${SCIM}/Users`;
const uniqueness = { status: 409, body: { status: '409', scimType: 'uniqueness' } };
const missing = { status: 404, body: { status: '404' } };

const find = async (idp: Caller, filter: string) =>
  (await idp.get(`${USERS}?filter=${encodeURIComponent(filter)}`)).body.Resources as { id: string; active: boolean }[];

/** A member with a sign-in and an API key, whom the identity provider takes over. */
async function givenCredentials(api: Api, role = 'admin') {
  const person = await givenMember(api, role);
  const login = { email: person.email, password: person.password, workspaceId: api.workspaceId };
  const session = (await api.as('anonymous').post('/api/auth/login', login)).body;
  const key = (await api.as({ token: person.token }).post('/api/api-keys', { name: 'x', scope: 'admin' })).body.key;
  return { ...person, accessToken: session.accessToken as string, refreshToken: session.refreshToken as string, key };
}

type Credentials = Awaited<ReturnType<typeof givenCredentials>>;

/** Everything that the person could do something with. */
async function statusesOf(api: Api, { email, password, accessToken, refreshToken, key }: Credentials) {
  const refresh = await api.as('anonymous').post('/api/auth/refresh', { refreshToken });
  return {
    access: (await api.as({ token: accessToken }).get('/api/auth/me')).status,
    key: (await api.as({ token: key }).get('/api/webhooks')).status,
    refresh: refresh.status,
    login: (await api.as('anonymous').post('/api/auth/login', { email, password })).status,
  };
}

const ENDED = { access: 401, key: 401, refresh: 401, login: 401 };

async function tick(api: Api): Promise<void> {
  const deadline = new Date(Date.now() + 30_000);
  expect(await cleanUpAccess({ table: api.table, now: () => new Date() }, deadline, () => {})).toEqual([]);
}

async function pendingCleanUps(api: Api): Promise<number> {
  const { pk } = workspaceKey(api.workspaceId, 'ACCESS-CLEAN-UP', '');
  const query = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk }, ConsistentRead: true };
  return (await api.table.db.send(new QueryCommand({ TableName: api.table.name, ...query }))).Count!;
}

describe('a user of an identity provider', () => {
  it('is created with the seat of a viewer and without a password, and is read again', async ({ api }) => {
    const { caller } = await givenProvisioner(api);
    const userName = newUserName();
    const sent = {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: userName.toUpperCase(),
      externalId: crypto.randomUUID(),
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      emails: [{ value: userName, type: 'work', primary: true }],
      unknown: { of: 'a vendor' },
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Analysis', employeeNumber: 17 },
    };
    const made = await caller.post(USERS, sent);
    expect(made.status).toBe(201);
    const { id, meta, ...shown } = made.body;
    expect(meta).toMatchObject({ resourceType: 'User', location: `${api.endpoint}${USERS}/${id}` });
    expect(made.headers.get('location')).toBe(meta.location);
    expect(made.headers.get('content-type')).toBe('application/scim+json');
    const { unknown: _, schemas, ...stored } = sent;
    expect(shown).toEqual({
      ...stored,
      schemas: [...schemas, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
      active: true,
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Analysis', employeeNumber: '17' },
    });
    expect((await caller.get(`${USERS}/${id}`)).body).toEqual(made.body);
    expect(await api.stored(memberKey(api.workspaceId, id))).toMatchObject({ role: 'viewer', name: 'Ada Lovelace' });
    const user = await api.stored(userRecordKey(id));
    expect(user).toMatchObject({ companyId: api.companyId, companyRole: 'member', active: true });
    expect(user).not.toHaveProperty('passwordHash');
  });

  it('has a name of its own in the company, whatever its case; of two requests at once one creates it', async ({
    api,
  }) => {
    const [entra, okta] = [await givenProvisioner(api), await givenProvisioner(api)];
    const userName = newUserName();
    const replies = await Promise.all(
      [entra, okta, entra, okta].map(({ caller }, index) =>
        caller.post(USERS, { userName: index % 2 === 0 ? userName : userName.toUpperCase() }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    for (const reply of replies.filter(({ status }) => status === 409)) expect(reply).toMatchObject(uniqueness);
    expect(await find(entra.caller, `userName eq "${userName.toUpperCase()}"`)).toHaveLength(1);

    const externalId = crypto.randomUUID();
    await givenUser(entra.caller, { externalId });
    expect(await entra.caller.post(USERS, { userName: newUserName(), externalId })).toMatchObject(uniqueness);
    const [one, other] = [await givenUser(entra.caller), await givenUser(entra.caller)];
    const rename = patchOf({ op: 'replace', path: 'userName', value: one.userName });
    expect(await entra.caller.patch(`${USERS}/${other.id}`, rename)).toMatchObject(uniqueness);
    expect(await entra.caller.put(`${USERS}/${other.id}`, { userName: one.userName })).toMatchObject(uniqueness);
  });

  it('may be a member who was added by hand', async ({ api }) => {
    const person = await givenMember(api, 'editor');
    const { caller } = await givenProvisioner(api);
    const [found] = await find(caller, `userName eq "${person.email}"`);
    expect(found).toMatchObject({ id: person.userId, userName: person.email, displayName: 'New', active: true });
    expect(await find(caller, `emails.value eq "${person.email}"`)).toHaveLength(1);
    expect(await caller.post(USERS, { userName: person.email })).toMatchObject(uniqueness);
    const externalId = crypto.randomUUID();
    const link = patchOf({ op: 'add', path: 'externalId', value: externalId });
    expect(await caller.patch(`${USERS}/${person.userId}`, link)).toMatchObject({ status: 200, body: { externalId } });
    expect(await find(caller, `externalId eq "${externalId}"`)).toHaveLength(1);
    expect(await find(caller, `externalId eq "${externalId.toUpperCase()}"`)).toHaveLength(0);
    expect(await api.stored(memberKey(api.workspaceId, person.userId))).toMatchObject({ role: 'editor' });
  });

  it('of another company is never found, changed or taken over', async ({ api }) => {
    const [ours, theirs] = [await givenProvisioner(api), await givenProvisioner(api, 'stranger')];
    const user = await givenUser(ours.caller);
    expect(await find(theirs.caller, `userName eq "${user.userName}"`)).toEqual([]);
    expect(await find(theirs.caller, `id eq "${user.id}"`)).toEqual([]);
    expect(await find(theirs.caller, `externalId eq "${user.externalId}"`)).toEqual([]);
    expect(await find(theirs.caller, `emails.value eq "${user.userName}"`)).toEqual([]);
    const path = `${USERS}/${user.id}`;
    expect(await theirs.caller.get(path)).toMatchObject(missing);
    expect(await theirs.caller.patch(path, patchOf({ op: 'replace', path: 'active', value: false }))).toMatchObject(
      missing,
    );
    expect(await theirs.caller.put(path, { userName: user.userName })).toMatchObject(missing);
    expect(await theirs.caller.delete(path)).toMatchObject(missing);
    const refused = await theirs.caller.post(USERS, { userName: user.userName });
    expect(refused).toMatchObject(uniqueness);
    expect(JSON.stringify(refused.body)).not.toContain(user.id);
    // The same external id belongs to another company there.
    expect((await theirs.caller.post(USERS, { userName: newUserName(), externalId: user.externalId })).status).toBe(
      201,
    );
    expect((await ours.caller.get(path)).body).toEqual(user);
  });

  it('may have a name that is no address, which other companies can use too', async ({ api }) => {
    const [ours, theirs] = [await givenProvisioner(api), await givenProvisioner(api, 'stranger')];
    const userName = `name-${crypto.randomUUID()}`;
    await givenUser(ours.caller, { userName });
    expect(await ours.caller.post(USERS, { userName: userName.toUpperCase() })).toMatchObject(uniqueness);
    await givenUser(theirs.caller, { userName });
    expect(await find(ours.caller, `userName eq "${userName}"`)).toHaveLength(1);
  });

  it('is shown to members under a new name at once', async ({ api }) => {
    const { caller } = await givenProvisioner(api);
    const user = await givenUser(caller);
    const userName = newUserName();
    await caller.patch(
      `${USERS}/${user.id}`,
      patchOf({ op: 'replace', value: { displayName: 'Countess Lovelace', userName } }),
    );
    expect(await api.stored(memberKey(api.workspaceId, user.id))).toMatchObject({
      name: 'Countess Lovelace',
      email: userName,
    });
    expect(await api.stored(emailKey(user.userName))).toBeUndefined();
    expect(await find(caller, `userName eq "${user.userName}"`)).toEqual([]);
    expect(await find(caller, `userName eq "${userName}"`)).toHaveLength(1);
    expect((await caller.post(USERS, { userName: user.userName })).status).toBe(201);
  });

  it('is refused with a value that cannot be stored', async ({ api }) => {
    const { caller } = await givenProvisioner(api);
    const userName = newUserName();
    const values = [
      {},
      { userName: '  ' },
      { userName: { $wrong: [true] } },
      { userName: 'x'.repeat(255) },
      { userName: `p-${crypto.randomUUID()}\uff20example.com` },
      { userName, active: 'yes' },
      { userName, externalId: 'x'.repeat(300) },
      { userName, displayName: 'x'.repeat(1_025) },
      { userName, emails: Array.from({ length: 21 }, (_, index) => ({ value: `${index}@example.com` })) },
      { userName, name: ['a', 'b'] },
    ];
    for (const value of values) {
      const reply = await caller.post(USERS, value);
      expect(reply, JSON.stringify(value)).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
    }
    expect(await find(caller, `userName eq "${userName}"`)).toEqual([]);
  });
});

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
    expect((await deactivate(caller, person.userId, person.email)).status).toBeLessThan(300);
    await expect.poll(() => statusesOf(api, person), { timeout: 60_000, interval: 500 }).toEqual(ENDED);

    const [known] = await find(caller, `userName eq "${person.email}"`);
    if (known) {
      expect(known.active).toBe(false);
      await caller.patch(`${USERS}/${known.id}`, patchOf({ op: 'replace', path: 'active', value: true }));
    } else expect((await caller.post(USERS, { userName: person.email })).body.id).toBe(person.userId);
    const after = await statusesOf(api, person);
    expect(after).toMatchObject({ access: 401, key: 401, refresh: 401 });
    expect(after.login).toBe(known ? 200 : 401);
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
      expect(await pendingCleanUps(api)).toBe(0);
    }, 20_000);
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

  itWithOwnCompany('may be the last admin of the company and of a workspace', async ({ api }) => {
    const { caller } = await givenProvisioner(api);
    const owner = (await api.as('owner').get('/api/auth/me')).body.user;
    expect((await caller.delete(`${USERS}/${owner.id}`)).status).toBe(204);
    await expect.poll(async () => (await api.as('owner').get('/api/auth/me')).status, { timeout: 15_000 }).toBe(401);
    await tick(api);
    expect(await api.stored(memberKey(api.workspaceId, owner.id))).toBeUndefined();
    // The token is the company's, not the person's who created it.
    const back = await caller.post(USERS, { userName: owner.email });
    expect(back).toMatchObject({ status: 201, body: { id: owner.id } });
    expect(await api.stored(userRecordKey(owner.id))).toMatchObject({ companyRole: 'member' });
  });
});

describe('the list of users', () => {
  itWithOwnCompany('has every user of the company once, oldest first, in pages', async ({ api }) => {
    const { caller } = await givenProvisioner(api);
    const owner = (await api.as('owner').get('/api/auth/me')).body.user;
    const made = [];
    for (let index = 0; index < 4; index += 1) made.push((await givenUser(caller)).id);
    const ids = [owner.id, ...made];
    const page = async (query: string) => (await caller.get(`${USERS}?${query}`)).body;
    const idsOf = ({ Resources }: { Resources: { id: string }[] }) => Resources.map(({ id }) => id);

    const all = await page('');
    expect(idsOf(all)).toEqual(ids);
    expect(all).toMatchObject({ totalResults: 5, startIndex: 1, itemsPerPage: 5 });
    expect(idsOf(await page('startIndex=2&count=2'))).toEqual(ids.slice(1, 3));
    expect(await page('startIndex=6')).toMatchObject({ totalResults: 5, itemsPerPage: 0, Resources: [] });
    expect(await page('count=0')).toMatchObject({ totalResults: 5, itemsPerPage: 0, Resources: [] });
    expect(await page('count=-3')).toMatchObject({ totalResults: 5, itemsPerPage: 0 });
    expect(await page('startIndex=0&count=1')).toMatchObject({ startIndex: 1, itemsPerPage: 1 });
    expect(await page('count=100000')).toMatchObject({ itemsPerPage: 5 });
    expect(await caller.get(`${USERS}?count=x`)).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });

    const only = await page('attributes=userName,name.givenName&count=2');
    expect(Object.keys(only.Resources[1]).sort()).toEqual(['id', 'name', 'schemas', 'userName']);
    expect(only.Resources[1].name).toEqual({ givenName: 'Ada' });
    const without = (await page('excludedAttributes=emails,name.familyName&startIndex=2&count=1')).Resources[0];
    expect(without).not.toHaveProperty('emails');
    expect(without.name).toEqual({ givenName: 'Ada' });
  });

  it('is filtered by names, addresses and ids, which must all match', async ({ api }) => {
    const { caller } = await givenProvisioner(api);
    const work = newUserName();
    const user = await givenUser(caller, {
      emails: [
        { value: work, type: 'work' },
        { value: newUserName(), type: 'home' },
      ],
    });
    const matching = [
      `USERNAME eq "${user.userName.toUpperCase()}"`,
      `id eq "${user.id}"`,
      `externalId eq "${user.externalId}"`,
      `emails.value eq "${work.toUpperCase()}"`,
      `emails eq "${work}"`,
      `emails[type eq "work"].value eq "${work}"`,
      `emails[type eq "work" and value eq "${work}"]`,
      `urn:ietf:params:scim:schemas:core:2.0:User:userName Eq "${user.userName}"`,
      `(userName eq "${user.userName}") and externalId eq "${user.externalId}"`,
    ];
    for (const filter of matching) expect(await find(caller, filter), filter).toMatchObject([{ id: user.id }]);
    const others = [
      `externalId eq "${user.externalId.toUpperCase()}"`,
      `emails[type eq "home"].value eq "${work}"`,
      `userName eq "${user.userName}" and externalId eq "other"`,
      `id eq "${crypto.randomUUID()}"`,
      'userName eq "nobody"',
    ];
    for (const filter of others) expect(await find(caller, filter), filter).toEqual([]);
    const unsupported = [
      'userName sw "a"',
      'userName eq "a" or userName eq "b"',
      'not (userName eq "a")',
      'userName pr',
      'displayName eq "a"',
      'emails[type eq "work"]',
      'emails[nothing eq "work"].value eq "x"',
      'nothing eq "a"',
      'userName eq',
      'userName eq "a',
      'userName eq a',
      'userName',
      '(userName eq "a"',
      `userName eq "${'a'.repeat(5_000)}"`,
    ];
    for (const filter of unsupported) {
      expect(await caller.get(`${USERS}?filter=${encodeURIComponent(filter)}`), filter).toMatchObject({
        status: 400,
        body: { scimType: 'invalidFilter' },
      });
    }
  });
});

describe('the audit log', () => {
  it('has what an identity provider did, by its token', async ({ api }) => {
    const { caller, id: tokenId } = await givenProvisioner(api);
    const user = await givenUser(caller);
    const path = `${USERS}/${user.id}`;
    await caller.patch(path, patchOf({ op: 'replace', path: 'active', value: false }));
    await caller.patch(path, patchOf({ op: 'replace', path: 'active', value: true }));
    await caller.patch(path, patchOf({ op: 'replace', path: 'displayName', value: 'Countess' }));
    await caller.delete(path);
    await caller.post(USERS, { userName: user.userName });
    const group = await givenScimGroup(caller, [user.id]);
    await caller.patch(`${SCIM}/Groups/${group.id}`, patchOf({ op: 'remove', path: 'members' }));
    await caller.delete(`${SCIM}/Groups/${group.id}`);
    const actions = async (objectId: string) => {
      const { items } = (await api.as('owner').get(`/api/audit-log?limit=200&objectId=${objectId}`)).body;
      return (items as { action: string; actor: object }[]).toReversed();
    };
    await vi.waitFor(
      async () => {
        const entries = await actions(user.id);
        const verbs = ['created', 'deactivated', 'activated', 'updated', 'removed', 'restored'];
        expect(entries.map(({ action }) => action)).toEqual(verbs.map((verb) => `user.${verb}`));
        for (const { actor } of entries) {
          expect(actor).toEqual({ type: 'scim', id: tokenId, name: 'Entra', email: null });
        }
        expect(entries[3]).toMatchObject({ before: { name: 'Ada Lovelace' }, after: { name: 'Countess' } });
        expect((await actions(group.id)).map(({ action }) => action)).toEqual(
          ['created', 'member_added', 'member_removed', 'deleted'].map((verb) => `group.${verb}`),
        );
      },
      { timeout: 30_000, interval: 200 },
    );
  });
});
