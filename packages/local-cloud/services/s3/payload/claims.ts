import { invalidArgument, notImplemented, S3Error } from '../errors.ts';
import type { S3Request } from '../request.ts';
import { type ChecksumAlgorithm, checksumAlgorithms, checksumHeader, digestBytes } from './digests.ts';

const CHECKSUM_HEADER_PREFIX = 'x-amz-checksum-';
/** Headers of that prefix that are not checksums. */
const checksumSettings = new Set(['algorithm', 'type', 'mode']);

/** Properties of the body according to the client. */
export interface Claims {
  chunked: boolean;
  contentMd5?: Buffer;
  /** Hex. */
  contentSha256?: string;
  algorithm?: ChecksumAlgorithm;
  /** Base64; known at the latest after reading the body. */
  checksum(): string | undefined;
  onTrailer(name: string, value: string): void;
}

/** Reads the claims. Throws `InvalidRequest` or `InvalidDigest` if they are malformed or contradict each other. */
export function readClaims(request: S3Request, checksumOf: 'body' | 'object'): Claims {
  const contentHash = request.header('x-amz-content-sha256') ?? '';
  const header = checksumHeaderOf(request, checksumOf);
  const algorithm = header && checksumAlgorithm(header.name.slice(CHECKSUM_HEADER_PREFIX.length));
  let checksum = header?.value;
  if (algorithm && checksum !== undefined && Buffer.from(checksum, 'base64').length !== digestBytes[algorithm]) {
    throw new S3Error('InvalidRequest', { message: `Value for ${header?.name} header is invalid.` });
  }
  return {
    chunked: isAwsChunked(request),
    contentMd5: contentMd5(request),
    contentSha256: /^[0-9a-f]{64}$/.test(contentHash) ? contentHash : undefined,
    algorithm,
    checksum: () => checksum,
    onTrailer(name, value) {
      if (algorithm && name === checksumHeader(algorithm)) checksum = value;
    },
  };
}

/** The only header with a checksum of the body; a trailing one has no value yet. */
function checksumHeaderOf(
  request: S3Request,
  checksumOf: 'body' | 'object',
): { name: string; value: string | undefined } | undefined {
  const named = Object.keys(request.headers).filter(
    (name) =>
      checksumOf === 'body' &&
      name.startsWith(CHECKSUM_HEADER_PREFIX) &&
      !checksumSettings.has(name.slice(CHECKSUM_HEADER_PREFIX.length)),
  );
  const trailer = request.header('x-amz-trailer')?.toLowerCase();
  if (named.length + (trailer ? 1 : 0) > 1) {
    throw new S3Error('InvalidRequest', {
      message: 'Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.',
    });
  }
  if (named[0] !== undefined) return { name: named[0], value: request.header(named[0]) };
  if (trailer === undefined) return undefined;
  if (!trailer.startsWith(CHECKSUM_HEADER_PREFIX)) {
    throw new S3Error('InvalidRequest', {
      message: 'The value specified in the x-amz-trailer header is not supported',
    });
  }
  return { name: trailer, value: undefined };
}

function contentMd5(request: S3Request): Buffer | undefined {
  const header = request.header('content-md5');
  if (header === undefined) return undefined;
  const digest = Buffer.from(header, 'base64');
  if (digest.length !== 16) throw new S3Error('InvalidDigest', { fields: { 'Content-MD5': header } });
  return digest;
}

function isAwsChunked(request: S3Request): boolean {
  const isStreaming = (request.header('x-amz-content-sha256') ?? '').startsWith('STREAMING-');
  return isStreaming || /(^|,)\s*aws-chunked\s*(,|$)/.test(request.header('content-encoding') ?? '');
}

/**
 * Parses the name of a checksum algorithm. Throws `InvalidRequest`, or `NotImplemented` for one that only AWS supports.
 */
export function checksumAlgorithm(name: string): ChecksumAlgorithm {
  const algorithm = name.toUpperCase() as ChecksumAlgorithm;
  if (checksumAlgorithms.includes(algorithm)) return algorithm;
  if (/^(SHA512|MD5|XXHASH\w+)$/.test(algorithm)) throw notImplemented(`the checksum algorithm ${algorithm}`);
  throw new S3Error('InvalidRequest', {
    message:
      'Checksum algorithm provided is unsupported. Please try again with any of the valid types: [CRC32, CRC32C, CRC64NVME, SHA1, SHA256]',
  });
}

/** Size of the content in bytes, known before it arrives. Throws `MissingContentLength`. */
export function announcedSize(request: S3Request): number {
  const length = request.header(isAwsChunked(request) ? 'x-amz-decoded-content-length' : 'content-length');
  if (length === undefined) throw new S3Error('MissingContentLength');
  if (!/^\d{1,15}$/.test(length)) throw invalidArgument('Invalid content length.', 'Content-Length', length);
  return Number(length);
}
