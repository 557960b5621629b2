import { describe, expect, vi } from 'vitest';
import { addressNotices } from '../../../../shared/domains/identity/address-changes/index.ts';
import { readUser } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { type Api, it } from '../../../support/api.ts';
import { exchange, signInAt } from '../../../support/given/identity-provider.ts';
import { mailsTo, mailTo, tokenIn } from '../../../support/given/mails.ts';
import { type GivenMember, givenMember } from '../../../support/given/member.ts';
import { givenOpenId } from '../../../support/given/openid.ts';
import {
  type GivenProvisioner,
  givenProvisioner,
  newUserName,
  patchOf,
  SCIM,
} from '../../../support/given/provisioner.ts';

const forgot = (api: Api, email: string) => api.as('anonymous').post('/api/auth/password/forgot', { email });
const reset = (api: Api, token: string) =>
  api.as('anonymous').post('/api/auth/password/reset', { token, newPassword: 'a password after the reset' });
const accept = (api: Api, token: string, more: object = {}) =>
  api.as('anonymous').post('/api/auth/invitations/accept', { token, ...more });
const invite = (api: Api, email: string) =>
  api.as('owner').post('/api/workspaces/invitations', { email, role: 'admin' });
const signIn = (api: Api, email: string, password: string) =>
  api.as('anonymous').post('/api/auth/login', { email, password });

async function rename({ caller }: GivenProvisioner, { userId }: Pick<GivenMember, 'userId'>, userName: string) {
  const reply = await caller.patch(
    `${SCIM}/Users/${userId}`,
    patchOf({ op: 'replace', path: 'userName', value: userName }),
  );
  expect(reply).toMatchObject({ status: 200, body: { id: userId, userName } });
}

/** Waits until the mails of all requests before were sent, or not: one for another person was. */
async function othersAreDone(api: Api): Promise<void> {
  const { email } = await givenMember(api);
  await forgot(api, email);
  await mailTo(api, email);
}

const OWNERS = {
  'a company admin': async (api: Api): Promise<GivenMember> => {
    const person = await givenMember(api);
    const role = { companyRole: 'company_admin' };
    expect((await api.as('owner').patch(`/api/company/members/${person.userId}`, role)).status).toBe(200);
    return person;
  },
  'a person with a password of their own': async (api: Api): Promise<GivenMember> => {
    const person = await givenMember(api);
    const password = 'known to the person alone';
    const change = { currentPassword: person.password, newPassword: password };
    expect((await api.as({ token: person.token }).post('/api/auth/password', change)).status).toBe(204);
    return { ...person, password };
  },
};

describe.each(Object.entries(OWNERS))('a SCIM token that gives its own address to %s', (_, givenOwner) => {
  it('gets no reset of the password, and the person reads of it at the old address', async ({ api }) => {
    const [person, idp, evil] = [await givenOwner(api), await givenProvisioner(api), newUserName()];
    await rename(idp, person, evil);
    expect((await forgot(api, evil)).status).toBe(202);
    const notice = await mailTo(api, person.email);
    expect(notice.subject).toBe('The email address of your account was changed');
    expect(notice.text).toContain(`from ${person.email} to ${evil}`);
    await othersAreDone(api);
    expect(await mailsTo(api, evil)).toEqual([]);
    expect((await signIn(api, evil, person.password)).status).toBe(200);

    // From the address before, the person confirms the new one.
    const confirm = () => api.as('anonymous').post('/api/auth/email/confirm', { token: tokenIn(notice) });
    const caller = api.as({ token: person.token });
    expect((await caller.get('/api/auth/me')).body).toMatchObject({ emailConfirmed: false, user: { email: evil } });
    expect((await confirm()).status).toBe(204);
    expect(await confirm()).toMatchObject({ status: 401, body: { code: 'INVALID_EMAIL_TOKEN' } });
    expect((await caller.get('/api/auth/me')).body.emailConfirmed).toBe(true);
    await forgot(api, evil);
    expect((await reset(api, tokenIn(await mailTo(api, evil)))).status).toBe(204);
  });

  it('gets no single sign-on, no invitation and no membership for it', async ({ api }) => {
    const [person, idp] = [await givenOwner(api), await givenProvisioner(api)];
    const { slug, domain, peer } = await givenOpenId(api, {});
    const evil = `mallory@${domain}`;
    expect((await api.as('owner').delete(`/api/workspaces/members/${person.userId}`)).status).toBe(204);
    expect((await invite(api, evil)).status).toBe(201);
    const early = tokenIn(await mailTo(api, evil));
    await rename(idp, person, evil);

    peer.people.set('mallory', { email: evil, email_verified: true });
    expect((await signInAt(api, slug, 'mallory')).page.searchParams.get('error')).toBe('SSO_ACCESS_DENIED');
    const body = { password: 'a password of the attacker' };
    expect(await accept(api, early, body)).toMatchObject({ status: 401, body: { code: 'INVALID_INVITATION' } });
    const { items } = (await api.as('owner').get(`/api/workspaces/invitations?email=${evil}`)).body;
    expect((await api.as('owner').post(`/api/workspaces/invitations/${items[0].id}/resend`)).status).toBe(200);
    const added = await api.as('owner').post('/api/workspaces/members', { email: evil, role: 'admin' });
    expect(added).toMatchObject({ status: 409, body: { code: 'EMAIL_UNCONFIRMED' } });
    await othersAreDone(api);
    expect(await mailsTo(api, evil)).toHaveLength(1);
    expect(await readUser(api.table, person.userId)).toMatchObject({
      email: evil,
      addressChange: { from: person.email, isConfirmed: false },
    });
  });

  it('is told where the address went before, however often it changes, and forgotten when it comes back', async ({
    api,
  }) => {
    const [person, idp] = [await givenOwner(api), await givenProvisioner(api)];
    const [first, second] = [newUserName(), newUserName()];
    await rename(idp, person, first);
    const link = tokenIn(await mailTo(api, person.email));
    await rename(idp, person, second);
    expect((await mailTo(api, first)).text).toContain(`from ${first} to ${second}`);
    expect((await mailTo(api, first)).text).not.toContain('token');
    await mailTo(api, person.email, 2);
    const confirmed = await api.as('anonymous').post('/api/auth/email/confirm', { token: link });
    expect(confirmed).toMatchObject({ status: 401, body: { code: 'INVALID_EMAIL_TOKEN' } });
    await forgot(api, second);
    await othersAreDone(api);
    expect(await mailsTo(api, second)).toEqual([]);
    await rename(idp, person, person.email);
    expect(await readUser(api.table, person.userId)).not.toHaveProperty('addressChange');
    // The same address in other letters is no change.
    await rename(idp, person, person.email.toUpperCase());
    expect(await readUser(api.table, person.userId)).not.toHaveProperty('addressChange');
  });
});

