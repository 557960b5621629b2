import { createHash } from 'node:crypto';
import { S3Error } from '../errors.ts';
import type { Sink } from '../model.ts';
import type { S3Request } from '../request.ts';
import { decodeAwsChunked } from './aws-chunked.ts';
import { ChunkSignatures } from './chunk-signatures.ts';
import { announcedSize, type Claims, readClaims } from './claims.ts';
import { type ChecksumAlgorithm, createDigest, DEFAULT_ALGORITHM } from './digests.ts';

/** Enough for DeleteObjects with a thousand long keys. */
const MAX_DOCUMENT_BYTES = 8 * 1024 ** 2;

/** A complete body that matches every checksum sent with it. */
export interface ReceivedPayload {
  size: number;
  /** MD5 in hex: the etag. */
  md5: string;
  algorithm: ChecksumAlgorithm;
  /** Base64. */
  checksum: string;
  /** The client's checksum, or else the one above, for the reply. */
  confirmed: { algorithm: ChecksumAlgorithm; value: string };
}

interface ReceiveOptions {
  maxBytes: number;
  /** The algorithm to report; default: the client's, else S3's. */
  algorithm?: ChecksumAlgorithm;
  /** The only algorithm allowed for the client's checksum. */
  onlyAlgorithm?: ChecksumAlgorithm;
  /** `object` means that checksum headers are not about this body. */
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
  checkAlgorithm(claims, options.onlyAlgorithm);
  const algorithm = options.algorithm ?? claims.algorithm ?? DEFAULT_ALGORITHM;
  const confirmed = claims.algorithm ?? algorithm;
  const md5 = createHash('md5');
  const sha256 = createHash('sha256');
  const digests = new Map([algorithm, confirmed].map((name) => [name, createDigest(name)]));
  const checked = [md5, ...(claims.contentSha256 === undefined ? [] : [sha256]), ...digests.values()];

  let size = 0;
  for await (const chunk of unframed(request, claims)) {
    size += chunk.length;
    if (size > announced) break;
    for (const digest of checked) digest.update(chunk);
    await sink(chunk);
  }
  if (size !== announced) {
    throw new S3Error('IncompleteBody', { fields: { NumberBytesExpected: announced, NumberBytesProvided: size } });
  }

  const md5Digest = md5.digest();
  checkMd5(claims, md5Digest);
  checkSha256(claims, sha256.digest('hex'));
  const computed = new Map([...digests].map(([name, digest]) => [name, digest.digest().toString('base64')]));
  if (claims.algorithm && claims.checksum() !== computed.get(claims.algorithm)) throw badChecksum(claims.algorithm);
  return {
    size,
    md5: md5Digest.toString('hex'),
    algorithm,
    checksum: computed.get(algorithm)!,
    confirmed: { algorithm: confirmed, value: computed.get(confirmed)! },
  };
}

function checkAlgorithm(claims: Claims, only: ChecksumAlgorithm | undefined): void {
  if (!only || !claims.algorithm || claims.algorithm === only) return;
  throw new S3Error('InvalidRequest', {
    message: `Checksum Type mismatch occurred, expected checksum Type: ${only.toLowerCase()}, actual checksum Type: ${claims.algorithm.toLowerCase()}`,
  });
}

function checkMd5({ contentMd5 }: Claims, computed: Buffer): void {
  if (!contentMd5 || contentMd5.equals(computed)) return;
  throw new S3Error('BadDigest', {
    fields: { ExpectedDigest: contentMd5.toString('hex'), CalculatedDigest: computed.toString('base64') },
  });
}

function checkSha256({ contentSha256 }: Claims, computed: string): void {
  if (contentSha256 === undefined || contentSha256 === computed) return;
  throw new S3Error('XAmzContentSHA256Mismatch', {
    fields: { ClientComputedContentSHA256: contentSha256, S3ComputedContentSHA256: computed },
  });
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

function unframed(request: S3Request, claims: Claims): AsyncIterable<Buffer> {
  // Stopping early must not destroy the connection, because the error reply still has to be sent.
  const body: AsyncIterable<Buffer> = request.message.iterator({ destroyOnReturn: false });
  return claims.chunked ? decodeAwsChunked(body, claims.onTrailer, chunkSignatures(request)) : body;
}

function chunkSignatures(request: S3Request): ChunkSignatures | undefined {
  const kind = /^STREAMING-AWS4-HMAC-SHA256-PAYLOAD(-TRAILER)?$/.exec(request.header('x-amz-content-sha256') ?? '');
  if (!kind || !request.verified) return undefined;
  return new ChunkSignatures(request.verified, { hasTrailer: kind[1] !== undefined });
}
