import { randomBytes } from 'node:crypto';
import type { Logger } from '@aws-lambda-powertools/logger';
import type { IdentityProvider } from '../../../../shared/domains/identity/identity-providers/index.ts';
import type { SignInFailures } from '../../../../shared/domains/identity/sessions/index.ts';
import type { UserRecord } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { OneTime } from '../../../../shared/platform/storage/one-time.ts';
import { foldAddress } from '../../../../shared/platform/text/email-address.ts';
import { CODE_SECONDS, type Flow, type PendingSession, type ProvenPerson, SsoRefusal } from '../person.ts';
import type { StartDeps } from './start-sso.ts';

const MAX_DETAILS = 500;

interface Deps extends Pick<StartDeps, 'providers' | 'flows' | 'protocol'> {
  codes: OneTime<PendingSession>;
  /** Throws `SsoRefusal`. */
  admit(provider: IdentityProvider, person: ProvenPerson): Promise<UserRecord>;
  /** The account of the company that the person would have signed in to. */
  accountOf(provider: IdentityProvider, person: ProvenPerson): Promise<UserRecord | undefined>;
  failures: SignInFailures;
}

interface Reply {
  slug: string;
  type: IdentityProvider['type'];
  state: string | undefined;
  fields: Record<string, string>;
  log: Logger;
}

/**
 * Verifies the reply of the provider and returns where the browser continues. A reply without a stored flow has no
 * application to return to. The flow is taken before anything is verified, so that no reply gets a second try.
 */
export async function finishSso(deps: Deps, { slug, type, state, fields, log }: Reply): Promise<string> {
  const flow = state === undefined ? undefined : await deps.flows.take(state);
  const provider = flow && (await deps.providers.get(flow.companyId, flow.providerId));
  // The reply of one provider does not complete what was started with another.
  if (!flow || !provider || provider.slug !== slug || provider.type !== type || state === undefined) {
    throw new AppError('SSO_STATE_INVALID');
  }
  let person: ProvenPerson | undefined;
  try {
    if (!provider.enabled) throw new SsoRefusal('SSO_ACCESS_DENIED', 'the provider is turned off');
    person = await deps.protocol(provider).person(flow, state, fields);
    const user = await deps.admit(provider, person);
    return returned(flow, { code: await codeFor(deps, flow, user) });
  } catch (error) {
    if (!(error instanceof SsoRefusal)) throw error;
    const { code, message, cause } = error;
    const reason = detailsOf(cause);
    log.warn('a single sign-on was refused', { providerId: provider.id, code, cause: reason });
    const user = person && (await deps.accountOf(provider, person));
    const failed = { proof: 'sso', providerId: provider.id, reason: reason || code } as const;
    if (user) await deps.failures.record(user, { ...failed, email: foldAddress(user.email) });
    return returned(flow, { error: code, error_description: message });
  }
}

async function codeFor(deps: Deps, flow: Flow, user: UserRecord): Promise<string> {
  const code = `sso_${randomBytes(32).toString('base64url')}`;
  const { id: userId, companyId, signInEpoch } = user;
  const pending = { userId, companyId, providerId: flow.providerId, challenge: flow.challenge };
  await deps.codes.put(code, { ...pending, ...(signInEpoch ? { signInEpoch } : {}) }, CODE_SECONDS);
  return code;
}

function returned({ returnTo, clientState }: Flow, values: Record<string, string>): string {
  const url = new URL(returnTo);
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
  if (clientState !== undefined) url.searchParams.set('state', clientState);
  return url.href;
}

/** For the log. The reply may have been made up by anyone, so that parts of it in a message are cut. */
export function detailsOf(cause: unknown): string {
  const inner = cause instanceof Error ? (cause.cause as Error | undefined)?.message : undefined;
  const text = cause instanceof Error ? [cause.message, inner].filter(Boolean).join(': ') : String(cause ?? '');
  return text.slice(0, MAX_DETAILS).toWellFormed();
}
