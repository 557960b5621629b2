import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A server on loopback that does with each connection what the test says, until the test is over. */
export async function serveSockets(onConnection: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    onConnection(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Passes everything through to a real server, until `cut` sees enough bytes of its answers. */
export const proxyTo = (port: number, cut: (client: Socket, upstream: Socket, answered: number) => void) =>
  serveSockets((client) => {
    const upstream = connect(port, '127.0.0.1');
    let answered = 0;
    client.pipe(upstream);
    upstream.on('error', () => client.destroy());
    upstream.on('data', (bytes) => {
      answered += bytes.length;
      if (client.writable) client.write(bytes);
      cut(client, upstream, answered);
    });
    upstream.on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
  });
