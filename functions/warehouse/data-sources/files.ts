import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { AppError } from '../../../shared/platform/errors/app-error.ts';

export interface StoredFile {
  key: string;
  etag: string;
  sizeBytes: number;
  updatedAt: string;
}

export interface UploadedPart {
  partNumber: number;
  etag: string;
}

/** The files of `file` sources, stored in the data bucket. */
export interface SourceFiles {
  /** Signs a URL for one PUT with exactly these headers. */
  signUpload(key: string, headers: Record<string, string>, seconds: number): Promise<string>;
  /** Starts a multipart upload; returns its id, which is valid for this key only. */
  startParts(key: string, contentType: string): Promise<string>;
  /** Signs a URL for one PUT of exactly this many bytes. */
  signPart(key: string, part: { uploadId: string; partNumber: number; size: number }, seconds: number): Promise<string>;
  /** Joins the parts to the file. Throws `UPLOAD_NOT_FOUND`, `UPLOAD_PARTS_INVALID`. */
  completeParts(key: string, uploadId: string, parts: readonly UploadedPart[]): Promise<void>;
  /** Throws `UPLOAD_NOT_FOUND`. */
  abortParts(key: string, uploadId: string): Promise<void>;
  find(key: string): Promise<StoredFile | undefined>;
  /** Files under a prefix by name, starting after the given one. */
  list(prefix: string, part: { after?: string; limit: number }): Promise<StoredFile[]>;
}

export function sourceFiles(s3: S3Client, bucket: string): SourceFiles {
  return {
    signUpload: (key, headers, seconds) =>
      getSignedUrl(
        s3,
        new PutObjectCommand({
          Bucket: bucket,
          Key: key,
          ContentType: headers['content-type'],
          ContentLength: Number(headers['content-length']),
        }),
        { expiresIn: seconds, signableHeaders: new Set(['content-type', 'content-length']) },
      ),

    async startParts(key, contentType) {
      const reply = await s3.send(
        new CreateMultipartUploadCommand({ Bucket: bucket, Key: key, ContentType: contentType }),
      );
      return reply.UploadId!;
    },

    signPart: (key, { uploadId, partNumber, size }, seconds) =>
      getSignedUrl(
        s3,
        new UploadPartCommand({
          Bucket: bucket,
          Key: key,
          UploadId: uploadId,
          PartNumber: partNumber,
          ContentLength: size,
        }),
        { expiresIn: seconds, signableHeaders: new Set(['content-length']) },
      ),

    async completeParts(key, uploadId, parts) {
      const Parts = parts.map(({ partNumber, etag }) => ({ PartNumber: partNumber, ETag: etag }));
      await s3
        .send(
          new CompleteMultipartUploadCommand({
            Bucket: bucket,
            Key: key,
            UploadId: uploadId,
            MultipartUpload: { Parts },
          }),
        )
        .catch(throwUploadError);
    },

    async abortParts(key, uploadId) {
      await s3
        .send(new AbortMultipartUploadCommand({ Bucket: bucket, Key: key, UploadId: uploadId }))
        .catch(throwUploadError);
    },

    async find(key) {
      try {
        const head = await s3.send(new HeadObjectCommand({ Bucket: bucket, Key: key }));
        return {
          key,
          etag: head.ETag!,
          sizeBytes: head.ContentLength ?? 0,
          updatedAt: head.LastModified!.toISOString(),
        };
      } catch (error) {
        if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return undefined;
        throw error;
      }
    },

    async list(prefix, { after, limit }) {
      const found: StoredFile[] = [];
      let token: string | undefined;
      do {
        const page = await s3.send(
          new ListObjectsV2Command({
            Bucket: bucket,
            Prefix: prefix,
            MaxKeys: Math.min(1000, limit - found.length),
            ...(after === undefined ? {} : { StartAfter: prefix + after }),
            ...(token === undefined ? {} : { ContinuationToken: token }),
          }),
        );
        for (const object of page.Contents ?? []) {
          found.push({
            key: object.Key!,
            etag: object.ETag!,
            sizeBytes: object.Size ?? 0,
            updatedAt: object.LastModified!.toISOString(),
          });
        }
        token = page.NextContinuationToken;
      } while (token && found.length < limit);
      return found;
    },
  };
}

const INVALID_PARTS = ['InvalidPart', 'InvalidPartOrder', 'EntityTooSmall', 'MalformedXML'];

/** Translates errors of the client into ours. */
function throwUploadError(cause: unknown): never {
  if (cause instanceof S3ServiceException) {
    if (cause.name === 'NoSuchUpload') throw new AppError('UPLOAD_NOT_FOUND', { cause });
    if (INVALID_PARTS.includes(cause.name)) {
      const errors = [{ pointer: '/parts', code: cause.name, message: cause.message }];
      throw new AppError('UPLOAD_PARTS_INVALID', { cause, errors });
    }
  }
  throw cause;
}
