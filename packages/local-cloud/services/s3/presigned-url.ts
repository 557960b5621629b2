import { parseAmzDate } from '../../core/access/authorization.ts';
import { toTheSecond } from '../../core/clock.ts';
import type { AwsRequest } from '../../core/service.ts';
import { S3Error } from './errors.ts';

const MAX_EXPIRY_SECONDS = 7 * 24 * 60 * 60;

/** Query parameters of the signature itself, in lower case. */
const signatureParameters = new Set([
  'x-amz-algorithm',
  'x-amz-content-sha256',
  'x-amz-credential',
  'x-amz-date',
  'x-amz-expires',
  'x-amz-security-token',
  'x-amz-signature',
  'x-amz-signedheaders',
]);

export function isPresigned(query: URLSearchParams): boolean {
  return query.has('X-Amz-Signature');
}

/**
 * Checks the constraints of a presigned URL whose signature is valid: that it has not expired, and that no `x-amz-`
 * header is sent that it did not sign. Throws `AccessDenied`, ….
 */
export function checkPresigned(request: AwsRequest, now: number): void {
  const { query, headers } = request;
  const signedAt = parseAmzDate(query.get('X-Amz-Date') ?? '');
  const seconds = Number(query.get('X-Amz-Expires') ?? Number.NaN);
  if (signedAt === undefined || !Number.isFinite(seconds)) {
    throw new S3Error('AuthorizationQueryParametersError', {
      message:
        'Query-string authentication version 4 requires the X-Amz-Algorithm, X-Amz-Credential, X-Amz-Signature, X-Amz-Date, X-Amz-SignedHeaders, and X-Amz-Expires parameters.',
    });
  }
  if (seconds < 0) {
    throw new S3Error('AuthorizationQueryParametersError', { message: 'X-Amz-Expires must be non-negative' });
  }
  if (seconds > MAX_EXPIRY_SECONDS) {
    throw new S3Error('AuthorizationQueryParametersError', {
      message:
        'X-Amz-Expires must be less than a week (in seconds); that is, the given X-Amz-Expires must be less than 604800 seconds',
    });
  }
  const expires = signedAt + seconds * 1000;
  if (now >= expires) {
    throw new S3Error('AccessDenied', {
      message: 'Request has expired',
      fields: {
        'X-Amz-Expires': seconds,
        Expires: toTheSecond(expires),
        ServerTime: toTheSecond(now),
      },
    });
  }
  const signed = new Set((query.get('X-Amz-SignedHeaders') ?? '').split(';'));
  const unsigned = Object.keys(headers).filter(
    (name) => name.startsWith('x-amz-') && !signatureParameters.has(name) && !signed.has(name),
  );
  if (unsigned.length > 0) {
    throw new S3Error('AccessDenied', {
      message: 'There were headers present in the request which were not signed',
      fields: { HeadersNotSigned: unsigned.join(', ') },
    });
  }
}

/**
 * The `x-amz-` headers that the signer moved into the query (metadata, storage class, …). Checksums are ignored, as by
 * S3: SDKs sign the checksum of an empty body there, which no real upload would match.
 */
export function hoistedHeaders(query: URLSearchParams): Record<string, string> {
  const hoisted: Record<string, string> = {};
  for (const [parameter, value] of query) {
    const name = parameter.toLowerCase();
    if (!name.startsWith('x-amz-') || signatureParameters.has(name)) continue;
    if (name === 'x-amz-sdk-checksum-algorithm') continue;
    if (name.startsWith('x-amz-checksum-') && name !== 'x-amz-checksum-mode') continue;
    hoisted[name] = value;
  }
  return hoisted;
}

/** Whether a query parameter belongs to the signature or carries a header, as opposed to selecting the operation. */
export function isSigningParameter(parameter: string): boolean {
  return parameter.toLowerCase().startsWith('x-amz-');
}
