import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { DataError } from '../errors/data-error.ts';
import { byteLimit } from './byte-limit.ts';
import type { GuardedResponse } from './guarded-request.ts';

const DECODERS: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/** The value for `accept-encoding`. */
export const DECODABLE = 'gzip, deflate, br, zstd';

/**
 * The response body without its content encoding, limited to `maxBytes` after decoding. The stream fails with
 * RESULT_TOO_LARGE or FILE_UNREADABLE, or with the error of the body. Throws FILE_UNREADABLE for an unknown encoding,
 * or more than one.
 */
export function decodedBody({ headers, body }: GuardedResponse, maxBytes: number): Readable {
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const end = byteLimit(maxBytes, unreadable);
  if (encoding === 'identity' || encoding === '') return pipeline(body, end, ignored);
  if (!Object.hasOwn(DECODERS, encoding)) {
    body.destroy();
    throw new DataError('FILE_UNREADABLE', `the content encoding "${encoding.slice(0, 50)}" is not supported`);
  }
  return pipeline(body, DECODERS[encoding]!(), end, ignored);
}

/** The reader of the last stream receives the error. */
const ignored = () => undefined;

const unreadable = (cause: Error) =>
  new DataError('FILE_UNREADABLE', 'the response does not have the declared content encoding', { cause });
