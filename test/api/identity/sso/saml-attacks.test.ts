import { describe, expect } from 'vitest';
import type { Api } from '../../../support/api.ts';
import { it } from '../../../support/api.ts';
import type { Reply } from '../../../support/conformance.ts';
import {
  callbackOf,
  exchange,
  givenProvider,
  newDomain,
  pageAfter,
  start,
} from '../../../support/given/identity-provider.ts';
import {
  newCertificate,
  newSamlProvider,
  type ResponseParts,
  requestIn,
  responseXml,
  type SamlProvider,
  signedXml,
} from '../../../support/saml-provider.ts';

interface Context {
  api: Api;
  slug: string;
  domain: string;
  peer: SamlProvider;
  location: URL;
  verifier: string;
  /** The parts of a right response for Mallory, who may sign in as herself. */
  parts: ResponseParts;
}

let knownPeer: Promise<SamlProvider> | undefined;

async function given(api: Api): Promise<Context> {
  knownPeer ??= newSamlProvider();
  const peer = await knownPeer;
  const domain = newDomain();
  const { entityId, ssoUrl, certificate } = peer;
  const provider = await givenProvider(
    api,
    {
      type: 'saml',
      saml: { entityId, ssoUrl, certificates: [certificate] },
      jit: { enabled: true, workspaceId: api.workspaceId },
    },
    domain,
  );
  const slug = provider.slug as string;
  return { api, slug, domain, peer, ...(await started(api, slug, domain, peer)) };
}

async function started(api: Api, slug: string, domain: string, { entityId }: SamlProvider) {
  const { location, verifier } = await start(api, slug);
  const acs = callbackOf(api, slug);
  const parts: ResponseParts = {
    issuer: entityId,
    audience: acs.replace(/callback$/, 'metadata'),
    recipient: acs,
    destination: acs,
    inResponseTo: / ID="([^"]+)"/.exec(requestIn(location))![1],
    subject: `mallory@${domain}`,
  };
  return { location, verifier, parts };
}

/** Posts a response as the provider's page does. */
function post({ api, slug, location }: Pick<Context, 'api' | 'slug' | 'location'>, xml: string): Promise<Reply> {
  const form = new URLSearchParams({
    SAMLResponse: Buffer.from(xml).toString('base64'),
    RelayState: location.searchParams.get('RelayState')!,
  });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return api.as('anonymous').send('POST', `/api/auth/sso/${slug}/callback`, { text: String(form), headers });
}

const signedResponse = ({ parts, peer }: Context, change: Partial<ResponseParts> = {}) =>
  signedXml(responseXml({ ...parts, ...change }), peer);

