import { describe, expect } from 'vitest';
import { type Api, type Caller, it, itWithOwnCompany } from '../../../support/api.ts';
import { exchange, signInAt } from '../../../support/given/identity-provider.ts';
import { givenOpenId, madeMembers } from '../../../support/given/openid.ts';
import { givenPolicy, givenProtected, givenReader } from '../../../support/given/protected.ts';
import { givenProvisioner, patchOf, SCIM } from '../../../support/given/provisioner.ts';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const DEPARTMENT = `${ENTERPRISE}:department`;
const PATH = '/api/scim/attributes';

const map = async (api: Api, mappings: object[]) => {
  const set = await api.as('owner').put(PATH, { mappings });
  expect(set.status, JSON.stringify(set.body)).toBe(200);
  return set.body;
};
const ids = async (caller: Caller) => {
  const reply = await caller.post('/api/query', { sql: 'SELECT id FROM people ORDER BY id' });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return (reply.body.rows as unknown[][]).map(([id]) => id);
};
const attributesIn = async (caller: Caller) => (await caller.get('/api/auth/me')).body.attributes;
const mapped = (pointer: string) => ({ status: 400, body: { errors: [{ pointer, code: 'MAPPED' }] } });

describe('attributes from provisioning', () => {
  itWithOwnCompany(
    'decide which rows a person sees, from the next read on, and nobody else changes them',
    async ({ api }) => {
      await givenProtected(api);
      const reader = await givenReader(api, { attributes: { region: ['eu', 'us'], level: 'top' } });
      const { caller: idp } = await givenProvisioner(api);
      const provision = async (value: string | null) => {
        const operation = value === null ? { op: 'remove' } : { op: 'replace', value };
        const reply = await idp.patch(`${SCIM}/Users/${reader.userId}`, patchOf({ ...operation, path: DEPARTMENT }));
        expect(reply.status).toBe(200);
      };
      await provision('us');
      expect(await ids(reader.caller)).toEqual([1, 2, 3, 4, 5]);
      const set = await map(api, [{ path: DEPARTMENT, attribute: 'region' }]);
      const shown = await api.as('owner').get(PATH);
      expect(shown.body).toEqual(set);
      const late = { headers: { 'if-match': '"0"' } };
      const lost = await api.as('owner').put(PATH, { mappings: [] }, late);
      expect(lost).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } });
      expect(await ids(reader.caller)).toEqual([4, 5]);
      expect(await attributesIn(reader.caller)).toEqual({ region: 'us', level: 'top' });
      await provision('eu');
      expect(await ids(reader.caller)).toEqual([1, 2, 3]);

      // A workspace admin may send back what was read, and change the rest.
      const path = `/api/workspaces/members/${reader.userId}/attributes`;
      const { body } = await api.as('owner').get(path);
      expect(body).toMatchObject({ attributes: { region: 'eu', level: 'top' }, mapped: ['region'] });
      const put = (attributes: object) => api.as('owner').put(path, { attributes });
      expect(await put({ ...body.attributes, level: 'low' })).toMatchObject({
        status: 200,
        body: { mapped: ['region'] },
      });
      expect(await put({ region: ['eu', 'us'] })).toMatchObject(mapped('/attributes/region'));
      await provision(null);
      expect(await put({ region: 'us' })).toMatchObject(mapped('/attributes/region'));
      expect(await ids(reader.caller)).toEqual([]);
      expect(await attributesIn(reader.caller)).toEqual({ level: 'low' });
      for (const actor of ['viewer', 'editor', { token: reader.token }] as const) {
        expect((await api.as(actor).put(PATH, { mappings: [] })).status).toBe(403);
        expect((await api.as(actor).get(PATH)).status).toBe(403);
      }
      // Another company does not share it.
      expect((await api.as('stranger').get(PATH)).body.mappings).toEqual([]);
      await map(api, []);
      expect(await put({ region: 'us' })).toMatchObject({
        status: 200,
        body: { attributes: { region: 'us' }, mapped: [] },
      });
      expect(await ids(reader.caller)).toEqual([4, 5]);

      const log = async (filter: string) => (await api.as('owner').get(`/api/audit-log?${filter}`)).body.items;
      expect(await log('action=scim_attributes.updated')).toMatchObject([
        { after: { mappings: [] } },
        { before: { mappings: [] }, after: { mappings: [{ path: DEPARTMENT, attribute: 'region' }] } },
      ]);
      expect(await log(`action=user.updated&objectId=${reader.userId}`)).toMatchObject([
        { before: { attributes: { region: 'eu' } }, after: { attributes: null } },
        { before: { attributes: { region: 'us' } }, after: { attributes: { region: 'eu' } } },
        {},
      ]);
    },
  );

  itWithOwnCompany('may be any single value, list or part of one', async ({ api }) => {
    const { caller: idp } = await givenProvisioner(api);
    const reader = await givenReader(api);
    const mappings = {
      title: 'title',
      'name.familyName': 'family',
      'addresses.country': 'countries',
      emails: 'contacts',
      [`${ENTERPRISE}:employeeNumber`]: 'number',
      [`${ENTERPRISE}:manager`]: 'manager',
      'urn:ietf:params:scim:schemas:core:2.0:User:userName': 'login',
      externalId: 'external',
      nickName: 'nick',
      userType: 'type',
    };
    await map(
      api,
      Object.entries(mappings).map(([path, attribute]) => ({ path, attribute })),
    );
    const sent = {
      userName: reader.email,
      externalId: 'e-1',
      title: 'Analyst',
      name: { familyName: 'Lovelace' },
      addresses: [{ country: 'CH', type: 'work' }, { locality: 'Bern' }, { country: 'DE', type: 'home' }],
      emails: [{ value: 'ada@example.com', type: 'work' }],
      nickName: 'x'.repeat(257),
      [ENTERPRISE]: { employeeNumber: 17, manager: { value: 'm-1' } },
    };
    expect((await idp.put(`${SCIM}/Users/${reader.userId}`, sent)).status).toBe(200);
    expect(await attributesIn(reader.caller)).toEqual({
      title: 'Analyst',
      family: 'Lovelace',
      countries: ['CH', 'DE'],
      contacts: ['ada@example.com'],
      number: '17',
      manager: 'm-1',
      login: reader.email,
      external: 'e-1',
    });
  });

  it('are paths of single attributes, each attribute once', async ({ api }) => {
    const issues = async (mappings: object[]) => {
      const { status, body } = await api.as('owner').put(PATH, { mappings });
      expect(status).toBe(400);
      return body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]);
    };
    for (const path of [
      'color',
      'name',
      'groups',
      'groups.value',
      'id',
      'emails[type eq "work"].value',
      'a b',
      ENTERPRISE,
    ]) {
      expect(await issues([{ path, attribute: 'x' }]), path).toEqual([['/mappings/0/path', 'SCIM_PATH']]);
    }
    const twice = [
      { path: 'title', attribute: 'x' },
      { path: 'nickName', attribute: 'x' },
    ];
    expect(await issues(twice)).toEqual([['/mappings/1/attribute', 'DUPLICATE']]);
    expect(await issues([{ path: 'title', attribute: '1x' }])).toEqual([['/mappings/0/attribute', 'PATTERN']]);
  });
});

