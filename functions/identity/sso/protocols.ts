import type { IdentityProvider } from '../../../shared/domains/identity/identity-providers/index.ts';
import type { SecretBox } from '../../../shared/platform/crypto/secret-box.ts';
import type { OneTime } from '../../../shared/platform/storage/one-time.ts';
import { audienceOf } from './addresses.ts';
import type { OidcClient } from './oidc.ts';
import { type Flow, type ProvenPerson, SsoRefusal } from './person.ts';

/** How sign-ins through one provider go. */
export interface Protocol {
  authorizationUrl(flow: Flow, state: string, loginHint?: string): Promise<string>;
  /** Throws `SsoRefusal` if the reply is not what it must be. */
  person(flow: Flow, state: string, reply: Record<string, string>): Promise<ProvenPerson>;
}

interface Deps {
  oidc: OidcClient;
  secrets: SecretBox;
  /** Assertions that were used. */
  assertions: OneTime<object>;
  now: () => Date;
}

export function protocolOf(deps: Deps, provider: IdentityProvider): Protocol {
  return provider.oidc ? oidcProtocol(deps, provider) : samlProtocol(deps, provider);
}

export async function oidcSettings({ secrets }: Pick<Deps, 'secrets'>, provider: IdentityProvider) {
  const { sealedClientSecret: sealed, companyId } = provider;
  const clientSecret = sealed && (await secrets.open(companyId, sealed));
  return { ...provider.oidc!, clientSecret, claimNames: claimNamesOf(provider) };
}

const claimNamesOf = ({ attributes }: IdentityProvider): string[] => attributes.map(({ claim }) => claim);

function oidcProtocol(deps: Deps, provider: IdentityProvider): Protocol {
  return {
    async authorizationUrl(flow, state, loginHint) {
      return deps.oidc.authorizationUrl(await oidcSettings(deps, provider), { ...flow, state, loginHint });
    },
    async person(flow, state, reply) {
      if (reply.error !== undefined) throw new SsoRefusal('access_denied', `${reply.error} ${reply.error_description}`);
      const settings = await oidcSettings(deps, provider);
      return deps.oidc.person(settings, { ...flow, state }, reply).catch((cause) => {
        throw new SsoRefusal(isOfTransport(cause) ? 'SSO_PROVIDER_FAILED' : 'SSO_RESPONSE_INVALID', cause);
      });
    },
  };
}

/** Whether the provider could not be asked, which may pass. */
const isOfTransport = (error: unknown): boolean =>
  ['TIMEOUT', 'CONNECTION_FAILED', 'ADDRESS_BLOCKED', 'RESULT_TOO_LARGE'].includes(
    ((error as { cause?: { code?: string } }).cause ?? (error as { code?: string })).code ?? '',
  );

function samlProtocol({ assertions, now }: Deps, provider: IdentityProvider): Protocol {
  const settings = provider.saml!;
  const requestOf = (flow: Flow) => ({ ...flow, audience: audienceOf(flow.callbackUrl) });
  return {
    async authorizationUrl(flow, state) {
      const { samlAuthorizationUrl } = await import('./saml.ts');
      return samlAuthorizationUrl(settings, requestOf(flow), state);
    },
    async person(flow, _state, reply) {
      const { samlPerson } = await import('./saml.ts');
      const asked = { ...requestOf(flow), claimNames: claimNamesOf(provider) };
      const person = await samlPerson(settings, asked, reply.SAMLResponse ?? '').catch((cause) => {
        throw new SsoRefusal('SSO_RESPONSE_INVALID', cause);
      });
      const seconds = Math.ceil((person.expiresAt.getTime() - now().getTime()) / 1000);
      if (!(await assertions.putOnce(`${provider.id} ${person.assertionId}`, seconds))) {
        throw new SsoRefusal('SSO_RESPONSE_INVALID', 'the assertion was used before');
      }
      return person;
    },
  };
}
