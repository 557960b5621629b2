import { type Backend, callerOf, failedCall } from './backend.ts';
import { readBody } from './body.ts';
import type { Exchange } from './exchange.ts';
import type { Integration } from './model.ts';
import { proxyEvent } from './proxy-event.ts';
import { readProxyResponse, sendProxyResponse, setHeaders } from './proxy-response.ts';
import type { Match } from './routes.ts';
import { streamFunction } from './streaming.ts';

/** The payload limit of a synchronous call. */
const EVENT_LIMIT_BYTES = 6 * 1024 * 1024;

/**
 * Runs the integration of the matched method and answers the exchange. Every failure becomes one of the gateway's own
 * answers.
 */
export async function runIntegration(exchange: Exchange, match: Match, backend: Backend): Promise<void> {
  const { integration } = match;
  const { responses } = exchange.stage;
  const body = await readBody(exchange.message);
  if (body === undefined) {
    responses.send(exchange, 'REQUEST_TOO_LARGE');
    return;
  }
  if (integration.type === 'MOCK') {
    sendMock(exchange, integration);
    return;
  }
  const event = proxyEvent(exchange, match, body, backend.context);
  if (Buffer.byteLength(event) > EVENT_LIMIT_BYTES) {
    responses.send(exchange, 'REQUEST_TOO_LARGE');
  } else if (integration.streaming) {
    await streamFunction(exchange, integration, event, backend);
  } else {
    await callFunction(exchange, integration, event, backend);
  }
}

async function callFunction(
  exchange: Exchange,
  integration: Extract<Integration, { type: 'AWS_PROXY' }>,
  event: string,
  { context, lambda }: Backend,
): Promise<void> {
  const { functionName, timeoutMs } = integration;
  const { responses } = exchange.stage;
  let timedOut = false;
  const cancelTimeout = context.clock.schedule(context.clock.now() + timeoutMs, () => {
    timedOut = true;
    responses.send(exchange, 'INTEGRATION_TIMEOUT');
  });
  try {
    const result = await lambda.invoke({
      ...{ functionName, payload: event, type: 'RequestResponse' },
      caller: callerOf(exchange, context),
    });
    // The function ran to its end, but its answer is too late and is dropped, as on AWS.
    if (timedOut) return;
    const answer = result.functionError === undefined ? readProxyResponse(result.payload) : undefined;
    if (answer) {
      cancelTimeout();
      await sendProxyResponse(exchange, answer);
      return;
    }
    const reason = result.functionError === undefined ? 'Malformed Lambda proxy response' : 'The function failed';
    context.log(`API Gateway ${exchange.httpMethod} ${exchange.fullPath}: ${reason}: ${excerpt(result.payload)}`);
    responses.send(exchange, 'DEFAULT_5XX');
  } catch (error) {
    if (timedOut) return;
    failedCall(exchange, error, context);
  } finally {
    cancelTimeout();
  }
}

function sendMock(exchange: Exchange, integration: Extract<Integration, { type: 'MOCK' }>): void {
  exchange.response.statusCode = integration.statusCode;
  setHeaders(
    exchange,
    Object.entries(integration.headers).map(([name, value]) => [name, [value]]),
  );
  exchange.response.setHeader('content-length', 0);
  exchange.response.end();
}

function excerpt(payload: Buffer): string {
  return payload.toString('utf8', 0, 1000);
}
