import { compileContextText } from './context-variables.ts';
import { type Exchange, ownHeaders } from './exchange.ts';
import { GATEWAY_ERRORS, type GatewayErrorType } from './gateway-errors.ts';
import type { GatewayResponse } from './model.ts';

interface Compiled {
  statusCode: number | undefined;
  headers: [string, string][];
  contentType: string;
  body: ReturnType<typeof compileContextText>;
}

const UNCONFIGURED: Compiled = {
  statusCode: undefined,
  headers: [],
  contentType: 'application/json',
  body: compileContextText('{"message":$context.error.messageString}'),
};

/** The gateway's own answers as the API configures them: the exact type first, then DEFAULT_4XX or DEFAULT_5XX. */
export class GatewayResponses {
  readonly #configured: Map<string, Compiled>;

  constructor(responses: readonly GatewayResponse[]) {
    this.#configured = new Map(responses.map((response) => [response.responseType, compile(response)]));
  }

  send(exchange: Exchange, responseType: GatewayErrorType): void {
    const [status, message, errorType] = GATEWAY_ERRORS[responseType];
    const family = status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX';
    const answer = this.#configured.get(responseType) ?? this.#configured.get(family) ?? UNCONFIGURED;
    const { response } = exchange;
    response.statusCode = answer.statusCode ?? status;
    const body = Buffer.from(answer.body({ exchange, error: { message, responseType } }));
    response.setHeader('content-type', answer.contentType);
    for (const [name, value] of [...ownHeaders(exchange), ...answer.headers]) response.setHeader(name, value);
    response.setHeader('x-amzn-ErrorType', errorType);
    response.setHeader('content-length', body.length);
    exchange.bytesSent = body.length;
    response.end(body);
  }
}

function compile({ statusCode, headers, templates }: GatewayResponse): Compiled {
  const [contentType, template] = Object.entries(templates)[0] ?? ['application/json', undefined];
  return {
    statusCode,
    headers: Object.entries(headers),
    contentType,
    body: template === undefined ? UNCONFIGURED.body : compileContextText(template),
  };
}
