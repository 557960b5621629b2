import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';

export interface RawReceiver {
  port: number;
  /** Bytes that the other side has taken, or that lie in buffers on the way to it. */
  sentBytes(): number;
  /** Resolves when every connection is closed. */
  closed(): Promise<void>;
}

/** A receiver that answers each connection with whatever `answer` writes, once the request's head is there. */
export async function openRawReceiver(answer: (socket: Socket, head: string) => void): Promise<RawReceiver> {
  const sockets = new Set<Socket>();
  let sent = 0;
  let idle = Promise.withResolvers<void>();
  idle.resolve();
  const server = createServer((socket) => {
    if (sockets.size === 0) idle = Promise.withResolvers<void>();
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sent += socket.bytesWritten - socket.writableLength;
      sockets.delete(socket);
      if (sockets.size === 0) idle.resolve();
    });
    let head = '';
    socket.on('data', (chunk) => {
      if (head.includes('\r\n\r\n')) return;
      head += chunk.toString('latin1');
      if (head.includes('\r\n\r\n')) answer(socket, head);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, sentBytes: () => sent, closed: () => idle.promise };
}

const OK = 'HTTP/1.1 200 OK\r\n';

/** Writes `first`, then the chunk as fast as the other side takes it, until that goes. */
export function endlessly(first: string, chunk: string | Buffer): (socket: Socket) => void {
  return (socket) => {
    const write = () => {
      while (!socket.destroyed && socket.write(chunk));
      if (!socket.destroyed) socket.once('drain', write);
    };
    if (first !== '') socket.write(first);
    write();
  };
}

/** Writes `first`, then the chunk every few milliseconds, until the other side goes. */
function slowly(first: string, chunk: string): (socket: Socket) => void {
  return (socket) => {
    const timer = setInterval(() => socket.write(chunk), 5);
    socket.on('close', () => clearInterval(timer));
    if (first !== '') socket.write(first);
  };
}

function after(socket: Socket, delayMs: number, text: string): void {
  const timer = setTimeout(() => socket.end(text), delayMs);
  socket.on('close', () => clearTimeout(timer));
}

const BOMB = gzipSync(Buffer.alloc(64 * 1024 * 1024));

/**
 * What hostile receivers do, and what comes of a request that may take 400 ms and 64 KiB: the status, or a word of the
 * reason why there is none.
 */
export const HOSTILE_ANSWERS: [name: string, answer: (socket: Socket) => void, outcome: number | RegExp][] = [
  ['takes the request and says nothing', () => undefined, /^no complete response within/],
  ['answers when its time is nearly over', (socket) => after(socket, 300, `${OK}content-length: 0\r\n\r\n`), 200],
  ['answers when its time is over', (socket) => after(socket, 600, `${OK}\r\n`), /^no complete response within/],
  [
    'answers in time, and ends its body too late',
    (socket) => {
      socket.write(`${OK}content-length: 2\r\n\r\no`);
      after(socket, 600, 'k');
    },
    /^no complete response within/,
  ],
  ['closes at once', (socket) => socket.destroy(), /connection failed/],
  ['closes after half a status line', (socket) => socket.end('HTTP/1.1 20'), /connection failed/],
  ['resets the connection', (socket) => socket.resetAndDestroy(), /connection failed: ECONNRESET/],
  ['drips its headers', slowly(OK, 'x-a: b\r\n'), /^no complete response within/],
  ['drips one endless header', slowly(`${OK}x-a: `, 'a'), /^no complete response/],
  ['drips its status line', slowly('', 'H'), /connection failed: HPE_/],
  ['drips its body', slowly(`${OK}content-length: 60000\r\n\r\n`, 'a'), /^no complete response within/],
  ['drips chunks', slowly(`${OK}transfer-encoding: chunked\r\n\r\n`, '1\r\na\r\n'), /^no complete response within/],
  ['never ends its body', endlessly(`${OK}\r\n`, Buffer.alloc(65_536)), 200],
  [
    'never ends its chunks',
    endlessly(`${OK}transfer-encoding: chunked\r\n\r\n`, `10000\r\n${'a'.repeat(65_536)}\r\n`),
    200,
  ],
  ['promises petabytes', endlessly(`${OK}content-length: 9007199254740991\r\n\r\n`, Buffer.alloc(65_536)), 200],
  [
    'promises more than a number holds',
    (socket) => socket.end(`${OK}content-length: 99999999999999999999999\r\n\r\n`),
    /HPE_INVALID_CONTENT_LENGTH/,
  ],
  ['promises a negative length', (socket) => socket.end(`${OK}content-length: -1\r\n\r\n`), /HPE_/],
  ['promises two lengths', (socket) => socket.end(`${OK}content-length: 1\r\ncontent-length: 2\r\n\r\nab`), /HPE_/],
  [
    'promises a length and chunks',
    (socket) => socket.end(`${OK}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
    /HPE_/,
  ],
  ['says less than promised', (socket) => socket.end(`${OK}content-length: 100\r\n\r\nhalf`), /connection failed/],
  [
    'closes within a chunk',
    (socket) => socket.end(`${OK}transfer-encoding: chunked\r\n\r\n64\r\nhalf`),
    /connection failed/,
  ],
  ['says more than promised', (socket) => socket.end(`${OK}content-length: 2\r\n\r\nokHTTP/1.1 500 No\r\n\r\n`), 200],
  [
    'sends a chunk extension without end',
    endlessly(`${OK}transfer-encoding: chunked\r\n\r\n1;`, 'a'.repeat(4096)),
    /connection failed/,
  ],
  [
    'sends trailers without end',
    endlessly(`${OK}transfer-encoding: chunked\r\n\r\n0\r\n`, `x-a: ${'a'.repeat(1000)}\r\n`),
    /connection failed/,
  ],
  ['sends a bomb', (socket) => socket.end(bombAnswer()), 200],
  ['lies about its encoding', (socket) => socket.end(`${OK}content-encoding: gzip\r\n\r\nplain`), 200],
  [
    'sends endless interim responses',
    endlessly('', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(100)),
    /too many interim responses/,
  ],
  ['sends a few interim answers first', (socket) => socket.end(`HTTP/1.1 100 Continue\r\n\r\n${OK}\r\n`), 200],
  [
    'changes the protocol',
    (socket) => socket.write('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    /connection failed/,
  ],
  ['sends a giant header', endlessly(OK, `x-a: ${'a'.repeat(9000)}\r\n`), /HPE_HEADER_OVERFLOW/],
  ['sends a giant status line', endlessly('', `HTTP/1.1 200 ${'a'.repeat(9000)}`), /HPE_HEADER_OVERFLOW/],
  ['sends thousands of headers', endlessly(OK, 'a: b\r\n'.repeat(50)), /HPE_HEADER_OVERFLOW/],
  ['speaks another protocol', (socket) => socket.end('220 mail.example ESMTP\r\n'), /HPE_/],
  ['answers with TLS', (socket) => socket.end(Buffer.from('150301000202', 'hex')), /HPE_/],
  ['answers with HTTP/0.9', (socket) => socket.end('<html>hello</html>'), /HPE_/],
  ['answers with a strange version', (socket) => socket.end('HTTP/9.9 200 OK\r\n\r\n'), /HPE_/],
  ['answers with a status of words', (socket) => socket.end('HTTP/1.1 abc OK\r\n\r\n'), /HPE_/],
  ['answers with four digits', (socket) => socket.end('HTTP/1.1 2000 OK\r\n\r\n'), /HPE_/],
  ['answers with status 0', (socket) => socket.end('HTTP/1.1 000 OK\r\ncontent-length: 0\r\n\r\n'), 0],
  ['answers with zero bytes', endlessly('', Buffer.alloc(4096)), /HPE_/],
  ['folds a header', (socket) => socket.end(`${OK}x-a: b\r\n c\r\ncontent-length: 0\r\n\r\n`), /HPE_|^200$/],
  ['splits a header by a bare line feed', (socket) => socket.end(`${OK}x-a: b\nx-c: d\r\n\r\n`), /HPE_|^200$/],
  ['sends a null in a header', (socket) => socket.end(`${OK}x-a: b\0c\r\n\r\n`), /HPE_/],
  [
    'redirects to itself',
    (socket) => socket.end('HTTP/1.1 307 Again\r\nlocation: /hook\r\ncontent-length: 0\r\n\r\n'),
    307,
  ],
  [
    'redirects to a metadata service',
    (socket) => socket.end('HTTP/1.1 302 Go\r\nlocation: http://169.254.169.254/\r\ncontent-length: 0\r\n\r\n'),
    302,
  ],
  ['answers with 204 and a body', (socket) => socket.end('HTTP/1.1 204 No\r\ncontent-length: 5\r\n\r\nhello'), 204],
];

export function bombAnswer(): Buffer {
  const head = `${OK}content-encoding: gzip\r\ncontent-length: ${BOMB.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), BOMB]);
}
