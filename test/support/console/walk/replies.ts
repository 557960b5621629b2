import type { Behaviour, Reply } from '../walk-types.ts';

/** Asked of the server: who is signed in, and where. */
const OF_SERVER = /^\/api\/(d\/session|auth\/me)$/;

/** Asked by the frame around the screens, which says nothing of its failures. */
const OF_FRAME = '/api/dashboard-alerts/feed';

/** Requests that have no reply yet. */
export let pending = 0;
/** Requests of screens so far that got a reply from here. */
export let replied = 0;
export const unknown: string[] = [];

/** Puts replies in the place of those of the API. */
export function replyAs({ kind, replies, failure }: Behaviour): void {
  const known = replies.map((reply) => ({ ...reply, pattern: new RegExp(reply.path) }));
  const server = globalThis.fetch;
  const headers = { 'x-request-id': 'request-1', etag: '"1"' };
  globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, location.href);
    const method = init?.method ?? 'GET';
    if (!url.pathname.startsWith('/api/') || OF_SERVER.test(url.pathname)) return counted(() => server(input, init));
    const found = known.find((each) => each.method === method && each.pattern.test(url.pathname));
    if (!found) {
      unknown.push(`${method} ${url.pathname}`);
      return new Response(null, { status: 404, headers });
    }
    if (kind === 'hang') return untilAborted(init?.signal);
    if (url.pathname !== OF_FRAME) replied += 1;
    if (failure) {
      const type = { 'content-type': 'application/problem+json' };
      return new Response(failure.body, { status: failure.status, headers: { ...headers, ...type } });
    }
    const withType = { status: found.status, headers: { ...headers, 'content-type': found.type } };
    if (found.status === 204) return new Response(null, withType);
    // A stream stays open.
    if (found.type === 'text/event-stream') return new Response(new ReadableStream(), withType);
    return new Response(bodyOf(found, found.pattern.exec(url.pathname)!.slice(1)), withType);
  };
}

/** The body with the records that were asked for in the place of those of the example. */
const bodyOf = ({ body, ids }: Reply, asked: readonly string[]): string =>
  ids.reduce<string>((text, id, at) => (id && id !== asked[at] ? text.replaceAll(id, asked[at]!) : text), body);

async function counted(ask: () => Promise<Response>): Promise<Response> {
  pending += 1;
  try {
    return await ask();
  } finally {
    pending -= 1;
  }
}

const untilAborted = (signal: AbortSignal | null | undefined): Promise<never> =>
  new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
