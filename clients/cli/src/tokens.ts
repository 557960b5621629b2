import { closeSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Analytics } from '../../typescript/src/index.ts';
import { CommandError, EXIT } from './exit-codes.ts';
import { notSignedIn, type Settings, type SignIn, type Target } from './settings.ts';
import { USER_AGENT } from './user-agent.ts';

/** An access token is renewed before it expires on its way. */
const SPARE_MS = 30_000;
const LOCK_RETRY_MS = 50;
/** A program that died in between keeps others waiting for no longer. */
const LOCK_STALE_MS = 30_000;
const LOCK_PATIENCE_MS = 60_000;

/** What the platform has replied with to a sign-in or its renewal. */
export const signInOf = (reply: { accessToken: string; refreshToken: string; expiresInSeconds: number }): SignIn => ({
  accessToken: reply.accessToken,
  refreshToken: reply.refreshToken,
  expiresAt: Date.now() + reply.expiresInSeconds * 1000,
});

/** The token for each request: the key, or the access token of the sign-in, which is renewed when its time is over. */
export function tokensOf(settings: Settings, { credential, name, url }: Target): () => Promise<string> {
  let known = credential;
  return async () => {
    if (typeof known === 'string') return known;
    if (name !== undefined && !isFresh(known)) known = await renewed(settings, { name, url });
    return typeof known === 'string' ? known : known.accessToken;
  };
}

const isFresh = ({ expiresAt }: SignIn): boolean => expiresAt - SPARE_MS > Date.now();

/**
 * Programs that run at the same time take turns: a refresh token works once, and using it twice ends the sign-in. The
 * next one is stored before the access token is used.
 */
function renewed(settings: Settings, { name, url }: { name: string; url: string }) {
  return withLock(settings.lock, async () => {
    const stored = settings.credentialOf(name);
    if (stored === undefined)
      throw notSignedIn(`You are signed out of ${name}. Sign in again: analytics login --context ${name}`);
    if (typeof stored === 'string' || isFresh(stored)) return stored;
    const api = new Analytics({ url, headers: { 'user-agent': USER_AGENT } });
    const next = signInOf(await api.auth.refresh({ refreshToken: stored.refreshToken }));
    settings.keep(name, next);
    return next;
  });
}

async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const deadline = Date.now() + LOCK_PATIENCE_MS;
  while (!taken(path)) {
    if (Date.now() > deadline)
      throw new CommandError(
        EXIT.timeout,
        `Another process is using ${path}. Try again when it has finished.`,
        'LOCKED',
      );
    await sleep(LOCK_RETRY_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function taken(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx', 0o600));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const heldSince = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - heldSince > LOCK_STALE_MS) rmSync(path, { force: true });
    return false;
  }
}
