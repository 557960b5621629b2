import { randomBytes } from 'node:crypto';
import type {
  IdentityProvider,
  IdentityProviderRepository,
} from '../../../../shared/domains/identity/identity-providers/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { OneTime } from '../../../../shared/platform/storage/one-time.ts';
import { callbackUrl, signInPage } from '../addresses.ts';
import { FLOW_SECONDS, type Flow } from '../person.ts';
import type { Protocol } from '../protocols.ts';

export interface StartDeps {
  providers: IdentityProviderRepository;
  flows: OneTime<Flow>;
  protocol(provider: IdentityProvider): Protocol;
  returnUrls: readonly string[];
  now: () => Date;
}

interface Command {
  slug: string;
  returnTo: string;
  codeChallenge: string;
  state?: string;
  loginHint?: string;
  base: string;
}

/** Stores what the reply must match, and returns the address of the provider. */
export async function startSso(deps: StartDeps, command: Command): Promise<string> {
  const { slug, returnTo, codeChallenge, state: clientState, loginHint, base } = command;
  if (returnTo !== signInPage(base) && !deps.returnUrls.includes(returnTo))
    throw new AppError('RETURN_URL_NOT_ALLOWED');
  const provider = await requireProvider(deps, slug);
  const state = secret();
  const flow: Flow = {
    companyId: provider.companyId,
    providerId: provider.id,
    callbackUrl: callbackUrl(base, slug),
    returnTo,
    challenge: codeChallenge,
    ...(clientState === undefined ? {} : { clientState }),
    nonce: secret(),
    verifier: secret(),
    // An XML id starts with a letter or an underscore.
    requestId: `_${randomBytes(20).toString('hex')}`,
    startedAt: deps.now().toISOString(),
  };
  const url = await deps
    .protocol(provider)
    .authorizationUrl(flow, state, loginHint)
    .catch((cause) => {
      throw new AppError('IDENTITY_PROVIDER_UNREACHABLE', { cause });
    });
  await deps.flows.put(state, flow, FLOW_SECONDS);
  return url;
}

export async function requireProvider(deps: Pick<StartDeps, 'providers'>, slug: string): Promise<IdentityProvider> {
  const provider = await deps.providers.bySlug(slug);
  if (!provider?.enabled) throw new AppError('IDENTITY_PROVIDER_NOT_FOUND');
  return provider;
}

const secret = () => randomBytes(32).toString('base64url');
