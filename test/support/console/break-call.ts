import type { Page, Request } from 'playwright-core';

/** How a call fails until the page reports the error. A call whose reply is lost has been carried out. */
export const FAULTS = ['answers 500', 'loses its reply'] as const;
export type Fault = (typeof FAULTS)[number];

/** What the console says of it. */
export const SAID = /Something went wrong on our side\. Try again|The server cannot be reached\./;

const SENTENCE = 'Something went wrong on our side. Try again; if it persists, report the `requestId`.';
const PROBLEM = {
  type: 'about:blank',
  title: SENTENCE,
  status: 500,
  code: 'INTERNAL',
  detail: SENTENCE,
  errors: [],
  requestId: 'r-1',
};

/** Files of the console, the sign-in, and what each screen asks for: other tests are about these. */
const OF_NO_FLOW = /^\/api\/(console|d\/session|auth\/me|entitlements|dashboard-alerts\/feed)\b/;
const ID =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?<=\/(shares|cards)\/)(?!from-query)[^/]+|(?<=\/embed\/tokens\/)[^/]+/g;
/** They make no other call. */
const PLACES = new Set(['limit', 'offset', 'cursor', 'after', 'sort']);

/** A request as flows list it: with `*` for each id and the names of its filters. */
function callOf(request: Request): string | undefined {
  const { pathname, searchParams } = new URL(request.url());
  if (request.method() === 'PUT' && !pathname.startsWith('/api/')) return 'PUT the file';
  if (!pathname.startsWith('/api/') || OF_NO_FLOW.test(pathname)) return undefined;
  const filters = [...new Set(searchParams.keys())].filter((name) => !PLACES.has(name));
  const query = filters.length > 0 ? `?${filters.join('&')}` : '';
  return `${request.method()} ${pathname.replaceAll(ID, '*')}${query}`;
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

export interface Broken {
  /** Whether the page has made the call. */
  isMet(): boolean;
  isMended(): boolean;
  mend(): void;
}

/** Breaks a call of a page until it is mended. */
export async function breakCall(page: Page, call: string, fault: Fault): Promise<Broken> {
  let tries = 0;
  let isMended = false;
  await page.route('**/*', async (route) => {
    if (isMended || callOf(route.request()) !== call) return route.fallback();
    tries += 1;
    if (fault === 'answers 500') return route.fulfill({ status: 500, json: PROBLEM });
    // The client repeats it by itself, and these tries get nowhere.
    if (tries === 1) await route.fetch();
    return route.abort('connectionreset');
  });
  return {
    isMet: () => tries > 0,
    isMended: () => isMended,
    mend: () => {
      isMended = true;
    },
  };
}
