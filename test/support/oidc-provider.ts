import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { onTestFinished } from 'vitest';

export interface OidcPerson {
  email?: string;
  email_verified?: boolean;
  name?: string;
  groups?: string[];
  /** Claims that only UserInfo has. */
  atUserInfo?: Record<string, unknown>;
}

export interface OpenIdProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The people by subject; `login_hint` chooses who signs in. */
  people: Map<string, OidcPerson>;
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** An OpenID provider on loopback, where the person in `login_hint` signs in. It ends with the test. */
export async function openOpenIdProvider(redirectUris: readonly string[]): Promise<OpenIdProvider> {
  const people = new Map<string, OidcPerson>();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [clientId, clientSecret] = ['analytics', 'the secret of the client'];
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [...redirectUris] }],
    findAccount: (_context, accountId) => ({
      accountId,
      claims: (use) => {
        const { atUserInfo, ...person } = people.get(accountId) ?? {};
        return { sub: accountId, ...person, ...(use === 'userinfo' ? atUserInfo : {}) };
      },
    }),
    claims: {
      openid: ['sub', 'regions', 'tier', 'deep'],
      email: ['email', 'email_verified'],
      profile: ['name'],
      groups: ['groups'],
    },
    conformIdTokenClaims: false,
    cookies: { keys: ['a key of the test'] },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' } as never] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
  });
  const answer = provider.callback();
  server.on('request', async (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return answer(request, response);
    const { params } = await provider.interactionDetails(request, response);
    const accountId = String(params.login_hint);
    if (!people.has(accountId)) {
      return provider.interactionFinished(request, response, { error: 'access_denied', error_description: 'unknown' });
    }
    const grant = new provider.Grant({ accountId, clientId });
    grant.addOIDCScope('openid email profile groups');
    const result = { login: { accountId }, consent: { grantId: await grant.save() } };
    return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  });
  return { issuer, clientId, clientSecret, people };
}
