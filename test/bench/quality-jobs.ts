import { setTimeout as sleep } from 'node:timers/promises';
import type { Platform } from './platform.ts';

export const QUALITY = '/api/data-quality';
const WATCH_EVERY_MS = 200;

export interface Ended {
  status: string;
  createdAt: string;
  finishedAt: string | null;
}

/** Waits for the end of a scan or job. Throws when it does not succeed. */
export async function ended(platform: Platform, path: string): Promise<Ended> {
  for (;;) {
    const found = await platform.call<Ended>('GET', path);
    if (found.finishedAt !== null) {
      if (found.status !== 'succeeded') throw new Error(`${path} is ${found.status}`);
      return found;
    }
    await sleep(WATCH_EVERY_MS);
  }
}

/** Runs every active test, all in one job. */
export async function runAllTests(platform: Platform): Promise<Ended> {
  const { id } = await platform.call<{ id: string }>('POST', `${QUALITY}/tests/run-all`);
  return ended(platform, `${QUALITY}/jobs/${id}`);
}
