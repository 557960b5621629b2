import { PREFLIGHT_POLICY } from '../cors.ts';
import type { HttpReply } from '../problem.ts';
import { commonHeaders } from './observe.ts';
import type { ApiMiddleware } from './request-value.ts';

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

/** Answers CORS preflight requests and ends the chain. */
export function answerPreflight(): ApiMiddleware {
  return {
    before: ({ event }) => {
      if (event.httpMethod !== 'OPTIONS') return;
      // A reply that ends the chain early skips `after`, so the common headers are set here.
      return { ...PREFLIGHT, headers: { ...PREFLIGHT.headers, ...commonHeaders(event, PREFLIGHT) } };
    },
  };
}
