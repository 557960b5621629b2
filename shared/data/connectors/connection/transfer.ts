import { createWriteStream } from 'node:fs';
import { type Readable, Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DataError } from '../../../platform/errors/data-error.ts';
import type { DatabaseSession } from './database-session.ts';

/** Larger results would not fit on a scratch disk beside the files made of them. */
const MAX_TRANSFER_BYTES = 16 * 1024 ** 3;

/** Writes the rows that a database sends to a file or a stream; more than `maxBytes` throws RESULT_TOO_LARGE. */
export function transferRows(
  source: DatabaseSession,
  rows: () => Readable,
  to: string | Writable,
  maxBytes: number = MAX_TRANSFER_BYTES,
): Promise<void> {
  const target = () => (typeof to === 'string' ? createWriteStream(to) : to);
  return source.bounded((signal) => pipeline(rows(), transferLimit(maxBytes), target(), { signal }));
}

/** Passes rows on and fails once they exceed the limit, because a query may never end. */
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
