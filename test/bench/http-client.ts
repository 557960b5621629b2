import { Agent, request } from 'node:http';

export interface Reply {
  status: number;
  text: string;
  /** From the first byte sent to the last byte received. */
  ms: number;
}

/** A client as plain as it gets, so that its own share of a latency is small and the same for both sides. */
export class HttpClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });
  readonly #headers: Record<string, string>;

  constructor(headers: Record<string, string> = {}) {
    this.#headers = headers;
  }

  send(method: string, url: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    const content = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    return new Promise((resolve, reject) => {
      const startedAt = performance.now();
      const call = request(url, {
        method,
        agent: this.#agent,
        headers: {
          ...this.#headers,
          ...headers,
          ...(content ? { 'content-type': 'application/json', 'content-length': content.length } : {}),
        },
      });
      // The server may close a connection that was idle at the moment when it is used again.
      call.on('error', (error: NodeJS.ErrnoException) =>
        call.reusedSocket && error.code === 'ECONNRESET'
          ? resolve(this.send(method, url, body, headers))
          : reject(error),
      );
      call.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            text: Buffer.concat(chunks).toString('utf8'),
            ms: performance.now() - startedAt,
          }),
        );
      });
      call.end(content);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
