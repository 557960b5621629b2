import { type Exchange, requestTime } from './exchange.ts';

/** Why the gateway answers by itself. */
export interface ContextError {
  message: string;
  responseType: string;
}

interface Context {
  exchange: Exchange;
  error?: ContextError | undefined;
  /** Milliseconds from the request to the end of the answer; only set for the access log. */
  latencyMs?: number;
}

/** The `$context` variables that gateway responses and access logs may name. */
const VARIABLES: Record<string, (context: Context) => string | number | undefined> = {
  apiId: ({ exchange }) => exchange.stage.api.id,
  'error.message': ({ error }) => error?.message,
  'error.messageString': ({ error }) => error && JSON.stringify(error.message),
  'error.responseType': ({ error }) => error?.responseType,
  extendedRequestId: ({ exchange }) => exchange.extendedRequestId,
  httpMethod: ({ exchange }) => exchange.httpMethod,
  'identity.sourceIp': ({ exchange }) => exchange.sourceIp,
  'identity.userAgent': ({ exchange }) => exchange.message.headers['user-agent'],
  path: ({ exchange }) => exchange.fullPath,
  protocol: ({ exchange }) => `HTTP/${exchange.message.httpVersion}`,
  requestId: ({ exchange }) => exchange.requestId,
  requestTime: ({ exchange }) => requestTime(exchange.receivedAt),
  requestTimeEpoch: ({ exchange }) => exchange.receivedAt,
  resourceId: ({ exchange }) => exchange.match?.resourceId,
  resourcePath: ({ exchange }) => exchange.match?.resourcePath,
  responseLatency: ({ latencyMs }) => latencyMs,
  responseLength: ({ exchange }) => exchange.bytesSent,
  stage: ({ exchange }) => exchange.stage.stage.name,
  status: ({ exchange }) => exchange.response.statusCode,
};

const REFERENCE = /\$context\.([A-Za-z]+(?:\.[A-Za-z]+)*)/;

/** Compiles a text with `$context` variables; a variable without a value becomes `-`, as on AWS. */
export function compileContextText(text: string): (context: Context) => string {
  // Split by the pattern's group, every second part is a name.
  const parts = text.split(REFERENCE);
  return (context) => {
    let filled = '';
    for (let index = 0; index < parts.length; index += 1) {
      const part = parts[index] as string;
      filled += index % 2 === 0 ? part : (VARIABLES[part]?.(context) ?? '-');
    }
    return filled;
  };
}

/** The unsupported `$context` variables and other template language in a text. */
export function unknownVariables(text: string): string[] {
  const names = text.split(REFERENCE).filter((_part, index) => index % 2 === 1);
  const unknown = names.filter((name) => !Object.hasOwn(VARIABLES, name)).map((name) => `$context.${name}`);
  return [...unknown, ...(text.match(/\$(?:input|util|stageVariables)\b[.\w]*|#(?:set|if|foreach)\b/g) ?? [])];
}
