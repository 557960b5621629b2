import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { mcpServer, type ServerDeps } from './server.ts';

/** A request of the protocol as it was received. */
export interface McpRequest {
  body: unknown;
  headers: Readonly<Record<string, string>>;
}

/** The answer as JSON; undefined for a notification, which has none. */
export async function answerMcp(deps: ServerDeps, { body, headers }: McpRequest): Promise<string | undefined> {
  const server = mcpServer(deps);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const reply = await transport.handleRequest(requestFor(headers), { parsedBody: body });
    const text = await reply.text();
    return reply.status === 202 ? undefined : text;
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
