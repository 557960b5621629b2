import { describe, expect, vi } from 'vitest';
import { emailKey, memberKey, userRecordKey } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { type Caller, it, itWithOwnCompany } from '../../../support/api.ts';
import { givenMember } from '../../../support/given/member.ts';
import {
  givenProvisioner,
  givenScimGroup,
  givenUser,
  newUserName,
  patchOf,
  SCIM,
} from '../../../support/given/provisioner.ts';

const USERS = `${SCIM}/Users`;
const uniqueness = { status: 409, body: { status: '409', scimType: 'uniqueness' } };
const missing = { status: 404, body: { status: '404' } };

const find = async (idp: Caller, filter: string) =>
  (await idp.get(`${USERS}?filter=${encodeURIComponent(filter)}`)).body.Resources as { id: string; active: boolean }[];

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
    expect(found).toMatchObject({ name: { formatted: 'New', givenName: 'New', familyName: 'New' } });
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

  it('has no address that looks like another one, and none is found by it', async ({ api }) => {
    const { caller } = await givenProvisioner(api);
    const user = await givenUser(caller, { userName: `boss3-${crypto.randomUUID()}@example.com` });
    for (const userName of [
      user.userName.replace('b', 'ｂ'),
      user.userName.replace('o', 'о'),
      `\u212A${user.userName}`,
    ]) {
      expect(await find(caller, `userName eq "${userName}"`)).toEqual([]);
      const refused = {
        status: 400,
        body: { scimType: 'invalidValue', detail: expect.stringContaining('The address') },
      };
      expect(await caller.post(USERS, { userName }), userName).toMatchObject(refused);
      const rename = patchOf({ op: 'replace', path: 'userName', value: userName });
      expect(await caller.patch(`${USERS}/${user.id}`, rename)).toMatchObject(refused);
    }
    expect((await caller.get(`${USERS}/${user.id}`)).body).toEqual(user);
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
      { timeout: 60_000, interval: 200 },
    );
  });
});
