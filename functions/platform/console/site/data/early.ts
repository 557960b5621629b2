/** Replies that the first script of the page has asked for; see `shell/early.ts`. */
const replies =
  (globalThis as { earlyReplies?: Map<string, Promise<Response>> }).earlyReplies ??
  new Map<string, Promise<Response>>();
const KEPT_MS = 15_000;
// What no screen has asked for by then would be old.
setTimeout(() => replies.clear(), KEPT_MS);

/** `fetch`, or the reply to the same request if that was sent early. Each is taken once. */
export function fetchEarly(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const { pathname, search } = new URL(String(input), location.origin);
  const method = init.method ?? 'GET';
  const early = replies.get(`${method} ${pathname}${search}`);
  if (!early) {
    // What was read before a change is old.
    if (method !== 'GET') replies.clear();
    return fetch(input, init);
  }
  replies.delete(`${method} ${pathname}${search}`);
  const reply = method === 'GET' ? early.catch(() => fetch(input, init)) : early;
  return init.signal ? Promise.race([reply, abortion(init.signal)]) : reply;
}

/** Before another sign-in: the replies are for the person who was signed in when the page was opened. */
export const forgetEarly = (): void => replies.clear();

const abortion = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
