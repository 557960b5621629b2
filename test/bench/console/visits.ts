import { setTimeout } from 'node:timers/promises';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import type { Deployment } from '../deployment.ts';

/** How fast a person's machine and network are. */
export interface Throttle {
  name: string;
  /** Bits a second. */
  bandwidth: number;
  latencyMs: number;
  /** How many times slower the processor is. */
  cpu: number;
}

export const LAPTOP: Throttle = { name: 'laptop, 10 Mbit', bandwidth: 10_000_000, latencyMs: 10, cpu: 1 };
export const PHONE: Throttle = { name: 'phone, slow 4G', bandwidth: 1_600_000, latencyMs: 150, cpu: 4 };

/** Notes when the content of a screen is drawn: what `isReady` of the address says, as JavaScript. */
const readyScript = (isReady: string) => `
  const look = () => {
    if (${isReady}) requestAnimationFrame(() => setTimeout(() => { globalThis.readyMs = performance.now(); }));
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  globalThis.longTasks = [];
  new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask', buffered: true });
  globalThis.interactions = [];
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries()) if (interactionId) interactions.push(duration);
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });`;

export interface Visit {
  page: Page;
  /** From the request for the page until its content is drawn. */
  readyMs: number;
  transferredKb: number;
  close(): Promise<void>;
}

/** The cookie of a browser that is signed in. */
export async function signedIn(url: string, { credentials: { email, password, workspaceId } }: Deployment) {
  const post = (path: string, body: object) =>
    fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const login = (await (await post('/api/auth/login', { email, password, workspaceId })).json()) as {
    refreshToken: string;
  };
  const reply = await post('/api/d/session', { refreshToken: login.refreshToken });
  const [name = '', value = ''] = reply.headers.get('set-cookie')!.split(';')[0]!.split('=');
  return { name, value, domain: new URL(url).hostname, path: '/api/d', httpOnly: true };
}

export type Cookie = Awaited<ReturnType<typeof signedIn>>;

const MAX_READY_MS = 60_000;

/** Opens a screen in a browser that has nothing of the console yet. */
export async function visit(
  browser: Browser,
  { url, cookie, throttle, isReady }: { url: string; cookie: Cookie; throttle: Throttle; isReady: string },
): Promise<Visit> {
  const context: BrowserContext = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await context.addCookies([cookie]);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await throttleBy(session, throttle);
  await page.addInitScript({ content: readyScript(isReady) });
  await page.goto(url, { waitUntil: 'commit' });
  await untilTrue(page, 'globalThis.readyMs !== undefined', MAX_READY_MS);
  const readyMs = (await page.evaluate('readyMs')) as number;
  return { page, readyMs, transferredKb: bytes / 1024, close: () => context.close() };
}

/** Asks the page from outside: its policy forbids to evaluate texts inside. */
export async function untilTrue(page: Page, condition: string, maxMs: number): Promise<void> {
  const until = performance.now() + maxMs;
  while (!(await page.evaluate(condition))) {
    if (performance.now() > until) throw new Error(`${page.url()} did not come to ${condition}`);
    await setTimeout(50);
  }
}

async function throttleBy(session: CDPSession, { bandwidth, latencyMs, cpu }: Throttle): Promise<void> {
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: bandwidth / 8,
    uploadThroughput: bandwidth / 8,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpu });
}
