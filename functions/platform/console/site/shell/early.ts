import { bestMatch } from '../ui/path.ts';

/** What a screen asks the API first, by its path below the console: addresses as the client writes them. */
export type Reads = Readonly<Record<string, (place: ReadPlace) => readonly string[]>>;

export interface ReadPlace {
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
}

/** An address below `/api` with its query, as the client writes it. */
export const asked = (path: string, query: Readonly<Record<string, string | number | boolean>> = {}): string => {
  const pairs = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`;
};

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
    // Whoever asks again is told.
    reply.catch(() => {});
    replies.set(`GET ${url}`, reply);
  }
  Object.assign(globalThis, { earlyReplies: replies });
}

const BASE = /^\/api\/console/;

export function readsAt(all: readonly Reads[], { pathname, search }: { pathname: string; search: string }): string[] {
  const known = all.flatMap((reads) => Object.entries(reads).map(([path, of]) => ({ path, of })));
  const found = bestMatch(known, pathname.replace(BASE, ''));
  if (!found) return [];
  return [...found.screen.of({ params: found.params, query: Object.fromEntries(new URLSearchParams(search)) })];
}
