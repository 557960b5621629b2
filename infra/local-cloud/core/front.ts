import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { unsupported } from './aws-error.ts';
import type { AwsRequest, LocalService } from './service.ts';

/**
 * One HTTP listener for everything. A request signed for an AWS service (`Authorization` or a presigned query) goes to
 * that service, by the service name in its credential scope; any other request goes to `otherwise` (the APIs).
 * Signatures are read, not verified, because the listener is bound to loopback. Only S3 verifies presigned URLs,
 * because their holders must not be able to do more than was signed.
 */
export class Front {
  readonly #server: Server;
  readonly #services = new Map<string, LocalService>();
  #otherwise: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) => {
    response.writeHead(404).end();
  };

  constructor() {
    this.#server = createServer((request, response) => this.#route(request, response));
    this.#server.keepAliveTimeout = 65_000;
    this.#server.requestTimeout = 0;
  }

  add(service: LocalService): void {
    this.#services.set(service.signingName, service);
  }

  otherwise(handler: (request: IncomingMessage, response: ServerResponse) => void): void {
    this.#otherwise = handler;
  }

  /** Port 0 picks a free one. Rejects with Node's `EADDRINUSE` when the port is taken. */
  async listen(port: number, host = '127.0.0.1'): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, resolve);
    });
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #route(message: IncomingMessage, response: ServerResponse): void {
    // Not parsed as a URL: a client may send the path `//`, which is not a valid URL.
    const [path = '/', ...query] = (message.url ?? '/').split('?');
    const parameters = new URLSearchParams(query.join('?'));
    const signed = signedService(message, parameters);
    const service = this.#services.get(signed ?? '');
    if (!service) {
      if (signed === undefined) this.#otherwise(message, response);
      else reject(signed, response);
      return;
    }
    const request: AwsRequest = {
      method: message.method ?? 'GET',
      path,
      query: parameters,
      headers: message.headers,
      message,
      body: () => readBody(message),
    };
    service.handle(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
      response.end(String(error));
    });
  }
}

/** `…/20260101/us-east-1/sqs/aws4_request` → `sqs`. */
function signedService(message: IncomingMessage, query: URLSearchParams): string | undefined {
  const authorization = message.headers.authorization;
  const scope = authorization?.startsWith('AWS4-HMAC-SHA256')
    ? /Credential=([^,\s]+)/.exec(authorization)?.[1]
    : query.get('X-Amz-Credential');
  return scope?.split('/')[3];
}

/** In the form from which most SDK clients read an error, whatever their protocol. */
function reject(service: string, response: ServerResponse): void {
  const { code, status, message } = unsupported(service, 'this service');
  response.writeHead(status, { 'content-type': 'application/json', 'x-amzn-errortype': code });
  response.end(JSON.stringify({ __type: code, code, message }));
}

async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
