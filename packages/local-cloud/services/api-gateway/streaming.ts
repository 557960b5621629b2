import { type Backend, callerOf, failedCall } from './backend.ts';
import type { Exchange } from './exchange.ts';
import { readHeaders, setHeaders } from './proxy-response.ts';

/** A stream without data for this long is ended (Regional APIs). */
const IDLE_LIMIT_MS = 5 * 60_000;

/** Streams a function's answer to the client. A client that disconnects does not end the function, as on AWS. */
export async function streamFunction(
  exchange: Exchange,
  integration: { functionName: string; timeoutMs: number },
  event: string,
  { context, lambda }: Backend,
): Promise<void> {
  const { response } = exchange;
  const { responses } = exchange.stage;
  const { clock } = context;
  const gone = new AbortController();
  const onClose = () => gone.abort();
  response.once('close', onClose);
  let over = false;
  /** Before the first byte, the client gets an error answer; after it, only the connection can be closed. */
  const stop = () => {
    over = true;
    gone.abort();
    if (response.headersSent) response.destroy();
    else responses.send(exchange, 'INTEGRATION_TIMEOUT');
  };
  const cancelTimeout = clock.schedule(clock.now() + integration.timeoutMs, stop);
  let cancelIdle = clock.schedule(clock.now() + IDLE_LIMIT_MS, stop);
  try {
    await lambda.invokeStreaming(
      { functionName: integration.functionName, payload: event, caller: callerOf(exchange, context) },
      {
        signal: gone.signal,
        start(prelude) {
          if (over) return;
          const headers = readHeaders(prelude.headers, prelude.multiValueHeaders);
          if (!headers) throw new Error('the headers of the streamed response are malformed');
          if (prelude.cookies) headers.push(['Set-Cookie', prelude.cookies]);
          response.statusCode = prelude.statusCode;
          setHeaders(exchange, headers);
          if (!response.hasHeader('content-type')) response.setHeader('content-type', 'application/octet-stream');
          response.flushHeaders();
        },
        write(chunk) {
          if (over) return;
          cancelIdle();
          cancelIdle = clock.schedule(clock.now() + IDLE_LIMIT_MS, stop);
          exchange.bytesSent += chunk.length;
          response.write(chunk);
        },
      },
    );
    if (!over) response.end();
  } catch (error) {
    if (over) return;
    if (response.headersSent) {
      context.log(`API Gateway ${exchange.httpMethod} ${exchange.fullPath}: ${String(error)}`);
      response.destroy();
    } else {
      failedCall(exchange, error, context);
    }
  } finally {
    cancelTimeout();
    cancelIdle();
    response.off('close', onClose);
  }
}
