import { ApiError } from '../../browser/api-error.ts';

export { ApiError } from '../../browser/api-error.ts';

interface Session {
  accessToken: string;
  workspaceId: string;
  user: { id: string; name: string; email: string };
}

const SESSION = '/api/d/session';

/** The access token stays in this variable: the refresh token is in a cookie that scripts cannot read. */
let session: Promise<Session> | undefined;

export async function send(
  method: string,
  path: string,
  body?: unknown,
  token?: string,
  options: { keepalive?: boolean } = {},
): Promise<Response> {
  const reply = await fetch(path, {
    method,
    ...options,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (reply.ok) return reply;
  const problem = (await reply.json().catch(() => ({}))) as Partial<ProblemDocument>;
  throw problemOf({ ...problem, status: reply.status }, Number(reply.headers.get('retry-after')) || undefined);
}

export interface ProblemDocument {
  status: number;
  code: string;
  detail: string;
  errors: { message: string }[];
}

export function problemOf(
  { status, code = 'UNKNOWN', detail = `The server replied ${status}.`, errors = [] }: ShownProblem,
  retryAfter?: number,
): ApiError {
  return new ApiError(status, code, detail, { retryAfter, reasons: errors.map(({ message }) => message) });
}

type ShownProblem = Partial<ProblemDocument> & Pick<ProblemDocument, 'status'>;

export async function openSession(body: object = {}): Promise<Session> {
  session = send('POST', SESSION, body).then((reply) => reply.json() as Promise<Session>);
  return session;
}

/** The sign-in that the page works with. */
export const openedSession = (): Promise<Session> => session ?? openSession();

export const endSession = (): Promise<Response> => send('DELETE', SESSION);

/** What to say of an error. */
export const messageOf = (error: unknown): string =>
  error instanceof ApiError ? [error.message, ...error.reasons].join(' ') : 'The server cannot be reached.';

/** What scripts that are loaded later take from this one. */
export interface Platform {
  call: typeof call;
  openedSession: typeof openedSession;
  messageOf: typeof messageOf;
}

/** Calls the API as the signed-in person. An access token that has expired is renewed once. */
export async function call(method: string, path: string, body?: unknown): Promise<Response> {
  const known = openedSession();
  const { accessToken } = await known;
  try {
    return await send(method, path, body, accessToken);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    if (session === known) session = undefined;
    const renewed = await (session ?? openSession());
    return send(method, path, body, renewed.accessToken);
  }
}

export const platform: Platform = { call, openedSession, messageOf };
