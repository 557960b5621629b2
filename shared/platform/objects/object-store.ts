import { addAbortSignal, type Readable } from 'node:stream';
import {
  CopyObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { GrowingUpload } from './growing-upload.ts';
import { ObjectMissing } from './object-missing.ts';
import { type UploadSizes, uploadFile } from './upload-file.ts';

const PARQUET = 'application/vnd.apache.parquet';
const MAX_DELETED_AT_ONCE = 1000;

/** The data bucket, for write-once objects. */
export interface ObjectStore {
  read(key: string): Promise<Buffer>;
  /** The content piece by piece, for objects that may be large. */
  readStream(key: string): Promise<Readable>;
  /** The last bytes of an object. Throws ObjectMissing. */
  readEnd(key: string, bytes: number): Promise<Buffer>;
  /** The state of an object, or of one of its versions; undefined if it does not exist. */
  find(key: string, version?: string): Promise<{ etag: string; sizeBytes: number; versionId?: string } | undefined>;
  write(key: string, content: Buffer, contentType: string): Promise<void>;
  /** Uploads a local file of any size; Parquet by default. */
  upload(key: string, path: string, contentType?: string): Promise<void>;
  /** Begins to upload a Parquet file while it is written, until `written` settles. */
  uploadGrowing(key: string, path: string, written: Promise<unknown>): GrowingUpload;
  /** Copies within the bucket; with an `etag` only exactly that content. Throws ObjectMissing. */
  copy(from: { key: string; etag?: string }, to: string): Promise<void>;
  /** Objects under a prefix, sorted by key; at most the first `atMost`. */
  list(prefix: string, atMost?: number): Promise<{ key: string; sizeBytes: number; updatedAt: string }[]>;
  /** Deletes objects; missing ones are ignored. */
  remove(keys: readonly string[]): Promise<void>;
  /** The same bucket for work that ends when `signal` aborts: pending operations then fail. */
  within(signal: AbortSignal): ObjectStore;
}

/** The client is created on first use, because many functions rarely access an object. */
export function objectStore(bucket: string, given?: S3Client, sizes?: UploadSizes): ObjectStore {
  let client = given;
  const open = () => {
    client ??= new S3Client({});
    return client;
  };
  return storeOf({ bucket, open, sizes });
}

interface Access {
  bucket: string;
  open(): S3Client;
  sizes: UploadSizes | undefined;
  signal?: AbortSignal;
}

function storeOf(access: Access): ObjectStore {
  const { bucket, open, sizes, signal } = access;
  const until = signal ? { abortSignal: signal } : {};

  /** Aborting the request does not abort reading its response. */
  async function contentOf({ Body }: { Body?: unknown }): Promise<Buffer> {
    const body = Body as Readable;
    return Buffer.concat(await (signal ? addAbortSignal(signal, body) : body).toArray());
  }

  return {
    async read(key) {
      const s3 = open();
      return contentOf(await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }), until));
    },

    async readStream(key) {
      const { Body } = await open().send(new GetObjectCommand({ Bucket: bucket, Key: key }), until);
      return signal ? addAbortSignal(signal, Body as Readable) : (Body as Readable);
    },

    async readEnd(key, bytes) {
      const s3 = open();
      const command = new GetObjectCommand({ Bucket: bucket, Key: key, Range: `bytes=-${bytes}` });
      const reply = await s3.send(command, until).catch((error: unknown) => {
        throw isMissing(error) ? new ObjectMissing(key, error) : error;
      });
      return contentOf(reply);
    },

    async find(key, version) {
      const s3 = open();
      try {
        const head = await s3.send(new HeadObjectCommand({ Bucket: bucket, Key: key, VersionId: version }), until);
        const state = { etag: head.ETag!, sizeBytes: head.ContentLength ?? 0 };
        return head.VersionId === undefined ? state : { ...state, versionId: head.VersionId };
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },

    async write(key, content, contentType) {
      const s3 = open();
      const command = new PutObjectCommand({ Bucket: bucket, Key: key, Body: content, ContentType: contentType });
      await s3.send(command, until);
    },

    async upload(key, path, contentType = PARQUET) {
      await uploadFile(open(), { bucket, key, contentType }, path, { signal, sizes });
    },

    uploadGrowing(key, path, written) {
      return new GrowingUpload(open(), { bucket, key, contentType: PARQUET }, path, written, { signal, sizes });
    },

    async copy(from, to) {
      const s3 = open();
      const source = from.key.split('/').map(encodeURIComponent).join('/');
      const command = new CopyObjectCommand({
        Bucket: bucket,
        Key: to,
        CopySource: `${bucket}/${source}`,
        ...(from.etag ? { CopySourceIfMatch: from.etag } : {}),
      });
      try {
        await s3.send(command, until);
      } catch (cause) {
        const isReplacedOrMissing =
          cause instanceof S3ServiceException && [404, 412].includes(cause.$metadata.httpStatusCode ?? 0);
        throw isReplacedOrMissing ? new ObjectMissing(from.key, cause) : cause;
      }
    },

    async list(prefix, atMost = Number.POSITIVE_INFINITY) {
      const s3 = open();
      const found: { key: string; sizeBytes: number; updatedAt: string }[] = [];
      let token: string | undefined;
      do {
        const page = await s3.send(
          new ListObjectsV2Command({
            Bucket: bucket,
            Prefix: prefix,
            ContinuationToken: token,
            ...(Number.isFinite(atMost) ? { MaxKeys: Math.min(atMost - found.length, 1000) } : {}),
          }),
          until,
        );
        for (const { Key, Size, LastModified } of page.Contents ?? []) {
          found.push({ key: Key!, sizeBytes: Size ?? 0, updatedAt: LastModified!.toISOString() });
        }
        token = page.NextContinuationToken;
      } while (token && found.length < atMost);
      return found;
    },

    async remove(keys) {
      const s3 = open();
      for (let start = 0; start < keys.length; start += MAX_DELETED_AT_ONCE) {
        const Objects = keys.slice(start, start + MAX_DELETED_AT_ONCE).map((Key) => ({ Key }));
        const command = new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } });
        const reply = await s3.send(command, until);
        const [failed] = reply.Errors ?? [];
        if (failed) throw new Error(`could not delete ${failed.Key}: ${failed.Code}`);
      }
    },

    within: (wanted) => storeOf({ ...access, signal: wanted }),
  };
}

const isMissing = (error: unknown) => error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404;
