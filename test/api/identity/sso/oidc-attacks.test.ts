import { generateKeyPairSync } from 'node:crypto';
import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import {
  callbackOf,
  exchange,
  givenProvider,
  newDomain,
  pageAfter,
  start,
} from '../../../support/given/identity-provider.ts';
import { openScriptedIssuer, type ScriptedIssuer, signed, unsigned } from '../../../support/scripted-issuer.ts';
import { openWebService, sendJson } from '../../../support/web-service.ts';

const SECRET = 'the secret of the client';
const CLIENT = 'analytics';

async function given(api: Api) {
  const issuer = await openScriptedIssuer();
  const domain = newDomain();
  const body = {
    type: 'oidc',
    oidc: { issuer: issuer.url, clientId: CLIENT, clientSecret: SECRET },
    jit: { enabled: true, workspaceId: api.workspaceId },
  };
  const provider = await givenProvider(api, body, domain);
  return { issuer, domain, provider, slug: provider.slug as string };
}

/** The claims of a right ID token for a sign-in. */
function claimsFor({ issuer, domain }: { issuer: ScriptedIssuer; domain: string }, location: URL) {
  const now = Math.floor(Date.now() / 1000);
  const nonce = location.searchParams.get('nonce')!;
  const email = { email: `eve@${domain}`, email_verified: true };
  return { iss: issuer.url, aud: CLIENT, sub: 'eve', ...email, nonce, iat: now, exp: now + 60 };
}

const call = (api: Api, slug: string, query: Record<string, string>) =>
  api.as('anonymous').get(`/api/auth/sso/${slug}/callback?${new URLSearchParams(query)}`);

const stateOf = (location: URL) => location.searchParams.get('state')!;

type Claims = ReturnType<typeof claimsFor>;

/** Tokens that must be rejected, whether the issuer or an impostor signed them. */
const FORGED: Record<string, (issuer: ScriptedIssuer, claims: Claims) => string | Promise<string>> = {
  'signed by another key': (_issuer, claims) =>
    signed({ claims, key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey }),
  'not signed (alg none)': (_issuer, claims) => unsigned(claims),
  'signed with the client secret': (_issuer, claims) =>
    signed({ claims, header: { alg: 'HS256' }, key: Buffer.from(SECRET) }),
  'signed with the public key as a shared secret': ({ publicKey }, claims) =>
    signed({
      claims,
      header: { alg: 'HS256' },
      key: Buffer.from(publicKey.export({ format: 'pem', type: 'spki' })),
    }),
  'with changed claims': async ({ key }, claims) => {
    const [head, , signature] = (await signed({ claims, key })).split('.');
    return [head, Buffer.from(JSON.stringify({ ...claims, sub: 'ada' })).toString('base64url'), signature].join('.');
  },
  expired: ({ key }, claims) => signed({ claims: { ...claims, exp: claims.iat - 600, iat: claims.iat - 660 }, key }),
  'without an end': ({ key }, { exp: _, ...claims }) => signed({ claims, key }),
  'of another issuer': ({ key }, claims) => signed({ claims: { ...claims, iss: 'https://other.example' }, key }),
  'for another audience': ({ key }, claims) => signed({ claims: { ...claims, aud: 'other' }, key }),
  'for several audiences, authorized for another': ({ key }, claims) =>
    signed({ claims: { ...claims, aud: [CLIENT, 'other'], azp: 'other' }, key }),
  'with the nonce of another sign-in': ({ key }, claims) => signed({ claims: { ...claims, nonce: 'x' }, key }),
  'without a nonce': ({ key }, { nonce: _, ...claims }) => signed({ claims, key }),
  'without a subject': ({ key }, { sub: _, ...claims }) => signed({ claims, key }),
  'that is none': () => 'not-a-token',
};

