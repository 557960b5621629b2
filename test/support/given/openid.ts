import type { Api } from '../api.ts';
import { type OidcPerson, openOpenIdProvider } from '../oidc-provider.ts';
import { callbackOf, givenProvider, newDomain, newSlug } from './identity-provider.ts';

const oidcOf = ({ issuer, clientId, clientSecret }: { issuer: string; clientId: string; clientSecret: string }) => ({
  issuer,
  clientId,
  clientSecret,
  scopes: ['openid', 'email', 'profile', 'groups'],
  groupsClaim: 'groups',
});

/**
 * A provider by OpenID Connect with a verified domain, and its people: `email` is the part before the domain, and
 * verified.
 */
export async function givenOpenId(
  api: Api,
  people: Record<string, OidcPerson>,
  body: object = {},
  domain = newDomain(),
) {
  const slug = newSlug();
  const peer = await openOpenIdProvider([callbackOf(api, slug)]);
  const withDomain = ({ email, ...person }: OidcPerson) => ({
    email: `${email}@${domain}`,
    email_verified: true,
    ...person,
  });
  for (const [subject, person] of Object.entries(people)) peer.people.set(subject, withDomain(person));
  const provider = await givenProvider(api, { slug, type: 'oidc', oidc: oidcOf(peer), ...body }, domain);
  return { slug, domain, peer, provider, path: `/api/identity-providers/${provider.id}` };
}

/** Settings that make a member of every person. */
export const madeMembers = (api: Api, more: object = {}) => ({
  jit: { enabled: true, workspaceId: api.workspaceId, role: 'viewer', ...more },
});
