import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

/** A reply in the place of that of the platform: a value, or what writes a stream. */
export type Substitute = (url: URL) => object | ((write: (text: string) => void) => Promise<void>) | undefined;

/**
 * A server in front of the platform, which has more records than anyone would wait for. What it replies is compressed
 * as the platform compresses it, and throttled by the browser as any reply is.
 */
export async function openFront(platform: string, substitute: Substitute) {
  const server = createServer((incoming, outgoing) => {
    const url = new URL(incoming.url ?? '/', platform);
    const found = incoming.method === 'GET' ? substitute(url) : undefined;
    if (typeof found === 'function') {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
      void found((text: string) => outgoing.write(text)).then(() => outgoing.end());
      return;
    }
    if (found) {
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip', 'x-request-id': 'bench' };
      outgoing.writeHead(200, headers).end(gzipSync(JSON.stringify(found), { level: 6 }));
      return;
    }
    const onward = request(url, { method: incoming.method!, headers: incoming.headers }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
