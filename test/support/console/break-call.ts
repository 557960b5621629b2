import type { Page, Request, Route } from 'playwright-core';

/** How a call fails, once. */
export const FAULTS = ['answers 500', 'is limited for a second', 'gets no reply'] as const;
export type Fault = (typeof FAULTS)[number];

/** What a page may say about it. */
export const SAID = /The test made it fail\.|cannot be reached|got no complete reply|Failed to fetch/;

const PROBLEM = { type: 'about:blank', title: 'x', errors: [], requestId: 'r-1', detail: 'The test made it fail.' };

/** Neither files of the console nor the sign-in. */
const OF_NO_FLOW = /^\/api\/(console|d\/session|auth\/me|dashboard-alerts\/feed)\b/;
const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?<=\/)em_[^/]+/g;

/** A request as flows list it, with `*` for each id; undefined for those that are no part of one. */
function callOf(request: Request): string | undefined {
  const { pathname } = new URL(request.url());
  if (!pathname.startsWith('/api/') || OF_NO_FLOW.test(pathname)) return undefined;
  return `${request.method()} ${pathname.replaceAll(ID, '*')}`;
}

/** The calls that a page makes from now on, each once. */
export function recordCalls(page: Page): Set<string> {
  const calls = new Set<string>();
  page.on('request', (request) => {
    const call = callOf(request);
    if (call !== undefined) calls.add(call);
  });
  return calls;
}

/**
 * Fails the first request of a call, as a fault says. A call without a reply was done: its reply is lost. The client
 * repeats what it may repeat by itself. Resolves to whether it came to that.
 */
export async function breakCall(page: Page, call: string, fault: Fault): Promise<() => boolean> {
  let isBroken = false;
  await page.route('**/api/**', async (route: Route) => {
    const isIt = !isBroken && callOf(route.request()) === call;
    if (!isIt) return route.fallback();
    isBroken = true;
    if (fault === 'answers 500')
      return route.fulfill({ status: 500, json: { ...PROBLEM, status: 500, code: 'INTERNAL' } });
    if (fault === 'is limited for a second') {
      const json = { ...PROBLEM, status: 429, code: 'RATE_LIMITED' };
      return route.fulfill({ status: 429, headers: { 'retry-after': '1' }, json });
    }
    await route.fetch();
    return route.abort('connectionreset');
  });
  return () => isBroken;
}
