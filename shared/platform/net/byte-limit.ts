import { Transform } from 'node:stream';
import { DataError } from '../errors/data-error.ts';

/** Passes on at most `maxBytes`, then fails with RESULT_TOO_LARGE; `translate` replaces other errors. */
export function byteLimit(maxBytes: number, translate: (error: Error) => Error): Transform {
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > maxBytes) done(new DataError('RESULT_TOO_LARGE', `the response has more than ${maxBytes} bytes`));
      else done(null, chunk);
    },
    destroy(error, done) {
      done(error === null || error instanceof DataError ? error : translate(error));
    },
  });
  // An error before the first read must not crash the process; the reader receives it later.
  return stream.on('error', () => undefined);
}
