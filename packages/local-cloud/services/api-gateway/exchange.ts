import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../core/clock.ts';
import type { GatewayErrorType } from './gateway-errors.ts';
import type { RestApi, Stage } from './model.ts';
import type { Match, RouteTree } from './routes.ts';

/** A stage with everything prepared that does not depend on the request. */
export interface CompiledStage {
  readonly api: RestApi;
  readonly stage: Stage;
  readonly routes: RouteTree;
  /** Sends one of the gateway's own answers. */
  readonly responses: { send(exchange: Exchange, type: GatewayErrorType): void };
  readonly isBinary: (contentType: string | undefined) => boolean;
  /** Writes the access log's line for a finished exchange. */
  readonly logAccess: ((exchange: Exchange, endedAt: number) => void) | undefined;
}

/** One request to a stage, with everything that `$context` refers to. */
export interface Exchange {
  readonly stage: CompiledStage;
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly httpMethod: string;
  /** As sent, with the stage: `/api/pipelines`. */
  readonly fullPath: string;
  /** As sent, without the stage: `/pipelines`. */
  readonly path: string;
  /** As sent, without the question mark; empty when there is none. */
  readonly query: string;
  readonly requestId: string;
  readonly extendedRequestId: string;
  readonly traceId: string;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  readonly sourceIp: string;
  /** The matched method; undefined before the lookup and for an unknown path. */
  match: Match | undefined;
  /** Bytes of the answer's body, without HTTP framing. */
  bytesSent: number;
}

export function openExchange(
  stage: CompiledStage,
  target: { fullPath: string; path: string; query: string },
  message: IncomingMessage,
  response: ServerResponse,
  clock: Clock,
): Exchange {
  const receivedAt = clock.now();
  const random = randomBytes(23);
  return {
    stage,
    message,
    response,
    httpMethod: message.method ?? 'GET',
    ...target,
    requestId: randomUUID(),
    extendedRequestId: `${random.toString('base64url', 0, 11)}=`,
    traceId: `Root=1-${Math.floor(receivedAt / 1000).toString(16)}-${random.toString('hex', 11)}`,
    receivedAt,
    sourceIp: (message.socket.remoteAddress ?? '127.0.0.1').replace(/^::ffff:/, ''),
    match: undefined,
    bytesSent: 0,
  };
}

/** `21/Nov/2026:10:05:00 +0000`, the form of `$context.requestTime`. */
export function requestTime(epochMs: number): string {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date(epochMs).toUTCString()) ?? [];
  return `${day}/${month}/${year}:${time} +0000`;
}

/** Headers that API Gateway adds to every answer. */
export function ownHeaders(exchange: Exchange): [string, string][] {
  return [
    ['x-amzn-RequestId', exchange.requestId],
    ['x-amz-apigw-id', exchange.extendedRequestId],
  ];
}
