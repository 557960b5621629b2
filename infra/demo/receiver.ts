import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Notification {
  headers: IncomingHttpHeaders;
  body: string;
}

/** Listens on loopback for one webhook notification. */
export async function openReceiver(): Promise<{ url: string; next: Promise<Notification>; close(): void }> {
  const { promise: next, resolve } = Promise.withResolvers<Notification>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    response.writeHead(200).end();
    resolve({ headers: request.headers, body: Buffer.concat(chunks).toString('utf8') });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/notifications`,
    next,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * The check of a receiver before it trusts a notification: the HMAC over `timestamp.delivery-id.body`, compared in
 * constant time.
 */
export function isGenuine({ headers, body }: Notification, secret: string): boolean {
  const text = `${headers['x-service-timestamp']}.${headers['x-service-delivery-id']}.${body}`;
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(text).digest('hex')}`);
  const given = Buffer.from(String(headers['x-service-signature']));
  return given.length === expected.length && timingSafeEqual(given, expected);
}
