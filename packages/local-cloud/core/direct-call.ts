import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request as an AWS client hands it to its transport. */
export interface DirectRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | Uint8Array;
}

export interface DirectReply {
  statusCode: number;
  headers: Record<string, string>;
  body: Uint8Array;
}

/** The headers of a message from a socket have small letters. */
export function headersOf({ headers }: DirectRequest): IncomingMessage['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

export function bodyOf({ body = '' }: DirectRequest): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}

/** The reply that is written to the response: one document, as those of DynamoDB are. */
export function directReply(answer: (response: ServerResponse) => Promise<void>): Promise<DirectReply> {
  return new Promise((resolve, reject) => {
    const reply = { statusCode: 200, headers: { date: new Date().toUTCString() } };
    const response = {
      headersSent: false,
      writeHead(statusCode: number, headers: Record<string, unknown>) {
        this.headersSent = true;
        reply.statusCode = statusCode;
        for (const [name, value] of Object.entries(headers)) Object.assign(reply.headers, { [name]: String(value) });
        return this;
      },
      end: (body: Uint8Array | string) => resolve({ ...reply, body: Buffer.from(body as string) }),
    };
    answer(response as unknown as ServerResponse).catch(reject);
  });
}
