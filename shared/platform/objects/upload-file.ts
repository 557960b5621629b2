import { createReadStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';

/** With the default of 64 KB, small writes would take a third of the upload's time. */
const UPLOAD_CHUNK_BYTES = 1024 * 1024;
/** Parts are held in memory, so that a failed one can be sent again. */
const PARTS_AT_ONCE = 4;
/** A limit of S3. */
const MAX_PARTS = 10_000;

/** Sizes of uploads. S3 takes at most 5 GiB in one request, and parts of at least 5 MiB. */
export interface UploadSizes {
  /** Larger files are uploaded in parts. */
  singleBytes: number;
  /** The smallest size of a part. */
  partBytes: number;
}

const SIZES: UploadSizes = { singleBytes: 1024 ** 3, partBytes: 16 * 1024 ** 2 };

export interface UploadTarget {
  bucket: string;
  key: string;
  contentType: string;
}

/** Uploads a file, in parts if it is large. The object appears whole or not at all. */
export async function uploadFile(
  s3: S3Client,
  target: UploadTarget,
  path: string,
  { signal, sizes = SIZES }: { signal?: AbortSignal | undefined; sizes?: UploadSizes | undefined } = {},
): Promise<void> {
  const { size } = await stat(path);
  if (size > sizes.singleBytes) {
    const file = await open(path);
    const partBytes = partSize(size, sizes.partBytes);
    return uploadInParts(s3, target, file, { size, partBytes }, signal).finally(() => file.close());
  }
  const { bucket: Bucket, key: Key, contentType: ContentType } = target;
  const Body = createReadStream(path, { highWaterMark: UPLOAD_CHUNK_BYTES });
  try {
    const command = new PutObjectCommand({ Bucket, Key, Body, ContentLength: size, ContentType });
    await s3.send(command, signal ? { abortSignal: signal } : {});
  } finally {
    Body.destroy();
  }
}

/** The size of the parts of a file. */
export const partSize = (sizeBytes: number, minBytes: number) => Math.max(minBytes, Math.ceil(sizeBytes / MAX_PARTS));

async function uploadInParts(
  s3: S3Client,
  { bucket: Bucket, key: Key, contentType: ContentType }: UploadTarget,
  file: FileHandle,
  { size, partBytes }: { size: number; partBytes: number },
  outer?: AbortSignal,
): Promise<void> {
  const failed = new AbortController();
  const abortSignal = outer ? AbortSignal.any([outer, failed.signal]) : failed.signal;
  const created = await s3.send(
    new CreateMultipartUploadCommand({ Bucket, Key, ContentType, ChecksumAlgorithm: 'CRC32' }),
    { abortSignal },
  );
  const upload = { Bucket, Key, UploadId: created.UploadId! };
  const parts: CompletedPart[] = [];
  const count = Math.ceil(size / partBytes);
  let next = 1;
  const sendParts = async () => {
    while (next <= count) {
      const PartNumber = next;
      next += 1;
      const start = (PartNumber - 1) * partBytes;
      const Body = await readPart(file, start, Math.min(partBytes, size - start));
      const { ETag, ChecksumCRC32 } = await s3.send(
        new UploadPartCommand({ ...upload, PartNumber, Body, ChecksumAlgorithm: 'CRC32' }),
        { abortSignal },
      );
      parts[PartNumber - 1] = { PartNumber, ETag, ChecksumCRC32 };
    }
  };
  const senders = Array.from({ length: PARTS_AT_ONCE }, sendParts);
  try {
    await Promise.all(senders);
    const command = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts } });
    await s3.send(command, { abortSignal });
  } catch (error) {
    failed.abort();
    // S3 keeps parts that arrive after the upload was aborted.
    await Promise.allSettled(senders);
    // A rule of the bucket removes an upload that cannot be aborted now.
    await s3.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined);
    throw error;
  }
}

/** A single read returns at most 2 GiB, and may return less than wanted. */
async function readPart(file: FileHandle, start: number, bytes: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(bytes);
  for (let at = 0; at < bytes; ) {
    const { bytesRead } = await file.read(buffer, at, bytes - at, start + at);
    if (bytesRead === 0) throw new Error('the file became shorter while it was uploaded');
    at += bytesRead;
  }
  return buffer;
}
