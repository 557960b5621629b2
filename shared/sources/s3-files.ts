import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { GetObjectCommand, ListObjectsV2Command, S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { EngineError, type EngineErrorCode } from '../engine/engine-error.ts';
import { formatOf } from '../files/format-of.ts';
import { byteLimit } from '../net/byte-limit.ts';
import { connectionError } from './connection-errors.ts';
import type { ListPart, SourceTable, WebOptions } from './connector.ts';
import type { FileStore } from './file-store.ts';
import type { S3Config, S3Secrets } from './s3-config.ts';

/** A service that answers empty pages for ever is not listened to for ever. */
const MOST_PAGES = 50;

const CODES: Record<string, [EngineErrorCode, string]> = {
  NoSuchBucket: ['NOT_FOUND', 'There is no such bucket.'],
  NoSuchKey: ['NOT_FOUND', 'There is no such file.'],
  NotFound: ['NOT_FOUND', 'There is no such file.'],
  InvalidAccessKeyId: ['AUTH_FAILED', 'The access key is not known.'],
  SignatureDoesNotMatch: ['AUTH_FAILED', 'The secret access key is wrong.'],
  ExpiredToken: ['AUTH_FAILED', 'The session token has expired.'],
  InvalidToken: ['AUTH_FAILED', 'The session token is not valid.'],
  AccessDenied: ['PERMISSION_DENIED', 'The access key may not do this.'],
  PermanentRedirect: ['CONNECTION_FAILED', 'The bucket is in another region.'],
  AuthorizationHeaderMalformed: ['CONNECTION_FAILED', 'The bucket is in another region.'],
};

/**
 * The files of a bucket that belongs to somebody else. Their keys alone are used, never a right of ours; the address is
 * the named one, never the one this deployment's own clients are configured with, and is judged when it is dialled.
 */
export async function s3Files(config: S3Config, secrets: S3Secrets, options: WebOptions): Promise<FileStore> {
  const { guard, timeouts, schemes } = options;
  const url = await guard.checkUrl(config.endpoint ?? `https://s3.${config.region}.amazonaws.com`, { schemes });
  const { lookup } = guard;
  const client = new S3Client({
    region: config.region,
    endpoint: url.href,
    forcePathStyle: config.endpoint !== undefined || config.bucket.includes('.'),
    credentials: secrets,
    maxAttempts: 2,
    requestHandler: {
      httpAgent: new HttpAgent({ lookup, keepAlive: false }),
      httpsAgent: new HttpsAgent({ lookup, keepAlive: false }),
      connectionTimeout: timeouts.connectMs,
      requestTimeout: timeouts.statementMs,
      throwOnRequestTimeout: true,
    },
    // Other services that speak S3 know no checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const { prefix = '' } = config;

  async function list({ after, limit }: ListPart): Promise<SourceTable[]> {
    const found: SourceTable[] = [];
    let token: string | undefined;
    let pages = 0;
    do {
      const page = await attempt(() =>
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
        // Consoles make such objects to show a folder.
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
    } while (token && found.length < limit && pages < MOST_PAGES);
    return found.slice(0, limit);
  }

  return {
    test: async () => void (await list({ limit: 1 })),
    list,
    async open(path, { maxBytes, signal }) {
      const answer = await attempt(() =>
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

async function attempt<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw toS3Error(error);
  }
}

function toS3Error(cause: unknown): EngineError {
  if (cause instanceof EngineError) return cause;
  const { name = '' } = cause as Error;
  if (cause instanceof S3ServiceException) {
    const known = CODES[name];
    if (known) return new EngineError(...known, { cause });
    const status = cause.$metadata.httpStatusCode;
    if (status === 403) return new EngineError('PERMISSION_DENIED', 'The access key may not do this.', { cause });
    if (status === 404) return new EngineError('NOT_FOUND', 'There is no such bucket or file.', { cause });
    return new EngineError('CONNECTION_FAILED', `The service answered with the status ${status}.`, { cause });
  }
  if (name === 'TimeoutError') return new EngineError('TIMEOUT', 'The service did not answer in time.', { cause });
  return (
    connectionError(cause) ??
    new EngineError('CONNECTION_FAILED', 'The service broke off or does not speak S3.', { cause })
  );
}
