import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { PostgresAccess } from './setup/ask.ts';

export interface PostgresProxy {
  port: number;
  /** How many rows the server has sent since the last call. */
  takeRows(): number;
  close(): Promise<void>;
}

/** Passes everything on to a Postgres server and counts the rows that come back: messages of rows, and of COPY. */
export async function postgresProxy(server: Pick<PostgresAccess, 'host' | 'port'>): Promise<PostgresProxy> {
  let rows = 0;
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const upstream = connect(server.port, server.host);
    const count = messageCounter((type) => {
      if (type === 'D' || type === 'd') rows += 1;
    });
    upstream.on('data', count);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream);
    upstream.pipe(client);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    port: (proxy.address() as AddressInfo).port,
    takeRows() {
      const counted = rows;
      rows = 0;
      return counted;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

/** Each message has its type in a byte and then its length, which counts itself. The sessions are not encrypted. */
function messageCounter(onMessage: (type: string) => void): (chunk: Buffer) => void {
  let kept: Buffer = Buffer.alloc(0);
  return (chunk) => {
    kept = kept.length > 0 ? Buffer.concat([kept, chunk]) : chunk;
    while (kept.length >= 5) {
      const end = 1 + kept.readUInt32BE(1);
      if (kept.length < end) return;
      onMessage(String.fromCharCode(kept[0]!));
      kept = kept.subarray(end);
    }
  };
}
