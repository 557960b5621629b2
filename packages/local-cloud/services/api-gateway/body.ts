import type { IncomingMessage } from 'node:http';

/** The largest body that API Gateway accepts. */
const LIMIT_BYTES = 10 * 1024 * 1024;

/**
 * Reads the request's body; `undefined` if it is larger than API Gateway allows. The rest is then drained unread, so
 * that a client that is still sending can receive the answer. Rejects if the client disconnects.
 */
export function readBody(message: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    message.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= LIMIT_BYTES) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      resolve(undefined);
    });
    message.on('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    message.on('error', reject);
  });
}
