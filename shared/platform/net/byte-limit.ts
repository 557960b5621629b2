import { Transform } from 'node:stream';
import { DataError } from '../errors/data-error.ts';

/** Passes at most `maxBytes` on, then fails with RESULT_TOO_LARGE; `translate` puts other failures into words of ours. */
export function byteLimit(maxBytes: number, translate: (error: Error) => Error): Transform {
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > maxBytes) done(new DataError('RESULT_TOO_LARGE', `the answer has more than ${maxBytes} bytes`));
      else done(null, chunk);
    },
    destroy(error, done) {
      done(error === null || error instanceof DataError ? error : translate(error));
    },
  });
  // A failure that comes before anybody reads is kept for the reader.
  return stream.on('error', () => undefined);
}
