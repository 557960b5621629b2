import { badRequest } from './errors.ts';
import type { Integration } from './model.ts';

type LambdaIntegration = Extract<Integration, { type: 'AWS_PROXY' }>;

/** AWS's default for a proxy integration, and its maximum unless the answer is streamed. */
const DEFAULT_TIMEOUT_MS = 29_000;
const MAX_STREAM_MS = 900_000;
const MIN_TIMEOUT_MS = 50;
const LAMBDA_PATH = /:lambda:path\/[\d-]+\/functions\/(.+)\/(invocations|response-streaming-invocations)$/;

/** Parses a proxy integration of a template or a request. Throws `BadRequestException`. */
export function lambdaIntegration(declared: {
  uri: string | undefined;
  streaming: boolean;
  timeoutMs: number | undefined;
}): LambdaIntegration {
  const { uri = '', streaming, timeoutMs = DEFAULT_TIMEOUT_MS } = declared;
  const [, functionName, action] = LAMBDA_PATH.exec(uri) ?? [];
  if (functionName === undefined || streaming !== (action === 'response-streaming-invocations')) {
    throw badRequest(`Invalid ARN specified in the request: the Uri does not fit the transfer mode: ${uri}`);
  }
  const maxMs = streaming ? MAX_STREAM_MS : DEFAULT_TIMEOUT_MS;
  if (!Number.isInteger(timeoutMs) || timeoutMs < MIN_TIMEOUT_MS || timeoutMs > maxMs) {
    throw badRequest(`Timeout should be between ${MIN_TIMEOUT_MS} ms and ${maxMs} ms`);
  }
  return { type: 'AWS_PROXY', functionName, streaming, timeoutMs };
}

/** The address under which API Gateway calls the integration's function. */
export function lambdaUri(region: string, { functionName, streaming }: LambdaIntegration): string {
  const action = streaming
    ? ['2021-11-15', 'response-streaming-invocations']
    : (['2015-03-31', 'invocations'] as const);
  return `arn:aws:apigateway:${region}:lambda:path/${action[0]}/functions/${functionName}/${action[1]}`;
}
