import { addAbortSignal, type Readable } from 'node:stream';
import { DeleteObjectsCommand, GetObjectCommand, PutObjectCommand, S3ServiceException } from '@aws-sdk/client-s3';
import { DataError } from '../../../platform/errors/data-error.ts';
import { uploadFile } from '../../../platform/objects/upload-file.ts';
import type { WebOptions } from '../connection/connector.ts';
import { openS3, s3Call } from './client.ts';
import type { S3Config, S3Secrets } from './config.ts';

const MAX_DELETED_AT_ONCE = 1000;
const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;

/** A folder of a bucket into which files are loaded. Paths are relative to it. Methods throw DataError. */
export interface S3Folder {
  /** Reads a small file and its version; undefined if it does not exist. */
  read(path: string): Promise<{ text: string; etag: string } | undefined>;
  upload(path: string, file: string, contentType: string): Promise<void>;
  /**
   * Writes a small file unless it has changed since it was read (or found missing). Returns false if it has changed.
   */
  replace(path: string, text: string, seen: string | undefined): Promise<boolean>;
  remove(paths: readonly string[]): Promise<void>;
}

/** All requests fail once `signal` is aborted. */
export async function openS3Folder(
  config: S3Config,
  secrets: S3Secrets,
  options: WebOptions,
  folder: string,
  signal: AbortSignal,
): Promise<S3Folder> {
  const client = await openS3(config, secrets, options);
  const Bucket = config.bucket;
  const until = { abortSignal: signal };
  const keyOf = (path: string) => `${config.prefix ?? ''}${folder}/${path}`;

  return {
    async read(path) {
      try {
        return await s3Call(async () => {
          const answer = await client.send(new GetObjectCommand({ Bucket, Key: keyOf(path) }), until);
          if ((answer.ContentLength ?? 0) > MAX_MANIFEST_BYTES) {
            throw new DataError('FILE_UNREADABLE', `${path} is larger than allowed.`);
          }
          const body = addAbortSignal(signal, answer.Body as Readable);
          const text = Buffer.concat(await body.toArray()).toString('utf8');
          return { text, etag: answer.ETag! };
        });
      } catch (error) {
        if (isAnswer(error, 'NoSuchKey')) return undefined;
        throw error;
      }
    },

    async upload(path, file, contentType) {
      await s3Call(() => uploadFile(client, { bucket: Bucket, key: keyOf(path), contentType }, file, { signal }));
    },

    async replace(path, text, seen) {
      try {
        await s3Call(() =>
          client.send(
            new PutObjectCommand({
              Bucket,
              Key: keyOf(path),
              Body: text,
              ContentType: 'application/json',
              ...(seen === undefined ? { IfNoneMatch: '*' } : { IfMatch: seen }),
            }),
            until,
          ),
        );
        return true;
      } catch (error) {
        // A file that was deleted since it was read has changed as well.
        if (isAnswer(error, 'PreconditionFailed', 'ConditionalRequestConflict', 'NoSuchKey')) return false;
        if (isAnswer(error, 'NotImplemented')) {
          const message =
            'The service does not support conditional writes, without which concurrent loads would be lost.';
          throw new DataError('PERMISSION_DENIED', message, { cause: error });
        }
        throw error;
      }
    },

    async remove(paths) {
      for (let start = 0; start < paths.length; start += MAX_DELETED_AT_ONCE) {
        const Objects = paths.slice(start, start + MAX_DELETED_AT_ONCE).map((path) => ({ Key: keyOf(path) }));
        const { Errors = [] } = await s3Call(() =>
          client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }), until),
        );
        if (Errors.length > 0) {
          throw new DataError('PERMISSION_DENIED', `${Errors.length} files could not be deleted.`);
        }
      }
    },
  };
}

function isAnswer(error: unknown, ...names: string[]): boolean {
  const cause = (error as Error | undefined)?.cause;
  return cause instanceof S3ServiceException && names.includes(cause.name);
}
