import { Transform } from 'node:stream';
import { EngineError } from '../engine/engine-error.ts';

/** More than any scratch disk of ours holds beside what is made of it. */
const MOST_TRANSFER_BYTES = 16 * 1024 ** 3;

/** Passes rows on until they are more than a source may send: one that never ends is cut off. */
export function transferLimit(maxBytes: number = MOST_TRANSFER_BYTES): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes <= maxBytes) done(null, chunk);
      else done(new EngineError('RESULT_TOO_LARGE', `The rows are more than ${maxBytes} bytes; read fewer of them.`));
    },
  });
}
