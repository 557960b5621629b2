import { createHash, randomBytes } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';
import type { Api } from '../api.ts';
import { browse } from '../browser.ts';
import type { Reply } from '../conformance.ts';
import { setTexts } from '../dns-server.ts';
import { deployed } from '../setup/ask.ts';

export const APPLICATION = 'http://localhost:3000/signed-in';

// biome-ignore lint/suspicious/noExplicitAny: the provider as the API shows it
export type GivenProvider = any;

export const newSlug = () => `test-${randomBytes(6).toString('hex')}`;
export const newDomain = () => `${randomBytes(6).toString('hex')}.example`;
export const callbackOf = (api: Api, slug: string) => `${api.endpoint}/api/auth/sso/${slug}/callback`;

/** A new identity provider of the owner's company, with a verified domain unless `domains` is given. */
export async function givenProvider(api: Api, body: object, domain = newDomain()): Promise<GivenProvider> {
  const provider = { name: 'Test', slug: newSlug(), domains: [domain], ...body };
  const reply = await api.as('owner').post('/api/identity-providers', provider);
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  // A company may have twenty.
  onTestFinished(() =>
    api
      .as('owner')
      .delete(`/api/identity-providers/${reply.body.id}`)
      .then(() => undefined),
  );
  return verifyDomain(api, reply.body, domain);
}

export async function publishProof(provider: GivenProvider, domain: string): Promise<void> {
  const { record } = provider.domains.find(({ name }: { name: string }) => name === domain);
  await setTexts((await deployed()).dns, record.name, ['v=spf1 -all', record.value]);
}

export async function verifyDomain(api: Api, provider: GivenProvider, domain: string): Promise<GivenProvider> {
  await publishProof(provider, domain);
  const reply = await api.as('owner').post(`/api/identity-providers/${provider.id}/domains/${domain}/verify`);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body;
}

/** What an application keeps while its user signs in. */
export interface Started {
  /** Where the browser continues. */
  location: URL;
  verifier: string;
  state: string;
}

export async function start(api: Api, slug: string, loginHint?: string): Promise<Started> {
  const verifier = randomBytes(32).toString('base64url');
  const state = randomBytes(8).toString('hex');
  const reply = await api.as('anonymous').get(startPath(slug, { verifier, state, loginHint }));
  expect(reply.status, JSON.stringify(reply.body)).toBe(303);
  return { location: new URL(reply.headers.get('location')!), verifier, state };
}

export function startPath(
  slug: string,
  { verifier = 'x'.repeat(43), state, loginHint, returnTo = APPLICATION }: Partial<Record<string, string | undefined>>,
): string {
  const query = new URLSearchParams({ returnTo, codeChallenge: challengeOf(verifier) });
  if (state) query.set('state', state);
  if (loginHint) query.set('loginHint', loginHint);
  return `/api/auth/sso/${slug}/start?${query}`;
}

export const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

/** Signs in at the provider as a browser does, up to the page of the application. */
export async function signInAt(api: Api, slug: string, loginHint: string): Promise<{ page: URL; verifier: string }> {
  const { location, verifier, state } = await start(api, slug, loginHint);
  const page = await browse(location.href, (url) => url.href.startsWith(APPLICATION));
  expect(page.searchParams.get('state')).toBe(state);
  return { page, verifier };
}

/** Exchanges the code of the page for a session. */
export function exchange(
  api: Api,
  { page, verifier }: { page: URL; verifier: string },
  more: object = {},
): Promise<Reply> {
  const body = { code: page.searchParams.get('code'), codeVerifier: verifier, ...more };
  return api.as('anonymous').post('/api/auth/sso/token', body);
}

/** The reply of the API to a callback: where the browser continues. */
export async function pageAfter(reply: Reply): Promise<URL> {
  expect(reply.status, JSON.stringify(reply.body)).toBe(303);
  return new URL(reply.headers.get('location')!);
}
