import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { AwsError, unsupported } from './aws-error.ts';
import type { AwsRequest } from './service.ts';

// biome-ignore lint/suspicious/noExplicitAny: each operation names the exact type of its own input
export type JsonOperations = Record<string, (input: any) => unknown>;

/**
 * Answers a request of AWS's JSON protocol (1.0 and 1.1): the operation is named in `X-Amz-Target`, input and output are
 * JSON objects, an error is `{__type, message}` with its own status.
 */
export async function answerJson(
  service: { name: string; version: '1.0' | '1.1'; operations: JsonOperations },
  request: AwsRequest,
  response: ServerResponse,
): Promise<void> {
  const reply = (status: number, body: unknown, headers: Record<string, string> = {}) => {
    const text = Buffer.from(JSON.stringify(body ?? {}));
    response.writeHead(status, {
      'content-type': `application/x-amz-json-${service.version}`,
      'content-length': text.length,
      'x-amzn-requestid': randomUUID(),
      ...headers,
    });
    response.end(text);
  };
  try {
    const operation = operationName(request);
    const run = Object.hasOwn(service.operations, operation) ? service.operations[operation] : undefined;
    if (!run) throw unsupported(service.name, `the operation ${operation}`);
    const text = await request.body();
    const input = text.length > 0 ? JSON.parse(text.toString('utf8')) : {};
    reply(200, await run(input));
  } catch (error) {
    if (error instanceof AwsError) {
      reply(
        error.status,
        { __type: error.code, message: error.message, ...error.fields },
        { 'x-amzn-errortype': error.code },
      );
    } else if (error instanceof SyntaxError) {
      reply(400, { __type: 'SerializationException', message: 'The request body is not valid JSON.' });
    } else {
      reply(500, { __type: 'InternalServerError', message: String(error) });
    }
  }
}

/** The part after the dot of `X-Amz-Target`, such as `PutItem` of `DynamoDB_20120810.PutItem`. */
export function operationName(request: AwsRequest): string {
  const target = String(request.headers['x-amz-target'] ?? '');
  return target.slice(target.lastIndexOf('.') + 1);
}
