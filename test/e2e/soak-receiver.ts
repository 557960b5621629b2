import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What came for one delivery: how often, and a digest of its bytes. */
export interface Seen {
  requests: number;
  digest: string;
  /** A later request had other bytes. */
  differs: boolean;
}

/** A receiver that keeps a few dozen bytes per delivery, however many there are. */
export interface SoakReceiver {
  readonly url: string;
  readonly seen: ReadonlyMap<string, Seen>;
  readonly requests: number;
  /** Requests whose signature is wrong. */
  readonly forged: number;
  close(): void;
}

/** Every twentieth answer is a failure. */
const FAILS_EVERY = 20;

export async function openSoakReceiver(secret: string): Promise<SoakReceiver> {
  const seen = new Map<string, Seen>();
  let requests = 0;
  let forged = 0;
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request);
    requests += 1;
    const status = requests % FAILS_EVERY === 0 ? 500 : 200;
    const id = request.headers['x-service-delivery-id'] as string;
    if (!isSigned(secret, request, body)) forged += 1;
    const digest = createHash('sha256').update(body).digest('base64').slice(0, 16);
    const before = seen.get(id);
    seen.set(id, {
      requests: (before?.requests ?? 0) + 1,
      digest: before?.digest ?? digest,
      differs: before !== undefined && (before.differs || before.digest !== digest),
    });
    response.writeHead(status).end();
  };
  // A sender that is killed leaves a request without an end.
  const server = createServer((request, response) => void take(request, response).catch(() => response.destroy()));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    seen,
    get requests() {
      return requests;
    },
    get forged() {
      return forged;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function isSigned(secret: string, { headers }: IncomingMessage, body: Buffer): boolean {
  const [timestamp, id] = [headers['x-service-timestamp'], headers['x-service-delivery-id']];
  const digest = createHmac('sha256', secret).update(`${timestamp}.${id}.`).update(body).digest('hex');
  const [expected, given] = [`sha256=${digest}`, String(headers['x-service-signature'])].map((text) =>
    Buffer.from(text),
  );
  return given!.length === expected!.length && timingSafeEqual(given!, expected!);
}
