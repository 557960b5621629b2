import { pipeline, type Readable } from 'node:stream';
import { GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { byteLimit } from '../../../platform/net/byte-limit.ts';
import { formatOf } from '../../files/format-of.ts';
import type { ListPart, SourceTable, WebOptions } from '../connection/connector.ts';
import type { FileStore } from '../connection/file-store.ts';
import { openS3, s3Call, toS3Error } from './client.ts';
import type { S3Config, S3Secrets } from './config.ts';

/** Limits requests to a service that keeps returning empty pages. */
const MAX_PAGES = 50;

/** The files of an external bucket. */
export async function s3Files(config: S3Config, secrets: S3Secrets, options: WebOptions): Promise<FileStore> {
  const client = await openS3(config, secrets, options);
  const { prefix = '' } = config;

  async function list({ after, limit }: ListPart): Promise<SourceTable[]> {
    const found: SourceTable[] = [];
    let token: string | undefined;
    let pages = 0;
    do {
      const page = await s3Call(() =>
        client.send(
          new ListObjectsV2Command({
            Bucket: config.bucket,
            Prefix: prefix,
            MaxKeys: 1000,
            ...(after === undefined ? {} : { StartAfter: prefix + after }),
            ...(token === undefined ? {} : { ContinuationToken: token }),
          }),
        ),
      );
      for (const { Key = '', Size = 0, LastModified } of page.Contents ?? []) {
        // Consoles create such objects to represent a folder.
        if (Key.endsWith('/') || Key === prefix) continue;
        found.push({
          name: Key.slice(prefix.length),
          kind: 'file',
          sizeBytes: Size,
          ...(LastModified ? { updatedAt: LastModified.toISOString() } : {}),
        });
      }
      token = page.NextContinuationToken;
      pages += 1;
    } while (token && found.length < limit && pages < MAX_PAGES);
    return found.slice(0, limit);
  }

  return {
    test: async () => void (await list({ limit: 1 })),
    list,
    async open(path, { maxBytes, signal }) {
      const answer = await s3Call(() =>
        client.send(new GetObjectCommand({ Bucket: config.bucket, Key: prefix + path }), {
          ...(signal ? { abortSignal: signal } : {}),
        }),
      );
      const end = byteLimit(maxBytes, toS3Error);
      const format = formatOf(path);
      return {
        body: pipeline(answer.Body as Readable, end, () => undefined),
        ...(format ? { format } : {}),
        ...(answer.ContentLength === undefined ? {} : { sizeBytes: answer.ContentLength }),
      };
    },
  };
}
