import type { Logger } from '@aws-lambda-powertools/logger';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { OPEN_TO_PAGES } from '../cors.ts';
import type { HttpReply } from '../problem.ts';
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

/** Headers of every reply. */
export function commonHeaders({ requestContext }: APIGatewayProxyEvent, { headers }: HttpReply) {
  return {
    'x-request-id': requestContext.requestId,
    'x-content-type-options': 'nosniff',
    'cache-control': headers['cache-control'] ?? 'no-store',
    ...OPEN_TO_PAGES,
  };
}

/** The default address carries `/api` as its stage, which the event's path leaves out; a custom domain's mapping does not. */
function apiPath(path: string): string {
  return path === '/api' || path.startsWith('/api/') ? path : `/api${path}`;
}
