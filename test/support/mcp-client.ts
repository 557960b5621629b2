import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Api } from './api.ts';

/** The result of a tool: what the agent reads, and pictures. */
export interface McpResult {
  isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape
  value: any;
  pictures: { mimeType: string; data: string }[];
}

export interface McpAgent {
  client: Client;
  call(tool: string, args?: Record<string, unknown>): Promise<McpResult>;
}

/** An agent that speaks to the platform with the official client, connected with the token. */
export async function mcpAgent({ endpoint }: Pick<Api, 'endpoint'>, token: string): Promise<McpAgent> {
  const client = new Client({ name: 'test', version: '1' });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${endpoint}/api/mcp`), { requestInit: { headers } }));
  return {
    client,
    async call(name, args = {}) {
      const { content, isError = false } = await client.callTool({ name, arguments: args });
      const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
      const pictures = content.flatMap((part) => (part.type === 'image' ? [part] : []));
      return { isError, value: JSON.parse(texts[0]!), pictures };
    },
  };
}
