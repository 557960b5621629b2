import { Analytics, type Call } from '../../../../../clients/typescript/src/index.ts';
import { fetchEarly } from './early.ts';
import { RepeatKeys } from './repeat-keys.ts';
import { accessToken, renewToken } from './session.ts';

export {
  ApiError,
  type Call,
  ConnectionError,
  failedWith,
  objects,
  PreconditionFailed,
  type Types,
} from '../../../../../clients/typescript/src/index.ts';

const KEY = 'idempotency-key';
const REPLAYED = 'idempotency-replayed';

/** The API as the person who is signed in: the only way to data. */
export const api = new Analytics({ url: location.origin, token: accessToken, fetch: fetchOnce });

/** The API without a sign-in, for the pages before it. */
export const publicApi = new Analytics({ url: location.origin });

const repeatKeys = new RepeatKeys();
const firstTries = new WeakMap<Response, number>();

/** The reply to a call; if an earlier try of the person had been carried out, also when that was, in milliseconds. */
export async function replyTo<T>(call: Call<T>): Promise<{ reply: T; doneAt: number | undefined }> {
  const { data, response } = await call.withResponse();
  return { reply: data, doneAt: firstTries.get(response) };
}

/** The person has seen what a `POST` to the path has made: the next one makes another. */
export const hasSeen = (path: string, madeAt: string): void =>
  repeatKeys.seen((call) => call.includes(` POST ${location.origin}/api${path} `), Date.parse(madeAt));

/**
 * Repeats a failed call with the key of its first try, if a person makes it again on the same page: the server
 * carries it out once.
 */
async function fetchOnce(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = init.headers as Record<string, string>;
  const own = headers[KEY];
  if (own === undefined) return fetchRenewing(input, init);
  const call = [location.pathname, init.method, input, init.body].join(' ');
  const key = repeatKeys.keyFor(call, own);
  const sentAt = Date.now();
  let isDone = false;
  try {
    const reply = await fetchRenewing(input, { ...init, headers: { ...headers, [KEY]: key } });
    isDone = reply.ok;
    const triedAt = repeatKeys.triedAt(call, own);
    if (triedAt !== undefined && reply.headers.get(REPLAYED) === 'true') firstTries.set(reply, triedAt);
    return reply;
  } finally {
    if (isDone) repeatKeys.succeeded(call, own);
    else repeatKeys.failed(call, key, sentAt);
  }
}

/** An access token is valid for minutes: a refused one is renewed, and the request repeated once. */
async function fetchRenewing(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const reply = await fetchEarly(input, init);
  if (reply.status !== 401) return reply;
  const headers = init.headers as Record<string, string>;
  const token = await renewToken(headers.authorization!.slice('Bearer '.length)).catch(() => undefined);
  if (token === undefined) return reply;
  return fetch(input, { ...init, headers: { ...headers, authorization: `Bearer ${token}` } });
}
