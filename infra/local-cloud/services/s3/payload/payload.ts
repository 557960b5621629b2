import { createHash } from 'node:crypto';
import { invalidArgument, notImplemented, S3Error } from '../errors.ts';
import type { S3Request } from '../request.ts';
import type { Sink } from '../store/content-files.ts';
import { decodeAwsChunked } from './aws-chunked.ts';
import {
  type ChecksumAlgorithm,
  checksumAlgorithms,
  checksumHeader,
  createDigest,
  DEFAULT_ALGORITHM,
  digestBytes,
} from './digests.ts';

const CHECKSUM_HEADER_PREFIX = 'x-amz-checksum-';
/** DeleteObjects with a thousand long keys fits. */
const MAX_DOCUMENT_BYTES = 8 * 1024 ** 2;
/** Headers of that prefix that are no checksums. */
const checksumSettings = new Set(['algorithm', 'type', 'mode']);

/** A body that arrived whole and agrees with every checksum sent with it. */
export interface ReceivedPayload {
  size: number;
  /** MD5 in hex: the etag. */
  md5: string;
  algorithm: ChecksumAlgorithm;
  /** Base64. */
  checksum: string;
  /** The checksum that the client sent, or else the one above, for the reply. */
  confirmed: { algorithm: ChecksumAlgorithm; value: string };
}

interface ReceiveOptions {
  maxBytes: number;
  /** The algorithm to report; by default the client's, else S3's own default. */
  algorithm?: ChecksumAlgorithm;
  /** The only algorithm that the client's checksum may have. */
  onlyAlgorithm?: ChecksumAlgorithm;
  /** `object` says that checksum headers are not about this body. */
  checksumOf?: 'body' | 'object';
}

/**
 * Streams the body of a request into `sink`, without its framing, and verifies length, Content-MD5,
 * x-amz-content-sha256 and checksums (sent ahead or trailing). Throws `EntityTooLarge`, `IncompleteBody`,
 * `BadDigest`, ….
 */
export async function receivePayload(
  request: S3Request,
  options: ReceiveOptions,
  sink: Sink,
): Promise<ReceivedPayload> {
  const announced = announcedSize(request);
  if (announced > options.maxBytes) {
    throw new S3Error('EntityTooLarge', { fields: { ProposedSize: announced, MaxSizeAllowed: options.maxBytes } });
  }
  const claims = readClaims(request, options.checksumOf ?? 'body');
  if (options.onlyAlgorithm && claims.algorithm && claims.algorithm !== options.onlyAlgorithm) {
    throw new S3Error('InvalidRequest', {
      message: `Checksum Type mismatch occurred, expected checksum Type: ${options.onlyAlgorithm.toLowerCase()}, actual checksum Type: ${claims.algorithm.toLowerCase()}`,
    });
  }
  const algorithm = options.algorithm ?? claims.algorithm ?? DEFAULT_ALGORITHM;
  const md5 = createHash('md5');
  const sha256 = claims.contentSha256 === undefined ? undefined : createHash('sha256');
  const digests = new Map([algorithm, claims.algorithm ?? algorithm].map((name) => [name, createDigest(name)]));

  let size = 0;
  for await (const chunk of unframed(request, claims)) {
    size += chunk.length;
    if (size > announced) break;
    md5.update(chunk);
    sha256?.update(chunk);
    for (const digest of digests.values()) digest.update(chunk);
    await sink(chunk);
  }
  if (size !== announced) {
    throw new S3Error('IncompleteBody', { fields: { NumberBytesExpected: announced, NumberBytesProvided: size } });
  }

  const md5Digest = md5.digest();
  if (claims.contentMd5 && !claims.contentMd5.equals(md5Digest)) {
    throw new S3Error('BadDigest', {
      fields: { ExpectedDigest: claims.contentMd5.toString('hex'), CalculatedDigest: md5Digest.toString('base64') },
    });
  }
  const computedSha256 = sha256?.digest('hex');
  if (computedSha256 !== undefined && computedSha256 !== claims.contentSha256) {
    throw new S3Error('XAmzContentSHA256Mismatch', {
      fields: { ClientComputedContentSHA256: claims.contentSha256 ?? '', S3ComputedContentSHA256: computedSha256 },
    });
  }
  const computed = new Map([...digests].map(([name, digest]) => [name, digest.digest().toString('base64')]));
  if (claims.algorithm && claims.checksum() !== computed.get(claims.algorithm)) throw badChecksum(claims.algorithm);
  const confirmed = claims.algorithm ?? algorithm;
  return {
    size,
    md5: md5Digest.toString('hex'),
    algorithm,
    checksum: computed.get(algorithm)!,
    confirmed: { algorithm: confirmed, value: computed.get(confirmed)! },
  };
}

