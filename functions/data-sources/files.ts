import {
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';

export interface StoredFile {
  key: string;
  etag: string;
  sizeBytes: number;
  updatedAt: string;
}

/** The files of `file` sources, as they lie in the data bucket. */
export interface SourceFiles {
  /** A URL for one PUT with exactly these headers. */
  signUpload(key: string, headers: Record<string, string>, seconds: number): Promise<string>;
  find(key: string): Promise<StoredFile | undefined>;
  /** Files under a prefix in the order of their names, after the one named. */
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
