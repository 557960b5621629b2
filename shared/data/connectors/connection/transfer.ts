import { createWriteStream } from 'node:fs';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DataError } from '../../../platform/errors/data-error.ts';
import type { Conversation } from './conversation.ts';

/** More than any scratch disk of ours holds beside what is made of it. */
const MAX_TRANSFER_BYTES = 16 * 1024 ** 3;

/** Writes what a database sends into a file, up to `maxBytes`; more throws RESULT_TOO_LARGE. */
export function transferRows(
  source: Conversation,
  rows: () => Readable,
  path: string,
  maxBytes: number = MAX_TRANSFER_BYTES,
): Promise<void> {
  return source.bounded((signal) => pipeline(rows(), transferLimit(maxBytes), createWriteStream(path), { signal }));
}

/** Passes rows on until they are more than a source may send: one that never ends is cut off. */
function transferLimit(maxBytes: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes <= maxBytes) done(null, chunk);
      else done(new DataError('RESULT_TOO_LARGE', `The rows are more than ${maxBytes} bytes; read fewer of them.`));
    },
  });
}
