import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { Analytics, ApiError } from '../../typescript/src/index.ts';
import { apiAddress, openInBrowser } from './browser.ts';
import type { Session } from './command.ts';
import { CommandError, EXIT } from './exit-codes.ts';
import { printable } from './output.ts';
import type { SignIn } from './settings.ts';
import { signInOf } from './tokens.ts';
import { USER_AGENT } from './user-agent.ts';

const SECONDS = 10 * 60;
const MAX_NAME = 100;

/**
 * Opens a page of the platform in the browser of this machine, and waits on a port of its own until the browser brings
 * the code of the approval (RFC 8252). Others cannot use the code: only this program knows its verifier.
 */
export async function signInByBrowser(session: Session, url: string): Promise<SignIn> {
  const [codeVerifier, state] = [random(32), random(24)];
  const waiting = await waitForCode(state);
  try {
    const { redirectUri } = waiting;
    const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
    const clientName = `analytics on ${printable(hostname())}`.slice(0, MAX_NAME);
    const query = new URLSearchParams({ clientName, redirectUri, codeChallenge, state });
    showLink(session, `${apiAddress(url)}/d/connect?${query}`);
    const code = await unlessOver(waiting.code, session.signal);
    return await redeemed({ url, signal: session.signal }, { code, codeVerifier, redirectUri });
  } finally {
    await waiting.close();
  }
}

const random = (bytes: number): string => randomBytes(bytes).toString('base64url');

function showLink({ terminal, process }: Session, authorizationUri: string): void {
  if (terminal.isJson) terminal.out(JSON.stringify({ type: 'link', authorizationUri, expiresInSeconds: SECONDS }));
  else {
    terminal.note(`Open ${authorizationUri}`);
    terminal.note('in the browser of this machine. Waiting for your approval …');
  }
  if (terminal.isInteractive) openInBrowser(authorizationUri, process);
}

async function redeemed(
  { url, signal }: { url: string; signal: AbortSignal },
  approved: { code: string; codeVerifier: string; redirectUri: string },
): Promise<SignIn> {
  const api = new Analytics({ url, headers: { 'user-agent': USER_AGENT } });
  try {
    return signInOf(await api.auth.redeemSignInCode(approved, { signal }));
  } catch (error) {
    if (error instanceof ApiError && error.code === 'ACCESS_DENIED') throw denied();
    throw error;
  }
}

const denied = () => new CommandError(EXIT.forbidden, 'The sign-in was denied.', 'ACCESS_DENIED');

/** The code, unless the person interrupts the program or does not decide in time. */
async function unlessOver(code: Promise<string>, interrupted: AbortSignal): Promise<string> {
  interrupted.throwIfAborted();
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    interrupted.addEventListener('abort', () => reject(interrupted.reason as Error), { once: true });
    const late = 'The sign-in was not approved within ten minutes. Start again: analytics login --browser';
    timer = setTimeout(() => reject(new CommandError(EXIT.timeout, late, 'EXPIRED_TOKEN')), SECONDS * 1000);
  });
  try {
    return await Promise.race([code, over]);
  } finally {
    clearTimeout(timer);
  }
}

interface Waiting {
  redirectUri: string;
  code: Promise<string>;
  close(): Promise<void>;
}

/** Listens on the loopback interface alone, by its number, on a port that the system chooses. */
async function waitForCode(state: string): Promise<Waiting> {
  // Other commands start without it.
  const { createServer } = await import('node:http');
  const server = createServer();
  const code = new Promise<string>((resolve, reject) => {
    server.on('request', (request, response) => {
      const found = answerOf(request, state);
      show(response, found);
      if ('code' in found) resolve(found.code);
      else if (found.isDenied) reject(denied());
    });
  });
  // It may fail before anybody waits for it.
  code.catch(() => undefined);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { redirectUri: `http://127.0.0.1:${port}/callback`, code, close: () => closed(server) };
}

/** The page that the browser shows is sent whole; what else holds a connection open is cut off. */
function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(() => server.closeAllConnections(), 500);
    server.close(() => {
      clearTimeout(late);
      resolve();
    });
    server.closeIdleConnections();
  });
}

type Answer = { code: string } | { isDenied: boolean };

/**
 * What the browser brings. Any page can lead a browser to the port: what does not have the state, or comes under
 * another name of the machine, ends nothing.
 */
function answerOf({ method, url = '', headers, socket }: IncomingMessage, state: string): Answer {
  const own = `127.0.0.1:${socket.localPort}`;
  const [path, query] = [url.split('?')[0], new URLSearchParams(url.split('?')[1])];
  if (method !== 'GET' || headers.host !== own || path !== '/callback') return { isDenied: false };
  if (!isSame(query.get('state') ?? '', state)) return { isDenied: false };
  const code = query.get('code');
  return code ? { code } : { isDenied: query.has('error') };
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function show(response: ServerResponse, found: Answer): void {
  const isOurs = 'code' in found || found.isDenied;
  const text =
    'code' in found
      ? 'Approved. You can close this page and return to your terminal.'
      : found.isDenied
        ? 'Denied. You can close this page.'
        : 'This is not the sign-in that the program waits for. Open the address that your terminal shows.';
  response.writeHead(isOurs ? 200 : 400, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    connection: 'close',
  });
  response.end(
    `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>analytics</title><h1>analytics</h1><p>${text}</p></html>`,
  );
}
