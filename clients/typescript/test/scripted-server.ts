import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Seen {
  method: string;
  /** Below `/api`, with the query. */
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export type Answer = (response: ServerResponse, seen: Seen) => void;

/** A server that gives its answers one after the other, the last one for good, and keeps what it was asked. */
export async function scriptedServer(...answers: Answer[]) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method = '', url = '', headers } = request;
    const asked = { method, path: url.replace(/^\/api/, ''), headers, body };
    seen.push(asked);
    answers[Math.min(seen.length, answers.length) - 1]!(response, asked);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

export const problem = (status: number, code: string, headers: Record<string, string> = {}): Answer =>
  json(status, { status, code, title: code, detail: 'What went wrong.', requestId: 'r1', errors: [] }, headers);

/** Answers with the beginning of a body, and hangs up. */
export const cutOff: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
  response.write('{"id":', () => response.destroy());
};

export const hangUp: Answer = (response) => void response.destroy();
