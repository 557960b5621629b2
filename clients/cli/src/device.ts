import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Analytics, ApiError, ConnectionError } from '../../typescript/src/index.ts';
import type { Session } from './command.ts';
import { CommandError, EXIT } from './exit-codes.ts';
import { printable } from './output.ts';
import type { SignIn } from './settings.ts';
import { signInOf } from './tokens.ts';
import { USER_AGENT } from './user-agent.ts';

/** What the platform adds to the interval of a program that asks too often. */
const SLOWER_MS = 5_000;
const MAX_NAME = 100;

/** Shows a code, and waits until a person has approved it in a browser, which may be on another machine. */
export async function signInByDevice(
  { terminal, signal }: Pick<Session, 'terminal' | 'signal'>,
  url: string,
): Promise<SignIn> {
  const api = new Analytics({ url, headers: { 'user-agent': USER_AGENT } });
  const clientName = `analytics on ${printable(hostname())}`.slice(0, MAX_NAME);
  const { deviceCode, ...shown } = await api.auth.startDeviceSignIn({ clientName }, { signal });
  const { userCode, verificationUri, intervalSeconds } = shown;
  if (terminal.isJson) terminal.out(JSON.stringify({ type: 'code', ...shown }));
  else {
    terminal.note(`Open ${verificationUri}`);
    terminal.note(`and enter the code ${terminal.paint('bold', userCode)}`);
    terminal.note('Waiting for your approval …');
  }
  for (let waitMs = intervalSeconds * 1000; ; ) {
    await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    try {
      return signInOf(await api.auth.redeemDeviceCode({ deviceCode }, { signal }));
    } catch (error) {
      signal.throwIfAborted();
      waitMs = nextWait(error, waitMs);
    }
  }
}

/** Throws what ends the sign-in. A lost connection does not: it counts as asking too often (RFC 8628, 3.5). */
function nextWait(error: unknown, waitMs: number): number {
  if (error instanceof ConnectionError) return waitMs + SLOWER_MS;
  if (!(error instanceof ApiError)) throw error;
  switch (error.code) {
    case 'AUTHORIZATION_PENDING':
      return waitMs;
    case 'SLOW_DOWN':
      return waitMs + SLOWER_MS;
    case 'ACCESS_DENIED':
      throw new CommandError(EXIT.forbidden, 'The sign-in was denied.', error.code);
    case 'EXPIRED_TOKEN':
      throw new CommandError(EXIT.timeout, 'The code has expired. Start again: analytics login', error.code);
    default:
      throw error;
  }
}