/** Reads a whole body (an XML or JSON document), verified. */
export async function readPayloadText(
  request: S3Request,
  options: { maxBytes?: number; checksumOf?: 'body' | 'object' } = {},
): Promise<string> {
  const maxBytes = options.maxBytes ?? MAX_DOCUMENT_BYTES;
  const chunks: Buffer[] = [];
  try {
    await receivePayload(request, { ...options, maxBytes }, async (chunk) => {
      chunks.push(chunk);
    });
  } catch (error) {
    if (error instanceof S3Error && error.code === 'EntityTooLarge') throw new S3Error('MaxMessageLengthExceeded');
    throw error;
  }
  return Buffer.concat(chunks).toString('utf8');
}

export function badChecksum(algorithm: ChecksumAlgorithm): S3Error {
  return new S3Error('BadDigest', {
    message: `The ${algorithm} you specified did not match the calculated checksum.`,
  });
}

/** Reads the name of a checksum algorithm. Throws `InvalidRequest` or, for one that only AWS knows, `NotImplemented`. */
export function checksumAlgorithm(name: string): ChecksumAlgorithm {
  const algorithm = name.toUpperCase() as ChecksumAlgorithm;
  if (checksumAlgorithms.includes(algorithm)) return algorithm;
  if (/^(SHA512|MD5|XXHASH\w+)$/.test(algorithm)) throw notImplemented(`the checksum algorithm ${algorithm}`);
  throw new S3Error('InvalidRequest', {
    message:
      'Checksum algorithm provided is unsupported. Please try again with any of the valid types: [CRC32, CRC32C, CRC64NVME, SHA1, SHA256]',
  });
}

/** What the client says about the body. */
interface Claims {
  chunked: boolean;
  contentMd5?: Buffer;
  /** Hex. */
  contentSha256?: string;
  algorithm?: ChecksumAlgorithm;
  /** Base64; known at the latest when the body has been read. */
  checksum(): string | undefined;
  onTrailer(name: string, value: string): void;
}

function readClaims(request: S3Request, checksumOf: 'body' | 'object'): Claims {
  const contentHash = request.header('x-amz-content-sha256') ?? '';
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
  const source = named[0] ?? trailer;
  if (source !== undefined && !source.startsWith(CHECKSUM_HEADER_PREFIX)) {
    throw new S3Error('InvalidRequest', {
      message: 'The value specified in the x-amz-trailer header is not supported',
    });
  }
  const algorithm = source === undefined ? undefined : checksumAlgorithm(source.slice(CHECKSUM_HEADER_PREFIX.length));
  let checksum = named[0] === undefined ? undefined : request.header(named[0]);
  if (algorithm && checksum !== undefined && Buffer.from(checksum, 'base64').length !== digestBytes[algorithm]) {
    throw new S3Error('InvalidRequest', { message: `Value for ${named[0]} header is invalid.` });
  }
  return {
    chunked: contentHash.startsWith('STREAMING-') || isAwsChunked(request),
    contentMd5: contentMd5(request),
    contentSha256: /^[0-9a-f]{64}$/.test(contentHash) ? contentHash : undefined,
    algorithm,
    checksum: () => checksum,
    onTrailer(name, value) {
      if (algorithm && name === checksumHeader(algorithm)) checksum = value;
    },
  };
}

function contentMd5(request: S3Request): Buffer | undefined {
  const header = request.header('content-md5');
  if (header === undefined) return undefined;
  const digest = Buffer.from(header, 'base64');
  if (digest.length !== 16) throw new S3Error('InvalidDigest', { fields: { 'Content-MD5': header } });
  return digest;
}

function isAwsChunked(request: S3Request): boolean {
  return /(^|,)\s*aws-chunked\s*(,|$)/.test(request.header('content-encoding') ?? '');
}

function unframed(request: S3Request, claims: Claims): AsyncIterable<Buffer> {
  // Stopping early must not destroy the connection: the error reply still has to go out on it.
  const body: AsyncIterable<Buffer> = request.message.iterator({ destroyOnReturn: false });
  return claims.chunked ? decodeAwsChunked(body, claims.onTrailer) : body;
}

/** Size of the content in bytes, known before it arrives. Throws `MissingContentLength`. */
function announcedSize(request: S3Request): number {
  const decoded = request.header('x-amz-decoded-content-length');
  const chunked = (request.header('x-amz-content-sha256') ?? '').startsWith('STREAMING-') || isAwsChunked(request);
  const length = chunked ? decoded : request.header('content-length');
  if (length === undefined) throw new S3Error('MissingContentLength');
  if (!/^\d{1,15}$/.test(length)) throw invalidArgument('Invalid content length.', 'Content-Length', length);
  return Number(length);
}
