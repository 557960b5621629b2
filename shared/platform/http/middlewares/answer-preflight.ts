import { PREFLIGHT_POLICY } from '../cors.ts';
import type { HttpReply } from '../problem.ts';
import type { ApiMiddleware } from './learned.ts';
import { commonHeaders } from './observe.ts';

const PREFLIGHT: HttpReply = {
  statusCode: 204,
  headers: {
    'access-control-allow-methods': PREFLIGHT_POLICY.methods.join(', '),
    'access-control-allow-headers': PREFLIGHT_POLICY.headers.join(', '),
    'access-control-max-age': String(PREFLIGHT_POLICY.maxAgeSeconds),
    'cache-control': `max-age=${PREFLIGHT_POLICY.maxAgeSeconds}`,
  },
  body: '',
};

/** Ends the chain for a browser that asks whether a page of another origin may call the API. */
export function answerPreflight(): ApiMiddleware {
  return {
    before: ({ event }) => {
      if (event.httpMethod !== 'OPTIONS') return;
      // What ends the chain early passes no `after`, so the common headers are set here.
      return { ...PREFLIGHT, headers: { ...PREFLIGHT.headers, ...commonHeaders(event, PREFLIGHT) } };
    },
  };
}
