/**
 * The framing between the Lambda service and an execution environment, in both directions over one duplex pipe:
 *
 *   uint32 length of the rest | uint8 kind | uint32 length of the header | header (JSON) | body (bytes)
 *
 * Plain JavaScript because the child process loads it too, and must start fast.
 */
export const FRAME = Object.freeze({
  /** service → environment: header {requestId, functionArn, remainingMs, clientContext?}, body = event */
  invoke: 1,
  /** environment → service: the handler is loaded */
  ready: 2,
  /** environment → service: header = error object; the process exits after it */
  initError: 3,
  /** environment → service: body = one log event */
  log: 4,
  /** environment → service: header {contentType}; a streamed response begins */
  head: 5,
  /** environment → service: body = bytes of a streamed response */
  chunk: 6,
  /** environment → service: header {rssBytes, error?, last?}, body = response as JSON (empty when streamed) */
  done: 7,
  /** environment → service: header {rssBytes}; sent during an invocation where the service cannot read it itself */
  memory: 8,
});

const PREFIX_BYTES = 9;
const EMPTY = Buffer.alloc(0);

/** Smaller frames are copied into one buffer; larger bodies are passed on uncopied. */
const COPY_LIMIT_BYTES = 64 * 1024;

export function writeFrame(channel, kind, header, body = EMPTY, callback = undefined) {
  const headerBytes = header === undefined ? EMPTY : Buffer.from(JSON.stringify(header));
  const prefix = Buffer.allocUnsafe(PREFIX_BYTES);
  prefix.writeUInt32BE(5 + headerBytes.length + body.length, 0);
  prefix.writeUInt8(kind, 4);
  prefix.writeUInt32BE(headerBytes.length, 5);
  if (body.length <= COPY_LIMIT_BYTES) return channel.write(Buffer.concat([prefix, headerBytes, body]), callback);
  channel.cork();
  channel.write(Buffer.concat([prefix, headerBytes]));
  const flowing = channel.write(body, callback);
  channel.uncork();
  return flowing;
}

/** Splits a byte stream into frames, whatever the sizes of its chunks. */
export class FrameReader {
  #chunks = [];
  #bufferedBytes = 0;
  #neededBytes = 4;
  #onFrame;

  constructor(onFrame) {
    this.#onFrame = onFrame;
  }

  push(chunk) {
    this.#chunks.push(chunk);
    this.#bufferedBytes += chunk.length;
    while (this.#bufferedBytes >= this.#neededBytes) {
      const bytes = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks);
      this.#chunks = [bytes];
      const length = 4 + bytes.readUInt32BE(0);
      if (bytes.length < length) {
        this.#neededBytes = length;
        return;
      }
      const headerEnd = PREFIX_BYTES + bytes.readUInt32BE(5);
      const header = headerEnd > PREFIX_BYTES ? JSON.parse(bytes.toString('utf8', PREFIX_BYTES, headerEnd)) : undefined;
      const rest = bytes.subarray(length);
      this.#chunks = rest.length > 0 ? [rest] : [];
      this.#bufferedBytes = rest.length;
      this.#neededBytes = 4;
      this.#onFrame(bytes.readUInt8(4), header, bytes.subarray(headerEnd, length));
    }
  }
}
