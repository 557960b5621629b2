import { describe, expect } from 'vitest';
import { it, itWithOwnCompany } from '../../../support/api.ts';
import {
  APPLICATION,
  callbackOf,
  exchange,
  newDomain,
  publishProof,
  signInAt,
  start,
  startPath,
} from '../../../support/given/identity-provider.ts';
import { givenMember } from '../../../support/given/member.ts';
import { givenOpenId, madeMembers } from '../../../support/given/openid.ts';
import { givenProvisioner, patchOf, SCIM } from '../../../support/given/provisioner.ts';

describe('a sign-in by OpenID Connect', () => {
  it('makes a member of a person of the domain, who is the same at the next sign-in', async ({ api }) => {
    const { slug, domain } = await givenOpenId(api, { ada: { email: 'Ada', name: 'Ada Lovelace' } }, madeMembers(api));
    const first = await exchange(api, await signInAt(api, slug, 'ada'));
    expect(first).toMatchObject({
      status: 200,
      body: {
        workspaceId: api.workspaceId,
        user: { email: `Ada@${domain}`, name: 'Ada Lovelace', companyId: api.companyId, companyRole: 'member' },
      },
    });
    const me = await api.as({ token: first.body.accessToken }).get('/api/auth/me');
    expect(me).toMatchObject({ status: 200, body: { role: 'viewer', mfa: { enabled: false } } });
    const second = await exchange(api, await signInAt(api, slug, 'ada'), { workspaceId: api.workspaceId });
    expect(second.body.user.id).toBe(first.body.user.id);
    const refreshed = await api.as('anonymous').post('/api/auth/refresh', { refreshToken: first.body.refreshToken });
    expect(refreshed.status).toBe(200);
  });

  it('gives an account with the address to the person, and knows the subject from then on', async ({ api }) => {
    const { slug, domain, peer } = await givenOpenId(api, { s1: { email: 'grace' } });
    const person = { email: `Grace@${domain}`, name: 'Grace', role: 'editor', password: 'a long enough password' };
    const member = await api.as('owner').post('/api/workspaces/members', person);
    const linked = await exchange(api, await signInAt(api, slug, 's1'));
    expect(linked.body.user).toMatchObject({ id: member.body.userId, email: person.email });
    // A new address at the provider does not matter any more.
    peer.people.set('s1', { email: 'another@elsewhere.example' });
    expect((await exchange(api, await signInAt(api, slug, 's1'))).body.user.id).toBe(member.body.userId);
    // The address now belongs to another person, who does not get the account of the first.
    peer.people.set('s2', { email: `grace@${domain}`, email_verified: true });
    const { page } = await signInAt(api, slug, 's2');
    expect(page.searchParams.get('error')).toBe('SSO_ACCOUNT_CONFLICT');
  });

  it('of a person with an address that changed hands is accepted once an admin has removed the identity', async ({
    api,
  }) => {
    const { slug, domain, peer, path } = await givenOpenId(api, { s1: { email: 'joan' } }, madeMembers(api));
    const first = await exchange(api, await signInAt(api, slug, 's1'));
    peer.people.set('s2', { email: `joan@${domain}`, email_verified: true });
    const userPath = `${path}/users/${first.body.user.id}`;
    expect((await api.as('owner').delete(userPath)).status).toBe(204);
    expect(await api.as('owner').delete(userPath)).toMatchObject({ status: 404, body: { code: 'IDENTITY_NOT_FOUND' } });
    expect((await exchange(api, await signInAt(api, slug, 's2'))).body.user.id).toBe(first.body.user.id);
  });

  it('of a person whom provisioning removed is refused, and the account goes to the person who gets the address', async ({
    api,
  }) => {
    const { slug, domain, peer } = await givenOpenId(api, { s1: { email: 'rosa' } }, madeMembers(api));
    const first = await exchange(api, await signInAt(api, slug, 's1'));
    const { id, email } = first.body.user;
    const { caller } = await givenProvisioner(api);
    expect((await caller.delete(`${SCIM}/Users/${id}`)).status).toBe(204);
    expect((await signInAt(api, slug, 's1')).page.searchParams.get('error')).toBe('SSO_ACCESS_DENIED');
    expect((await caller.post(`${SCIM}/Users`, { userName: email })).body.id).toBe(id);
    // The successor has another subject; the first person has moved on to another address.
    peer.people.set('s1', { email: `rosa.before@${domain}` });
    peer.people.set('s2', { email: `rosa@${domain}`, email_verified: true });
    expect((await exchange(api, await signInAt(api, slug, 's2'))).body.user.id).toBe(id);
    // The first one stays removed, also under another address, until somebody adds them.
    expect((await signInAt(api, slug, 's1')).page.searchParams.get('error')).toBe('SSO_ACCESS_DENIED');
    peer.people.set('s1', { email: `rosa.before@${domain}`, email_verified: true });
    expect((await signInAt(api, slug, 's1')).page.searchParams.get('error')).toBe('SSO_ACCESS_DENIED');
    const again = await caller.post(`${SCIM}/Users`, { userName: `rosa.before@${domain}` });
    expect((await exchange(api, await signInAt(api, slug, 's1'))).body.user.id).toBe(again.body.id);
    expect((await exchange(api, await signInAt(api, slug, 's2'))).body.user.id).toBe(id);
  });

  it('maps groups to groups and to the role of new members, and follows them at each sign-in', async ({ api }) => {
    const ids: string[] = [];
    for (const name of ['Finance', 'Audit', 'Own'])
      ids.push((await api.as('owner').post('/api/groups', { name })).body.id);
    const [finance, audit, own] = ids;
    const groups = [
      { providerGroup: 'fin', groupId: finance, role: 'editor' },
      { providerGroup: 'aud', groupId: audit, role: null },
      { providerGroup: 'boss', groupId: null, role: 'admin' },
    ];
    const people = { ada: { email: 'ada', groups: ['fin', 'unknown'] } };
    const { slug, peer, domain } = await givenOpenId(api, people, madeMembers(api, { groups }));
    const groupsOf = async () => {
      const { body } = await exchange(api, await signInAt(api, slug, 'ada'));
      const me = await api.as({ token: body.accessToken }).get('/api/auth/me');
      return { id: body.user.id, role: me.body.role, groups: me.body.groups.map(({ name }: { name: string }) => name) };
    };
    const first = await groupsOf();
    expect(first).toMatchObject({ role: 'editor', groups: ['Finance'] });
    await api.as('owner').put(`/api/groups/${own}/members/${first.id}`);
    peer.people.set('ada', { email: `ada@${domain}`, groups: ['aud', 'boss'] });
    // The role of a member stays as it is; a group that is not mapped does too.
    expect(await groupsOf()).toMatchObject({ role: 'editor', groups: ['Audit', 'Own'] });
    await api.as('owner').delete(`/api/groups/${audit}`);
    expect(await groupsOf()).toMatchObject({ groups: ['Own'] });
  });

  it('is refused without an account, with an address of another domain, or with one that is not verified', async ({
    api,
  }) => {
    const { slug, domain, peer } = await givenOpenId(api, { ada: { email: 'ada' } });
    const errorOf = async (subject: string) => (await signInAt(api, slug, subject)).page.searchParams.get('error');
    expect(await errorOf('ada')).toBe('SSO_ACCESS_DENIED');
    const { email } = await api.password('editor');
    peer.people.set('foreign', { email });
    expect(await errorOf('foreign')).toBe('SSO_ACCESS_DENIED');
    const known = { email: `known@${domain}`, password: 'a long enough password', role: 'viewer' };
    await api.as('owner').post('/api/workspaces/members', known);
    peer.people.set('unverified', { email: known.email, email_verified: false });
    expect(await errorOf('unverified')).toBe('SSO_ACCESS_DENIED');
    peer.people.set('nameless', {});
    expect(await errorOf('nameless')).toBe('SSO_EMAIL_MISSING');
    expect(await errorOf('nobody')).toBe('access_denied');
    peer.people.set('verified', { email: known.email, email_verified: true });
    expect(await errorOf('verified')).toBeNull();
  });

  it('is linked to an account only if the provider vouches for the address, or is trusted to', async ({ api }) => {
    const { slug, domain, peer, path } = await givenOpenId(api, {}, madeMembers(api));
    const known = { email: `known@${domain}`, password: 'a long enough password', role: 'viewer' };
    await api.as('owner').post('/api/workspaces/members', known);
    const errorOf = async (subject: string) => (await signInAt(api, slug, subject)).page.searchParams.get('error');
    // Neither is a new account made on such an address: a later invitation to it would make its person an admin.
    const fresh = `new@${domain}`;
    peer.people.set('new', { email: fresh });
    expect(await errorOf('new')).toBe('SSO_ACCESS_DENIED');
    expect((await api.as('owner').get(`/api/workspaces/members?email=${fresh}`)).body.total).toBe(0);
    peer.people.set('new', { email: fresh, email_verified: true });
    expect(await errorOf('new')).toBeNull();
    peer.people.set('s1', { email: known.email });
    expect(await errorOf('s1')).toBe('SSO_ACCESS_DENIED');
    peer.people.set('s1', { email: known.email, atUserInfo: { email_verified: 'false' } });
    expect(await errorOf('s1')).toBe('SSO_ACCESS_DENIED');
    // About another address than the one that the token names.
    peer.people.set('s1', { email: known.email, atUserInfo: { email: 'x@example.com', email_verified: true } });
    expect(await errorOf('s1')).toBe('SSO_ACCESS_DENIED');
    peer.people.set('s1', { email: known.email, atUserInfo: { email_verified: 'true' } });
    expect(await errorOf('s1')).toBeNull();

    const other = { ...known, email: `other@${domain}` };
    await api.as('owner').post('/api/workspaces/members', other);
    peer.people.set('s2', { email: other.email });
    expect(await errorOf('s2')).toBe('SSO_ACCESS_DENIED');
    const changed = await api.as('owner').patch(path, { oidc: { trustsMail: true } });
    expect(changed).toMatchObject({ status: 200, body: { oidc: { trustsMail: true } } });
    expect(await errorOf('s2')).toBeNull();
  });

  it('never takes an address for another that looks like it', async ({ api }) => {
    const { slug, domain, peer } = await givenOpenId(api, {}, madeMembers(api));
    const boss = { email: `boss3@${domain}`, password: 'a long enough password', role: 'admin' };
    expect((await api.as('owner').post('/api/workspaces/members', boss)).status).toBe(201);
    for (const email of [`ｂoss3@${domain}`, `boſs3@${domain}`, `bоss3@${domain}`, `boss3​@${domain}`]) {
      peer.people.set('mallory', { email, email_verified: true });
      expect((await signInAt(api, slug, 'mallory')).page.searchParams.get('error'), email).toBe('SSO_EMAIL_CONFUSABLE');
    }
    peer.people.set('boss', { email: `BOSS3@${domain.toUpperCase()}`, email_verified: true });
    expect((await exchange(api, await signInAt(api, slug, 'boss'))).body.user.email).toBe(boss.email);
    const odd = { ...boss, email: `ｂoss4@${domain}` };
    expect((await api.as('owner').post('/api/workspaces/members', odd)).body.code).toBe('VALIDATION_FAILED');
    expect((await api.as('owner').post('/api/workspaces/invitations', odd)).body.code).toBe('VALIDATION_FAILED');
  });

  it('never reaches an account of another company, or a deactivated one', async ({ api }) => {
    const domain = newDomain();
    const person = { email: `ada@${domain}`, name: 'Ada', role: 'viewer', password: 'a long enough password' };
    expect((await api.as('stranger').post('/api/workspaces/members', person)).status).toBe(201);
    const foreign = await givenOpenId(api, { ada: { email: 'ada' } }, madeMembers(api), domain);
    const errorAt = async (slug: string, who: string) =>
      (await signInAt(api, slug, who)).page.searchParams.get('error');
    expect(await errorAt(foreign.slug, 'ada')).toBe('SSO_ACCESS_DENIED');
    const own = await givenOpenId(api, { bo: { email: 'bo' } }, madeMembers(api));
    const { body } = await exchange(api, await signInAt(api, own.slug, 'bo'));
    const { caller } = await givenProvisioner(api);
    await caller.patch(`${SCIM}/Users/${body.user.id}`, patchOf({ op: 'replace', path: 'active', value: false }));
    expect(await errorAt(own.slug, 'bo')).toBe('SSO_ACCESS_DENIED');
    const filter = `action=user.sign_in_failed&objectType=user&objectId=${body.user.id}`;
    expect((await api.as('owner').get(`/api/audit-log?${filter}`)).body.items).toMatchObject([
      { after: { proof: 'sso', providerId: own.provider.id, reason: 'the account is deactivated' } },
    ]);
  });

  it('makes no members of a deleted workspace', async ({ api }) => {
    const { slug } = await givenOpenId(api, { ada: { email: 'ada' } }, madeMembers(api));
    expect((await api.as('owner').delete(`/api/workspaces/${api.workspaceId}?confirm=Test`)).status).toBe(200);
    expect((await signInAt(api, slug, 'ada')).page.searchParams.get('error')).toBe('SSO_ACCESS_DENIED');
  });

  it('needs no account in a workspace of its own: without any membership it is refused', async ({ api }) => {
    const { slug, peer, provider, path } = await givenOpenId(api, { ada: { email: 'ada' } }, madeMembers(api));
    const { body } = await exchange(api, await signInAt(api, slug, 'ada'));
    await api.as('owner').patch(path, { jit: { enabled: false } });
    await api.as('owner').delete(`/api/workspaces/members/${body.user.id}`);
    expect((await signInAt(api, slug, 'ada')).page.searchParams.get('error')).toBe('SSO_ACCESS_DENIED');
    expect(peer.people.size).toBe(1);
    expect(provider.jit.enabled).toBe(true);
  });

  it('of one person by two providers at once reaches one account', async ({ api }) => {
    const one = await givenOpenId(api, { a: { email: 'race' } }, madeMembers(api));
    const two = await givenOpenId(api, {}, { ...madeMembers(api), domains: [one.domain] }, one.domain);
    two.peer.people.set('b', { email: `Race@${one.domain}`, email_verified: true });
    // The second provider has taken the domain over. Meanwhile both try, several times each.
    const verify = (path: string) => api.as('owner').post(`${path}/domains/${one.domain}/verify`);
    const attempts = [1, 2, 3].flatMap(() => [signInAt(api, one.slug, 'a'), signInAt(api, two.slug, 'b')]);
    const pages = await Promise.all(attempts);
    const admitted = pages.filter(({ page }) => page.searchParams.has('code'));
    expect(admitted.length).toBe(3);
    await publishProof(one.provider, one.domain);
    expect((await verify(one.path)).status).toBe(200);
    const both = await Promise.all([signInAt(api, one.slug, 'a'), signInAt(api, two.slug, 'b')]);
    const replies = await Promise.all([...admitted, ...both].map((page) => exchange(api, page)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(replies.map(({ body }) => body.user.id)).size).toBe(1);
  });
});

describe('the start of a sign-in', () => {
  it('sends the browser to the issuer with a state, a nonce and a challenge', async ({ api }) => {
    const { slug, peer } = await givenOpenId(api, {});
    const { location } = await start(api, slug, 'ada');
    expect(location.origin).toBe(peer.issuer);
    expect(Object.fromEntries(location.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: peer.clientId,
      redirect_uri: callbackOf(api, slug),
      scope: 'openid email profile groups',
      code_challenge_method: 'S256',
      login_hint: 'ada',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  it('returns to listed pages only', async ({ api }) => {
    const { slug } = await givenOpenId(api, {});
    for (const returnTo of [
      'https://evil.example/',
      `${APPLICATION}/../evil`,
      `${APPLICATION}?x=1`,
      `${APPLICATION}#x`,
      'http://localhost:3000@evil.example/signed-in',
      'javascript:alert(1)',
      '//evil.example/signed-in',
    ]) {
      expect(await api.as('anonymous').get(startPath(slug, { returnTo })), returnTo).toMatchObject({
        status: 400,
        body: { code: 'RETURN_URL_NOT_ALLOWED' },
      });
    }
    const other = 'http://localhost:3000/other?app=2';
    expect((await api.as('anonymous').get(startPath(slug, { returnTo: other }))).status).toBe(303);
  });

  it('fails for a provider that is unknown, turned off, or does not answer', async ({ api }) => {
    const { slug, path, peer } = await givenOpenId(api, {});
    const code = async (name: string) => (await api.as('anonymous').get(startPath(name, {}))).body.code;
    expect(await code('unknown')).toBe('IDENTITY_PROVIDER_NOT_FOUND');
    const gone = { issuer: 'http://127.0.0.1:1', clientSecret: 'x' };
    await api.as('owner').patch(path, { oidc: { ...gone, issuer: 'http://127.0.0.1:2999' } });
    expect(await code(slug)).toBe('IDENTITY_PROVIDER_UNREACHABLE');
    await api.as('owner').patch(path, { enabled: false, oidc: { issuer: peer.issuer, clientSecret: 'x' } });
    expect(await code(slug)).toBe('IDENTITY_PROVIDER_NOT_FOUND');
  });
});

describe('the code of a sign-in', () => {
  it('works once, and only with the verifier of the application', async ({ api }) => {
    const { slug } = await givenOpenId(api, { ada: { email: 'ada' } }, madeMembers(api));
    const invalid = { status: 401, body: { code: 'SSO_CODE_INVALID' } };
    const used = await signInAt(api, slug, 'ada');
    const replies = await Promise.all([1, 2, 3, 4, 5].map(() => exchange(api, used)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
    const stolen = await signInAt(api, slug, 'ada');
    expect(await exchange(api, { ...stolen, verifier: 'x'.repeat(43) })).toMatchObject(invalid);
    expect(await exchange(api, stolen)).toMatchObject(invalid);
    const elsewhere = await signInAt(api, slug, 'ada');
    expect(await exchange(api, elsewhere, { workspaceId: crypto.randomUUID() })).toMatchObject(invalid);
  });

  it('is worth nothing once the provider is turned off, and its sessions end', async ({ api }) => {
    const { slug, path } = await givenOpenId(api, { ada: { email: 'ada' } }, madeMembers(api));
    const session = await exchange(api, await signInAt(api, slug, 'ada'));
    const pending = await signInAt(api, slug, 'ada');
    const started = await start(api, slug, 'ada');
    await api.as('owner').patch(path, { enabled: false });
    expect((await exchange(api, pending)).status).toBe(401);
    const callback = await api
      .as('anonymous')
      .get(`/api/auth/sso/${slug}/callback?code=x&state=${started.location.searchParams.get('state')}`);
    expect(new URL(callback.headers.get('location')!).searchParams.get('error')).toBe('SSO_ACCESS_DENIED');
    const { refreshToken } = session.body;
    expect(await api.as('anonymous').post('/api/auth/refresh', { refreshToken })).toMatchObject({
      status: 401,
      body: { code: 'INVALID_REFRESH_TOKEN' },
    });
  });
});

describe('discovery', () => {
  itWithOwnCompany('answers by the verified domain alone', async ({ api }) => {
    const { slug, domain, path } = await givenOpenId(api, {});
    const discover = async (email: string) =>
      (await api.as('anonymous').post('/api/auth/sso/discover', { email })).body;
    const found = { method: 'sso', slug, name: 'Test', required: false };
    const password = { method: 'password', slug: null, name: null, required: false };
    await givenMember(api);
    expect(await discover(`anyone@${domain.toUpperCase()}`)).toEqual(found);
    expect(await discover(`x@sub.${domain}`)).toEqual(password);
    expect(await discover('someone@unknown.example')).toEqual(password);
    await api.as('owner').patch(path, { enabled: false });
    expect(await discover(`anyone@${domain}`)).toEqual(password);
  });
});
