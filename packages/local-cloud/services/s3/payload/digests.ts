import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { crc32cDigest, crc64nvmeDigest } from './crc-tables.ts';
import type { Digest } from './digest.ts';

export const checksumAlgorithms = ['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'] as const;
export type ChecksumAlgorithm = (typeof checksumAlgorithms)[number];

/** S3's algorithm if the client sends no checksum. */
export const DEFAULT_ALGORITHM: ChecksumAlgorithm = 'CRC64NVME';

export function createDigest(algorithm: ChecksumAlgorithm): Digest {
  switch (algorithm) {
    case 'CRC32':
      return crc32Digest();
    case 'CRC32C':
      return crc32cDigest();
    case 'CRC64NVME':
      return crc64nvmeDigest();
    case 'SHA1':
    case 'SHA256':
      return createHash(algorithm.toLowerCase());
  }
}

/** `x-amz-checksum-crc32` and so on. */
export function checksumHeader(algorithm: ChecksumAlgorithm): string {
  return `x-amz-checksum-${algorithm.toLowerCase()}`;
}

/** The XML element with a checksum, such as `ChecksumCRC32`. */
export function checksumElement(algorithm: ChecksumAlgorithm): string {
  return `Checksum${algorithm}`;
}

/** Length of a checksum in bytes. */
export const digestBytes: Record<ChecksumAlgorithm, number> = {
  CRC32: 4,
  CRC32C: 4,
  CRC64NVME: 8,
  SHA1: 20,
  SHA256: 32,
};

function crc32Digest(): Digest {
  let crc = 0;
  return {
    update(chunk) {
      crc = crc32(chunk, crc);
    },
    digest() {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(crc);
      return bytes;
    },
  };
}
