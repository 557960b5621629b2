import { Socket } from 'node:net';
import type { AddressGuard } from '../../../platform/net/address-guard.ts';

/** A socket for a driver that calls `connect(port, host)` without a way to pass a lookup. */
export function guardedSocket(guard: AddressGuard): Socket {
  const socket = new Socket();
  const connect = socket.connect.bind(socket) as (options: object) => Socket;
  socket.connect = ((port: number, host: string) =>
    connect({ port, host, lookup: guard.lookup(port) })) as Socket['connect'];
  return socket;
}
