import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Logger } from '@aws-lambda-powertools/logger';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type { SendLine } from './lines.ts';
import type { HttpReply } from './problem.ts';
import { beginReply, streamifyResponse } from './response-stream.ts';

/**
 * The handler of a function that streams its replies. The chain decides everything before the first line, so that a
 * request that fails gets an ordinary reply. An error after it ends the reply without its last line, because the status
 * has been sent.
 */
export function streamReplies(
  chain: (event: APIGatewayProxyEvent, context: Context) => Promise<HttpReply>,
  log: Logger,
): unknown {
  return streamifyResponse(async (event, stream, context) => {
    const { statusCode, headers, body, lines } = await chain(event, context);
    const out = beginReply(stream, { statusCode, headers });
    if (lines) {
      try {
        await lines(sender(out));
      } catch (error) {
        if (!(error instanceof Disconnected)) log.error('the stream failed', { error: error as Error });
      }
    }
    out.end(body);
  });
}

class Disconnected extends Error {}

/** Waits while the client is slower than the lines, so that they do not pile up. */
function sender(out: Writable): SendLine {
  const ended = new AbortController();
  for (const event of ['close', 'error'] as const) out.once(event, () => ended.abort());
  return async (line) => {
    if (ended.signal.aborted) throw new Disconnected();
    if (out.write(`${line}\n`)) return;
    await once(out, 'drain', { signal: ended.signal }).catch(() => {
      throw new Disconnected();
    });
  };
}
