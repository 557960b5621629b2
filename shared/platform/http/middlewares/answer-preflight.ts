import type { HttpReply } from '../problem.ts';
import { commonHeaders } from './observe.ts';
import type { ApiMiddleware } from './request-value.ts';

const PREFLIGHT: HttpReply = {
  statusCode: 204,
  headers: {
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
    'access-control-allow-headers': 'authorization, content-type, idempotency-key, if-match',
    'access-control-max-age': '7200',
    'cache-control': 'max-age=7200',
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
