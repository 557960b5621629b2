import { crc32 } from 'node:zlib';

const STRING_TYPE = 7;
const PRELUDE_BYTES = 8;
const CHECKSUM_BYTES = 4;

/**
 * Encodes one event of `application/vnd.amazon.eventstream`: lengths, their checksum, headers, payload, total checksum.
 */
export function encodeEvent(eventType: string, contentType: string, payload: Uint8Array): Buffer {
  const headers = Buffer.concat([
    header(':message-type', 'event'),
    header(':event-type', eventType),
    header(':content-type', contentType),
  ]);
  const total = PRELUDE_BYTES + CHECKSUM_BYTES + headers.length + payload.length + CHECKSUM_BYTES;
  const message = Buffer.allocUnsafe(total);
  message.writeUInt32BE(total, 0);
  message.writeUInt32BE(headers.length, 4);
  message.writeUInt32BE(crc32(message.subarray(0, PRELUDE_BYTES)), PRELUDE_BYTES);
  headers.copy(message, PRELUDE_BYTES + CHECKSUM_BYTES);
  message.set(payload, PRELUDE_BYTES + CHECKSUM_BYTES + headers.length);
  message.writeUInt32BE(crc32(message.subarray(0, total - CHECKSUM_BYTES)), total - CHECKSUM_BYTES);
  return message;
}

function header(name: string, value: string): Buffer {
  const nameBytes = Buffer.from(name);
  const valueBytes = Buffer.from(value);
  const length = Buffer.allocUnsafe(2);
  length.writeUInt16BE(valueBytes.length);
  return Buffer.concat([Buffer.from([nameBytes.length]), nameBytes, Buffer.from([STRING_TYPE]), length, valueBytes]);
}
