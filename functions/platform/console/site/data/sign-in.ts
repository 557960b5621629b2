import { HAS_PASSKEYS, signChallenge } from '../../../browser/passkeys.ts';
import { type Way, wayTo } from '../../../browser/sso.ts';
import { api, publicApi, type Types } from './client.ts';
import { openSession } from './session.ts';
import { lastWorkspace, switchWorkspace } from './workspace.ts';

export { HAS_PASSKEYS, type Way };

/** What follows a proof of the person: the second factor, the choice of a workspace, or nothing. */
export type Next =
  | { step: 'code'; mfaToken: string }
  | { step: 'workspace'; workspaces: Types.Me['workspaces'] }
  | { step: 'done' };

/** How a person with this address signs in. */
export const wayOf = async (email: string): Promise<Way> => (await publicApi.auth.discoverSignIn({ email })) as Way;

export async function signIn(email: string, password: string): Promise<Next> {
  const reply = await publicApi.auth.login({ email, password });
  return 'mfaRequired' in reply ? { step: 'code', mfaToken: reply.mfaToken } : keep(reply);
}

export const confirmWithCode = async (mfaToken: string, code: string): Promise<Next> =>
  keep(await publicApi.auth.verifyMfa({ mfaToken, code }));

/** In place of a code. */
export async function confirmWithPasskey(mfaToken: string): Promise<Next> {
  const options = await publicApi.auth.startPasskeyFactor({ mfaToken });
  const response = (await signChallenge(options)) as never;
  return keep(await publicApi.auth.verifyPasskeyFactor({ mfaToken, response }));
}

export async function signInWithPasskey(): Promise<Next> {
  const response = (await signChallenge(await publicApi.auth.startPasskeySignIn())) as never;
  return keep(await publicApi.auth.signInWithPasskey({ response }));
}

/** Continues at the identity provider, which returns to this address. */
export async function signInWithProvider(way: Way, email: string): Promise<void> {
  location.assign(await wayTo(way, { email, next: location.href }));
}

/** Moves the sign-in to the cookie. The first workspace is the one that this browser worked in last. */
async function keep({ refreshToken }: { refreshToken: string }): Promise<Next> {
  const opened = await openSession({ refreshToken }, { isShown: false });
  const { workspaces } = await api.auth.me();
  const last = lastWorkspace();
  if (workspaces.length < 2) return { step: 'done' };
  if (!workspaces.some(({ id }) => id === last)) return { step: 'workspace', workspaces };
  if (last !== opened.workspaceId) await switchWorkspace(last!);
  return { step: 'done' };
}
