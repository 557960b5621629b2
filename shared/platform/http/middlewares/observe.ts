import type { Logger } from '@aws-lambda-powertools/logger';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { OPEN_TO_PAGES } from '../cors.ts';
import type { HttpReply } from '../problem.ts';
import { SECURITY_HEADERS } from '../security-headers.ts';
import { type ApiMiddleware, RequestValue } from './request-value.ts';

const startedAt = new RequestValue<number>('start');

/** Adds the request id and the common headers to every reply, and logs one line per request. */
export function observe(log: Logger): ApiMiddleware {
  const finish = (event: APIGatewayProxyEvent, reply: HttpReply): HttpReply => {
    log[reply.statusCode >= 500 ? 'error' : 'info']('request', {
      method: event.httpMethod,
      path: loggedPath(event.path),
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

/**
 * The headers of every reply. Pages have a content security policy of their own, which may allow other pages to frame
 * them.
 */
export function commonHeaders(
  { requestContext }: Pick<APIGatewayProxyEvent, 'requestContext'>,
  { headers }: Pick<HttpReply, 'headers'>,
) {
  const { 'x-frame-options': denied, ...security } = SECURITY_HEADERS;
  const policy = headers['content-security-policy'] ?? security['content-security-policy'];
  return {
    ...security,
    'content-security-policy': policy,
    ...(policy.includes("frame-ancestors 'none'") && { 'x-frame-options': denied }),
    'x-request-id': requestContext.requestId,
    'cache-control': headers['cache-control'] ?? 'no-store',
    ...OPEN_TO_PAGES,
  };
}

/** A path without the tokens in it, which open content to anyone who reads the log. */
export const loggedPath = (path: string): string => path.replaceAll(/\/([a-z]{2})_[\w-]{32}(?=\/|$)/g, '/$1_…');

/**
 * The default address includes the stage `/api`, which is missing in the event's path; a custom domain's path includes
 * it.
 */
function apiPath(path: string): string {
  return path === '/api' || path.startsWith('/api/') ? path : `/api${path}`;
}
