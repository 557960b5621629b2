import { badRequest } from './errors.ts';
import type { Integration } from './model.ts';

type LambdaIntegration = Extract<Integration, { type: 'AWS_PROXY' }>;

/** The default of AWS for a proxy integration, which is also its longest unless the answer is streamed. */
const DEFAULT_TIMEOUT_MS = 29_000;
const LONGEST_STREAM_MS = 900_000;
const SHORTEST_TIMEOUT_MS = 50;
const LAMBDA_PATH = /:lambda:path\/[\d-]+\/functions\/(.+)\/(invocations|response-streaming-invocations)$/;

/** A proxy integration as templates and requests declare it. Throws `BadRequestException`. */
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
  const longest = streaming ? LONGEST_STREAM_MS : DEFAULT_TIMEOUT_MS;
  if (!Number.isInteger(timeoutMs) || timeoutMs < SHORTEST_TIMEOUT_MS || timeoutMs > longest) {
    throw badRequest(`Timeout should be between ${SHORTEST_TIMEOUT_MS} ms and ${longest} ms`);
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
