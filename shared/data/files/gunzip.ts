import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { DataError } from '../../platform/errors/data-error.ts';
import { unreadable } from './file-format.ts';

const MAX_BYTES = 4 * 1024 ** 3;
/** Ordinary texts shrink to a hundredth at best, gzip bombs to a thousandth. */
const MAX_RATIO = 300;
const RATIO_FROM_BYTES = 64 * 1024 * 1024;

/**
 * Decompresses a file to `copyPath`. Throws FILE_UNREADABLE for a file that is damaged, not gzip, or unpacks to too
 * much.
 */
export async function gunzip(path: string, copyPath: string): Promise<void> {
  const file = await open(path);
  const { size } = await file.stat().finally(() => file.close());
  let bytes = 0;
  const limit = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) done(unreadable(`The file unpacks to more than ${MAX_BYTES} bytes.`));
      else if (bytes > RATIO_FROM_BYTES && bytes > size * MAX_RATIO) {
        done(unreadable(`The file unpacks to more than ${MAX_RATIO} times its size, as a gzip bomb does.`));
      } else done(null, chunk);
    },
  });
  try {
    await pipeline(createReadStream(path), createGunzip(), limit, createWriteStream(copyPath));
  } catch (cause) {
    const code = (cause as { code?: string }).code ?? '';
    if (cause instanceof DataError || !code.startsWith('Z_')) throw cause;
    throw unreadable('The file is damaged or not gzip.', cause);
  }
}
