import { createReadStream } from 'node:fs';
import { type FileHandle, open, readFile, stat } from 'node:fs/promises';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
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

export const SIZES: UploadSizes = { singleBytes: 1024 ** 3, partBytes: 16 * 1024 ** 2 };

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
  const put = async (Body: PutObjectCommandInput['Body']) => {
    const { bucket: Bucket, key: Key, contentType: ContentType } = target;
    const command = new PutObjectCommand({ Bucket, Key, Body, ContentLength: size, ContentType });
    await s3.send(command, signal ? { abortSignal: signal } : {});
  };
  // A stream allocates whole chunks, however small the file is, and cannot be sent again.
  if (size <= UPLOAD_CHUNK_BYTES) return put(await readFile(path));
  const stream = createReadStream(path, { highWaterMark: UPLOAD_CHUNK_BYTES });
  return put(stream).finally(() => stream.destroy());
}

/** The size of the parts of a file. */
export const partSize = (sizeBytes: number, minBytes: number) => Math.max(minBytes, Math.ceil(sizeBytes / MAX_PARTS));

async function uploadInParts(
  s3: S3Client,
  target: UploadTarget,
  file: FileHandle,
  { size, partBytes }: { size: number; partBytes: number },
  signal?: AbortSignal,
): Promise<void> {
  const upload = new PartUpload(s3, target, signal);
  const count = Math.ceil(size / partBytes);
  let next = 1;
  const sendParts = async () => {
    while (next <= count) {
      const part = next;
      next += 1;
      const start = (part - 1) * partBytes;
      await upload.send(part, await readPart(file, start, Math.min(partBytes, size - start)));
    }
  };
  try {
    await Promise.all(Array.from({ length: PARTS_AT_ONCE }, sendParts));
    await upload.complete();
  } catch (error) {
    await upload.abort();
    throw error;
  }
}

/** An object in parts. It does not exist before it is complete. */
export class PartUpload {
  readonly #s3: S3Client;
  readonly #target: UploadTarget;
  readonly #failed = new AbortController();
  readonly #signal: AbortSignal;
  readonly #parts: CompletedPart[] = [];
  readonly #sending = new Set<Promise<unknown>>();
  #begun: Promise<string> | undefined;

  constructor(s3: S3Client, target: UploadTarget, outer?: AbortSignal) {
    this.#s3 = s3;
    this.#target = target;
    this.#signal = outer ? AbortSignal.any([outer, this.#failed.signal]) : this.#failed.signal;
  }

  /** Parts are numbered from 1. Several may be sent at once. */
  async send(part: number, content: Buffer): Promise<void> {
    this.#begun ??= this.#begin();
    const sending = this.#begun.then((id) => this.#sendPart(id, part, content));
    this.#sending.add(sending);
    await sending.finally(() => this.#sending.delete(sending));
  }

  async complete(): Promise<void> {
    const upload = this.#named(await this.#begun!);
    const command = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: this.#parts } });
    await this.#s3.send(command, { abortSignal: this.#signal });
  }

  /** Removes what was sent. Never throws: a rule of the bucket removes an upload that cannot be aborted now. */
  async abort(): Promise<void> {
    this.#failed.abort();
    // S3 keeps parts that arrive after the upload was aborted.
    await Promise.allSettled(this.#sending);
    const id = await this.#begun?.catch(() => undefined);
    if (id === undefined) return;
    await this.#s3.send(new AbortMultipartUploadCommand(this.#named(id))).catch(() => undefined);
  }

  async #begin(): Promise<string> {
    const { bucket: Bucket, key: Key, contentType: ContentType } = this.#target;
    const command = new CreateMultipartUploadCommand({ Bucket, Key, ContentType, ChecksumAlgorithm: 'CRC32' });
    return (await this.#s3.send(command, { abortSignal: this.#signal })).UploadId!;
  }

  async #sendPart(id: string, part: number, content: Buffer): Promise<void> {
    const place = { ...this.#named(id), PartNumber: part };
    const command = new UploadPartCommand({ ...place, Body: content, ChecksumAlgorithm: 'CRC32' });
    const { ETag, ChecksumCRC32 } = await this.#s3.send(command, { abortSignal: this.#signal });
    this.#parts[part - 1] = { PartNumber: part, ETag, ChecksumCRC32 };
  }

  #named(id: string) {
    return { Bucket: this.#target.bucket, Key: this.#target.key, UploadId: id };
  }
}

/** A single read returns at most 2 GiB, and may return less than wanted. */
export async function readPart(file: FileHandle, start: number, bytes: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(bytes);
  for (let at = 0; at < bytes; ) {
    const { bytesRead } = await file.read(buffer, at, bytes - at, start + at);
    if (bytesRead === 0) throw new Error('the file became shorter while it was uploaded');
    at += bytesRead;
  }
  return buffer;
}
