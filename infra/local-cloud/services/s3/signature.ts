import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { AwsRequest } from '../../core/service.ts';
import { S3Error } from './errors.ts';

/** The only access key of the local cloud; functions and the operator's commands sign with it. */
const CREDENTIALS = { accessKeyId: 'local', secretAccessKey: 'local' };
const ALGORITHM = 'AWS4-HMAC-SHA256';

/**
 * Verifies the version 4 signature in the query of a presigned URL against its request. Throws `SignatureDoesNotMatch`
 * if the method, path, query or a signed header differ from the signed ones, `InvalidAccessKeyId` for other credentials
 * and `AuthorizationQueryParametersError` for a malformed query.
 */
export function verifySignature(request: AwsRequest): void {
  const { query } = request;
  if (query.get('X-Amz-Algorithm') !== ALGORITHM) {
    throw malformed(`X-Amz-Algorithm only supports "${ALGORITHM}"`);
  }
  const [accessKeyId, date = '', region = '', service = '', ending, ...more] = (
    query.get('X-Amz-Credential') ?? ''
  ).split('/');
  const signedAt = query.get('X-Amz-Date') ?? '';
  if (ending !== 'aws4_request' || more.length > 0 || date !== signedAt.slice(0, 8)) {
    throw malformed(
      'Error parsing the X-Amz-Credential parameter; the Credential is mal-formed; expecting "<YOUR-AKID>/YYYYMMDD/REGION/SERVICE/aws4_request".',
    );
  }
  if (accessKeyId !== CREDENTIALS.accessKeyId) {
    throw new S3Error('InvalidAccessKeyId', { fields: { AWSAccessKeyId: accessKeyId ?? '' } });
  }
  const names = (query.get('X-Amz-SignedHeaders') ?? '').split(';');
  if (!names.includes('host')) throw malformed('X-Amz-SignedHeaders must include host.');

  const canonicalRequest = canonical(request, names);
  const scope = [date, region, service, ending];
  const text = [ALGORITHM, signedAt, scope.join('/'), createHash('sha256').update(canonicalRequest).digest('hex')].join(
    '\n',
  );
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${CREDENTIALS.secretAccessKey}`);
  const expected = hmac(key, text);
  const provided = Buffer.from(query.get('X-Amz-Signature') ?? '', 'hex');
  if (provided.length === expected.length && timingSafeEqual(provided, expected)) return;
  throw new S3Error('SignatureDoesNotMatch', {
    fields: {
      AWSAccessKeyId: accessKeyId,
      StringToSign: text,
      SignatureProvided: query.get('X-Amz-Signature') ?? '',
      CanonicalRequest: canonicalRequest,
    },
  });
}

/** The canonical request. A signed header that is not sent is an empty line, which no signer writes. */
function canonical({ method, path, query, headers }: AwsRequest, names: readonly string[]): string {
  const parameters = [...query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort();
  const lines = names.map((name) => `${name}:${[headers[name] ?? []].flat().join(',').trim().replace(/ +/g, ' ')}\n`);
  const payload = query.get('X-Amz-Content-Sha256') ?? headers['x-amz-content-sha256'] ?? 'UNSIGNED-PAYLOAD';
  return [method, canonicalPath(path), parameters.join('&'), lines.join(''), names.join(';'), payload].join('\n');
}

/** Clients escape different characters; the signature covers the strict form. */
function canonicalPath(path: string): string {
  try {
    return path
      .split('/')
      .map((segment) => encode(decodeURIComponent(segment)))
      .join('/');
  } catch {
    throw new S3Error('InvalidURI');
  }
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function malformed(message: string): S3Error {
  return new S3Error('AuthorizationQueryParametersError', { message });
}
