import { describe, expect } from 'vitest';
import { type Api, it, itWithOwnCompany } from '../../../support/api.ts';
import { setTexts } from '../../../support/dns-server.ts';
import {
  givenProvider,
  newDomain,
  newSlug,
  publishProof,
  verifyDomain,
} from '../../../support/given/identity-provider.ts';
import { newCertificate } from '../../../support/saml-provider.ts';
import { deployed } from '../../../support/setup/ask.ts';
import { openWebService, sendJson } from '../../../support/web-service.ts';

const PATH = '/api/identity-providers';
const OIDC = { issuer: 'https://idp.example.com', clientId: 'analytics', clientSecret: 'a secret of the provider' };
const body = (more: object = {}) => ({ name: 'Okta', slug: newSlug(), type: 'oidc', oidc: OIDC, ...more });
const NOT_FOUND = { status: 404, body: { code: 'IDENTITY_PROVIDER_NOT_FOUND' } };

const create = (api: Api, more: object = {}) => api.as('owner').post(PATH, body(more));

describe('identity providers', () => {
  itWithOwnCompany('are created, read, changed, listed and deleted, and never show their secret', async ({ api }) => {
    const owner = api.as('owner');
    const made = await create(api);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    expect(made.body).toMatchObject({
      companyId: api.companyId,
      oidc: { issuer: OIDC.issuer, hasClientSecret: true, scopes: ['openid', 'email', 'profile'], groupsClaim: null },
      saml: null,
      jit: { enabled: false, workspaceId: null, role: 'viewer', groups: [] },
      enabled: true,
      callbackUrl: `${api.endpoint}/api/auth/sso/${made.body.slug}/callback`,
      revision: 1,
    });
    const path = `${PATH}/${made.body.id}`;
    const changed = await owner.patch(path, { name: 'New', oidc: { groupsClaim: 'groups' } });
    expect(changed.body).toMatchObject({
      name: 'New',
      oidc: { ...made.body.oidc, groupsClaim: 'groups' },
      revision: 2,
    });
    expect((await owner.get(path)).body).toEqual(changed.body);
    const stale = await owner.patch(path, { name: 'Late' }, { headers: { 'if-match': '"1"' } });
    expect(stale).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } });
    const list = await owner.get(PATH);
    expect(list.body).toEqual({ items: [changed.body], total: 1 });
    const { sealedClientSecret } = (await api.stored({
      pk: `C#${api.companyId}`,
      sk: `IDENTITY-PROVIDER#${made.body.id}`,
    }))!;
    expect(sealedClientSecret).toBeDefined();
    for (const reply of [made, changed, list]) expect(JSON.stringify(reply.body)).not.toContain(OIDC.clientSecret);
    expect((await owner.delete(path)).status).toBe(204);
    expect(await owner.get(path)).toMatchObject(NOT_FOUND);
    expect(await owner.delete(path)).toMatchObject(NOT_FOUND);
    expect((await owner.post(PATH, body({ slug: made.body.slug }))).status).toBe(201);
  });

  it('belong to their company, and to its admins', async ({ api }) => {
    const { id, slug } = await givenProvider(api, { type: 'oidc', oidc: OIDC });
    const path = `${PATH}/${id}`;
    for (const actor of ['admin', 'editor', 'viewer'] as const) {
      for (const reply of [
        await api.as(actor).get(PATH),
        await api.as(actor).get(path),
        await api.as(actor).post(PATH, body()),
        await api.as(actor).get(`${PATH}/enforcement`),
      ])
        expect(reply).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    }
    const stranger = api.as('stranger');
    for (const reply of [
      await stranger.get(path),
      await stranger.patch(path, { name: 'x' }),
      await stranger.delete(path),
      await stranger.post(`${path}/test`),
      await stranger.post(`${path}/domains/x.example/verify`),
      await stranger.delete(`${path}/users/${id}`),
    ])
      expect(reply).toMatchObject(NOT_FOUND);
    expect(await stranger.post(PATH, body({ slug }))).toMatchObject({ status: 409, body: { code: 'SLUG_TAKEN' } });
    expect(await api.as('owner').get(`/api/auth/sso/${slug}/metadata`)).toMatchObject(NOT_FOUND);
  });

  it('with a new issuer need the secret again, with a new entity id the certificates', async ({ api }) => {
    const { id } = await givenProvider(api, { type: 'oidc', oidc: OIDC });
    const path = `${PATH}/${id}`;
    const issuer = 'https://other.example.com';
    expect(await api.as('owner').patch(path, { oidc: { issuer } })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/oidc/clientSecret', code: 'REQUIRED' }] },
    });
    const changed = await api.as('owner').patch(path, { oidc: { issuer, clientSecret: 'another' } });
    expect(changed).toMatchObject({ status: 200, body: { oidc: { issuer } } });
    const { certificate } = await newCertificate();
    const saml = { entityId: 'https://a.example', ssoUrl: 'https://a.example/sso', certificates: [certificate] };
    const other = `${PATH}/${(await givenProvider(api, { type: 'saml', saml })).id}`;
    expect(await api.as('owner').patch(other, { saml: { entityId: 'https://b.example' } })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/saml/certificates', code: 'REQUIRED' }] },
    });
  });

  it('are rejected with settings that cannot work', async ({ api }) => {
    const errors = async (more: object) =>
      (await create(api, more)).body.errors?.map(({ pointer }: { pointer: string }) => pointer);
    expect(await errors({ oidc: undefined })).toEqual(['/oidc']);
    expect(await errors({ saml: {} })).toEqual(['/saml']);
    expect(await errors({ type: 'saml', oidc: undefined, saml: {} })).toEqual([
      '/saml/entityId',
      '/saml/ssoUrl',
      '/saml/certificates',
    ]);
    expect(await errors({ domains: ['example.com', 'no domain', 'EXAMPLE.com'] })).toEqual([
      '/domains/1',
      '/domains/2',
    ]);
    expect(await errors({ jit: { enabled: true } })).toEqual(['/jit/workspaceId']);
    const foreign = (await api.as('stranger').get('/api/auth/me')).body.workspaceId;
    expect(await errors({ jit: { enabled: true, workspaceId: foreign } })).toEqual(['/jit/workspaceId']);
    const groups = [{ providerGroup: 'x', groupId: crypto.randomUUID(), role: null }];
    expect(await errors({ jit: { workspaceId: api.workspaceId, groups } })).toEqual(['/jit/groups/0/groupId']);
    const saml = { entityId: 'x', ssoUrl: 'https://x.example', certificates: ['not a certificate'] };
    expect(await errors({ type: 'saml', oidc: undefined, saml })).toEqual(['/saml/certificates/0']);
  });

  itWithOwnCompany('are twenty at most', async ({ api }) => {
    const replies = await Promise.all(Array.from({ length: 22 }, () => create(api)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(20);
    const refused = replies.filter(({ status }) => status !== 201);
    for (const reply of refused)
      expect(reply).toMatchObject({ status: 409, body: { code: 'TOO_MANY_IDENTITY_PROVIDERS' } });
  });
});

