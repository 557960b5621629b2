import { isAllowed } from './origins.ts';

/** What the embedded page reports to the page around it. */
type Report = { type: 'height'; height: number } | { type: 'ready'; expiresAt: string } | { type: 'expired' };

const TOKEN = /^[\w.-]{16,8192}$/;

/**
 * Connects the embedded page with the page around it, if that is one of the allowed origins: reports the height, and
 * takes new tokens, the only messages that it accepts. Undefined without such a page.
 */
export function connectHost(origins: readonly string[], onToken: (token: string) => void) {
  const origin = hostOrigin();
  if (parent === window || origin === undefined || !isAllowed(origin, origins)) return undefined;
  const post = (report: Report) => parent.postMessage({ view: 'analytics', ...report }, origin);
  addEventListener('message', ({ source, origin: from, data }: MessageEvent<unknown>) => {
    if (source !== parent || from !== origin) return;
    const { type, token } = (data ?? {}) as { type?: unknown; token?: unknown };
    if (type === 'token' && typeof token === 'string' && TOKEN.test(token)) onToken(token);
  });
  new ResizeObserver(() =>
    post({ type: 'height', height: Math.ceil(document.body.getBoundingClientRect().height) }),
  ).observe(document.body);
  return { post };
}

/** The frame asks for the origin as its referrer, for browsers that do not list the ancestors. */
const hostOrigin = (): string | undefined => location.ancestorOrigins?.[0] ?? URL.parse(document.referrer)?.origin;