describe('an ID token', () => {
  it('that is right signs in, with the challenge of the sign-in', async ({ api }) => {
    const { issuer, domain, slug } = await given(api);
    const { location, verifier } = await start(api, slug);
    issuer.idToken = await signed({ claims: claimsFor({ issuer, domain }, location), key: issuer.key });
    const page = await pageAfter(await call(api, slug, { code: 'c', state: stateOf(location), session_state: 'x' }));
    expect(await exchange(api, { page, verifier })).toMatchObject({
      status: 200,
      body: { user: { email: `eve@${domain}` } },
    });
    expect(issuer.exchanged).toHaveLength(1);
    expect(Object.fromEntries(issuer.exchanged[0]!)).toMatchObject({
      code: 'c',
      redirect_uri: callbackOf(api, slug),
      code_verifier: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  for (const [what, forge] of Object.entries(FORGED)) {
    it(`${what} is rejected`, async ({ api }) => {
      const { issuer, domain, slug } = await given(api);
      const { location } = await start(api, slug);
      issuer.idToken = await forge(issuer, claimsFor({ issuer, domain }, location));
      const page = await pageAfter(await call(api, slug, { code: 'c', state: stateOf(location) }));
      expect(page.searchParams.get('error')).toBe('SSO_RESPONSE_INVALID');
      expect(page.searchParams.has('code')).toBe(false);
      expect(issuer.exchanged).toHaveLength(1);
    });
  }
});

describe('a callback', () => {
  it('completes a sign-in once, also when it comes many times at once', async ({ api }) => {
    const { issuer, domain, slug } = await given(api);
    const { location } = await start(api, slug);
    issuer.idToken = await signed({ claims: claimsFor({ issuer, domain }, location), key: issuer.key });
    const replies = await Promise.all(
      [1, 2, 3, 4, 5].map(() => call(api, slug, { code: 'c', state: stateOf(location) })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([303, 400, 400, 400, 400]);
    expect(replies.filter(({ body }) => body.code === 'SSO_STATE_INVALID')).toHaveLength(4);
    expect(issuer.exchanged).toHaveLength(1);
  });

  it('without the state of a sign-in goes nowhere', async ({ api }) => {
    const { issuer, slug } = await given(api);
    for (const query of [{ code: 'c' }, { code: 'c', state: 'guessed' }, { error: 'access_denied', state: '' }]) {
      const reply = await call(api, slug, query as unknown as Record<string, string>);
      expect(reply).toMatchObject({ status: 400, body: { code: 'SSO_STATE_INVALID' } });
      expect(reply.headers.get('location')).toBeNull();
    }
    expect(issuer.exchanged).toEqual([]);
  });

  it('of one provider does not complete a sign-in at another', async ({ api }) => {
    const [one, two] = [await given(api), await given(api)];
    const { location } = await start(api, one.slug);
    two.issuer.idToken = await signed({ claims: claimsFor(two, location), key: two.issuer.key });
    const mixed = await call(api, two.slug, { code: 'c', state: stateOf(location) });
    expect(mixed).toMatchObject({ status: 400, body: { code: 'SSO_STATE_INVALID' } });
    expect([...one.issuer.exchanged, ...two.issuer.exchanged]).toEqual([]);
    // The sign-in is over: its state allows no second attempt.
    expect((await call(api, one.slug, { code: 'c', state: stateOf(location) })).status).toBe(400);
  });

  it('with the issuer of another provider is rejected before its code is sent anywhere', async ({ api }) => {
    const { issuer, slug } = await given(api);
    issuer.described = { authorization_response_iss_parameter_supported: true };
    for (const iss of [{ iss: 'https://other.example' }, {} as Record<string, string>]) {
      const { location } = await start(api, slug);
      const page = await pageAfter(await call(api, slug, { code: 'c', state: stateOf(location), ...iss }));
      expect(page.searchParams.get('error')).toBe('SSO_RESPONSE_INVALID');
    }
    expect(issuer.exchanged).toEqual([]);
  });

  it('of a company speaks for its own people only, whatever address it names', async ({ api }) => {
    const { issuer, domain, slug } = await given(api);
    const { email } = await api.password('owner');
    for (const named of [email, `eve@${domain}@example.com`, `eve@sub.${domain}`, `eve@${domain}.example.com`]) {
      const { location } = await start(api, slug);
      const claims = { ...claimsFor({ issuer, domain }, location), sub: named, email: named };
      issuer.idToken = await signed({ claims, key: issuer.key });
      const page = await pageAfter(await call(api, slug, { code: 'c', state: stateOf(location) }));
      expect(page.searchParams.get('error'), named).toMatch(/^SSO_(ACCESS_DENIED|EMAIL_MISSING)$/);
    }
  });
});

describe('an issuer', () => {
  const ERROR = { status: 503, body: { code: 'IDENTITY_PROVIDER_UNREACHABLE' } };
  const path = (slug: string) =>
    `/api/auth/sso/${slug}/start?returnTo=http://localhost:3000/signed-in&codeChallenge=${'x'.repeat(43)}`;

  it('that calls itself by another name, or sends browsers elsewhere, is not used', async ({ api }) => {
    const { issuer, slug, provider } = await given(api);
    for (const described of [
      { issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0' },
      { issuer: 'https://other.example' },
      { authorization_endpoint: 'javascript:alert(1)' },
      { authorization_endpoint: undefined },
    ]) {
      issuer.described = described;
      expect(await api.as('anonymous').get(path(slug)), JSON.stringify(described)).toMatchObject(ERROR);
      const test = await api.as('owner').post(`/api/identity-providers/${provider.id}/test`);
      expect(test.body).toMatchObject({ ok: false, issues: [{ code: 'DISCOVERY_FAILED' }] });
    }
  });

  it('whose token endpoint is in a closed network gets no request there', async ({ api }) => {
    const { issuer, slug } = await given(api);
    issuer.described = { token_endpoint: 'http://169.254.169.254/latest/meta-data' };
    const { location } = await start(api, slug);
    const page = await pageAfter(await call(api, slug, { code: 'c', state: stateOf(location) }));
    expect(page.searchParams.get('error')).toBe('SSO_PROVIDER_FAILED');
  });

  it('must not be the platform itself or in a closed network when it is saved', async ({ api }) => {
    const body = { name: 'Evil', type: 'oidc' };
    for (const issuer of [
      api.endpoint,
      'http://169.254.169.254',
      'http://metadata.google.internal',
      'ftp://x.example',
    ]) {
      const oidc = { issuer, clientId: CLIENT };
      const reply = await api.as('owner').post('/api/identity-providers', { ...body, slug: 'evil', oidc });
      expect(reply, issuer).toMatchObject({
        status: 400,
        body: { code: 'ADDRESS_BLOCKED', errors: [{ pointer: '/oidc/issuer' }] },
      });
    }
  });

  it('that answers slowly, hugely or with redirects is given up', async ({ api }) => {
    const slow = await openWebService(() => {});
    const huge = await openWebService((_url, response) => sendJson(response, { issuer: 'x'.repeat(1024 * 1024) }));
    const elsewhere = await openWebService(
      (_url, response) => void response.writeHead(302, { location: slow.url }).end(),
    );
    const broken = await openWebService((_url, response) => void response.end('<html>'));
    for (const { url } of [slow, huge, elsewhere, broken]) {
      const provider = await givenProvider(api, { type: 'oidc', oidc: { issuer: url, clientId: CLIENT } });
      expect(await api.as('anonymous').get(path(provider.slug))).toMatchObject(ERROR);
    }
  });
});
