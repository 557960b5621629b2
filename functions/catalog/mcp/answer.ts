import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import { mcpServer, type ServerDeps } from './server.ts';

/** A request of the protocol as it was received. */
export interface McpRequest {
  body: unknown;
  headers: Readonly<Record<string, string>>;
}

/**
 * The answer as JSON; undefined for a notification, which has none. Throws `VALIDATION_FAILED` for a message or a
 * revision of the protocol that the server does not know.
 */
export async function answerMcp(deps: ServerDeps, { body, headers }: McpRequest): Promise<string | undefined> {
  const server = mcpServer(deps);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const reply = await transport.handleRequest(requestFor(headers), { parsedBody: body });
    if (reply.status === 202) return undefined;
    const text = await reply.text();
    if (reply.status < 400) return text;
    const { error } = JSON.parse(text) as { error: { message: string } };
    throw new AppError('VALIDATION_FAILED', { detail: `${error.message}.` });
  } finally {
    await server.close();
  }
}

/** The gateway has checked where the request goes; only what the protocol reads is passed on. */
function requestFor(headers: McpRequest['headers']): Request {
  const version = headers['mcp-protocol-version'];
  return new Request('https://analytics.invalid/api/mcp', {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(version === undefined ? {} : { 'mcp-protocol-version': version }),
    },
  });
}