describe('a mail domain', () => {
  itWithOwnCompany('counts once its record is in the DNS, and belongs to one company', async ({ api }) => {
    const domain = newDomain();
    const discover = async () =>
      (await api.as('anonymous').post('/api/auth/sso/discover', { email: `x@${domain}` })).body.slug;
    const { body: mine } = await create(api, { domains: [domain] });
    const verify = (id: string, by: 'owner' | 'stranger' = 'owner') =>
      api.as(by).post(`${PATH}/${id}/domains/${domain}/verify`);
    expect(mine.domains).toMatchObject([
      { name: domain, verified: false, record: { type: 'TXT', name: `_analytics-sso.${domain}` } },
    ]);
    expect(await verify(mine.id)).toMatchObject({ status: 422, body: { code: 'DOMAIN_NOT_PROVEN' } });
    expect(await discover()).toBeNull();
    const verified = await verifyDomain(api, mine, domain);
    expect(verified.domains).toMatchObject([{ verified: true }]);
    expect(await discover()).toBe(mine.slug);
    const unlisted = await api.as('owner').post(`${PATH}/${mine.id}/domains/other.example/verify`);
    expect(unlisted).toMatchObject({ status: 404, body: { code: 'DOMAIN_NOT_LISTED' } });

    // Another company proves it too: while both records are there, the first keeps it.
    const { body: theirs } = await api.as('stranger').post(PATH, body({ domains: [domain] }));
    const { dns } = await deployed();
    const { name, value } = mine.domains[0].record;
    await setTexts(dns, name, [value, theirs.domains[0].record.value]);
    expect(await verify(theirs.id, 'stranger')).toMatchObject({ status: 409, body: { code: 'DOMAIN_TAKEN' } });
    await setTexts(dns, name, [theirs.domains[0].record.value]);
    expect((await verify(theirs.id, 'stranger')).status).toBe(200);
    expect(await discover()).toBe(theirs.slug);
    expect((await api.as('owner').get(`${PATH}/${mine.id}`)).body.domains).toMatchObject([{ verified: false }]);

    // Removed and listed again it must be proven again.
    await api.as('stranger').patch(`${PATH}/${theirs.id}`, { domains: [] });
    expect(await discover()).toBeNull();
    await api.as('stranger').patch(`${PATH}/${theirs.id}`, { domains: [domain] });
    expect(await discover()).toBeNull();
    await publishProof(mine, domain);
    expect((await verify(mine.id)).status).toBe(200);
    expect(await discover()).toBe(mine.slug);
  });
});

describe('a test of an identity provider', () => {
  it('reads what a sign-in reads', async ({ api }) => {
    const site = await openWebService((_url, response) =>
      sendJson(response, {
        issuer: site.url,
        authorization_endpoint: `${site.url}/authorize`,
        token_endpoint: `${site.url}/token`,
        jwks_uri: `${site.url}/jwks`,
      }),
    );
    const { id } = await givenProvider(api, { type: 'oidc', oidc: { ...OIDC, issuer: site.url } });
    expect((await api.as('owner').post(`${PATH}/${id}/test`)).body).toEqual({ ok: true, issues: [] });
  });
});