describe('attributes from single sign-on', () => {
  itWithOwnCompany('are what the provider says at each sign-in', async ({ api }) => {
    const { model, table } = await givenProtected(api);
    await givenPolicy(api, model.path, { tableId: table.id, filterExpression: '[id] = 4 AND user.attr("tier") = "1"' });
    const attributes = [
      { claim: 'regions', attribute: 'region' },
      { claim: 'tier', attribute: 'tier' },
      { claim: 'deep', attribute: 'deep' },
    ];
    const claims = { regions: ['eu', 'us'], tier: 1, deep: { not: 'a value' } };
    const { slug, peer, path, domain } = await givenOpenId(
      api,
      { s1: { email: 'ada', atUserInfo: claims } },
      { ...madeMembers(api, { role: 'editor' }), attributes },
    );
    const signOn = async () => {
      const { body } = await exchange(api, await signInAt(api, slug, 's1'));
      return { caller: api.as({ token: body.accessToken }), id: body.user.id as string };
    };
    const { caller, id } = await signOn();
    expect(await attributesIn(caller)).toEqual({ region: ['eu', 'us'], tier: '1' });
    expect(await ids(caller)).toEqual([1, 2, 3, 4, 5]);
    const put = await api.as('owner').put(`/api/workspaces/members/${id}/attributes`, { attributes: { region: 'us' } });
    expect(put).toMatchObject(mapped('/attributes/region'));

    // What shrinks at the provider shrinks with the next sign-in, for all sign-ins of the person.
    const person = { email: `ada@${domain}`, email_verified: true };
    peer.people.set('s1', { ...person, atUserInfo: { regions: 'us' } });
    await signOn();
    expect(await attributesIn(caller)).toEqual({ region: 'us' });
    expect(await ids(caller)).toEqual([4, 5]);
    const log = await api.as('owner').get(`/api/audit-log?action=user.attributes_updated&objectId=${id}`);
    expect(log.body.items).toMatchObject([
      { before: { regions: ['eu', 'us'], tier: '1' }, after: { regions: 'us' } },
      { before: {}, after: { regions: ['eu', 'us'], tier: '1' } },
    ]);

    // What provisioning maps, it alone says; and a provider that is turned off says nothing.
    await map(api, [{ path: DEPARTMENT, attribute: 'region' }]);
    expect(await ids(caller)).toEqual([]);
    await map(api, []);
    expect(await ids(caller)).toEqual([4, 5]);
    const off = await api.as('owner').patch(path, { enabled: false });
    expect(off).toMatchObject({ status: 200, body: { attributes } });
    expect(await attributesIn(caller)).toEqual({});
    expect(await ids(caller)).toEqual([]);
    expect((await api.as('owner').patch(path, { enabled: true })).status).toBe(200);
    expect(await ids(caller)).toEqual([4, 5]);
    expect((await api.as('owner').delete(`${path}/users/${id}`)).status).toBe(204);
    const fresh = await api.as('owner').get(`/api/workspaces/members/${id}/attributes`);
    expect(fresh.body).toMatchObject({ attributes: {}, mapped: ['deep', 'region', 'tier'] });
    const twice = [attributes[0], { claim: 'x', attribute: 'region' }];
    const refused = await api.as('owner').patch(path, { attributes: twice });
    expect(refused).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/attributes/1/attribute', code: 'DUPLICATE' }] },
    });
  });
});
