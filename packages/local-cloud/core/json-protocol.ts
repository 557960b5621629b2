import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { AccessCheck } from './access/authorizer.ts';
import type { Denial } from './access/denial.ts';
import { refusal } from './access/refusals.ts';
import { AwsError, unsupported } from './aws-error.ts';
import type { AwsRequest } from './service.ts';

type Version = '1.0' | '1.1';

// biome-ignore lint/suspicious/noExplicitAny: each operation names the exact type of its own input
export type JsonOperations = Record<string, (input: any) => unknown>;

/**
 * Answers a request of AWS's JSON protocol (1.0 and 1.1): the operation is named in `X-Amz-Target`, input and output
 * are JSON objects, an error is `{__type, message}` with its own status.
 */
export async function answerJson(
  service: { name: string; version: Version; operations: JsonOperations; checkAccess: AccessCheck },
  request: AwsRequest,
  response: ServerResponse,
): Promise<void> {
  try {
    const operation = operationName(request);
    const run = Object.hasOwn(service.operations, operation) ? service.operations[operation] : undefined;
    if (!run) throw unsupported(service.name, `the operation ${operation}`);
    const text = await request.body();
    const input = text.length > 0 ? JSON.parse(text.toString('utf8')) : {};
    await service.checkAccess(request.principal, operation, input);
    reply(service.version, response, 200, await run(input));
  } catch (error) {
    replyJsonError(service.version, response, error);
  }
}

/** How a service of this protocol reports a signature that is not valid. */
export function refuseJson(version: Version) {
  return (denial: Denial, _request: AwsRequest, response: ServerResponse): void =>
    replyJsonError(version, response, refusal(denial, 400));
}

export function replyJsonError(version: Version, response: ServerResponse, error: unknown): void {
  if (error instanceof AwsError) {
    const body = { __type: error.code, message: error.message, ...error.fields };
    reply(version, response, error.status, body, { 'x-amzn-errortype': error.code });
  } else if (error instanceof SyntaxError) {
    const body = { __type: 'SerializationException', message: 'The request body is not valid JSON.' };
    reply(version, response, 400, body);
  } else {
    reply(version, response, 500, { __type: 'InternalServerError', message: String(error) });
  }
}

function reply(
  version: Version,
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const text = Buffer.from(JSON.stringify(body ?? {}));
  response.writeHead(status, {
    'content-type': `application/x-amz-json-${version}`,
    'content-length': text.length,
    'x-amzn-requestid': randomUUID(),
    ...headers,
  });
  response.end(text);
}

/** The part after the dot of `X-Amz-Target`, such as `PutItem` of `DynamoDB_20120810.PutItem`. */
export function operationName(request: AwsRequest): string {
  const target = String(request.headers['x-amz-target'] ?? '');
  return target.slice(target.lastIndexOf('.') + 1);
}
