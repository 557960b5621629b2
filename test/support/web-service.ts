import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface WebService {
  readonly url: string;
  readonly requests: { path: string; headers: IncomingMessage['headers'] }[];
}

/** A web service on loopback that answers as the test says, until the test is over. */
export async function openWebService(
  answer: (url: URL, response: ServerResponse, request: IncomingMessage) => void,
): Promise<WebService> {
  const requests: WebService['requests'] = [];
  const server = createServer((request, response) => {
    requests.push({ path: request.url!, headers: request.headers });
    answer(new URL(request.url!, 'http://service'), response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

export const sendJson = (response: ServerResponse, content: unknown, headers: Record<string, string> = {}) =>
  void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(content));
