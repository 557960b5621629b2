import { signal } from '@preact/signals';
import { sender } from '../../../../../clients/typescript/src/core/request.ts';
import { ApiError, type Types } from '../../../../../clients/typescript/src/index.ts';
import { fetchEarly, forgetEarly } from './early.ts';

/** The sign-in of this browser. Its refresh token is in a cookie that scripts cannot read. */
export type Session = Omit<Types.SignedIn, 'refreshToken' | 'tokenType'>;

/** The sign-in that the console shows: `undefined` until it is known, `null` if there is none. */
export const session = signal<Session | null | undefined>(undefined);

/** Why the sign-in could not be asked for; undefined while that works. */
export const connectionProblem = signal<unknown>(undefined);

const PATH = '/d/session';
const send = sender({ url: location.origin, fetch: fetchEarly });
/** The access token stays in these variables. */
let opened: Session | undefined;
let opening: Promise<Session> | undefined;

interface Opening {
  /** Of a new sign-in in this browser. */
  refreshToken?: string;
  workspaceId?: string;
}

/**
 * Opens the sign-in of the browser, and shows the console unless the person still has to choose a workspace. Rejects
 * with an `ApiError` of status 401 if there is no sign-in.
 */
export function openSession(body: Opening = {}, { isShown = true } = {}): Promise<Session> {
  if (Object.keys(body).length > 0) forgetEarly();
  opening = request('POST', body)
    .then((reply) => {
      opened = reply as Session;
      connectionProblem.value = undefined;
      if (isShown) session.value = opened;
      return opened;
    })
    .catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 401) session.value = null;
      else if (!session.value) connectionProblem.value = error;
      throw error;
    })
    .finally(() => {
      opening = undefined;
    });
  return opening;
}

/** Shows the console with the workspace of the sign-in. */
export function showSession(): void {
  session.value = opened ?? null;
}

/** A valid access token; other requests wait while it is renewed. */
export async function accessToken(): Promise<string> {
  return (opening ? await opening : (opened ?? (await openSession()))).accessToken;
}

/**
 * Replaces a token that was refused. Another window may have switched to another workspace: this one stays in its own.
 */
export async function renewToken(refused: string): Promise<string> {
  if (opening) return (await opening).accessToken;
  if (opened && opened.accessToken !== refused) return opened.accessToken;
  return (await openSession(opened ? { workspaceId: opened.workspaceId } : {})).accessToken;
}

export async function endSession(): Promise<void> {
  forgetEarly();
  await request('DELETE');
  opened = undefined;
  session.value = null;
}

async function request(method: string, body?: object): Promise<unknown> {
  const { data } = await send(
    {
      method,
      path: PATH,
      accept: 'application/json',
      options: {},
      ...(body && { body: JSON.stringify(body) }),
    },
    (response) => response.json(),
  );
  return data;
}
