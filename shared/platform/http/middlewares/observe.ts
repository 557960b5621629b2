import type { Logger } from '@aws-lambda-powertools/logger';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { HttpReply } from '../problem.ts';
import { SECURITY_HEADERS } from '../security-headers.ts';
import { type ApiMiddleware, Learned } from './learned.ts';

const startedAt = new Learned<number>('start');

/** Gives every reply its request id and the headers that all replies have, and logs one line per request. */
export function observe(log: Logger): ApiMiddleware {
  const finish = (event: APIGatewayProxyEvent, reply: HttpReply): HttpReply => {
    log[reply.statusCode >= 500 ? 'error' : 'info']('request', {
      method: event.httpMethod,
      path: event.path,
      status: reply.statusCode,
      durationMs: Math.round((performance.now() - startedAt.of(event)) * 10) / 10,
    });
    return { ...reply, headers: { ...reply.headers, ...commonHeaders(event, reply) } };
  };
  return {
    before: ({ event }) => {
      startedAt.set(event, performance.now());
      event.path = apiPath(event.path);
      log.resetKeys();
      log.appendKeys({ requestId: event.requestContext.requestId });
    },
    after: (request) => {
      request.response = finish(request.event, request.response!);
    },
    onError: (request) => {
      request.response = finish(request.event, request.response!);
    },
  };
}

/** Headers of every reply; a page of the documentation has a policy of its own. Any page may call the API: it takes no cookies, only credentials that the page itself sends. */
export function commonHeaders(
  { requestContext }: Pick<APIGatewayProxyEvent, 'requestContext'>,
  { headers }: Pick<HttpReply, 'headers'>,
) {
  return {
    ...SECURITY_HEADERS,
    'content-security-policy': headers['content-security-policy'] ?? SECURITY_HEADERS['content-security-policy'],
    'x-request-id': requestContext.requestId,
    'cache-control': headers['cache-control'] ?? 'no-store',
    'access-control-allow-origin': '*',
    'access-control-expose-headers':
      'x-request-id, etag, allow, idempotency-replayed, retry-after, x-row-count, x-truncated, x-as-of, x-cache, x-warnings',
  };
}

/** The default address carries `/api` as its stage, which the event's path leaves out; a custom domain's mapping does not. */
function apiPath(path: string): string {
  return path === '/api' || path.startsWith('/api/') ? path : `/api${path}`;
}