describe('a person whose address was changed', () => {
  it('gets no role in the company by the address of another one', async ({ api }) => {
    const [person, idp] = [await OWNERS['a person with a password of their own'](api), await givenProvisioner(api)];
    await rename(idp, person, newUserName());
    const unconfirmed = { status: 409, body: { code: 'EMAIL_UNCONFIRMED' } };
    const role = { companyRole: 'company_admin' };
    expect(await api.as('owner').patch(`/api/company/members/${person.userId}`, role)).toMatchObject(unconfirmed);
    expect(await api.as('owner').post('/api/company/transfer', { userId: person.userId })).toMatchObject(unconfirmed);
    expect(await readUser(api.table, person.userId)).toMatchObject({ companyRole: 'member' });
  });

  it('confirms it while signed in; whoever has the mailbox then still does not share the account', async ({ api }) => {
    const [person, idp] = [await OWNERS['a person with a password of their own'](api), await givenProvisioner(api)];
    const { slug, domain, peer } = await givenOpenId(api, {});
    const boss = `boss@${domain}`;
    await rename(idp, person, boss);
    const caller = api.as({ token: person.token });
    const confirm = (email: string) => caller.post('/api/auth/me/email/confirm', { email });
    expect(await confirm(person.email)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect((await confirm(boss.toUpperCase())).status).toBe(204);
    expect((await confirm(boss)).status).toBe(204);
    const log = await api.as('owner').get(`/api/audit-log?action=user.email_confirmed&objectId=${person.userId}`);
    expect(log.body.items).toMatchObject([{ before: { email: person.email }, after: { email: boss } }]);
    // The owner of the mailbox signs on: credentials from before the mailbox was proven end.
    peer.people.set('boss', { email: boss, email_verified: true });
    expect((await exchange(api, await signInAt(api, slug, 'boss'))).body.user.id).toBe(person.userId);
    expect((await signIn(api, boss, person.password)).status).toBe(401);
    const stored = await readUser(api.table, person.userId);
    for (const member of ['addressChange', 'passwordHash']) expect(stored).not.toHaveProperty(member);
  });

  it('proves it by single sign-on as before', async ({ api }) => {
    const { slug, domain, peer } = await givenOpenId(api, { s1: { email: 'grace' } });
    const email = `grace@${domain}`;
    const added = await api
      .as('owner')
      .post('/api/workspaces/members', { email, role: 'viewer', password: 'x'.repeat(12) });
    expect((await exchange(api, await signInAt(api, slug, 's1'))).status).toBe(200);
    const role = { companyRole: 'company_admin' };
    expect((await api.as('owner').patch(`/api/company/members/${added.body.userId}`, role)).status).toBe(200);
    const married = `grace.hopper@${domain}`;
    await rename(await givenProvisioner(api), added.body, married);
    expect(await readUser(api.table, added.body.userId)).toMatchObject({ addressChange: { from: email } });
    await signInAt(api, slug, 's1');
    expect(await readUser(api.table, added.body.userId)).toHaveProperty('addressChange');
    peer.people.set('s1', { email: married, email_verified: true });
    await signInAt(api, slug, 's1');
    expect(await readUser(api.table, added.body.userId)).not.toHaveProperty('addressChange');
  });

  it('reads of it also if the account is not yet theirs, and once if the provider repeats itself', async ({ api }) => {
    const [person, idp, userName] = [await givenMember(api), await givenProvisioner(api), newUserName()];
    await rename(idp, person, userName);
    await mailTo(api, person.email);
    await vi.waitFor(async () => expect(await addressNotices(api.table).unsent(person.userId)).toEqual([]));
    await rename(idp, person, userName);
    await forgot(api, userName);
    expect((await reset(api, tokenIn(await mailTo(api, userName)))).status).toBe(204);
    await vi.waitFor(async () => expect(await mailsTo(api, person.email)).toHaveLength(1));
    expect(await readUser(api.table, person.userId)).not.toHaveProperty('passwordSetBy');
  });
});
