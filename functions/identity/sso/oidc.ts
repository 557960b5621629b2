import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
} from 'openid-client';
import type { OidcSettings } from '../../../shared/domains/identity/identity-providers/index.ts';
import type { AddressGuard, Scheme } from '../../../shared/platform/net/address-guard.ts';
import { guardedFetch } from '../../../shared/platform/net/guarded-fetch.ts';
import { mappedClaims } from './mapped-claims.ts';
import type { Flow, ProvenPerson } from './person.ts';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 512 * 1024;

export interface OidcSecret {
  clientSecret: string | undefined;
  /** The names of the claims to return. */
  claimNames?: readonly string[];
}

export interface OidcClient {
  /** Reads the provider's own description. Fails if it is another issuer's. */
  configuration(settings: OidcSettings & OidcSecret): Promise<Configuration>;
  authorizationUrl(settings: OidcSettings & OidcSecret, flow: OidcRequest): Promise<string>;
  /** The person whom the provider has named in its reply. Fails if anything about the reply is not as it must be. */
  person(settings: OidcSettings & OidcSecret, flow: OidcRequest, reply: Record<string, string>): Promise<ProvenPerson>;
}

type OidcRequest = Pick<Flow, 'callbackUrl' | 'nonce' | 'verifier'> & { state: string; loginHint?: string | undefined };

export function oidcClient(guard: AddressGuard, schemes: readonly Scheme[]): OidcClient {
  const fetch = guardedFetch(guard, { schemes, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES });
  const isInsecureAllowed = schemes.includes('http');

  async function configuration({ issuer, clientId, clientSecret }: OidcSettings & OidcSecret): Promise<Configuration> {
    const config = await discovery(new URL(issuer), clientId, undefined, authentication(clientSecret), {
      [customFetch]: fetch as never,
      timeout: TIMEOUT_MS / 1000,
      // The ID token is verified by its signature too, not only by the connection that it came over.
      execute: [enableNonRepudiationChecks, ...(isInsecureAllowed ? [allowInsecureRequests] : [])],
    });
    const { issuer: actual, authorization_endpoint: endpoint = '' } = config.serverMetadata();
    if (new URL(actual).href !== new URL(issuer).href) throw new Error(`the issuer calls itself ${actual}`);
    if (!schemes.some((scheme) => endpoint.startsWith(`${scheme}://`))) {
      throw new Error('the issuer has no authorization endpoint');
    }
    return config;
  }

  return {
    configuration,

    async authorizationUrl(settings, { callbackUrl, state, nonce, verifier, loginHint }) {
      const config = await configuration(settings);
      const url = buildAuthorizationUrl(config, {
        redirect_uri: callbackUrl,
        response_type: 'code',
        scope: [...new Set(['openid', ...settings.scopes])].join(' '),
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(loginHint ? { login_hint: loginHint } : {}),
      });
      return url.href;
    },

    async person(settings, { callbackUrl, state, nonce, verifier }, reply) {
      const config = await configuration(settings);
      const current = new URL(callbackUrl);
      for (const [name, value] of Object.entries(reply)) current.searchParams.set(name, value);
      const tokens = await authorizationCodeGrant(config, current, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const idToken = tokens.claims()!;
      const { emailClaim, groupsClaim, claimNames = [] } = settings;
      const isMissing = (name: string) => idToken[name] === undefined;
      const isIncomplete = [emailClaim, ...(groupsClaim === null ? [] : [groupsClaim])].some(isMissing);
      const hasMore = config.serverMetadata().userinfo_endpoint !== undefined;
      const more =
        hasMore && (isIncomplete || ['email_verified', ...claimNames].some(isMissing))
          ? await fetchUserInfo(config, tokens.access_token, idToken.sub).catch((cause) => {
              // Some providers open UserInfo to tokens of other scopes only.
              if (isIncomplete) throw cause;
              return {};
            })
          : {};
      const claims: Record<string, unknown> = { ...more, ...idToken };
      const email = textOf(claims[emailClaim]);
      return {
        subject: idToken.sub,
        email,
        isEmailVerified: isVerified(idToken.email_verified === undefined ? more : idToken, { email, claims }),
        hostedDomain: textOf(idToken.hd),
        name: textOf(claims.name),
        groups: groupsClaim === null ? [] : textsOf(claims[groupsClaim]),
        claims: mappedClaims(claimNames, claims),
      };
    },
  };
}

/**
 * `email_verified` is about `email`: it says nothing about another claim that the provider is set up to read the
 * address from.
 */
function isVerified(
  { email_verified: stated, email: own }: Record<string, unknown>,
  { email, claims }: { email: string | undefined; claims: Record<string, unknown> },
): boolean | undefined {
  if (stated === undefined) return undefined;
  if (stated !== true && stated !== 'true') return false;
  return textOf(own ?? claims.email) === email ? true : undefined;
}

/** As the provider supports; the header is the standard's default. */
function authentication(clientSecret: string | undefined) {
  if (clientSecret === undefined) return None();
  const [basic, post] = [ClientSecretBasic(clientSecret), ClientSecretPost(clientSecret)];
  return ((server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported;
    const isPost = methods?.includes('client_secret_post') && !methods.includes('client_secret_basic');
    return (isPost ? post : basic)(server, ...rest);
  }) satisfies typeof basic;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string');
