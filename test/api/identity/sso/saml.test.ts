import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { exchange, givenProvider, newDomain, pageAfter, start } from '../../../support/given/identity-provider.ts';
import { newCertificate, newSamlProvider, requestIn, responseXml, signedXml } from '../../../support/saml-provider.ts';
import { openWebService } from '../../../support/web-service.ts';

const jit = (api: Api, more: object = {}) => ({
  jit: { enabled: true, workspaceId: api.workspaceId, role: 'viewer', ...more },
});

const post = (api: Api, slug: string, location: URL, SAMLResponse: string) =>
  api.as('anonymous').send('POST', `/api/auth/sso/${slug}/callback`, {
    text: String(new URLSearchParams({ SAMLResponse, RelayState: location.searchParams.get('RelayState')! })),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

const metadataOf = async (api: Api, slug: string): Promise<string> => {
  const reply = await api.as('anonymous').get(`/api/auth/sso/${slug}/metadata`);
  expect(reply.headers.get('content-type')).toBe('application/samlmetadata+xml');
  return reply.body;
};

describe('a sign-in by SAML', () => {
  it('works with a provider that was set up by metadata on both sides', async ({ api }) => {
    const peer = await newSamlProvider();
    const domain = newDomain();
    const provider = await givenProvider(api, { type: 'saml', saml: { metadata: peer.metadata }, ...jit(api) }, domain);
    expect(provider).toMatchObject({
      oidc: null,
      saml: {
        entityId: peer.entityId,
        ssoUrl: peer.ssoUrl,
        certificates: [peer.certificate.trim()],
        metadataUrl: null,
      },
      audience: `${api.endpoint}/api/auth/sso/${provider.slug}/metadata`,
    });
    const { slug } = provider;
    const service = await metadataOf(api, slug);
    const ids = new Set<string>();
    for (const signs of ['assertion', 'message'] as const) {
      const { location, verifier } = await start(api, slug);
      expect(location.origin + location.pathname).toBe(peer.ssoUrl);
      const response = await peer.respond(location, service, `ada@${domain}`, signs);
      const page = await pageAfter(await post(api, slug, location, response));
      const session = await exchange(api, { page, verifier });
      expect(session).toMatchObject({ status: 200, body: { user: { email: `ada@${domain}` } } });
      ids.add(session.body.user.id);
    }
    expect(ids.size).toBe(1);
  });

  it('takes subject, address, name and groups from attributes, and accepts the next certificate', async ({ api }) => {
    const [old, next] = [await newCertificate(), await newCertificate()];
    const domain = newDomain();
    const { body: group } = await api.as('owner').post('/api/groups', { name: 'Finance' });
    const saml = {
      entityId: 'https://idp.example/metadata',
      ssoUrl: 'https://idp.example/sso',
      certificates: [old.certificate, next.certificate],
      subjectAttribute: 'objectid',
      emailAttribute: 'mail',
      nameAttribute: 'displayName',
      groupsAttribute: 'groups',
    };
    const groups = [{ providerGroup: 'fin', groupId: group.id, role: 'editor' }];
    const provider = await givenProvider(api, { type: 'saml', saml, ...jit(api, { groups }) }, domain);
    const signIn = async (key: typeof old, subject: string) => {
      const { location, verifier } = await start(api, provider.slug);
      const xml = responseXml({
        issuer: saml.entityId,
        audience: provider.audience,
        recipient: provider.callbackUrl,
        inResponseTo: / ID="([^"]+)"/.exec(requestIn(location))![1],
        subject,
        format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
        attributes: { objectid: ['o-1'], mail: [`Ada@${domain}`], displayName: ['Ada &amp; Co'], groups: ['fin', 'x'] },
      });
      const response = Buffer.from(signedXml(xml, key)).toString('base64');
      return exchange(api, { page: await pageAfter(await post(api, provider.slug, location, response)), verifier });
    };
    const first = await signIn(old, 'once');
    expect(first.body.user).toMatchObject({ email: `Ada@${domain}`, name: 'Ada & Co' });
    const me = await api.as({ token: first.body.accessToken }).get('/api/auth/me');
    expect(me.body).toMatchObject({ role: 'editor', groups: [{ name: 'Finance' }] });
    expect((await signIn(next, 'twice')).body.user.id).toBe(first.body.user.id);
  });

  it('is set up from an address, which is checked, read again when it is tested, and bounded', async ({ api }) => {
    const peer = await newSamlProvider();
    let document = peer.metadata;
    const site = await openWebService((_url, response) => void response.end(document));
    const provider = await givenProvider(api, { type: 'saml', saml: { metadataUrl: site.url } });
    const path = `/api/identity-providers/${provider.id}`;
    expect(provider.saml).toMatchObject({ entityId: peer.entityId, metadataUrl: site.url });
    expect((await api.as('owner').post(`${path}/test`)).body).toEqual({ ok: true, issues: [] });
    document = (await newSamlProvider()).metadata;
    expect((await api.as('owner').post(`${path}/test`)).body.issues).toMatchObject([{ code: 'METADATA_CHANGED' }]);
    document = `<!DOCTYPE x [<!ENTITY a "b">]>${peer.metadata}`;
    expect((await api.as('owner').post(`${path}/test`)).body.issues).toMatchObject([{ code: 'METADATA_INVALID' }]);
    const create = (saml: object) =>
      api.as('owner').post('/api/identity-providers', { name: 'x', slug: 'never-made', type: 'saml', saml });
    const invalid = { status: 422, body: { code: 'SAML_METADATA_INVALID' } };
    for (const text of [document, '<a/>', 'not XML', '<html>'.repeat(1000), ' '.repeat(700_000)]) {
      document = text;
      expect(await create({ metadataUrl: site.url })).toMatchObject(invalid);
    }
    expect(await create({ metadata: '<a/>' })).toMatchObject(invalid);
    expect(await create({ metadataUrl: 'http://169.254.169.254/' })).toMatchObject({
      body: { code: 'ADDRESS_BLOCKED' },
    });
    for (const ssoUrl of ['javascript:alert(1)', 'data:text/html,x']) {
      const { entityId, certificate } = peer;
      expect(await create({ entityId, ssoUrl, certificates: [certificate] })).toMatchObject({
        status: 400,
        body: { errors: [{ pointer: '/saml/ssoUrl' }] },
      });
    }
  });

  it('reports certificates that have expired', async ({ api }) => {
    const day = 86_400_000;
    const old = await newCertificate({
      notBefore: new Date(Date.now() - 2 * day),
      notAfter: new Date(Date.now() - day),
    });
    const saml = {
      entityId: 'https://idp.example',
      ssoUrl: 'https://idp.example/sso',
      certificates: [old.certificate],
    };
    const { id } = await givenProvider(api, { type: 'saml', saml });
    const { body } = await api.as('owner').post(`/api/identity-providers/${id}/test`);
    expect(body).toMatchObject({ ok: false, issues: [{ code: 'CERTIFICATE_EXPIRED' }] });
  });
});
