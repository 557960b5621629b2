import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Principal } from '../../core/access/principal.ts';
import type { Verified } from '../../core/access/signatures.ts';
import type { AwsRequest, CloudContext } from '../../core/service.ts';
import { parsePath } from './addressing.ts';
import { S3Error } from './errors.ts';
import { checkPresigned, hoistedHeaders, isPresigned } from './presigned-url.ts';

/** A request as operations see it: with bucket and key, and with a presigned URL's headers in place. */
export interface S3Request {
  readonly id: string;
  readonly principal: Principal;
  readonly method: string;
  readonly bucket: string | undefined;
  /** Decoded. */
  readonly key: string | undefined;
  readonly query: URLSearchParams;
  /** By lower-case name, including those of a presigned query. */
  readonly headers: Readonly<Record<string, string>>;
  header(name: string): string | undefined;
  readonly message: IncomingMessage;
  /** Absent in a preflight. */
  readonly verified: Verified | undefined;
  readonly sourceIp: string;
}

/** 16 upper-case letters and digits, like S3's own. */
export function newRequestId(): string {
  return randomBytes(8).toString('hex').toUpperCase();
}

/** Throws `InvalidURI`, `KeyTooLongError`, and the errors of presigned URLs. */
export function readRequest(request: AwsRequest, id: string, context: CloudContext): S3Request {
  const presigned = isPresigned(request.query);
  // A preflight has none of the headers of the request that follows.
  if (presigned && request.method !== 'OPTIONS') checkPresigned(request, context.clock.now());

  const headers: Record<string, string> = presigned ? hoistedHeaders(request.query) : {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(',') : value;
  }
  const owner = headers['x-amz-expected-bucket-owner'] ?? headers['x-amz-source-expected-bucket-owner'];
  if (owner !== undefined && owner !== context.accountId) throw new S3Error('AccessDenied');

  return {
    id,
    principal: request.principal,
    method: request.method,
    ...{ bucket: undefined, key: undefined, ...parsePath(request.path) },
    query: request.query,
    headers,
    header: (name) => headers[name],
    message: request.message,
    verified: request.verified,
    sourceIp: request.message.socket.remoteAddress ?? '127.0.0.1',
  };
}
