import { type Reads, readsAt } from './reads.ts';

const JSON_ONLY = { accept: 'application/json' };
const SESSION = '/api/d/session';

/**
 * Opens the sign-in, and asks for what the page shows first, while the other scripts are on their way. Their requests
 * take these replies; see `data/early.ts`.
 */
export function askEarly(all: readonly Reads[]): void {
  const replies = new Map<string, Promise<Response>>();
  const session = fetch(SESSION, {
    method: 'POST',
    headers: { ...JSON_ONLY, 'content-type': 'application/json' },
    body: '{}',
    redirect: 'manual',
  });
  replies.set(`POST ${SESSION}`, session);
  const token = session.then(async (reply) => {
    if (!reply.ok) throw new Error('There is no sign-in.');
    return ((await reply.clone().json()) as { accessToken: string }).accessToken;
  });
  for (const address of ['/auth/me', ...readsAt(all, location)]) {
    const url = `/api${address}`;
    const reply = token.then((accessToken) =>
      fetch(url, { headers: { ...JSON_ONLY, authorization: `Bearer ${accessToken}` }, redirect: 'manual' }),
    );
    // The request that takes the reply handles the error.
    reply.catch(() => {});
    replies.set(`GET ${url}`, reply);
  }
  Object.assign(globalThis, { earlyReplies: replies });
}
