/** How people with an email address in a domain sign in. */
export interface Way {
  method: 'sso' | 'password';
  slug: string | null;
  name: string | null;
  required: boolean;
}

interface Pending {
  state: string;
  verifier: string;
  next: string;
}

const KEY = 'sso';

/** The address where a single sign-on starts. The proof that this window started it (PKCE) stays in the window. */
export async function wayTo({ slug }: Way, { email, next }: { email: string; next: string }): Promise<string> {
  const pending: Pending = { state: random(), verifier: random(), next };
  sessionStorage.setItem(KEY, JSON.stringify(pending));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(pending.verifier));
  const query = new URLSearchParams({
    returnTo: `${location.origin}/api/sign-in`,
    codeChallenge: base64url(new Uint8Array(digest)),
    state: pending.state,
    loginHint: email,
  });
  return `/api/auth/sso/${slug}/start?${query}`;
}

/** Undefined if this window did not start the sign-on, or has finished it. */
export function takePending(state: string | null): Pending | undefined {
  const text = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  const pending = text === null ? undefined : (JSON.parse(text) as Pending);
  return pending && pending.state === state ? pending : undefined;
}

const random = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
