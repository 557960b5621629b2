import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { pipeline, Readable } from 'node:stream';
import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { DataError, type DataErrorCode } from '../../../platform/errors/data-error.ts';
import { portOf } from '../../../platform/net/address-guard.ts';
import { byteLimit } from '../../../platform/net/byte-limit.ts';
import { connectionError } from '../connection/connection-errors.ts';
import type { WebOptions } from '../connection/connector.ts';
import type { S3Config, S3Secrets } from './config.ts';

const CODES: Record<string, [DataErrorCode, string]> = {
  NoSuchBucket: ['NOT_FOUND', 'There is no such bucket.'],
  NoSuchKey: ['NOT_FOUND', 'There is no such file.'],
  NotFound: ['NOT_FOUND', 'There is no such file.'],
  EntityTooLarge: ['SCHEMA_MISMATCH', 'The file is larger than the service accepts.'],
  InvalidAccessKeyId: ['AUTH_FAILED', 'The access key is not known.'],
  SignatureDoesNotMatch: ['AUTH_FAILED', 'The secret access key is wrong.'],
  ExpiredToken: ['AUTH_FAILED', 'The session token has expired.'],
  InvalidToken: ['AUTH_FAILED', 'The session token is not valid.'],
  AccessDenied: ['PERMISSION_DENIED', 'The access key may not do this.'],
  PermanentRedirect: ['CONNECTION_FAILED', 'The bucket is in another region.'],
  AuthorizationHeaderMalformed: ['CONNECTION_FAILED', 'The bucket is in another region.'],
};

/**
 * A client for an external bucket. It uses only the user's keys, never the permissions of this deployment, and only the
 * given endpoint, never the one configured for this deployment's own clients. The guard checks the address when it is
 * dialled.
 */
export async function openS3(config: S3Config, secrets: S3Secrets, options: WebOptions): Promise<S3Client> {
  const { guard, timeouts, schemes } = options;
  const url = await guard.checkUrl(config.endpoint ?? `https://s3.${config.region}.amazonaws.com`, { schemes });
  const lookup = guard.lookup(portOf(url));
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
    // Other S3-compatible services do not support checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (request) => {
        const answer = await next(request);
        const response = answer.response as { statusCode: number; body?: unknown };
        const isFile = commandName === 'GetObjectCommand' && response.statusCode < 300;
        if (!isFile && response.body instanceof Readable) response.body = boundedText(response.body);
        return answer;
      },
    { step: 'deserialize', priority: 'low', name: 'boundedText' },
  );
  return client;
}

/** A page of a thousand keys takes at most seven megabytes. */
const MAX_TEXT_BYTES = 8 * 1024 ** 2;

/**
 * Responses other than files are parsed as a whole, so their size is limited: a hostile service must not exhaust
 * memory.
 */
const boundedText = (body: Readable) => pipeline(body, byteLimit(MAX_TEXT_BYTES, toS3Error), () => undefined);

/** Makes a request and translates its errors. */
export async function s3Call<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw toS3Error(error);
  }
}

export function toS3Error(cause: unknown): DataError {
  if (cause instanceof DataError) return cause;
  const { name = '' } = cause as Error;
  if (cause instanceof S3ServiceException) {
    const known = CODES[name];
    if (known) return new DataError(...known, { cause });
    const status = cause.$metadata.httpStatusCode;
    if (status === 403) return new DataError('PERMISSION_DENIED', 'The access key may not do this.', { cause });
    if (status === 404) return new DataError('NOT_FOUND', 'There is no such bucket or file.', { cause });
    return new DataError('CONNECTION_FAILED', `The service answered with the status ${status}.`, { cause });
  }
  if (name === 'TimeoutError') return new DataError('TIMEOUT', 'The service did not answer in time.', { cause });
  return (
    connectionError(cause) ??
    new DataError('CONNECTION_FAILED', 'The service closed the connection or does not speak S3.', { cause })
  );
}