/** Responses that must be rejected. */
const REJECTED: Record<string, (context: Context) => string | Promise<string>> = {
  'without any signature': ({ parts }) => responseXml(parts),
  'signed by another key': async ({ parts }) => signedXml(responseXml(parts), await newCertificate()),
  'with another subject than was signed': (context) => signedResponse(context).replace('mallory@', 'ada@'),
  'with an attribute more than was signed': (context) =>
    signedResponse(context).replace('</saml:Assertion>', '<saml:AttributeStatement/></saml:Assertion>'),
  'with an empty signature': (context) =>
    signedResponse(context).replace(/<ds:SignatureValue>.*<\/ds:SignatureValue>/s, '<ds:SignatureValue/>'),
  'signed with SHA-1': ({ parts, peer }) => signedXml(responseXml(parts), peer, 'Assertion', 'sha1'),
  'whose signature is an HMAC with the certificate': (context) =>
    signedResponse(context).replace('xmldsig-more#rsa-sha256', 'xmldsig-more#hmac-sha256'),
  'for another recipient': (context) => signedResponse(context, { recipient: 'https://other.example/acs' }),
  'for another audience': (context) => signedResponse(context, { audience: 'https://other.example/metadata' }),
  'for another destination': (context) => signedResponse(context, { destination: 'https://other.example/acs' }),
  'of another issuer': (context) => signedResponse(context, { issuer: 'https://other.example/metadata' }),
  'to another request': (context) => signedResponse(context, { inResponseTo: '_other' }),
  'whose confirmation is for another request': (context) => signedResponse(context, { confirms: '_other' }),
  'to no request': (context) => signedResponse(context, { inResponseTo: undefined }),
  'whose confirmation has expired': (context) => signedResponse(context, { confirmedFor: -120 }),
  'whose conditions have expired': (context) => signedResponse(context, { notOnOrAfter: -120 }),
  'that is not valid yet': (context) => signedResponse(context, { notBefore: 600 }),
  'that is not of the bearer': (context) => signedResponse(context, { method: 'sender-vouches' }),
  'with a transient subject': (context) =>
    signedResponse(context, { format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' }),
  'with a comment in the NameID': (context) =>
    signedResponse(context, { subject: `ada@${context.domain}<!---->.evil.example` }),
  'with a comment that was put into the NameID later': (context) =>
    signedResponse(context).replace('mallory@', 'mal<!-- -->lory@'),
  'with a processing instruction in the NameID': (context) =>
    signedResponse(context).replace('mallory@', 'mal<?x?>lory@'),
  'with a document type': (context) => `<!DOCTYPE Response>${signedResponse(context)}`,
  'with entities that expand endlessly': (context) =>
    `<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa">${'bcdefghij'
      .split('')
      .map((name, index) => `<!ENTITY ${name} "${`&${'abcdefghi'[index]};`.repeat(10)}">`)
      .join('')}]>${signedResponse(context).replace('mallory@', '&j;@')}`,
  'with an external entity': (context) =>
    `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>${signedResponse(context).replace('mallory@', '&x;@')}`,
  'with two assertions': (context) => {
    const xml = signedResponse(context);
    return xml.replace('</samlp:Response>', `${/<saml:Assertion.*<\/saml:Assertion>/s.exec(xml)![0]}</samlp:Response>`);
  },
  'without an assertion': ({ parts }) => responseXml(parts).replace(/<saml:Assertion.*<\/saml:Assertion>/s, ''),
  'that reports an error': ({ parts }) =>
    responseXml({ ...parts, status: 'Responder' }).replace(/<saml:Assertion.*<\/saml:Assertion>/s, ''),
  'that reports an error beside a right assertion': ({ parts, peer }) =>
    signedXml(responseXml({ ...parts, status: 'Responder' }), peer),
  'without a status': (context) => signedResponse(context).replace(/<samlp:Status>.*<\/samlp:Status>/s, ''),
  'with two statuses': (context) => signedResponse(context).replace(/(<samlp:Status>.*<\/samlp:Status>)/s, '$1$1'),
  'that another issuer has put around the assertion': (context) =>
    signedResponse(context).replace('<saml:Issuer>', '<saml:Issuer>https://other.example/'),
  'that is another kind of message': (context) =>
    signedResponse(context).replaceAll('samlp:Response', 'samlp:ArtifactResponse'),
  'nested without end': () => '<a>'.repeat(100_000),
  'that is not XML': () => 'not XML',
};

describe('a SAML response', () => {
  it('that is right signs in, whether its assertion or the whole was signed', async ({ api }) => {
    for (const what of ['Assertion', 'Response'] as const) {
      const context = await given(api);
      const { parts, peer, verifier, domain } = context;
      const page = await pageAfter(await post(context, signedXml(responseXml(parts), peer, what)));
      expect((await exchange(api, { page, verifier })).body.user.email).toBe(`mallory@${domain}`);
    }
  });

  for (const [what, forge] of Object.entries(REJECTED)) {
    it(`${what} is rejected`, async ({ api }) => {
      const context = await given(api);
      const page = await pageAfter(await post(context, await forge(context)));
      expect(page.searchParams.get('error')).toBe('SSO_RESPONSE_INVALID');
      expect(page.searchParams.has('code')).toBe(false);
    });
  }

  it('works once, and not under the state of another sign-in', async ({ api }) => {
    const context = await given(api);
    const xml = signedResponse(context);
    const replies = await Promise.all([1, 2, 3, 4, 5].map(() => post(context, xml)));
    expect(replies.map(({ status }) => status).sort()).toEqual([303, 400, 400, 400, 400]);
    const { location } = await start(api, context.slug);
    const page = await pageAfter(await post({ ...context, location }, xml));
    expect(page.searchParams.get('error')).toBe('SSO_RESPONSE_INVALID');
  });

  it('that the provider sends on its own account, or to another provider, goes nowhere', async ({ api }) => {
    const [one, two] = [await given(api), await given(api)];
    const invalid = { status: 400, body: { code: 'SSO_STATE_INVALID' } };
    expect(await post({ ...two, location: one.location }, signedResponse(two))).toMatchObject(invalid);
    const unsolicited = new URL('https://idp.example/?RelayState=');
    expect(await post({ ...two, location: unsolicited }, signedResponse(two))).toMatchObject(invalid);
    const oidc = await api
      .as('anonymous')
      .get(`/api/auth/sso/${two.slug}/callback?state=${two.location.searchParams.get('RelayState')}`);
    expect(oidc).toMatchObject(invalid);
  });
});

/** The pieces of a signed response, for putting them together in another way. */
function piecesOf(xml: string, victim: string) {
  const assertion = /<saml:Assertion .*<\/saml:Assertion>/s.exec(xml)![0];
  const signature = /<ds:Signature .*?<\/ds:Signature>/s.exec(xml)![0];
  const bare = assertion.replace(signature, '');
  const evil = bare.replace(/ ID="[^"]*"/, ' ID="_evil"').replace(/mallory@[^<]*/, victim);
  const [head = ''] = xml.split('<saml:Assertion ');
  return { xml, head, assertion, signature, bare, evil, end: '</samlp:Response>' };
}

type Pieces = ReturnType<typeof piecesOf>;

/** The known ways to wrap a signature, by their usual numbers; the first two wrap a signature of the whole response. */
const WRAPPED: Record<string, (pieces: Pieces) => string> = {
  'XSW 1: the signed response within the signature of another': ({ xml, signature, evil, head, end }) => {
    const original = xml.replace(signature, '');
    const moved = signature.replace('</ds:Signature>', `<ds:Object>${original}</ds:Object></ds:Signature>`);
    return `${head.replace(signature, moved).replace(/ ID="[^"]*"/, ' ID="_evilr"')}${evil}${end}`;
  },
  'XSW 2: the signed response before the signature of another': ({ xml, signature, evil, head, end }) =>
    `${head.replace(signature, `${xml.replace(signature, '')}${signature}`).replace(/ ID="[^"]*"/, ' ID="_evilr"')}${evil}${end}`,
  'XSW 3: another assertion before the signed one': ({ head, evil, assertion, end }) =>
    `${head}${evil}${assertion}${end}`,
  'XSW 4: the signed assertion within another': ({ head, evil, assertion, end }) =>
    `${head}${evil.replace('</saml:Assertion>', `${assertion}</saml:Assertion>`)}${end}`,
  'XSW 5: the signature in another assertion, the signed one last': ({ head, evil, signature, bare, end }) =>
    `${head}${evil.replace('</saml:Issuer>', `</saml:Issuer>${signature}`)}${bare}${end}`,
  'XSW 6: the signed assertion within the signature of another': ({ head, evil, signature, bare, end }) => {
    const moved = signature.replace('</ds:Signature>', `${bare}</ds:Signature>`);
    return `${head}${evil.replace('</saml:Issuer>', `</saml:Issuer>${moved}`)}${end}`;
  },
  'XSW 7: another assertion among extensions': ({ head, evil, assertion, end }) =>
    `${head}<samlp:Extensions>${evil}</samlp:Extensions>${assertion}${end}`,
  'XSW 8: the signed assertion as an object of the signature': ({ head, evil, signature, bare, end }) => {
    const moved = signature.replace('</ds:Signature>', `<ds:Object>${bare}</ds:Object></ds:Signature>`);
    return `${head}${evil.replace('</saml:Issuer>', `</saml:Issuer>${moved}`)}${end}`;
  },
  'two elements with the signed id': ({ head, evil, assertion, end }) => {
    const id = / ID="([^"]*)"/.exec(assertion)![1];
    return `${head}${evil.replace('_evil', id!)}${assertion}${end}`;
  },
};

describe('a wrapped signature', () => {
  for (const [what, wrap] of Object.entries(WRAPPED)) {
    it(`does not sign in the victim: ${what}`, async ({ api }) => {
      const context = await given(api);
      const { parts, peer, verifier, domain } = context;
      const victim = { email: `victim@${domain}`, name: 'Victim', role: 'admin', password: 'a long enough password' };
      await api.as('owner').post('/api/workspaces/members', victim);
      const signs = /XSW [12]/.test(what) ? 'Response' : 'Assertion';
      const xml = signedXml(responseXml(parts), peer, signs);
      const forged = wrap(piecesOf(xml, victim.email));
      expect(forged).toContain(victim.email);
      const page = await pageAfter(await post(context, forged));
      if (what.startsWith('XSW 7')) {
        // What the provider has signed is still where it was: Mallory signs in as herself.
        expect((await exchange(api, { page, verifier })).body.user.email).toBe(`mallory@${domain}`);
      } else expect(page.searchParams.get('error')).toBe('SSO_RESPONSE_INVALID');
    });
  }
});
