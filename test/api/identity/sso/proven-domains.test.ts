import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { mailTo, tokenIn } from '../../../support/given/mails.ts';
import { givenOpenId } from '../../../support/given/openid.ts';
import { givenProvisioner, givenUser, newUserName, patchOf, SCIM } from '../../../support/given/provisioner.ts';

const PASSWORD = 'a long enough password';
const TAKEN = { status: 409, body: { code: 'EMAIL_TAKEN' } };
const personOf = (email: string) => ({ email, name: 'Ada', role: 'viewer', password: PASSWORD });

describe('an address of a domain that a company has proven', () => {
  it('is not added as a member by an admin of another company', async ({ api }) => {
    const { domain, path } = await givenOpenId(api, {});
    const person = personOf(`Ada@${domain.toUpperCase()}`);
    expect(await api.as('stranger').post('/api/workspaces/members', person)).toMatchObject(TAKEN);
    // Also while the provider is turned off.
    await api.as('owner').patch(path, { enabled: false });
    expect(await api.as('stranger').post('/api/workspaces/members', person)).toMatchObject(TAKEN);
    const other = personOf(`ada@sub.${domain}`);
    expect((await api.as('stranger').post('/api/workspaces/members', other)).status).toBe(201);
    expect((await api.as('owner').post('/api/workspaces/members', person)).status).toBe(201);
  });

  it('accepts no invitation of another company', async ({ api }) => {
    const { domain } = await givenOpenId(api, {});
    const accepted = async (inviter: 'stranger' | 'owner') => {
      const email = `${inviter}@${domain}`;
      const invited = await api.as(inviter).post('/api/workspaces/invitations', { email, role: 'viewer' });
      expect(invited.status, JSON.stringify(invited.body)).toBe(201);
      const token = tokenIn(await mailTo(api, email));
      return api.as('anonymous').post('/api/auth/invitations/accept', { token, password: PASSWORD });
    };
    expect(await accepted('stranger')).toMatchObject(TAKEN);
    expect((await accepted('owner')).status).toBe(200);
  });

  it('is no userName for the identity provider of another company', async ({ api }) => {
    const { domain } = await givenOpenId(api, {});
    const { caller } = await givenProvisioner(api, 'stranger');
    const taken = { status: 409, body: { scimType: 'uniqueness' } };
    const create = (userName: string) =>
      caller.post(`${SCIM}/Users`, { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName });
    expect(await create(`ada@${domain}`)).toMatchObject(taken);
    const { id, userName } = await givenUser(caller, { userName: newUserName() });
    const renamed = await caller.patch(
      `${SCIM}/Users/${id}`,
      patchOf({ op: 'replace', path: 'userName', value: `ada@${domain}` }),
    );
    expect(renamed).toMatchObject(taken);
    expect((await caller.get(`${SCIM}/Users/${id}`)).body.userName).toBe(userName);
    const own = await givenProvisioner(api);
    expect((await givenUser(own.caller, { userName: `ada@${domain}` })).userName).toBe(`ada@${domain}`);
  });

  it('stays with the account that had it before', async ({ api }) => {
    const domain = `${crypto.randomUUID()}.example`;
    const person = personOf(`ada@${domain}`);
    const first = await api.as('stranger').post('/api/workspaces/members', person);
    expect(first.status).toBe(201);
    await givenOpenId(api, {}, {}, domain);
    const login = { email: person.email, password: PASSWORD };
    expect((await api.as('anonymous').post('/api/auth/login', login)).status).toBe(200);
  });
});
