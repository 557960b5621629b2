import { Analytics } from '../../../../../clients/typescript/src/index.ts';
import { fetchEarly } from './early.ts';
import { accessToken, renewToken } from './session.ts';

export {
  ApiError,
  ConnectionError,
  failedWith,
  objects,
  PreconditionFailed,
  type Types,
} from '../../../../../clients/typescript/src/index.ts';

/** The API as the person who is signed in: the only way to data. */
export const api = new Analytics({ url: location.origin, token: accessToken, fetch: fetchRenewing });

/** The API without a sign-in, for the pages before it. */
export const publicApi = new Analytics({ url: location.origin });

/** An access token is valid for minutes: a refused one is renewed, and the request repeated once. */
async function fetchRenewing(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const reply = await fetchEarly(input, init);
  if (reply.status !== 401) return reply;
  const headers = init.headers as Record<string, string>;
  const token = await renewToken(headers.authorization!.slice('Bearer '.length)).catch(() => undefined);
  if (token === undefined) return reply;
  return fetch(input, { ...init, headers: { ...headers, authorization: `Bearer ${token}` } });
}
