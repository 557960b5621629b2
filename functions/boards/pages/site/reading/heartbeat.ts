import { call, openedSession, send } from '../api.ts';
import type { Sections } from './contents.ts';
import { ReadingTime } from './reading-time.ts';

const EVERY_MS = 15_000;
const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'scroll', 'touchstart'] as const;

const isVisible = (): boolean => document.visibilityState === 'visible';

/** Reports that the story is open, and for how long the person has read it. A hidden tab reports nothing. */
export function reportReading(storyId: string, sections: Sections): void {
  const path = `/api/stories/${storyId}/presence`;
  const time = new ReadingTime(Date.now(), isVisible());
  for (const sign of SIGNS) addEventListener(sign, () => time.sign(Date.now()), { passive: true });
  setInterval(() => {
    if (!isVisible()) return;
    const now = Date.now();
    const readSeconds = time.take(now);
    const heartbeat = {
      sectionId: sections.current() ?? null,
      readSeconds,
      isIdle: readSeconds === 0 && time.isIdle(now),
    };
    // The next heartbeat follows anyway.
    void call('POST', path, heartbeat).catch(() => undefined);
  }, EVERY_MS);
  document.addEventListener('visibilitychange', () => {
    time.turn(Date.now(), isVisible());
    if (isVisible()) return;
    // The tab may be about to close.
    const readSeconds = time.take(Date.now());
    if (readSeconds > 0) void sendLast(path, { readSeconds }).catch(() => undefined);
  });
}

/** A request that outlives the page. */
async function sendLast(path: string, heartbeat: object): Promise<void> {
  const { accessToken } = await openedSession();
  await send('POST', path, heartbeat, accessToken, { keepalive: true });
}
