import type { ServerResponse } from 'node:http';
import { requireAccess } from '../../../core/access/authorizer.ts';
import { AwsError, unsupported } from '../../../core/aws-error.ts';
import { replyError } from '../../../core/rest-json.ts';
import type { AwsRequest, CloudContext } from '../../../core/service.ts';
import { invokeFunction } from '../../../iam/requests/lambda.ts';
import type { AsyncEvents } from '../asynchronous/async-events.ts';
import type { Invoker } from '../execution/invoker.ts';
import type { Target } from '../model.ts';
import { restErrors } from '../rest-errors.ts';
import type { FunctionStore } from '../store.ts';
import { encodeEvent } from './event-stream.ts';

export const SYNCHRONOUS_LIMIT_BYTES = 6 * 1024 * 1024;
export const ASYNCHRONOUS_LIMIT_BYTES = 1024 * 1024;

const INVOKE = /^\/2015-03-31\/functions\/([^/]+)\/invocations\/?$/;
const INVOKE_STREAMING = /^\/2021-11-15\/functions\/([^/]+)\/response-streaming-invocations\/?$/;

/** The two operations whose body is the function's payload: Invoke and InvokeWithResponseStream. */
export class InvokeApi {
  readonly #context: CloudContext;
  readonly #store: FunctionStore;
  readonly #invoker: Invoker;
  readonly #events: AsyncEvents;

  constructor(context: CloudContext, store: FunctionStore, invoker: Invoker, events: AsyncEvents) {
    this.#context = context;
    this.#store = store;
    this.#invoker = invoker;
    this.#events = events;
  }

  /** Answers one of the two requests; returns false for any other. */
  async answer(request: AwsRequest, response: ServerResponse): Promise<boolean> {
    if (request.method !== 'POST') return false;
    const invoke = INVOKE.exec(request.path)?.[1];
    const streaming = INVOKE_STREAMING.exec(request.path)?.[1];
    const reference = invoke ?? streaming;
    if (reference === undefined) return false;
    try {
      rejectUnknownHeaders(request);
      const name = decodeURIComponent(reference);
      const qualifier = request.query.get('Qualifier') ?? undefined;
      const access = invokeFunction(name, qualifier, this.#context);
      requireAccess(this.#context.authorizer, request.principal, [access], 403);
      const target = this.#store.resolve(name, qualifier);
      if (invoke === undefined) await this.#stream(target, request, response);
      else await this.#invoke(target, request, response);
    } catch (error) {
      if (response.headersSent) response.destroy();
      else replyError(response, error, restErrors);
    }
    return true;
  }

  async #invoke(target: Target, request: AwsRequest, response: ServerResponse): Promise<void> {
    const type = request.headers['x-amz-invocation-type'] ?? 'RequestResponse';
    switch (type) {
      case 'DryRun':
        response.writeHead(204).end();
        return;
      case 'Event': {
        const payload = checkPayload(await request.body(), ASYNCHRONOUS_LIMIT_BYTES);
        const requestId = this.#events.accept(target, payload, clientContext(request));
        response.writeHead(202, { 'x-amzn-requestid': requestId, 'content-length': 0 }).end();
        return;
      }
      case 'RequestResponse': {
        const payload = checkPayload(await request.body(), SYNCHRONOUS_LIMIT_BYTES);
        const execution = await this.#invoker.invoke(target, {
          payload,
          clientContext: clientContext(request),
          keepTail: request.headers['x-amz-log-type'] === 'Tail',
          isAwaited: true,
        });
        response.writeHead(200, {
          'content-type': 'application/json',
          'content-length': execution.payload.length,
          'x-amzn-requestid': execution.requestId,
          'x-amz-executed-version': execution.executedVersion,
          ...(execution.error && { 'x-amz-function-error': 'Unhandled' }),
          ...(execution.logTail && { 'x-amz-log-result': execution.logTail.toString('base64') }),
        });
        response.end(execution.payload);
        return;
      }
      default:
        throw unsupported('lambda', `the invocation type ${type}`);
    }
  }

  async #stream(target: Target, request: AwsRequest, response: ServerResponse): Promise<void> {
    const type = request.headers['x-amz-invocation-type'] ?? 'RequestResponse';
    if (type === 'DryRun') {
      response.writeHead(204).end();
      return;
    }
    if (type !== 'RequestResponse') throw unsupported('lambda', `the invocation type ${type} of a streamed call`);
    const payload = checkPayload(await request.body(), SYNCHRONOUS_LIMIT_BYTES);
    const begin = (contentType: string) =>
      response.writeHead(200, {
        'content-type': 'application/vnd.amazon.eventstream',
        'x-amzn-remapped-content-type': contentType,
        'x-amz-executed-version': target.version.version,
      });
    const execution = await this.#invoker.invoke(target, {
      payload,
      clientContext: clientContext(request),
      keepTail: request.headers['x-amz-log-type'] === 'Tail',
      onHead: begin,
      onChunk: (chunk) => response.write(encodeEvent('PayloadChunk', 'application/octet-stream', chunk)),
    });
    if (!response.headersSent) begin('application/json');
    const { error } = execution;
    if (!error && execution.payload.length > 0) {
      response.write(encodeEvent('PayloadChunk', 'application/octet-stream', execution.payload));
    }
    const complete = {
      ...(error && { ErrorCode: error.errorType, ErrorDetails: JSON.stringify(error) }),
      ...(execution.logTail && { LogResult: execution.logTail.toString('base64') }),
    };
    response.end(encodeEvent('InvokeComplete', 'application/json', Buffer.from(JSON.stringify(complete))));
  }
}

/** The payload of a call: JSON within Lambda's limit; an empty payload is an empty object. */
function checkPayload(payload: Buffer, limitBytes: number): Buffer {
  checkSize(payload, limitBytes);
  if (payload.length === 0) return Buffer.from('{}');
  JSON.parse(payload.toString('utf8'));
  return payload;
}

/** Throws `RequestEntityTooLargeException`. */
export function checkSize(payload: Buffer, limitBytes: number): void {
  if (payload.length <= limitBytes) return;
  throw new AwsError(
    'RequestEntityTooLargeException',
    `Request must be smaller than ${limitBytes} bytes for the InvokeFunction operation`,
    { status: 413 },
  );
}

function clientContext(request: AwsRequest): unknown {
  const header = request.headers['x-amz-client-context'];
  return header === undefined ? undefined : JSON.parse(Buffer.from(String(header), 'base64').toString('utf8'));
}

function rejectUnknownHeaders(request: AwsRequest): void {
  for (const name of ['x-amz-tenant-id', 'x-amz-durable-execution-name']) {
    if (request.headers[name] !== undefined) throw unsupported('lambda', `the header ${name}`);
  }
}
