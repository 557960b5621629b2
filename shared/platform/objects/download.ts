import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GetObjectCommand, type S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { inParallel } from '../concurrency/in-parallel.ts';
import { ObjectMissing } from './object-missing.ts';

/** A reference to an object. With an `etag`, it means exactly that content: the object may have been replaced since. */
export interface ObjectRef {
  key: string;
  etag?: string;
  /** A version of the object; the current one when absent. */
  version?: string;
  /** The size, if known. */
  sizeBytes?: number;
}

/**
 * S3 limits each connection to a part of a function's bandwidth, and the checksum of an upload from a browser (CRC-64)
 * is computed in JavaScript, at less than half a gigabyte per second. Larger objects are therefore downloaded in
 * ranges, several at a time. TLS, the lengths and the etag protect their integrity.
 */
const RANGE_BYTES = 32 * 1024 * 1024;
const RANGES_AT_ONCE = 4;

/**
 * Downloads an object to a local file until the signal aborts. Throws ObjectMissing if it does not exist or has other
 * content.
 */
export async function download(
  s3: S3Client,
  bucket: string,
  ref: ObjectRef,
  path: string,
  wanted: AbortSignal,
): Promise<void> {
  try {
    if (ref.sizeBytes !== undefined && ref.sizeBytes > RANGE_BYTES) {
      await inRanges(s3, bucket, { ...ref, sizeBytes: ref.sizeBytes }, path, wanted);
    } else {
      const reply = await s3.send(new GetObjectCommand({ Bucket: bucket, ...contentOf(ref) }), { abortSignal: wanted });
      await pipeline(reply.Body as Readable, createWriteStream(path), { signal: wanted });
    }
  } catch (cause) {
    // 416: the object is too short for a range.
    if (cause instanceof S3ServiceException && [404, 412, 416].includes(cause.$metadata.httpStatusCode ?? 0)) {
      throw new ObjectMissing(ref.key, cause);
    }
    throw cause;
  }
}

const contentOf = ({ key, etag, version }: ObjectRef) => ({
  Key: key,
  ...(version === undefined ? {} : { VersionId: version }),
  ...(etag ? { IfMatch: etag } : {}),
});

async function inRanges(
  s3: S3Client,
  bucket: string,
  ref: ObjectRef & { sizeBytes: number },
  path: string,
  wanted: AbortSignal,
): Promise<void> {
  const { key, sizeBytes } = ref;
  const stopped = new AbortController();
  const signal = AbortSignal.any([stopped.signal, wanted]);
  const get = (start: number, etag = ref.etag) => {
    const Range = `bytes=${start}-${Math.min(start + RANGE_BYTES, sizeBytes) - 1}`;
    const command = new GetObjectCommand({ Bucket: bucket, Range, ...contentOf({ ...ref, etag }) });
    return s3.send(command, { abortSignal: signal });
  };
  const first = await get(0);
  const write = (body: Readable, start: number) =>
    pipeline(body, createWriteStream(path, { flags: 'r+', start }), { signal });
  try {
    if (!first.ContentRange?.endsWith(`/${sizeBytes}`)) {
      throw new ObjectMissing(key, new Error(`${first.ContentRange} instead of ${sizeBytes} bytes`));
    }
    await (await open(path, 'w')).close();
    const rest = Array.from({ length: Math.ceil(sizeBytes / RANGE_BYTES) - 1 }, (_, i) => (i + 1) * RANGE_BYTES);
    await Promise.all([
      write(first.Body as Readable, 0),
      // All ranges have the etag of the first one, even if none was requested.
      inParallel(RANGES_AT_ONCE - 1, rest, async (start) =>
        write((await get(start, first.ETag)).Body as Readable, start),
      ),
    ]);
  } catch (error) {
    stopped.abort();
    (first.Body as Readable).destroy();
    throw error;
  }
}
